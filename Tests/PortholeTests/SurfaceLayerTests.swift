import Commit
import Geometry
import Porthole
import Testing

@Suite("Surfaces")
struct SurfaceLayerTests {
  private func picture(_ shade: UInt8) throws -> Image {
    try #require(
      Image(size: PixelSize(width: 2, height: 2), alpha: .opaque, pixels: (0..<4).flatMap { _ in [shade, 0, 0, 255] }))
  }

  /// A surface, a portal of it, and a portal of that portal.
  private func stage() throws -> (rig: Rig, surface: SurfaceLayer) {
    let rig = try Rig()
    let surface = SurfaceLayer()
    surface.frame = Rect(x: 0, y: 0, width: 2, height: 2)
    rig.root.addSublayer(surface)
    let portal = rig.portal(of: surface, 4, 0, 2, 2)
    _ = rig.portal(of: portal, 4, 4, 2, 2)
    return (rig, surface)
  }

  private func shades(_ image: Image) -> [UInt8] { [image[1, 1][0], image[5, 1][0], image[5, 5][0]] }

  @Test("a new buffer alone is a new frame of the surface and of every portal, at any depth, at once")
  func liveness() throws {
    let (rig, surface) = try stage()
    for frame in 1...200 {
      surface.enqueue(SurfaceBuffer(try picture(UInt8(frame))))
      let version = rig.renderer.contentVersion(of: surface)
      let image = try rig.renderer.render(rig.root, at: Double(frame) / 60)
      #expect(shades(image) == [UInt8(frame), UInt8(frame), UInt8(frame)])
      #expect(rig.renderer.contentVersion(of: surface) != version || frame == 1)
      // The buffer was all that was changed.
      #expect(frame == 1 || rig.renderer.lastReport?.changesCommitted == 1)
    }
    #expect(surface.shownCount == 200 && surface.skippedCount == 0)
  }

  @Test("each is shown when its time has come, and the renderer knows when that is")
  func byTime() throws {
    let (rig, surface) = try stage()
    // Not in order.
    for (time, shade) in [(3.0, 30), (1.0, 10), (2.0, 20)] {
      surface.enqueue(SurfaceBuffer(try picture(UInt8(shade)), time: time))
    }
    func shown(at time: Double) throws -> [UInt8] { shades(try rig.renderer.render(rig.root, at: time)) }
    #expect(try shown(at: 0.5) == [0, 0, 0])
    #expect(rig.renderer.nextWake == 1)
    #expect(try shown(at: 1.5) == [10, 10, 10])
    #expect(rig.renderer.nextWake == 2)
    #expect(try shown(at: 9) == [30, 30, 30])
    #expect(surface.skippedCount == 1 && surface.queuedCount == 0 && rig.renderer.nextWake == nil)
    let still = try rig.renderer.render(rig.root, at: 9)
    #expect(try rig.renderer.render(rig.root, at: 10) === still, "the last one stays, and costs nothing")
    #expect(rig.renderer.contentAge(of: surface) == 1)
    surface.pacing = .latest
    surface.enqueue(SurfaceBuffer(try picture(99), time: 1e9))
    #expect(try shown(at: 10) == [99, 99, 99])
    #expect(rig.renderer.contentAge(of: surface) == 0)
  }

  @Test("every buffer goes back exactly once, whatever becomes of it", arguments: 0..<30)
  func release(seed: Int) throws {
    let (rig, first) = try stage()
    var surface: SurfaceLayer? = first
    var state = UInt64(seed) &* 0x9E37_79B9 &+ 1
    func pick(_ range: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % range
    }
    let memory = [UInt8](repeating: 77, count: 4 * 4 * 8)
    var returned: [Int] = []
    var made = 0
    try memory.withUnsafeBytes { bytes in
      for step in 0..<200 {
        switch pick(8) {
        case 0: surface?.flush()
        case 1: surface?.pacing = pick(2) == 0 ? .latest : .byTime
        case 2: surface?.queueLimit = pick(6)
        case 3: try rig.renderer.update(rig.root, at: Double(step) / 10)
        default:
          returned.append(0)
          let number = made
          made += 1
          // Some too small for their size.
          let size = PixelSize(width: 2 + pick(2), height: 2 + pick(8))
          surface?.enqueue(
            SurfaceBuffer(
              size: size, alpha: .opaque, bytes: bytes, bytesPerRow: 16,
              time: pick(3) == 0 ? nil : Double(step + pick(20)) / 10
            ) { returned[number] += 1 })
        }
      }
      for portal in rig.root.sublayers { portal.removeFromSuperlayer() }
    }
    surface = nil
    withExtendedLifetime(first) { first.flush() }
    #expect(returned.count == made && returned.allSatisfy { $0 == 1 }, "seed \(seed): \(returned)")
  }

  @Test("rows with gaps between them are read as they lie")
  func stride() throws {
    let (rig, surface) = try stage()
    let bytes: [UInt8] = [1, 0, 0, 255, 2, 0, 0, 255, 9, 9, 9, 9, 3, 0, 0, 255, 4, 0, 0, 255]
    try bytes.withUnsafeBytes { bytes in
      surface.enqueue(
        SurfaceBuffer(size: PixelSize(width: 2, height: 2), alpha: .opaque, bytes: bytes, bytesPerRow: 12))
      let image = try rig.renderer.render(rig.root)
      #expect([image[0, 0][0], image[1, 0][0], image[0, 1][0], image[1, 1][0]] == [1, 2, 3, 4])
    }
  }

  @Test("ten thousand frames of a hidden source with a portal leave no more than there was")
  func manyFrames() throws {
    let (rig, surface) = try stage()
    (rig.root.sublayers[1] as? PortalLayer)?.hidesSourceLayer = true
    let pictures = try (0..<4).map { try picture(UInt8($0 * 60)) }
    var out = 0
    for frame in 0..<10_000 {
      out += 1
      surface.enqueue(SurfaceBuffer(pictures[frame % 4], time: Double(frame) / 60) { out -= 1 })
      rig.renderer.time = Double(frame) / 60
      if frame % 50 == 0 {
        let image = try rig.renderer.render(rig.root)
        #expect(image[5, 1][0] == UInt8(frame % 4 * 60) && image[1, 1][0] == 0)
      }
    }
    try rig.renderer.update(rig.root, at: 1e6)
    #expect(out == 0 && surface.queuedCount == 0 && rig.renderer.layerCount == 4)
  }
}
