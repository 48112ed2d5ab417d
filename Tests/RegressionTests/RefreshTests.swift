import Commit
import Geometry
import Porthole
import Testing

@Suite("What moves by itself moves in portals, and nothing else is drawn for it")
struct RefreshTests {
  @Test("by the clock, with no change of the tree: every frame shows the moment", arguments: Backend.both)
  func clock(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 20, 10)
    let child = theatre.layer(0, 0, 10, 10, .red, in: source)
    _ = theatre.portal(of: source, 20, 20, 20, 10)
    _ = try theatre.frame()
    let path = try #require(AnimationKeyPath("position.x"))
    child.add(
      Animation(
        PropertyAnimation(path, .basic(.init(from: .number(5), to: .number(15)))), timing: .init(duration: 1)),
      forKey: "move")
    for step in 0...3 {
      theatre.renderer.time = Double(step) / 4
      let frame = try theatre.frame()
      // Whole pixels at the ends, and what is between moves with the time.
      let left = 20 + min(10, step * 10 / 4)
      #expect(frame[min(left + 1, 38), 25] != white, "at step \(step)")
      if step == 0 { #expect(frame[20, 25] == red && frame[30, 25] == white) }
      if step == 2 { #expect(frame[24, 25] == white && frame[25, 25] == red && frame[34, 25] == red) }
    }
  }

  @Test("a text that changes in the source changes in the portal, which is touched by nothing", arguments: Backend.both)
  func text(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 40, 20)
    let label = TextLayer()
    label.frame = Rect(x: 0, y: 0, width: 40, height: 20)
    (label.fontSize, label.foregroundColor, label.string) = (16, Color.black, "one")
    source.addSublayer(label)
    _ = theatre.portal(of: source, 10, 10, 40, 20)
    let first = try theatre.frame()
    label.string = "two"
    let second = try theatre.frame()
    #expect(first.pixels != second.pixels)
    #expect(try second.pixels == theatre.fresh().pixels)
  }

  @Test("a source that has stopped keeps its picture, and tells how long ago it changed")
  func age() throws {
    let theatre = try Theatre(.gl)
    let source = theatre.layer(100, 0, 10, 10, .red)
    _ = theatre.portal(of: source, 20, 20, 10, 10)
    theatre.renderer.time = 1
    _ = try theatre.frame()
    theatre.renderer.time = 3.5
    #expect(try theatre.frame()[25, 25] == red)
    #expect(theatre.renderer.contentAge(of: source) == 2.5)
    source.backgroundColor = .blue
    #expect(try theatre.frame()[25, 25] == blue)
    #expect(theatre.renderer.contentAge(of: source) == 0)
  }

  @Test("a source of no size shows nothing, asks for no frame and is not tried again", arguments: Backend.both)
  func noSize(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 0, 0)
    _ = theatre.portal(of: source, 20, 20, 10, 10)
    #expect(try theatre.frame()[25, 25] == white)
    #expect(theatre.renderer.nextWake == nil)
    #expect(try theatre.renderer.update(theatre.root).result == .unchanged)
  }

  @Test("a change of the source is drawn anew where a portal shows it, no larger than it is shown there")
  func quarter() throws {
    let theatre = try Theatre(.gl, width: 200, height: 200)
    let source = theatre.layer(300, 0, 160, 160, .red)
    let portal = theatre.portal(of: source, 0, 0, 160, 160)
    portal.anchorPoint = .zero
    portal.position = Point(20, 20)
    portal.transform = .scale(x: 0.25, y: 0.25)
    _ = try theatre.renderer.update(theatre.root)
    source.backgroundColor = .blue
    let counters = try theatre.renderer.update(theatre.root).counters
    #expect(counters.shadedPixels > 0 && counters.shadedPixels <= 42 * 42)
  }

  @Test("hidden, a source damages nothing; through a portal no more than that shows")
  func hiddenDamage() throws {
    let theatre = try Theatre(.gl, width: 200, height: 200)
    let host = theatre.layer(0, 0, 100, 100)
    host.isHidden = true
    let source = theatre.layer(0, 0, 100, 100, .red, in: host)
    _ = try theatre.renderer.update(theatre.root)
    source.backgroundColor = .green
    #expect(try theatre.renderer.update(theatre.root).counters.shadedPixels == 0)
    let portal = theatre.portal(of: source, 150, 150, 10, 10)
    portal.masksToBounds = true
    _ = try theatre.renderer.update(theatre.root)
    source.backgroundColor = .blue
    let counters = try theatre.renderer.update(theatre.root).counters
    #expect(counters.shadedPixels > 0 && counters.shadedPixels <= 12 * 12)
  }

  @Test("moved to another parent while it moves, a source keeps its pace", arguments: Backend.both)
  func adopted(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 10, 10, .red)
    let other = theatre.layer(100, 20, 10, 10)
    _ = theatre.portal(of: source, 20, 20, 10, 10)
    _ = try theatre.frame()
    let path = try #require(AnimationKeyPath("backgroundColor"))
    source.add(
      Animation(
        PropertyAnimation(path, .basic(.init(from: .color(.red), to: .color(.blue)))), timing: .init(duration: 1)),
      forKey: "colour")
    _ = try theatre.frame()
    theatre.renderer.time = 0.25
    let before = try theatre.frame()[25, 25]
    other.addSublayer(source)
    #expect(try theatre.frame()[25, 25] == before)
    #expect(before == [191, 0, 64, 255])
    theatre.renderer.time = 0.75
    #expect(try theatre.frame()[25, 25] == [64, 0, 191, 255])
  }

  @Test("faded to nothing, a portal's parent takes the blur with it", arguments: Backend.both)
  func blurFades(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 20, 20, .red)
    let parent = theatre.layer(0, 0, 64, 48)
    let portal = theatre.portal(of: source, 20, 15, 20, 20, in: parent)
    portal.filters = [.gaussianBlur(radius: 4)]
    #expect(try theatre.frame()[30, 25] != white)
    parent.opacity = 0
    #expect(try theatre.frame().pixels.allSatisfy { $0 == 255 })
  }

  @Test("magnified, a scene shows what has come in from outside of it, with no tile missing", arguments: Backend.both)
  func magnified(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(200, 0, 30, 30, .green)
    let world = theatre.layer(0, 0, 64, 48)
    _ = theatre.portal(of: source, 70, 10, 30, 30, in: world)
    #expect(try theatre.frame().pixels.allSatisfy { $0 == 255 })
    world.transform = .scale(x: 2, y: 2) * .translation(x: -70, y: 0)
    let frame = try theatre.frame()
    #expect(try frame.pixels == theatre.fresh().pixels)
    #expect(frame[50, 30] == green)
  }
}
