import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Frames that go on from the last one's plan")
struct ReuseTests {
  private static let size = PixelSize(width: 192, height: 144)

  /// Portals between pixels, so that they have edges of their own, over a source of many layers.
  private func wall(_ count: Int, masked: Bool) -> [TestLayer] {
    var tiles: [TestLayer] = []
    for index in 0..<12 {
      let (x, y) = (Double(index % 4) * 16 + 1.5, Double(index / 4) * 12 + 1)
      let color = Color(red: Float(index) / 12, green: 0.4, blue: 0.6)
      let id = UInt64(5001 + index)
      tiles.append(.box(id, x: x, y: y, 12, 9, color: color, [.cornerRadius(2)]))
    }
    let source = TestLayer.box(5000, x: 40, y: 30, 64, 36, color: .black, [], tiles)
    var portals: [TestLayer] = []
    for index in 0..<count {
      let (x, y) = (Double(index % 8) * 20.37 + 0.2, Double(index / 8) * 15.61 + 0.3)
      let scale = Transform3D.scale(x: 0.4 + 0.01 * Double(index), y: 0.4)
      let id = UInt64(1 + index)
      portals.append(.portal(id, of: 5000, x: x, y: y, 18, 13, [.transform(scale), .masksToBounds(masked)]))
    }
    return [.box(9000, x: 0, y: 0, 192, 144, color: .white, [], portals), source]
  }

  @Test(
    "of a wall of portals: what moves is walked, and nothing else; the bytes are those of frames planned anew",
    arguments: [false, true])
  func walls(_ isMasked: Bool) throws {
    let stage = try Stage()
    defer { stage.close() }
    var tree = try RenderTree(roots: wall(64, masked: isMasked))
    var planner = FramePlanner()
    var random = SeededGenerator(seed: 7)
    var patched = 0
    for step in 0..<24 {
      var changes: [Change] = []
      let moved = step == 0 ? 0 : step % 5 == 4 ? 64 : 1 + step % 3
      for offset in 0..<moved {
        let portal = LayerID(rawValue: UInt64(1 + (step * 5 + offset) % 64))
        changes.append(.set(portal, .position(Point(random.eighth(20...170), random.eighth(16...128)))))
      }
      if step > 0, step % 3 == 0 {
        changes.append(.set(LayerID(rawValue: 5003), .position(Point(random.eighth(8...56), random.eighth(6...30)))))
      }
      try tree.apply(Commit(changes))
      let plan = planner.plan(
        tree.snapshot(root: LayerID(rawValue: 9000)), size: Self.size, scale: 1, background: .clear)
      if step > 0, plan.counters.layersVisited <= 2 * changes.count { patched += 1 }
      var whole = FramePlanner()
      let expected = whole.plan(
        tree.freshSnapshot(root: LayerID(rawValue: 9000)), size: Self.size, scale: 1, background: .clear)
      #expect(try stage.drawNext(plan) == Stage.shared.draw([expected]), "frame \(step)")
    }
    // But where a portal's edge comes to lie on the pixels, and it needs no clip any more.
    #expect(patched >= 20, "of 23 frames")
  }

  @Test(
    "over another colour, with and without other changes, walk no more than those; the bytes are those of new plans")
  func background() throws {
    let stage = try Stage()
    defer { stage.close() }
    var roots = wall(40, masked: false)
    roots[0].properties.append(.backgroundColor(.clear))
    var tree = try RenderTree(roots: roots)
    var planner = FramePlanner()
    for step in 0..<8 {
      if step % 3 == 2 {
        let place = Point(30.25 + Double(step), 40.5)
        try tree.apply(Commit([.set(LayerID(rawValue: 7), .position(place))]))
      }
      let color = Color(red: Float(step / 2) / 4, green: 0.5, blue: 0.25, alpha: step < 5 ? 1 : 0.5).premultiplied
      let plan = planner.plan(
        tree.snapshot(root: LayerID(rawValue: 9000)), size: Self.size, scale: 1, background: color)
      if step > 0 { #expect(plan.counters.layersVisited <= 1, "frame \(step)") }
      var whole = FramePlanner()
      let expected = whole.plan(
        tree.freshSnapshot(root: LayerID(rawValue: 9000)), size: Self.size, scale: 1, background: color)
      if plan.passes.isEmpty {
        #expect(step % 2 == 1 && step % 3 != 2, "frame \(step)")
      } else {
        #expect(try stage.drawNext(plan) == Stage.shared.draw([expected]), "frame \(step)")
      }
    }
  }

  @Test("of nested sources, over random changes: the bytes are those of frames planned anew (seeds 1…40)")
  func nesting() throws {
    let stage = try Stage()
    defer { stage.close() }
    var patched = 0
    for seed in UInt64(1)...40 {
      var world = RandomNesting(seed: seed)
      var tree = try RenderTree(roots: world.roots)
      var planner = FramePlanner()
      for step in 0..<8 {
        if step > 0 { try tree.apply(Commit(world.changes())) }
        let plan = planner.plan(tree.snapshot(root: RandomNesting.root), size: Self.size, scale: 1, background: .clear)
        var whole = FramePlanner()
        let expected = whole.plan(
          tree.freshSnapshot(root: RandomNesting.root), size: Self.size, scale: 1, background: .clear)
        if plan.counters.layersVisited < expected.counters.layersVisited { patched += 1 }
        let isSame = try stage.drawNext(plan) == Stage.shared.draw([expected])
        #expect(isSame, "seed \(seed), frame \(step)")
        guard isSame else { break }
      }
    }
    #expect(patched > 20)
  }
}
