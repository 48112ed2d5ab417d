import Commit
import Geometry
import Porthole
import TestSupport
import Testing

@Suite("Damage of surfaces")
struct SurfaceDamageTests {
  private let side = 32

  /// A surface, a portal of it one to one, one that is turned and half as large, and one that only shows its left part.
  private func stage(_ backend: Backend) throws -> (OffscreenRenderer, Layer, SurfaceLayer) {
    let renderer = try OffscreenRenderer(size: Size(width: 128, height: 64), backend: backend)
    let (root, surface) = (Layer(), SurfaceLayer())
    root.frame = Rect(x: 0, y: 0, width: 128, height: 64)
    root.backgroundColor = .white
    surface.frame = Rect(x: 4, y: 4, width: 32, height: 32)
    root.addSublayer(surface)
    for (index, x) in [40.0, 80.0, 112.0].enumerated() {
      let portal = PortalLayer()
      portal.frame = Rect(x: x, y: 6, width: index == 2 ? 12 : 32, height: 32)
      portal.masksToBounds = index == 2
      if index == 1 { portal.transform = .rotation(angle: 0.4) * .scale(x: 0.5, y: 0.5) }
      portal.sourceLayer = surface
      root.addSublayer(portal)
    }
    surface.pacing = .latest
    return (renderer, root, surface)
  }

  private func image(_ pixels: [UInt8]) throws -> Image {
    try #require(Image(size: PixelSize(width: side, height: side), alpha: .opaque, pixels: pixels))
  }

  @Test(
    "what says where it differs is drawn as what says nothing, whatever was shown or skipped before", arguments: 0..<6)
  func equal(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let (told, toldRoot, toldSurface) = try stage(.gl)
    let (plain, plainRoot, plainSurface) = try stage(.gl)
    defer {
      told.close()
      plain.close()
    }
    var pixels = [UInt8](repeating: 128, count: side * side * 4)
    var isTold = false
    for step in 0..<40 {
      // Several buffers for a frame, of which some are never seen.
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        var rects: [PixelRect] = []
        for _ in 0..<Int.random(in: 0...3, using: &random) {
          let (x, y) = (Int32.random(in: 0..<28, using: &random), Int32.random(in: 0..<28, using: &random))
          let rect = PixelRect(
            minX: x, minY: y, maxX: x + .random(in: 1...4, using: &random), maxY: y + .random(in: 1...4, using: &random)
          )
          let shade = UInt8.random(in: 0...255, using: &random)
          for row in rect.minY..<rect.maxY {
            for column in rect.minX..<rect.maxX { pixels[(Int(row) * side + Int(column)) * 4 + 1] = shade }
          }
          rects.append(rect)
        }
        // The first differs from nothing that anybody knows.
        let damage = isTold && Bool.random(using: &random) ? rects : nil
        isTold = true
        toldSurface.enqueue(SurfaceBuffer(try image(pixels), damage: damage))
        plainSurface.enqueue(SurfaceBuffer(try image(pixels)))
      }
      let same = try told.render(toldRoot).pixels == plain.render(plainRoot).pixels
      #expect(same, "seed \(seed), step \(step)")
    }
  }

  @Test(
    "a buffer that differs in four pixels brings four to the device, and one that differs nowhere draws nothing")
  func cost() throws {
    let (renderer, root, surface) = try stage(.gl)
    defer { renderer.close() }
    var pixels = [UInt8](repeating: 128, count: side * side * 4)
    surface.enqueue(SurfaceBuffer(try image(pixels)))
    try renderer.update(root)
    for column in 2..<4 { for row in 2..<4 { pixels[(row * side + column) * 4] = 9 } }
    surface.enqueue(
      SurfaceBuffer(try image(pixels), damage: [PixelRect(minX: 2, minY: 2, maxX: 4, maxY: 4)]))
    let report = try renderer.update(root)
    #expect(report.result == .drawn)
    let uploaded = try #require(renderer.memory?.uploadedBytes)
    #expect(uploaded - report.counters.instanceBytes == 4 * 4)
    surface.enqueue(SurfaceBuffer(try image(pixels), damage: []))
    #expect(try renderer.update(root).result == .unchanged, "nothing differs")
  }

  @Test("a surface has one texture, whatever it shows, and another size is another picture")
  func oneTexture() throws {
    let (renderer, root, surface) = try stage(.gl)
    defer { renderer.close() }
    for step in 0..<30 {
      let size = PixelSize(width: step < 20 ? 8 : 16, height: 8)
      let bytes = [UInt8](repeating: UInt8(step * 8), count: size.area * 4)
      surface.enqueue(SurfaceBuffer(try #require(Image(size: size, alpha: .opaque, pixels: bytes))))
      let image = try renderer.render(root)
      #expect(
        Array(image.pixels[(10 * 128 + 10) * 4..<(10 * 128 + 10) * 4 + 3])
          == [UInt8](repeating: UInt8(step * 8), count: 3))
      #expect(renderer.memory?.images == (step < 20 ? 1 : 2))
    }
  }
}
