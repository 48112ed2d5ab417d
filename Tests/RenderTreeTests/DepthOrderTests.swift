import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Sublayers in space are ordered by depth, and cut where they cross")
struct DepthOrderTests {
  private static func planes(_ random: inout SeededGenerator, count: Int, from first: UInt64) -> [TestLayer] {
    (0..<count).map { index in
      let turn = Transform3D.rotation(
        angle: random.real(-3...3), x: random.real(-1...1), y: random.real(-1...1), z: random.real(-1...1))
      return .box(
        first + UInt64(index), x: random.real(-20...60), y: random.real(-20...60), random.real(10...60),
        random.real(10...60), [.transform(turn), .zPosition(random.real(-20...20))])
    }
  }

  /// Some in transform layers, which may stand in each other.
  private static func scene(_ seed: UInt64) -> (layers: [TestLayer], perspective: Transform3D) {
    var random = SeededGenerator(seed: seed)
    var layers = planes(&random, count: 6, from: 10)
    if seed % 2 == 0 {
      let turn = Transform3D.rotation(angle: random.real(-1...1), x: 1, y: random.real(-1...1), z: 0)
      let inner = TestLayer(
        2, .transform, [.position(Point(10, 5)), .transform(turn)], planes(&random, count: 4, from: 30))
      layers.append(
        TestLayer(
          3, .transform, [.position(Point(20, 20)), .zPosition(5), .transform(turn)],
          planes(&random, count: 3, from: 40) + [inner]))
    }
    return (layers, seed % 3 == 0 ? .identity : .perspective(distance: random.real(120...400)))
  }

  private static func tree(_ layers: [TestLayer], _ perspective: Transform3D) throws -> RenderTree {
    try RenderTree(.box(1, x: 0, y: 0, 100, 100, [.sublayerTransform(perspective)], layers))
  }

  @Test("at every point the pieces come in the order of a ray, each layer once (seeds 1…300)")
  func rays() throws {
    var compared = 0
    for seed in UInt64(1)...300 {
      let (layers, perspective) = Self.scene(seed)
      var tree = try Self.tree(layers, perspective)
      let snapshot = tree.snapshot(root: 1)
      let rays = RayScene(layers, under: perspective, about: Point(50, 50))
      let root = snapshot.nodes[0]
      let pieces = snapshot.pieces[try #require(root.depthSort >= 0 ? snapshot.depthSorts[Int(root.depthSort)] : nil)]
      var random = SeededGenerator(seed: seed ^ 0xD)
      for _ in 0..<60 {
        let point = Point(random.real(0...100), random.real(0...100))
        let met = rays.planes(at: point).reversed().map { ($0.id, $0.depth(at: point) ?? 0) }
        // Too near to each other to say, or to an edge or a cut to count them.
        guard zip(met, met.dropFirst()).allSatisfy({ $1.1 - $0.1 > 0.1 }) else { continue }
        var shown: [UInt64] = []
        var isNearCut = false
        for piece in pieces {
          let node = snapshot.nodes[Int(piece.node)]
          guard let local = (node.local * root.window).inverse?.apply(point), node.shape.contains(local) else {
            continue
          }
          let heights = snapshot.cuts[piece.cuts].map { ($0.a * local.x + $0.b * local.y + $0.c) / length($0.a, $0.b) }
          if heights.contains(where: { $0.magnitude < 0.01 }) { isNearCut = true }
          if heights.allSatisfy({ $0 >= 0 }) { shown.append(node.layer.rawValue) }
        }
        guard !isNearCut else { continue }
        compared += met.count > 1 ? 1 : 0
        #expect(shown == met.map(\.0), "seed \(seed) at \(point)")
      }
    }
    #expect(compared > 2000)
  }

  @Test("a hit test finds what a ray meets first (seeds 1…300)")
  func hits() throws {
    var compared = 0
    for seed in UInt64(1)...300 {
      let (layers, perspective) = Self.scene(seed)
      var tree = try Self.tree(layers, perspective)
      let snapshot = tree.snapshot(root: 1)
      let rays = RayScene(layers, under: perspective, about: Point(50, 50))
      var random = SeededGenerator(seed: seed ^ 0xE)
      for _ in 0..<50 {
        let point = Point(random.real(0...100), random.real(0...100))
        let met = rays.planes(at: point)
        let depths = met.map { $0.depth(at: point) ?? 0 }
        if depths.count > 1, depths[0] - depths[1] < 0.1 { continue }
        compared += met.count > 1 ? 1 : 0
        #expect(snapshot.hitTest(point).first?.layer.rawValue == met.first?.id ?? 1, "seed \(seed) at \(point)")
      }
    }
    #expect(compared > 1500)
  }

  @Test("a hit test passes by layers in a transform layer that allows none, is hidden or nearly clear")
  func passedBy() throws {
    for property in [PropertyChange.allowsHitTesting(false), .isHidden(true), .opacity(0.005)] {
      let inside = TestLayer(3, .transform, [], [.box(4, x: 0, y: 0, 50, 50)])
      let outside = TestLayer(2, .transform, [.zPosition(50), property], [inside])
      var tree = try RenderTree(.box(1, x: 0, y: 0, 100, 100, [], [.box(5, x: 0, y: 0, 50, 50), outside]))
      #expect(tree.snapshot(root: 1).hitTest(Point(10, 10)).map(\.layer.rawValue) == [5])
      try tree.set(2, .allowsHitTesting(true), .isHidden(false), .opacity(1))
      #expect(tree.snapshot(root: 1).hitTest(Point(10, 10)).map(\.layer.rawValue) == [4])
    }
  }

  @Test("a hit goes to the part of a layer that is nearer, through the portal of a transform layer too")
  func crossing() throws {
    let turn = Transform3D.rotation(angle: 0.7, x: 0, y: 1, z: 0)
    let planes = TestLayer(
      3, .transform, [.position(Point(200, 200))],
      [
        .box(4, x: 0, y: 0, 40, 40, [.transform(turn)]),
        .box(5, x: 0, y: 0, 40, 40, [.transform(.rotation(angle: -0.7, x: 0, y: 1, z: 0))]),
      ])
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [planes, .portal(2, of: 3, x: 10, y: 10, 40, 40, [.forwardsHitTestingToSource(true)])]))
    let snapshot = tree.snapshot(root: 1)
    func hit(_ x: Double) -> [UInt64] { snapshot.hitTest(Point(x, x < 100 ? 30 : 220)).map(\.layer.rawValue) }
    let (left, right) = (hit(210), hit(230))
    #expect(Set(left + right) == [4, 5] && left != right)
    #expect(hit(20) == [2] + left && hit(40) == [2] + right)
  }

  @Test("layers in one plane keep their order, and in flat trees nothing is sorted")
  func flat() throws {
    let flat = [TestLayer.box(2, x: 0, y: 0, 50, 50), .box(3, x: 10, y: 10, 50, 50, [.zPosition(-1)])]
    var plain = try RenderTree(.box(1, x: 0, y: 0, 100, 100, [], flat))
    let snapshot = plain.snapshot(root: 1)
    #expect(snapshot.depthSorts.isEmpty && snapshot.pieces.isEmpty && snapshot.nodes.allSatisfy { $0.depthSort < 0 })
    let turn = PropertyChange.transform(.rotation(angle: 0.5, x: 1, y: 0, z: 0))
    let turned = (2..<8).map { TestLayer.box(UInt64($0), x: 0, y: 0, 50, 50, [turn]) }
    var sorted = try RenderTree(.box(1, x: 0, y: 0, 100, 100, [], turned))
    let pieces = sorted.snapshot(root: 1)
    #expect(pieces.pieces.map { pieces.nodes[Int($0.node)].layer.rawValue } == [2, 3, 4, 5, 6, 7])
    #expect(pieces.cuts.isEmpty)
  }

  @Test("what a clip hides of a layer reaches nowhere, so it cuts nothing")
  func clipped() throws {
    // Two strips that meet at an edge; without their clips, the tall layers in them would cross.
    func strip(_ id: UInt64, _ angle: Double, _ properties: [PropertyChange]) -> TestLayer {
      .box(
        id, x: 20, y: 30, 60, 10,
        [.anchorPoint(Point(0.5, 0)), .position(Point(50, 30)), .transform(.rotation(angle: angle, x: 1, y: 0, z: 0))]
          + properties, [.portal(id + 1, of: 50, x: 0, y: -40, 60, 10)])
    }
    for (properties, cuts) in [([.masksToBounds(true)], 0), ([], 1)] as [([PropertyChange], Int)] {
      var tree = try RenderTree(
        .box(1, x: 0, y: 0, 100, 100, [], [strip(10, 0.2, properties), strip(20, 0.9, properties)]),
        .box(50, x: 0, y: 0, 60, 100))
      #expect(tree.snapshot(root: 1).cuts.count == 2 * cuts)
    }
  }

  @Test("more layers than can be cut are ordered by their middles, and that is said once")
  func tooMany() throws {
    var random = SeededGenerator(seed: 3)
    let layers = Self.planes(&random, count: 300, from: 10)
    var tree = try Self.tree(layers, .identity)
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.pieces.count == 300 && snapshot.cuts.isEmpty)
    #expect(snapshot.diagnostics.count == 1 && snapshot.diagnostics[0].contains("300 layers in one space"))
  }
}
