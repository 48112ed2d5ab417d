import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("A commit is applied whole or not at all")
struct CommitTests {
  private static let base = TestLayer(1, .layer, [], [TestLayer(2, .layer, [], [TestLayer(3)]), TestLayer(4, .portal)])

  @Test(
    "a bad change refuses the whole commit, names layer and property, and leaves the tree as it was",
    arguments: [
      (Change.set(LayerID(rawValue: 9), .opacity(1)), CommitError.Code.unknownLayer, nil as String?),
      (.create(LayerID(rawValue: 2), .layer), .layerExists, nil),
      (.insert(LayerID(rawValue: 1), into: LayerID(rawValue: 3), at: 0), .cycle, "sublayers"),
      (.insert(LayerID(rawValue: 2), into: LayerID(rawValue: 2), at: 0), .cycle, "sublayers"),
      (.set(LayerID(rawValue: 2), .position(Point(.nan, 0))), .notFinite, "position"),
      (.set(LayerID(rawValue: 2), .cornerRadius(.infinity)), .notFinite, "cornerRadius"),
      (.set(LayerID(rawValue: 2), .cornerRadius(-1)), .outOfRange, "cornerRadius"),
      (.set(LayerID(rawValue: 2), .contentsScale(0)), .outOfRange, "contentsScale"),
      (.set(LayerID(rawValue: 2), .matchesPosition(true)), .notAPortal, "matchesPosition"),
      (.set(LayerID(rawValue: 4), .sourceLayer(LayerID(rawValue: 77))), .unknownLayer, "sourceLayer"),
      (.set(LayerID(rawValue: 4), .recursion(.depth(0))), .outOfRange, "recursion"),
      (.release(LayerID(rawValue: 8)), .unknownLayer, nil),
    ])
  func refused(_ bad: Change, _ code: CommitError.Code, _ property: String?) throws {
    var tree = try RenderTree(Self.base)
    let before = tree.snapshot(root: 1)
    let first = Change.set(LayerID(rawValue: 2), .opacity(0.25))
    let error = #expect(throws: CommitError.self) { try tree.apply(Commit([first, bad])) }
    #expect(error?.code == code)
    #expect(error?.property == property)
    let after = tree.snapshot(root: 1)
    #expect(after.version == before.version)
    #expect(after.node(2)?.opacity == 1)
    #expect(tree.layerCount == 4)
  }

  @Test("layers may be made, filled and released within one commit")
  func lifeWithinACommit() throws {
    var tree = RenderTree()
    let (a, b) = (LayerID(rawValue: 1), LayerID(rawValue: 2))
    try tree.apply(Commit([.create(a, .layer), .create(b, .layer), .insert(b, into: a, at: 0), .release(b)]))
    #expect(tree.layerCount == 1)
    #expect(tree.snapshot(root: a).nodes.count == 1)
    #expect(throws: CommitError.self) { try tree.apply(Commit([.set(b, .opacity(0))])) }
  }

  @Test("a cycle made by several changes of one commit is found")
  func cycleAcrossChanges() throws {
    var tree = try RenderTree(roots: [TestLayer(1), TestLayer(2), TestLayer(3)])
    let ids = (1...3).map { LayerID(rawValue: $0) }
    #expect(throws: CommitError.self) {
      try tree.apply(
        Commit([
          .insert(ids[1], into: ids[0], at: 0), .insert(ids[2], into: ids[1], at: 0),
          .insert(ids[0], into: ids[2], at: 0),
        ]))
    }
    // Moving out first makes room for the other way round.
    try tree.apply(
      Commit([.insert(ids[1], into: ids[0], at: 0), .removeFromParent(ids[1]), .insert(ids[0], into: ids[1], at: 0)]))
    #expect(tree.snapshot(root: ids[1]).nodes.count == 2)
  }

  @Test("ten thousand portals made and released leave the tree as it was")
  func noLeak() throws {
    var tree = try RenderTree(TestLayer(1, .layer, [], [TestLayer(2)]))
    for round in 0..<10 {
      let ids = (0..<1000).map { LayerID(rawValue: UInt64(100 + round * 1000 + $0)) }
      try tree.apply(
        Commit(
          ids.flatMap { id -> [Change] in
            [
              .create(id, .portal), .set(id, .sourceLayer(LayerID(rawValue: 2))), .set(id, .sourceLifetime(.retained)),
              .insert(id, into: LayerID(rawValue: 1), at: 0),
            ]
          }))
      #expect(tree.snapshot(root: 1).portals.count == 1000)
      try tree.apply(Commit(ids.map { .release($0) }))
    }
    #expect(tree.layerCount == 2)
    #expect(tree.invariantViolations() == [])
  }

  @Test("inserting at an index puts the layer there, wherever it was")
  func insertionIndex() throws {
    var tree = try RenderTree(TestLayer(1, .layer, [], (2...5).map { TestLayer($0) }))
    try tree.apply(Commit([.insert(LayerID(rawValue: 5), into: LayerID(rawValue: 1), at: 1)]))
    #expect(tree.snapshot(root: 1).nodes.map(\.layer.rawValue) == [1, 2, 5, 3, 4])
    try tree.apply(Commit([.insert(LayerID(rawValue: 2), into: LayerID(rawValue: 1), at: 99)]))
    #expect(tree.snapshot(root: 1).nodes.map(\.layer.rawValue) == [1, 5, 3, 4, 2])
  }

  @Test("a thousand random commits keep the tree sound, and a refused one changes nothing (seed 20261130)")
  func randomCommits() throws {
    var random = SeededGenerator(seed: 20_261_130)
    var tree = RenderTree()
    var alive: [UInt64] = []
    for step in 1...1000 {
      var commit = Commit()
      for _ in 0..<Int.random(in: 1...6, using: &random) {
        let fresh = UInt64(step * 100 + commit.changes.count)
        let a = LayerID(rawValue: alive.randomElement(using: &random) ?? fresh)
        let b = LayerID(rawValue: alive.randomElement(using: &random) ?? fresh)
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: commit.changes.append(.create(LayerID(rawValue: fresh), random.oneIn(2) ? .portal : .layer))
        case 2: commit.changes.append(.insert(a, into: b, at: Int.random(in: 0...4, using: &random)))
        case 3: commit.changes.append(.removeFromParent(a))
        case 4: commit.changes.append(random.oneIn(3) ? .release(a) : .set(a, .opacity(0.5)))
        case 5: commit.changes.append(.set(a, .sourceLayer(b)))
        case 7: commit.changes.append(.set(a, .mask(random.oneIn(4) ? nil : b)))
        case 6: commit.changes.append(.set(a, .sourceLifetime(random.oneIn(2) ? .retained : .weak)))
        default: commit.changes.append(.set(a, .zPosition(random.whole(-2...2))))
        }
      }
      let (version, count) = (tree.version, tree.layerCount)
      do {
        try tree.apply(commit)
        for change in commit.changes {
          if case .create(let id, _) = change { alive.append(id.rawValue) }
          if case .release(let id) = change { alive.removeAll { $0 == id.rawValue } }
        }
      } catch {
        #expect(tree.version == version && tree.layerCount == count)
      }
      #expect(tree.invariantViolations() == [], "after commit \(step)")
      let root = alive.first.map { LayerID(rawValue: $0) }
      let snapshot = tree.snapshot(root: root)
      #expect(snapshot.nodes.indices.allSatisfy { snapshot.nodes[$0].end > $0 && snapshot.nodes[$0].parent < $0 })
    }
  }
}
