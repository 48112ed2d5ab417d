import Commit
import Geometry
import Porthole
import Testing

@Suite("Animations of layers")
struct LayerAnimationTests {
  private func move(_ timing: AnimationTiming = AnimationTiming(duration: 1)) -> Animation {
    Animation(
      PropertyAnimation(
        AnimationKeyPath(whole: .position), .basic(.init(from: .point(Point(1, 1)), to: .point(Point(5, 1))))),
      timing: timing)
  }

  @Test("a frame at a time is the picture of a layer that stands there")
  func picture() throws {
    let (moving, still) = (try Rig(), try Rig())
    let layer = moving.add(0, 0, 2, 2)
    let portal = moving.portal(of: layer, 0, 4, 8, 4)
    portal.matchesPosition = true
    layer.add(move(), forKey: "move")
    let other = still.add(0, 0, 2, 2)
    still.portal(of: other, 0, 4, 8, 4).matchesPosition = true
    _ = try moving.renderer.render(moving.root, at: 0)
    for step in 0...8 {
      other.position = Point(1 + Double(step) / 2, 1)
      if step == 8 { other.position = Point(1, 1) }
      let picture = try moving.renderer.render(moving.root, at: Double(step) / 8)
      #expect(picture.pixels == (try still.renderer.render(still.root)).pixels, "step \(step)")
    }
    let end = try moving.renderer.render(moving.root, at: 1)
    #expect(try moving.renderer.render(moving.root, at: 2) === end, "nothing moves, nothing is drawn")
  }

  @Test("keys and ends")
  func keys() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    var ends: [String] = []
    // Before a renderer shows it, too.
    layer.add(move(), forKey: "a") { ends.append("a \($0)") }
    layer.add(move(), forKey: "a") { ends.append("again \($0)") }
    layer.add(move(AnimationTiming(duration: 3))) { ends.append("unnamed \($0)") }
    #expect(ends == ["a false"])
    #expect(layer.animationKeys.count == 2 && layer.animation(forKey: "a")?.timing.duration == 1)
    try rig.renderer.update(rig.root, at: 5)
    try rig.renderer.update(rig.root, at: 6)
    #expect(ends == ["a false", "again true"] && layer.animation(forKey: "a") == nil)
    layer.removeAllAnimations()
    #expect(ends.last == "unnamed false" && layer.animationKeys.isEmpty)
    try rig.frame()
    #expect(rig.renderer.nextWake == nil)
  }

  @Test("a layer that dies, and a renderer that is closed, end what runs")
  func death() throws {
    let rig = try Rig()
    var ends: [Bool] = []
    var layer: Layer? = rig.add(0, 0, 2, 2)
    layer?.add(move()) { ends.append($0) }
    try rig.frame()
    layer?.removeFromSuperlayer()
    layer = nil
    #expect(ends == [false])
    try rig.frame()
    rig.root.add(move()) { ends.append($0) }
    try rig.frame()
    rig.renderer.close()
    #expect(ends == [false, false])
  }

  @Test("one that is added and whose layer dies before the next frame is forgotten")
  func neverShown() throws {
    let rig = try Rig()
    try rig.frame()
    var layer: Layer? = rig.add(0, 0, 2, 2)
    layer?.add(move())
    layer?.removeFromSuperlayer()
    layer = nil
    try rig.frame()
  }

  @Test("an animation that can't be is refused by the layer's name, and gone when it is removed")
  func refused() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    layer.name = "card"
    layer.add(move(AnimationTiming(duration: .nan)), forKey: "move")
    let error = #expect(throws: OffscreenError.self) { try rig.frame() }
    #expect(error?.description.contains("card") == true && error?.description.contains("duration") == true)
    layer.removeAnimation(forKey: "move")
    try rig.frame()
  }

  @Test("two renderers of one layer each run what it has, and its end is that of the last")
  func twoRenderers() throws {
    let rig = try Rig()
    let layer = rig.add(0, 0, 2, 2)
    let other = try OffscreenRenderer(size: Size(width: 8, height: 8), backend: .reference)
    var ends = 0
    layer.add(move(), forKey: "move") { _ in ends += 1 }
    try rig.renderer.update(rig.root, at: 0)
    try other.update(rig.root, at: 100)
    try rig.renderer.update(rig.root, at: 0.5)
    try other.update(rig.root, at: 100.25)
    #expect(rig.renderer.presentation(of: layer)?.position == Point(3, 1))
    #expect(other.presentation(of: layer)?.position == Point(2, 1))
    try rig.renderer.update(rig.root, at: 2)
    #expect(ends == 0)
    try other.update(rig.root, at: 102)
    #expect(ends == 1 && layer.animationKeys.isEmpty)
  }

  @Test("for whom motion is too much, things are where they go at once, and still fade")
  func reducedMotion() throws {
    let rig = try Rig()
    rig.renderer.motion = .reduced
    let layer = rig.add(0, 0, 2, 2)
    try rig.frame()
    var ends = 0
    let count = { ends += 1 }
    Transaction.animate(duration: 1, function: .linear, completion: count) {
      layer.position = Point(5, 1)
      layer.opacity = 0
    }
    try rig.renderer.update(rig.root, at: 0)
    try rig.renderer.update(rig.root, at: 0.5)
    let shown = try #require(rig.renderer.presentation(of: layer))
    #expect(shown.position == Point(5, 1) && shown.opacity == 0.5 && ends == 0)
    try rig.renderer.update(rig.root, at: 1)
    #expect(ends == 1)
  }

  @Test("ten thousand frames in which something always moves leave no more than there was")
  func manyFrames() throws {
    let rig = try Rig(width: 2, height: 2)
    let layer = rig.add(0, 0, 1, 1)
    for frame in 0..<10_000 {
      if frame % 7 == 0 { Transaction.animate { layer.opacity = Float(frame % 2) } }
      rig.renderer.time = Double(frame) / 60
      _ = rig.renderer.presentation(of: layer)
      if frame % 100 == 0 { try rig.frame() }
    }
    try rig.renderer.update(rig.root, at: 1000)
    try rig.renderer.update(rig.root, at: 1001)
    #expect(layer.animationKeys.isEmpty && rig.renderer.layerCount == 2)
  }
}
