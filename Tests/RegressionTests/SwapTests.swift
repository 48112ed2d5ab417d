import Foundation
import Geometry
import Porthole
import Testing

@Suite("A buffer that changes, and nothing else")
struct SwapTests {
  private static let path = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .appending(path: "Scenes/surface-everywhere.json").path

  /// Each shows the surface, by portals up to six deep.
  private static let places = [
    "surface", "portal", "group", "blurred", "turned", "masked", "glass", "of-masked", "of-glass", "replicated",
    "multiplied", "deep",
  ]

  /// Where a layer is seen, in pixels.
  private func area(_ layer: Layer, in root: Layer) throws -> [Int] {
    let rect = try #require(layer.convert(layer.bounds, to: root))
    var places: [Int] = []
    for y in max(0, Int(rect.minY))..<min(96, Int(rect.maxY)) {
      for x in max(0, Int(rect.minX))..<min(128, Int(rect.maxX)) { places.append((y * 128 + x) * 4) }
    }
    return places
  }

  @Test(
    "shows in that frame in every portal of it, at any depth, in groups, blurs, masks, backdrops, replicators and space",
    arguments: Backend.both, [true, false])
  func everywhere(_ backend: Backend, isTold: Bool) throws {
    let scene = try SceneFile.read(Self.path)
    let surface = try #require(scene.layer("surface") as? SurfaceLayer)
    surface.pacing = .latest
    let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
    defer { renderer.close() }
    let areas = try Self.places.map { try area(try #require(scene.layer($0)), in: scene.root) }
    var before = try renderer.render(scene.root)
    for step in 0..<(backend == .gl ? 24 : 4) {
      // Of colours and alphas that no other step has.
      var pixels: [UInt8] = []
      for place in 0..<64 {
        let alpha = UInt8(255 - (step * 37 + place * 3) % 160)
        for part in 0..<3 { pixels.append(UInt8((step * (61 + part * 30) + place * (7 - part)) % (Int(alpha) + 1))) }
        pixels.append(alpha)
      }
      let image = try #require(
        Image(size: PixelSize(width: 8, height: 8), alpha: .premultiplied, pixels: pixels))
      let damage = isTold ? [PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 8)] : nil
      surface.enqueue(SurfaceBuffer(image, damage: damage))
      let versions = Self.places.compactMap { scene.layer($0).flatMap { renderer.contentVersion(of: $0) } }
      let frame = try renderer.render(scene.root)
      #expect(renderer.lastReport?.changesCommitted == 1, "the picture, and nothing of the tree")
      for (name, area) in zip(Self.places, areas) {
        let changed = area.count { place in (0..<4).contains { before.pixels[place + $0] != frame.pixels[place + $0] } }
        #expect(changed * 4 > area.count, "\(name) in step \(step): \(changed) of \(area.count) pixels")
      }
      let other = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
      defer { other.close() }
      #expect(try other.render(scene.root).pixels == frame.pixels, "step \(step)")
      for (index, name) in Self.places.enumerated() {
        let layer = try #require(scene.layer(name))
        #expect(try #require(renderer.contentVersion(of: layer)) > versions[index], "\(name)")
      }
      before = frame
    }
    #expect(surface.skippedCount == 0)
    #expect(try renderer.update(scene.root).result == .unchanged, "without another buffer there is no other frame")
  }
}
