import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("When a source's content changes")
struct ContentVersionTests {
  private func version(
    _ layer: UInt64, after change: (inout RenderTree) throws -> Void
  ) throws -> (before: UInt64, after: UInt64) {
    var tree = try RenderTree(roots: [
      .box(
        1, x: 0, y: 0, 100, 100, [],
        [
          .box(2, x: 0, y: 0, 50, 50, [], [.box(3, x: 0, y: 0, 9, 9, [], [.box(4, x: 0, y: 0, 5, 5)])]),
          .box(5, x: 0, y: 0, 50, 50, [], [.portal(6, of: 2, x: 0, y: 0, 9, 9)]),
        ])
    ])
    let before = try #require(tree.contentVersion(of: LayerID(rawValue: layer)))
    try change(&tree)
    return (before, try #require(tree.contentVersion(of: LayerID(rawValue: layer))))
  }

  @Test("a grandchild's transform changes it")
  func grandchild() throws {
    let (before, after) = try version(2) { try $0.set(4, .transform(.scale(x: 2, y: 2))) }
    #expect(after > before)
  }

  @Test("the source's own place and opacity do not")
  func ownPlace() throws {
    let (before, after) = try version(2) { try $0.set(2, .position(Point(70, 70)), .opacity(0.5)) }
    #expect(after == before)
  }

  @Test("what a portal in it shows changes it")
  func throughAPortal() throws {
    let (before, after) = try version(5) { try $0.set(4, .backgroundColor(.white)) }
    #expect(after > before)
  }

  @Test("a change elsewhere does not")
  func elsewhere() throws {
    let (before, after) = try version(2) { try $0.set(5, .backgroundColor(.white)) }
    #expect(after == before)
  }

  // MARK: Whether a snapshot is out of date

  private static let two = [
    TestLayer.box(1, x: 0, y: 0, 100, 100, [], [.portal(2, of: 11, x: 0, y: 0, 9, 9), .box(3, x: 0, y: 0, 9, 9)]),
    TestLayer.box(10, x: 0, y: 0, 50, 50, [], [.box(11, x: 0, y: 0, 9, 9, [], [.box(12, x: 0, y: 0, 5, 5)])]),
    TestLayer.box(20, x: 0, y: 0, 50, 50, [], [.box(21, x: 0, y: 0, 9, 9)]),
  ]

  private func isOutOfDate(_ change: (inout RenderTree) throws -> Void) throws -> Bool {
    var tree = try RenderTree(roots: Self.two)
    let snapshot = tree.snapshot(root: 1)
    #expect(tree.lastChange(of: snapshot) <= snapshot.version)
    try change(&tree)
    return tree.lastChange(of: snapshot) > snapshot.version
  }

  @Test("a snapshot is out of date by whatever it shows, in the drawn tree and in those of its sources")
  func outOfDate() throws {
    #expect(try isOutOfDate { try $0.set(3, .opacity(0.5)) })
    #expect(try isOutOfDate { try $0.set(1, .position(Point(1, 1))) })
    #expect(try isOutOfDate { try $0.set(12, .backgroundColor(.white)) })
    #expect(try isOutOfDate { try $0.set(10, .isHidden(true)) })
    #expect(
      try isOutOfDate { try $0.apply(Commit([.insert(LayerID(rawValue: 20), into: LayerID(rawValue: 3), at: 0)])) })
    #expect(try isOutOfDate { try $0.apply(Commit([.release(LayerID(rawValue: 10))])) })
    #expect(try isOutOfDate { try $0.apply(Commit([.release(LayerID(rawValue: 11))])) })
    // The source's tree came to stand in another, whose transforms count from then on.
    #expect(
      try isOutOfDate { try $0.apply(Commit([.insert(LayerID(rawValue: 10), into: LayerID(rawValue: 20), at: 0)])) })
  }

  @Test("a snapshot is up to date whatever happens elsewhere")
  func upToDate() throws {
    #expect(try !isOutOfDate { try $0.set(20, .opacity(0.5)) })
    #expect(try !isOutOfDate { try $0.set(21, .backgroundColor(.white)) })
    #expect(try !isOutOfDate { try $0.apply(Commit([.create(LayerID(rawValue: 30), .layer)])) })
    #expect(try !isOutOfDate { try $0.apply(Commit([.release(LayerID(rawValue: 20))])) })
  }

  @Test("a snapshot that is up to date equals a new one, after any change", arguments: 1...40)
  func random(seed: UInt64) throws {
    var maker = RandomTree(seed: seed, isExact: true)
    let scene = maker.portalScene(matchesPosition: seed % 2 == 0, matchesTransform: seed % 3 == 0)
    let aside = maker.layer(depth: 1)
    var tree = try RenderTree(roots: scene.roots + [aside])
    let root = scene.roots[0].id
    let all = tree.snapshot(root: root).nodes.map(\.layer) + [aside.id]
    for step in 0..<40 {
      let snapshot = tree.snapshot(root: root)
      let layer = maker.random.pick(all)
      let changes: [Change] = [
        .set(layer, .opacity(Float(step) / 40)), .set(layer, .position(Point(Double(step), 3))),
        .insert(layer, into: maker.random.pick(all), at: 0), .removeFromParent(layer),
        .set(layer, .sublayerTransform(.scale(x: Double(step), y: 1))), .set(layer, .isHidden(step % 2 == 0)),
      ]
      do { try tree.apply(Commit([maker.random.pick(changes)])) } catch { continue }
      guard tree.lastChange(of: snapshot) <= snapshot.version else { continue }
      let now = tree.snapshot(root: root)
      #expect("\(now.nodes)\(now.portals)" == "\(snapshot.nodes)\(snapshot.portals)", "seed \(seed), step \(step)")
    }
  }
}
