import Commit
import Geometry
import Porthole
import Testing

@Suite("Sources that move by themselves")
struct MotionTests {
  @Test(
    "animated by the clock and by no change of the tree, a source moves in its portals in each frame",
    arguments: Backend.both)
  func byClock(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 24, 24, .blue)
    let dot = theatre.layer(0, 0, 4, 24, .red, in: source)
    let portal = theatre.portal(of: source, 4, 4, 24, 24)
    _ = theatre.portal(of: portal, 34, 4, 24, 24)
    try theatre.renderer.update(theatre.root, at: 0)
    dot.add(
      Animation(
        PropertyAnimation(
          AnimationKeyPath(whole: .position), .basic(.init(from: .point(Point(2, 12)), to: .point(Point(22, 12))))),
        timing: AnimationTiming(duration: 20)))
    for step in 0..<10 {
      let report = try theatre.renderer.update(theatre.root, at: Double(step * 2))
      // The animation is added in the first, and that was all.
      #expect(report.changesCommitted == (step == 0 ? 1 : 0))
      let image = try theatre.renderer.render(theatre.root, at: Double(step * 2))
      for left in [4, 34] {
        #expect(image[left + 1 + step * 2, 10] == red && image[left + 5 + step * 2, 10] == blue, "step \(step)")
      }
    }
  }

  @Test("moved to another parent while it moves, a source keeps its texture, its portals and its motion")
  func movedWhileMoving() throws {
    let theatre = try Theatre(.gl)
    let (one, other) = (theatre.layer(100, 0, 40, 40), theatre.layer(160, 0, 40, 40))
    // Dear enough to be drawn once, and shown often enough.
    let source = theatre.layer(0, 0, 12, 12, .blue, in: one)
    for index in 0..<12 {
      theatre.layer(Double(index), 0, 1, 12, index % 2 == 0 ? .red : .green, in: source).transform = .rotation(
        angle: 0.1)
    }
    for index in 0..<12 {
      let portal = theatre.portal(of: source, Double(index % 4) * 16 + 1.5, Double(index / 4) * 16 + 1.25, 12, 12)
      portal.transform = .rotation(angle: Double(index) / 9)
    }
    source.add(
      Animation(
        PropertyAnimation(
          AnimationKeyPath(whole: .backgroundColor),
          .basic(.init(from: .color(.blue), to: .color(.white)))), timing: AnimationTiming(duration: 10)))
    var before: [UInt64] = []
    for step in 0..<6 {
      if step == 3 { other.addSublayer(source) }
      _ = try theatre.renderer.render(theatre.root, at: Double(step))
      #expect(theatre.renderer.lastReport?.counters.sourcesDrawn == 1)
      let held = try #require(theatre.renderer.memory)
      before.append(UInt64(held.targets))
      #expect(source.animationKeys.count == 1, "its motion goes on")
    }
    #expect(Set(before).count == 1 && before[0] == 1, "one texture all the way: \(before)")
  }

  @Test("a surface without a buffer, or of no size, draws nothing and asks for nothing", arguments: Backend.both)
  func emptySurface(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let surface = SurfaceLayer()
    theatre.root.addSublayer(surface)
    let portal = theatre.portal(of: surface, 0, 0, 20, 20)
    #expect(try theatre.frame()[5, 5] == white && theatre.renderer.nextWake == nil)
    let still = try theatre.frame()
    #expect(try theatre.frame() === still)
    let bytes = [UInt8](repeating: 0, count: 16)
    let image = try #require(Image(size: PixelSize(width: 2, height: 2), alpha: .opaque, pixels: bytes))
    surface.enqueue(SurfaceBuffer(image))
    // It has contents, and no size to show them in.
    #expect(try theatre.frame()[5, 5] == white)
    surface.bounds = Rect(x: 0, y: 0, width: 10, height: 10)
    #expect(try theatre.frame()[5, 5] == [0, 0, 0, 255] && portal.superlayer != nil)
  }

  @Test("text that changes in a source changes in its portals in that frame", arguments: Backend.both)
  func text(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let text = TextLayer()
    text.frame = Rect(x: 100, y: 0, width: 60, height: 20)
    text.fontSize = 16
    text.foregroundColor = .black
    theatre.root.addSublayer(text)
    _ = theatre.portal(of: text, 0, 0, 60, 20)
    var seen: Set<[UInt8]> = []
    for string in ["one", "two", "three", "one"] {
      text.string = string
      let image = try theatre.frame()
      #expect(image.pixels == (try theatre.fresh()).pixels)
      seen.insert(image.pixels)
    }
    #expect(seen.count == 3)
  }
}
