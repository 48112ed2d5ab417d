import Commit
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Snapshots that are mended")
struct SnapshotPatchTests {
  private func all(_ layer: TestLayer) -> [TestLayer] { [layer] + (layer.sublayers + layer.masks).flatMap(all) }

  private func change(_ layers: [TestLayer], _ random: inout SeededGenerator) -> Change {
    let layer = layers.randomElement(using: &random)?.id ?? LayerID(rawValue: 1)
    let shade = Float(Int.random(in: 0...4, using: &random)) / 4
    switch Int.random(in: 0..<14, using: &random) {
    case 0...3: return .set(layer, .position(Point(random.eighth(0...60), random.eighth(0...50))))
    case 4: return .set(layer, .transform(.rotation(angle: Double(shade))))
    case 5: return .set(layer, .transform(.scale(x: -1, y: 0.5)))
    case 6: return .set(layer, .opacity(shade))
    case 7: return .set(layer, .cornerRadius(random.eighth(0...10)))
    case 8: return .set(layer, .bounds(Rect(x: 0, y: 0, width: random.eighth(4...50), height: random.eighth(4...40))))
    case 9: return .set(layer, .bounds(Rect(x: 3, y: 1, width: 20, height: 20)))
    case 10: return .set(layer, .anchorPoint(Point(0.25, 0.75)))
    // Of no size, a layer has no contents and no backdrop in a snapshot; it gets them back.
    case 11: return .set(layer, .bounds(Rect(x: 0, y: 0, width: 0, height: random.eighth(4...40))))
    case 12: return .set(layer, .backgroundColor(Color(red: shade, green: 0, blue: 0, alpha: shade)))
    default: return .set(layer, .zPosition(Double(shade)))
    }
  }

  @Test("are those that would have been made: nodes and portals, field by field (seeds 1…150)")
  func equal() throws {
    var mended = 0
    for seed in UInt64(1)...150 {
      var maker = RandomTree(seed: seed, isExact: false)
      let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: seed % 5 == 0)
      let layers = scene.roots.flatMap(all)
      let root = scene.roots[0].id
      var tree = try RenderTree(roots: scene.roots)
      var random = SeededGenerator(seed: seed &* 31)
      for step in 0..<8 {
        let before = tree.snapshot(root: root)
        try tree.apply(Commit((0..<2).map { _ in change(layers, &random) }))
        let snapshot = tree.snapshot(root: root)
        let expected = tree.freshSnapshot(root: root)
        for (index, pair) in zip(snapshot.nodes, expected.nodes).enumerated() {
          #expect("\(pair.0)" == "\(pair.1)", "seed \(seed), step \(step), node \(index)")
        }
        #expect("\(snapshot.portals)" == "\(expected.portals)", "seed \(seed), step \(step)")
        #expect(snapshot.nodes.count == expected.nodes.count && snapshot.version == expected.version)
        guard snapshot.hasChanges else { continue }
        mended += 1
        #expect(snapshot.changes.since == before.version)
        // What is not named is as it was, but for where it lies in the window.
        for (index, pair) in zip(before.nodes, snapshot.nodes).enumerated()
        where !snapshot.changes.nodes.contains(Int32(index)) {
          var (old, new) = pair
          (old.window, new.window) = (.identity, .identity)
          #expect("\(old)" == "\(new)", "seed \(seed), step \(step), node \(index) is not named")
        }
      }
    }
    #expect(mended > 60)
  }
}
