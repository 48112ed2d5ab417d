import Commit
import Geometry
import Porthole
import Testing

@Suite("Portals of one source in several windows")
struct WindowTests {
  @Test(
    "a change deep in the source shows in every window in its next frame, and damages each portal there",
    arguments: Backend.both)
  func everyWindow(_ backend: Backend) throws {
    let home = try Theatre(backend)
    let source = home.layer(0, 0, 16, 16)
    let child = home.layer(0, 0, 4, 16, .red, in: home.layer(0, 0, 16, 16, in: source))
    let windows = try (0..<3).map { _ in try Theatre(backend) }
    for (index, window) in windows.enumerated() {
      _ = window.portal(of: source, Double(10 + index * 8), 20, 16, 16)
    }
    for theatre in [home] + windows { _ = try theatre.frame() }
    for step in 1...6 {
      child.position.x = 2 + Double(step * 2)
      for (index, window) in windows.enumerated() {
        let frame = try window.frame()
        let left = 10 + index * 8
        #expect(frame[left + step * 2, 28] == red && frame[left + step * 2 - 1, 28] == white)
        #expect(try frame.pixels == window.fresh().pixels)
        guard backend == .gl else { continue }
        // What it left and where it came to, and nothing beyond the portal.
        let damage = window.renderer.lastDamage
        #expect(damage.area >= 2 * 2 * 16 && damage.area <= 16 * 16)
        let around = damage.rects.reduce(PixelRect.empty) { $0.union($1) }
        #expect(around.minX <= Int32(left + step * 2 - 2) && around.maxX >= Int32(left + step * 2 + 4))
        #expect(around.minY <= 20 && around.maxY >= 36)
      }
      #expect(try home.frame()[step * 2, 8] == red)
    }
    child.backgroundColor = .blue
    for window in windows { #expect(try window.renderer.update(window.root).result == .drawn) }
    for window in windows { #expect(try window.renderer.update(window.root).result == .unchanged) }
  }

  @Test(
    "moved to another window's tree, a source keeps its portals in both, bound as they were", arguments: Backend.both)
  func moved(_ backend: Backend) throws {
    let (first, second) = (try Theatre(backend), try Theatre(backend))
    let source = first.layer(0, 0, 10, 10, .red)
    _ = first.portal(of: source, 30, 20, 10, 10)
    _ = second.portal(of: source, 30, 20, 10, 10)
    for theatre in [first, second] { #expect(try theatre.frame()[35, 25] == red) }
    for step in 0..<6 {
      let (to, from) = step % 2 == 0 ? (second, first) : (first, second)
      to.root.addSublayer(source)
      source.backgroundColor = step % 2 == 0 ? .blue : .red
      let color = step % 2 == 0 ? blue : red
      let (new, old) = (try to.frame(), try from.frame())
      #expect(new[5, 5] == color && new[35, 25] == color && old[5, 5] == white && old[35, 25] == color)
      #expect(try old.pixels == from.fresh().pixels)
    }
  }

  @Test(
    "a source that nothing shows and that stands nowhere appears in a portal at its own size", arguments: Backend.both)
  func naturalSize(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = Layer()
    source.bounds = Rect(x: 0, y: 0, width: 12, height: 8)
    source.backgroundColor = .red
    _ = theatre.portal(of: source, 20, 20, 30, 20)
    let frame = try theatre.frame()
    for (x, y, color) in [(20, 20, red), (31, 27, red), (32, 27, white), (31, 28, white), (19, 20, white)] {
      #expect(frame[x, y] == color, "(\(x), \(y))")
    }
  }

  @Test("one change and one frame, once: what is read back is new", arguments: Backend.both)
  func oneShot(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 10, 10, .red)
    let portal = theatre.portal(of: source, 20, 20, 10, 10)
    _ = try theatre.frame()
    source.backgroundColor = .blue
    try theatre.renderer.update(theatre.root)
    #expect(try theatre.frame()[25, 25] == blue)
    source.backgroundColor = .green
    let alone = try theatre.renderer.render(layer: portal)
    #expect(alone[5, 5] == green && alone.size == PixelSize(width: 10, height: 10))
  }

  @Test("a surface in fifty portals shows a buffer once a frame, and gives it back once")
  func usedOnce() throws {
    let theatre = try Theatre(.gl)
    let surface = SurfaceLayer()
    surface.frame = Rect(x: 0, y: 0, width: 8, height: 8)
    surface.pacing = .latest
    theatre.root.addSublayer(surface)
    for index in 0..<50 { _ = theatre.portal(of: surface, Double(index % 7) * 9, Double(index / 7) * 6 + 9, 8, 8) }
    var returned = [Int](repeating: 0, count: 20)
    for frame in 0..<20 {
      let pixels = [UInt8](repeating: UInt8(frame * 12), count: 4)
      let image = try #require(Image(size: PixelSize(width: 1, height: 1), alpha: .opaque, pixels: pixels))
      surface.enqueue(SurfaceBuffer(image) { returned[frame] += 1 })
      let report = try theatre.renderer.update(theatre.root)
      #expect(
        surface.shownCount == UInt64(frame + 1) && report.changesCommitted == (frame == 0 ? report.changesCommitted : 1)
      )
      #expect(returned.prefix(frame + 1).allSatisfy { $0 == 1 } && returned.dropFirst(frame + 1).allSatisfy { $0 == 0 })
      #expect(theatre.renderer.memory?.images == 1)
    }
  }
}
