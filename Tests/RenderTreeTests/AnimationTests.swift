import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Animations in a tree")
struct AnimationTests {
  @Test("whatever is animated, the layers' own values stay what they are", arguments: 0..<60)
  func ownValues(seed: Int) throws {
    var scenes = RandomTree(seed: UInt64(seed), isExact: false)
    let scene = scenes.layer(depth: 3)
    var animated = try RenderTree(scene)
    var plain = try RenderTree(scene)
    let layers = flatten(scene)
    var animations = RandomAnimation(seed: UInt64(seed))
    var other = RandomTree(seed: UInt64(seed) + 1000, isExact: false)
    var time = 0.0
    for step in 0..<30 {
      time += animations.random.eighth(0...1)
      animated.advance(to: time)
      #expect(animated.invariantViolations() == [], "seed \(seed), step \(step)")
      let layer = layers.randomElement(using: &animations.random) ?? scene
      var changes: [Change] = []
      if !animations.random.oneIn(3) {
        changes.append(
          .addAnimation(layer.id, key: animations.random.oneIn(2) ? "a" : "b", animations.animation()))
      }
      if animations.random.oneIn(6) { changes.append(.removeAnimation(layer.id, key: "a")) }
      var sets: [Change] = []
      if animations.random.oneIn(2) {
        let source = flatten(other.layer(depth: 0))[0]
        sets = source.properties.map { .set(layer.id, $0) }
      }
      let at = Int.random(in: 0...changes.count, using: &animations.random)
      changes.insert(contentsOf: sets, at: at)
      try animated.apply(Commit(changes))
      try plain.apply(Commit(sets))
    }
    try animated.apply(Commit(layers.map { .removeAnimation($0.id, key: nil) }))
    #expect(animated.invariantViolations() == [])
    #expect(animated.picture(root: scene.id.rawValue) == plain.picture(root: scene.id.rawValue), "seed \(seed)")
    #expect(animated.nextWake == nil)
  }

  private func flatten(_ layer: TestLayer) -> [TestLayer] {
    [layer] + (layer.sublayers + layer.masks).flatMap(flatten)
  }

  @Test("what a frame shows is what a tree with those values shows", arguments: 0..<40)
  func picture(seed: Int) throws {
    var scenes = RandomTree(seed: UInt64(seed), isExact: false)
    let scene = scenes.layer(depth: 2)
    var animated = try RenderTree(scene)
    var animations = RandomAnimation(seed: UInt64(seed) + 77)
    let layers = flatten(scene)
    for index in 0..<6 {
      let layer = layers.randomElement(using: &animations.random) ?? scene
      try animated.apply(Commit([.addAnimation(layer.id, key: "\(index)", animations.animation())]))
    }
    for _ in 0..<5 {
      animated.advance(to: animations.random.real(0...5))
      var plain = try RenderTree(scene)
      for layer in layers {
        let shown = try #require(animated.presentation(of: layer.id))
        try plain.apply(Commit(shown.map { .set(layer.id, $0) }))
      }
      let root = scene.id.rawValue
      // Straight colours are divided and multiplied again.
      let (a, b) = (animated.snapshot(root: root), plain.snapshot(root: root))
      #expect(a.nodes.map(\.local) == b.nodes.map(\.local), "seed \(seed)")
      #expect(a.nodes.map(\.bounds) == b.nodes.map(\.bounds) && a.nodes.map(\.flags) == b.nodes.map(\.flags))
      #expect(a.nodes.map(\.opacity) == b.nodes.map(\.opacity) && a.nodes.map(\.radii) == b.nodes.map(\.radii))
      #expect(
        a.effects.map(\.filters) == b.effects.map(\.filters) && a.effects.map(\.shadow) == b.effects.map(\.shadow))
      for (node, other) in zip(a.nodes, b.nodes) {
        #expect(abs(node.backgroundColor.red - other.backgroundColor.red) < 1e-6)
      }
    }
  }

  @Test("a frame is a function of its time alone, whatever came before", arguments: 0..<20)
  func purity(seed: Int) throws {
    var animations = RandomAnimation(seed: UInt64(seed) + 5)
    var scenes = RandomTree(seed: UInt64(seed), isExact: false)
    let scene = scenes.layer(depth: 2)
    var tree = try RenderTree(scene)
    for (index, layer) in flatten(scene).enumerated() {
      var animation = animations.animation()
      animation.timing.isRemovedOnCompletion = false
      try tree.apply(Commit([.addAnimation(layer.id, key: "\(index)", animation)]))
    }
    var direct = tree
    for _ in 0..<20 { tree.advance(to: animations.random.real(0...6)) }
    tree.advance(to: 2.5)
    direct.advance(to: 2.5)
    #expect(tree.picture(root: scene.id.rawValue) == direct.picture(root: scene.id.rawValue), "seed \(seed)")
  }

  @Test("a frame in which nothing moved is the frame before")
  func unchanged() throws {
    var tree = try RenderTree(
      .box(1, x: 0, y: 0, 100, 100, [], [.box(2, x: 0, y: 0, 10, 10), .portal(3, of: 2, x: 50, y: 0, 10, 10)]))
    try tree.add(
      2, "position", .keyframes(Keyframes([.point(.zero), .point(Point(9, 9))], calculationMode: .discrete)),
      AnimationTiming(beginTime: 1, duration: 2))
    let before = tree.snapshot(root: 1).version
    tree.advance(to: 0.5)
    #expect(tree.snapshot(root: 1).version == before)
    tree.advance(to: 1)
    let first = tree.snapshot(root: 1).version
    #expect(first > before)
    tree.advance(to: 1.5)
    #expect(tree.snapshot(root: 1).version == first)
    tree.advance(to: 2)
    #expect(tree.snapshot(root: 1).version > first)
  }

  @Test("what moves in a source is new content of it, and where a source moves is not")
  func contentVersions() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 50, 50, [], [.box(3, x: 0, y: 0, 10, 10)]),
          .box(4, x: 50, y: 0, 50, 50, [], [.portal(5, of: 2, x: 0, y: 0, 50, 50)]),
        ]))
    func versions() throws -> [UInt64] { try [2, 3, 4].map { try #require(tree.contentVersion(of: tree.id($0))) } }
    try tree.add(3, "position.x", .numbers(20, 30), AnimationTiming(beginTime: 1, duration: 1))
    let before = try versions()
    tree.advance(to: 1.5)
    let moved = try versions()
    #expect(moved[0] > before[0] && moved[2] > before[2])
    #expect(moved[1] == before[1], "a layer's own place is none of its content")
    tree.advance(to: 1.6)
    #expect(try versions()[2] > moved[2])
    tree.advance(to: 3)
    let settled = try versions()
    tree.advance(to: 4)
    #expect(try versions() == settled)
  }

  @Test("portals of a moving source show this frame's")
  func portals() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .portal(3, of: 2, x: 50, y: 0, 50, 50, [.matchesPosition(true)]), .box(2, x: 0, y: 0, 10, 10),
        ]))
    try tree.add(2, "position.x", .numbers(5, 45))
    tree.advance(to: 0.5)
    // The source's left edge is at 20, the portal's at 50.
    let portal = try #require(tree.snapshot(root: 1).portal(3))
    #expect(portal.matrix == .translation(x: -30, y: 0))
  }

  @Test("a hit is where the layer shows, not where its own value has it")
  func hits() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 100, 100, [], [.box(2, x: 0, y: 0, 10, 10)]))
    try tree.add(2, "position.x", .numbers(5, 85))
    tree.advance(to: 0.5)
    #expect(tree.snapshot(root: 1).hitTest(Point(44, 4)).map(\.layer) == [tree.id(2)])
    #expect(tree.snapshot(root: 1).hitTest(Point(4, 4)).map(\.layer) == [tree.id(1)])
  }

  @Test("additive ones add up, over what others make of the value, in their order")
  func additive() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(100), .transform(.scale(x: 2, y: 2))]))
    try tree.add(1, "zPosition", .numbers(1, 1), isAdditive: true, key: "a")
    try tree.add(1, "zPosition", .numbers(50, 50), key: "b")
    try tree.add(1, "zPosition", .numbers(10, 20), isAdditive: true, key: "c")
    try tree.add(1, "zPosition", .numbers(nil, 4), isAdditive: true, key: "d")
    try tree.add(
      1, "transform", .basic(.init(from: .transform(.translation(x: 3, y: 0)), to: nil)), isAdditive: true)
    tree.advance(to: 0.5)
    let shown = try #require(tree.presentation(of: tree.id(1)))
    #expect(shown.contains { if case .zPosition(67) = $0 { true } else { false } })
    // Applied first: in the layer's own points.
    let wanted = Transform3D.translation(x: 1.5, y: 0) * .scale(x: 2, y: 2)
    #expect(shown.contains { if case .transform(wanted) = $0 { true } else { false } })
  }

  @Test("a part leaves the other parts to others")
  func parts() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.transform(.translation(x: 7, y: 0))]))
    try tree.add(1, "position.x", .numbers(0, 100))
    try tree.add(1, "transform.rotation.z", .numbers(0, 4 * .pi))
    try tree.add(1, "transform.scale", .numbers(1, 3))
    tree.advance(to: 0.125)
    #expect(try tree.position(of: 1) == Point(12.5, 5))
    let wanted = Transform3D.scale(x: 1.25, y: 1.25, z: 1.25) * .rotation(angle: .pi / 2) * .translation(x: 7, y: 0)
    for case .transform(let shown) in tree.presentation(of: tree.id(1)) ?? [] {
      #expect(zip(shown.elements, wanted.elements).allSatisfy { abs($0 - $1) < 1e-12 })
    }
  }

  @Test("colours are mixed premultiplied")
  func colors() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10))
    try tree.add(
      1, "backgroundColor",
      .basic(
        .init(from: .color(Color(red: 1, green: 0, blue: 0)), to: .color(Color(red: 0, green: 1, blue: 0, alpha: 0)))))
    tree.advance(to: 0.5)
    #expect(
      tree.snapshot(root: 1).nodes[0].backgroundColor
        == PremultipliedColor(red: 0.5, green: 0, blue: 0, alpha: 0.5))
  }

  @Test("a filter's amount, a shadow and a gradient move, and come back whole")
  func effects() throws {
    let gradient = Gradient(stops: [
      .init(location: 0, color: Color(red: 0.3, green: 0.7, blue: 0.1, alpha: 0.7)), .init(location: 1, color: .white),
    ])
    let layer = TestLayer(
      1, .gradient,
      [
        .bounds(Rect(x: 0, y: 0, width: 10, height: 10)), .gradient(gradient),
        .filters([.brightness(1), .gaussianBlur(radius: 0)]),
      ])
    var tree = try RenderTree(layer)
    let before = tree.picture()
    #expect(tree.snapshot(root: 1).effects.isEmpty)
    try tree.add(1, "filters.1.radius", .numbers(0, 8))
    try tree.add(1, "shadow.opacity", .numbers(0, 1))
    try tree.add(
      1, "gradient.colors", .basic(.init(from: nil, to: .colors([.black, .black]))))
    try tree.add(1, "gradient.locations", .basic(.init(to: .numbers([0.5, 1]))))
    tree.advance(to: 0.5)
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.effects.first?.filters == [.gaussianBlur(radius: 4)])
    #expect(snapshot.effects.first?.shadow?.opacity == 0.5)
    #expect(snapshot.gradients.first?.stops.map(\.location) == [0.25, 1])
    #expect(snapshot.gradients.first?.stops.last?.color == Color(red: 0.5, green: 0.5, blue: 0.5))
    tree.advance(to: 2)
    #expect(tree.picture() == before)
  }

  @Test("each end is told once, with whether it was reached")
  func ends() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [], [.box(2, x: 0, y: 0, 10, 10)]))
    try tree.add(1, "zPosition", .numbers(0, 1), key: "a", token: 1)
    try tree.add(1, "zPosition", .numbers(0, 1), key: "b", token: 2, AnimationTiming(duration: 3))
    try tree.add(1, "opacity", .numbers(0, 1), key: "silent")
    try tree.add(
      2, "opacity", .numbers(0, 1), key: "stays", token: 3,
      AnimationTiming(duration: 1, fillMode: .forwards, isRemovedOnCompletion: false))
    func ended() -> [[UInt64]] {
      tree.takeAnimationEvents().map { [$0.layer.rawValue, $0.token, $0.isFinished ? 1 : 0] }
    }
    tree.advance(to: 0.9)
    #expect(ended() == [])
    tree.advance(to: 1)
    #expect(ended().sorted { $0[1] < $1[1] } == [[1, 1, 1], [2, 3, 1]])
    // In the place of one that runs, and taken away.
    try tree.add(1, "zPosition", .numbers(0, 1), key: "b", token: 4)
    #expect(ended() == [[1, 2, 0]])
    try tree.apply(Commit([.removeAnimation(tree.id(1), key: "b"), .removeAnimation(tree.id(2), key: nil)]))
    #expect(ended() == [[1, 4, 0]])
    try tree.add(2, "opacity", .numbers(0, 1), token: 5)
    try tree.apply(Commit([.release(tree.id(2))]))
    #expect(ended() == [[2, 5, 0]])
    #expect(tree.animationKeys(of: tree.id(1)) == [])
  }

  @Test("a layer that moves to another place keeps what moves it")
  func reparenting() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [.box(2, x: 0, y: 0, 10, 10, [], [.box(3, x: 0, y: 0, 10, 10)]), .box(4, x: 0, y: 0, 9, 9)]))
    try tree.add(3, "position.x", .numbers(0, 80))
    tree.advance(to: 0.25)
    try tree.apply(Commit([.insert(tree.id(3), into: tree.id(4), at: .max)]))
    #expect(try tree.position(of: 3).x == 20)
    tree.advance(to: 0.5)
    #expect(try tree.position(of: 3).x == 40)
  }

  @Test("ten thousand animations that come and go leave nothing")
  func leftovers() throws {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 10, 10, [.zPosition(3)], [.box(2, x: 0, y: 0, 10, 10)]))
    let before = tree.picture()
    for step in 0..<10_000 {
      let time = Double(step) / 4
      tree.advance(to: time)
      try tree.add(step % 2 == 0 ? 1 : 2, step % 3 == 0 ? "zPosition" : "opacity", .numbers(0, 1), key: "\(step % 5)")
    }
    tree.advance(to: 5000)
    #expect(tree.picture() == before)
    #expect(tree.animationKeys(of: tree.id(1)).isEmpty && tree.invariantViolations() == [])
  }
}
