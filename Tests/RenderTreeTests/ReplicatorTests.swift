import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Replicators")
struct ReplicatorTests {
  private func replicator(_ replication: Replication, _ sublayers: [TestLayer]) -> TestLayer {
    var layer = TestLayer.box(2, x: 0, y: 0, 20, 20, [.replication(replication)], sublayers)
    layer.kind = .replicator
    return layer
  }

  @Test("one instance is the sublayers themselves, none is nothing")
  func counts() throws {
    var tree = try RenderTree(
      .box(1, x: 0, y: 0, 100, 100, [], [replicator(Replication(), [.box(3, x: 0, y: 0, 5, 5, color: .black)])]))
    #expect(tree.snapshot(root: 1).nodes.map(\.layer.rawValue) == [1, 2, 3])
    #expect(tree.snapshot(root: 1).portals.isEmpty)
    try tree.set(2, .replication(Replication(instanceCount: 0)))
    #expect(tree.snapshot(root: 1).nodes.map(\.layer.rawValue) == [1, 2])
    try tree.set(2, .replication(Replication(instanceCount: 3)))
    let snapshot = tree.snapshot(root: 1)
    // Three instances, and the tree that they show.
    #expect(snapshot.nodes.map(\.layer.rawValue) == [1, 2, 3, 3, 3, 3])
    #expect(snapshot.portals.map(\.source) == [5, 5, 5] && snapshot.portals.allSatisfy(\.isInstance))
  }

  @Test("bad replications are refused with the layer and the property")
  func refused() throws {
    var tree = try RenderTree(replicator(Replication(), []))
    for (value, code) in [
      (Replication(instanceCount: -1), CommitError.Code.outOfRange), (Replication(instanceCount: 65_537), .outOfRange),
      (Replication(instanceTransform: Transform3D(m11: .nan)), .notFinite),
      (Replication(instanceRedOffset: .infinity), .notFinite), (Replication(instanceDelay: .nan), .notFinite),
    ] {
      let error = #expect(throws: CommitError.self) { try tree.set(2, .replication(value)) }
      #expect(error?.code == code && error?.property == "replication")
    }
  }

  @Test("a frame makes no more than 65,536 instances, and says so")
  func bounded() throws {
    var second = replicator(Replication(instanceCount: 65_000), [.box(5, x: 0, y: 0, 5, 5, color: .black)])
    second.id = LayerID(rawValue: 4)
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [replicator(Replication(instanceCount: 65_000), [.box(3, x: 0, y: 0, 5, 5, color: .black)]), second]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.nodes.count < 65_010 && snapshot.diagnostics.count == 1)
    #expect(snapshot.diagnostics.first?.contains("layer 4") == true)
  }

  @Test("a layer that a replicator shows no instance of is a source like any other", arguments: [0, 65_537])
  func sourcesWithoutInstances(_ sublayers: Int) throws {
    // Without instances, or with more than a frame may have.
    let count = sublayers == 0 ? 0 : 65_536
    let inner = (0..<2).map { TestLayer.box(3 + $0, x: 0, y: 0, 5, 5, color: .black) }
    for isDrawn in [true, false] {
      let replicator = replicator(Replication(instanceCount: count), inner)
      let portals = (0..<2).map { TestLayer.portal(6 + $0, of: 3, x: 0, y: 50, 10, 10) }
      let root = TestLayer.box(1, x: 0, y: 0, 100, 100, [], (isDrawn ? [replicator] : []) + portals)
      var tree = try RenderTree(roots: isDrawn ? [root] : [root, replicator])
      let snapshot = tree.snapshot(root: 1)
      let sources = [6, 7].map { snapshot.portal($0)?.source ?? -1 }
      #expect(sources[0] >= 0 && sources[0] == sources[1])
      #expect(snapshot.nodes.count < 10)
    }
  }

  @Test("colours change from instance to instance and stay within 0…1")
  func colors() {
    let replication = Replication(
      instanceCount: 4, instanceColor: Color(red: 1, green: 0.25, blue: 0.5), instanceRedOffset: -0.5,
      instanceGreenOffset: 0.5, instanceAlphaOffset: -0.25)
    #expect(replication.color(ofInstance: 0) == Color(red: 1, green: 0.25, blue: 0.5))
    #expect(replication.color(ofInstance: 1) == Color(red: 0.5, green: 0.75, blue: 0.5, alpha: 0.75))
    #expect(replication.color(ofInstance: 3) == Color(red: 0, green: 1, blue: 0.5, alpha: 0.25))
  }

  @Test("a hit finds the sublayer, in its own space, in whatever instance")
  func hits() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          replicator(
            Replication(instanceCount: 3, instanceTransform: .translation(x: 30, y: 0)),
            [.box(3, x: 5, y: 5, 10, 10, color: .black, [], [.box(4, x: 0, y: 0, 5, 5, color: .white)])])
        ]))
    let snapshot = tree.snapshot(root: 1)
    for instance in 0..<3 {
      let x = Double(instance) * 30
      #expect(
        snapshot.hitTest(Point(x + 7, 7)) == [
          HitLink(layer: LayerID(rawValue: 4), point: Point(2, 2), isPortal: false)
        ])
      #expect(snapshot.hitTest(Point(x + 13, 13)).map(\.layer.rawValue) == [3])
    }
    #expect(snapshot.hitTest(Point(25, 7)).map(\.layer.rawValue) == [1])
    #expect(snapshot.hitTest(Point(2, 2)).map(\.layer.rawValue) == [2])
  }

  @Test("a portal that hides a replicated sublayer hides it in every instance")
  func hiding() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          replicator(
            Replication(instanceCount: 3), [.box(3, x: 5, y: 5, 10, 10, color: .black)]),
          .portal(6, of: 3, x: 0, y: 50, 10, 10, [.hidesSourceLayer(true)]),
        ]))
    let snapshot = tree.snapshot(root: 1)
    #expect(snapshot.nodes.filter { $0.layer.rawValue == 3 }.allSatisfy { $0.flags.contains(.hiddenByPortal) })
    #expect(snapshot.portal(6)?.source ?? -1 >= 0)
  }

  @Test("a portal in a replicator that shows the replicator ends, and so does one that shows the instance it is in")
  func loops() throws {
    for source in [UInt64(2), 3] {
      var tree = try RenderTree(
        .box(
          1, x: 0, y: 0, 100, 100, [],
          [
            replicator(
              Replication(instanceCount: 3, instanceTransform: .translation(x: 10, y: 0)),
              [.box(3, x: 0, y: 0, 8, 8, color: .black, [], [.portal(4, of: source, x: 0, y: 10, 8, 8)])])
          ]))
      let snapshot = tree.snapshot(root: 1)
      #expect(snapshot.diagnostics.count == 1)
    }
  }
}
