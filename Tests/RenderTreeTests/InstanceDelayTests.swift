import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Instances of a replicator that run one after the other")
struct InstanceDelayTests {
  /// Three instances of a dot with a spot in it, ten points apart, a quarter of a second after each other.
  private func tree(delay: Double = 0.25, count: Int = 3) throws -> RenderTree {
    var replicator = TestLayer.box(
      2, x: 0, y: 0, 20, 20,
      [
        .replication(
          Replication(
            instanceCount: count, instanceTransform: .translation(x: 10, y: 0), instanceDelay: delay))
      ],
      [
        .box(3, x: 0, y: 0, 8, 8, color: .black, [], [.box(4, x: 0, y: 0, 4, 4, color: .white)]),
        .box(5, x: 0, y: 10, 8, 8, color: .black),
      ])
    replicator.kind = .replicator
    return try RenderTree(.box(1, x: 0, y: 0, 100, 100, [], [replicator]))
  }

  /// The opacity of the spot in each instance, first to last.
  private func opacities(_ tree: inout RenderTree) -> [Float] {
    let snapshot = tree.snapshot(root: 1)
    return snapshot.portals.filter { snapshot.nodes[Int($0.node)].layer.rawValue == 3 }.map { portal in
      let range = Int(portal.source)..<Int(snapshot.nodes[Int(portal.source)].end)
      return snapshot.nodes[range].first { $0.layer.rawValue == 4 }?.opacity ?? -1
    }
  }

  @Test("each shows what the one before it showed a delay ago, and before that what it has by itself")
  func delays() throws {
    var tree = try tree()
    tree.advance(to: 1)
    try tree.add(4, "opacity", .numbers(0, 0.5))
    for (time, expected) in [
      (1, [0, 1, 1]), (1.25, [0.125, 0, 1]), (1.5, [0.25, 0.125, 0]), (2, [1, 0.375, 0.25]), (2.25, [1, 1, 0.375]),
      (2.5, [1, 1, 1]),
    ] as [(Double, [Float])] {
      tree.advance(to: time)
      #expect(opacities(&tree) == expected, "at \(time)")
      #expect(tree.isAnimating == (time < 2.5))
    }
    #expect(tree.animationKeys(of: tree.id(4)).isEmpty)
  }

  @Test("a sublayer's own place and opacity are those of its instance, and nothing is copied for them")
  func places() throws {
    var tree = try tree()
    try tree.add(3, "position", .points(Point(4, 4), Point(4, 12)))
    try tree.add(3, "opacity", .numbers(0, 1))
    tree.advance(to: 0.5)
    let snapshot = tree.snapshot(root: 1)
    let instances = snapshot.nodes.filter { $0.portal >= 0 && $0.layer.rawValue == 3 }
    #expect(instances.map { $0.local.apply(.zero) } == [Point(0, 4), Point(10, 2), Point(20, 0)])
    #expect(instances.map(\.opacity) == [0.5, 0.25, 0])
    // Six instances, and the trees of two sublayers.
    #expect(snapshot.nodes.count == 2 + 6 + 3)
  }

  @Test("what does not move is shared: a tree for each instance of what does, one for all of what does not")
  func sharing() throws {
    var tree = try tree(count: 5)
    #expect(tree.snapshot(root: 1).nodes.count == 2 + 10 + 3)
    try tree.add(4, "opacity", .numbers(0, 1))
    #expect(tree.snapshot(root: 1).nodes.count == 2 + 10 + 5 * 2 + 1)
    tree.advance(to: 3)
    #expect(tree.snapshot(root: 1).nodes.count == 2 + 10 + 3)
  }

  @Test("the end is told when the layer itself has come to it; the animation stays until the last instance has")
  func ends() throws {
    var tree = try tree()
    try tree.add(4, "opacity", .numbers(0, 0.5), key: "fade", token: 7)
    tree.advance(to: 1.125)
    #expect(tree.takeAnimationEvents().map(\.isFinished) == [true])
    #expect(tree.animationKeys(of: tree.id(4)) == ["fade"] && tree.nextWake == 1.125)
    #expect(opacities(&tree) == [1, 0.4375, 0.3125])
    tree.advance(to: 1.5)
    #expect(tree.animationKeys(of: tree.id(4)).isEmpty && tree.nextWake == nil)
    #expect(tree.takeAnimationEvents().isEmpty)
  }

  @Test("a negative delay has later instances run ahead, so they wake the tree before the layer itself moves")
  func ahead() throws {
    var tree = try tree(delay: -0.25)
    try tree.add(4, "opacity", .numbers(0, 0.5), AnimationTiming(beginTime: 2, duration: 1))
    tree.advance(to: 1)
    #expect(tree.nextWake == 1.5)
    tree.advance(to: 1.75)
    #expect(opacities(&tree) == [1, 0, 0.125])
  }

  @Test("a delay that is set later, or a layer that is put into the replicator, wakes what rests")
  func waking() throws {
    var tree = try tree(delay: 0)
    var timing = AnimationTiming(duration: 1)
    (timing.fillMode, timing.isRemovedOnCompletion) = (.forwards, false)
    try tree.add(4, "opacity", .numbers(0, 0.5), timing)
    tree.advance(to: 1.5)
    #expect(tree.nextWake == nil && opacities(&tree) == [0.5, 0.5, 0.5])
    try tree.set(2, .replication(Replication(instanceCount: 3, instanceDelay: 0.75)))
    #expect(tree.nextWake == 1.5)
    #expect(opacities(&tree) == [0.5, 0.375, 0])
    tree.advance(to: 3)
    #expect(tree.nextWake == nil && opacities(&tree) == [0.5, 0.5, 0.5])
    try tree.apply(Commit([.removeFromParent(tree.id(3))]))
    try tree.set(2, .replication(Replication(instanceCount: 3, instanceDelay: 2)))
    tree.advance(to: 3.5)
    #expect(tree.nextWake == nil)
    try tree.apply(Commit([.insert(tree.id(3), into: tree.id(2), at: 0)]))
    #expect(tree.nextWake == 3.5 && opacities(&tree) == [0.5, 0.5, 1])
  }

  @Test("delays of replicators in one another add up")
  func nested() throws {
    func replicator(_ id: UInt64, _ delay: Double, _ sublayers: [TestLayer]) -> TestLayer {
      var layer = TestLayer.box(
        id, x: 0, y: 0, 20, 20,
        [.replication(Replication(instanceCount: 2, instanceDelay: delay))], sublayers)
      layer.kind = .replicator
      return layer
    }
    for (outer, inner, expected) in [
      (0.5, 0.25, [0.5, 0.375, 0.25, 0.125]), (0.5, 0, [0.5, 0.25]), (0, 0.25, [0.5, 0.375]),
    ] as [(Double, Double, [Float])] {
      var tree = try RenderTree(
        .box(
          1, x: 0, y: 0, 100, 100, [],
          [
            replicator(
              2, outer, [replicator(3, inner, [.box(4, x: 0, y: 0, 8, 8, [], [.box(5, x: 0, y: 0, 4, 4)])])])
          ]))
      try tree.add(5, "opacity", .numbers(0, 0.5))
      tree.advance(to: 1 - 1e-15)
      let snapshot = tree.snapshot(root: 1)
      let shown = snapshot.nodes.filter { $0.layer.rawValue == 5 }.map { ($0.opacity * 1000).rounded() / 1000 }
      #expect(shown.sorted(by: >) == expected, "\(outer) and \(inner)")
    }
  }

  @Test("a portal's overrides hold in every instance, and what they override does not move")
  func overridden() throws {
    var tree = try tree()
    try tree.apply(Commit([.create(tree.id(9), .portal), .insert(tree.id(9), into: tree.id(1), at: 9)]))
    try tree.set(3, .name("dot"))
    try tree.set(4, .name("spot"))
    try tree.set(
      9, .sourceLayer(tree.id(2)),
      .overrides([PortalOverride(path: [.sublayer("dot"), .sublayer("spot")], .opacity(0.75))]))
    try tree.add(4, "opacity", .numbers(0, 0.5))
    try tree.add(4, "cornerRadius", .numbers(0, 2))
    tree.advance(to: 0.5)
    let snapshot = tree.snapshot(root: 1)
    let spots = snapshot.nodes.filter { $0.layer.rawValue == 4 }
    #expect(spots.map(\.opacity).sorted() == [0, 0.125, 0.25, 0.75, 0.75, 0.75])
    #expect(Set(spots.map(\.radii.largest)) == [0, 0.5, 1])
  }
}
