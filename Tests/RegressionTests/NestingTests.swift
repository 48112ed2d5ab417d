import Commit
import Geometry
import Porthole
import Testing

@Suite("Portals of portals, and of themselves")
struct NestingTests {
  @Test(
    "itself, an ancestor, a mutual pair and an empty source in one scene: it ends, always alike",
    arguments: Backend.both)
  func everyLoop(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let own = theatre.portal(of: nil, 0, 0, 10, 10)
    own.sourceLayer = own
    own.backgroundColor = .red
    _ = theatre.portal(of: theatre.root, 12, 0, 20, 15)
    let first = theatre.layer(0, 20, 12, 12, .green)
    let second = theatre.layer(16, 20, 12, 12, .blue)
    _ = theatre.portal(of: second, 2, 2, 8, 8, in: first)
    _ = theatre.portal(of: first, 2, 2, 8, 8, in: second)
    let empty = theatre.layer(40, 0, 0, 0)
    _ = theatre.portal(of: empty, 40, 20, 10, 10)
    let image = try theatre.frame()
    #expect(image.pixels == (try theatre.fresh()).pixels)
    #expect(image[45, 25] == white)
    #expect(image[5, 5] == red)
    #expect(image[3, 23] == blue && image[19, 23] == green)
    #expect(theatre.renderer.lastReport?.diagnostics.count == 3)
  }

  @Test("a loop made by moving layers is told once, and ten thousand frames of it grow nothing")
  func accidentalLoop() throws {
    let theatre = try Theatre(.reference, width: 4, height: 4)
    let source = theatre.layer(0, 0, 4, 4, .red)
    let portal = theatre.portal(of: source, 0, 0, 4, 4)
    #expect(try theatre.renderer.update(theatre.root).diagnostics == [])
    source.addSublayer(portal)
    let count = theatre.renderer.layerCount
    for step in 0..<10_000 {
      portal.position = Point(2, 2 + Double(step % 2))
      let report = try theatre.renderer.update(theatre.root)
      if step % 1000 == 0 { #expect(report.diagnostics.count == 1) }
    }
    #expect(theatre.renderer.layerCount == count)
  }

  @Test(
    "the frame before, in the frame before, in the frame before: each frame goes one level deeper",
    arguments: Backend.both)
  func feedback(_ backend: Backend) throws {
    let theatre = try Theatre(backend, width: 64, height: 64)
    let source = theatre.layer(0, 0, 64, 64, .blue)
    _ = theatre.layer(0, 0, 16, 16, .red, in: source)
    let portal = theatre.portal(of: source, 16, 16, 64, 64, in: source)
    portal.recursion = .previousFrame
    // First frame: the source, and the first level; the second level has no frame before it.
    let first = try theatre.frame()
    #expect(first[8, 8] == red && first[20, 20] == red)
    #expect(first[36, 36] == blue)
    let second = try theatre.frame()
    #expect(second[36, 36] == red)
    #expect(second[52, 52] == blue || second[52, 52] == red)
    let third = try theatre.frame()
    #expect(third[52, 52] == red)
  }

  @Test(
    "many portals of one source, each with its own crop and transform, are each what they would be alone",
    arguments: Backend.both)
  func independence(_ backend: Backend) throws {
    let theatre = try Theatre(backend, width: 96, height: 64)
    let source = theatre.layer(200, 0, 24, 24, .blue)
    _ = theatre.layer(0, 0, 12, 12, .red, in: source)
    _ = theatre.layer(12, 12, 6, 6, .green, in: source)
    let portals = (0..<6).map { index in
      let portal = theatre.portal(of: source, Double(index % 3) * 32 + 6, Double(index / 3) * 32 + 6, 20, 20)
      portal.masksToBounds = true
      if index % 2 == 1 { portal.sourceRect = Rect(x: 6, y: 6, width: 12, height: 12) }
      if index > 2 { portal.transform = .rotation(angle: Double(index)) }
      return portal
    }
    let all = try theatre.frame()
    for (index, portal) in portals.enumerated() {
      for other in portals { other.isHidden = other !== portal }
      let (x, y) = (index % 3 * 32, index / 3 * 32)
      #expect(try theatre.frame().part(x, y, 32, 32) == all.part(x, y, 32, 32), "portal \(index)")
    }
  }

  @Test("one source through two paths of different scales gives two right pictures", arguments: Backend.both)
  func twoScales(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 16, 16, .blue)
    _ = theatre.layer(0, 0, 8, 8, .red, in: source)
    let half = theatre.layer(0, 0, 16, 16)
    half.transform = .scale(x: 0.5, y: 0.5)
    let twice = theatre.layer(24, 8, 16, 16)
    twice.transform = .scale(x: 2, y: 2)
    for host in [half, twice] { _ = theatre.portal(of: source, 0, 0, 16, 16, in: host) }
    let image = try theatre.frame()
    // 8 × 8 at (4, 4), and 32 × 32 at (16, 0).
    #expect(image[4, 4] == red && image[7, 7] == red && image[8, 8] == blue && image[11, 11] == blue)
    #expect(image[16, 0] == red && image[31, 15] == red && image[32, 16] == blue && image[47, 31] == blue)
  }
}
