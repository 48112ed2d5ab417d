import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("A plan that goes on from the last one")
struct GoingOnTests {
  private static let frames = 16

  /// Two planners of the same frames: one that goes on, and one that plans each frame whole.
  private struct Pair {
    var goesOn = FramePlanner()
    var whole = FramePlanner(options: PlanOptions(switches: ["noreuse"]))

    mutating func plan(_ snapshot: Snapshot) -> (FramePlan, FramePlan) {
      func next(_ planner: inout FramePlanner) -> FramePlan {
        planner.plan(snapshot, size: RandomNesting.size, scale: 1, background: .clear)
      }
      return (next(&goesOn), next(&whole))
    }
  }

  @Test(
    "has the targets and the quads of a whole one, to the last bit, over random changes of nested sources (400 seeds)")
  func sameQuads() throws {
    var (frames, mended, gone, nested) = (0, 0, 0, 0)
    for seed in UInt64(1)...400 {
      var world = RandomNesting(seed: seed)
      var tree = try RenderTree(roots: world.roots)
      var pair = Pair()
      for step in 0..<Self.frames {
        if step > 0 {
          try tree.apply(Commit(world.changes()))
          tree.advance(to: Double(step) / 8)
        }
        let snapshot = tree.snapshot(root: RandomNesting.root)
        let (got, expected) = pair.plan(snapshot)
        frames += 1
        if snapshot.hasChanges { mended += 1 }
        if got.counters.layersVisited < expected.counters.layersVisited {
          gone += 1
          if got.counters.sourcesDrawn > 1 { nested += 1 }
        }
        #expect(got.targets == expected.targets, "seed \(seed), frame \(step)")
        #expect(got.sources == expected.sources, "seed \(seed), frame \(step)")
        #expect(got.images.map(\.pixels) == expected.images.map(\.pixels), "seed \(seed), frame \(step)")
        let isSame = pair.goesOn.drawnQuads() == pair.whole.drawnQuads()
        #expect(isSame, "seed \(seed), frame \(step)")
        guard isSame else { break }
      }
    }
    // It is a test of what it says: of the frames that may go on, a fair share does, several sources deep.
    #expect(frames == 400 * Self.frames && mended > frames / 2)
    #expect(gone > mended / 8, "\(gone) of \(mended) went on")
    #expect(nested > 250, "\(nested) of \(gone) with several sources' pictures")
  }

  /// What a pass draws anew of each target, and how often.
  private func areas(_ plan: FramePlan) -> [TargetReference: Int] {
    var areas: [TargetReference: Int] = [:]
    for pass in plan.passes { areas[pass.target, default: 0] += pass.scissor?.area ?? pass.size.area }
    return areas
  }

  @Test("draws anew no more than a whole one, and every pixel in which quads differ (200 seeds)")
  func sameDamage() throws {
    var gone = 0
    for seed in UInt64(1)...200 {
      var world = RandomNesting(seed: seed)
      var tree = try RenderTree(roots: world.roots)
      var pair = Pair()
      var before: [[DrawnQuad]] = []
      for step in 0..<Self.frames {
        if step > 0 { try tree.apply(Commit(world.changes())) }
        let (got, expected) = pair.plan(tree.snapshot(root: RandomNesting.root))
        let now = pair.goesOn.drawnQuads()
        defer { before = now }
        guard got.counters.layersVisited < expected.counters.layersVisited else { continue }
        gone += 1
        let (less, more) = (areas(got), areas(expected))
        // Rectangles that are joined in another order may be joined in other pairs.
        #expect(less.allSatisfy { $0.value <= (more[$0.key] ?? 0) * 5 / 4 }, "seed \(seed), frame \(step)")
        for (number, quads) in now.enumerated() {
          let target: TargetReference = number == 0 ? .output : .target(Int32(number - 1))
          let drawn = got.passes.filter { $0.target == target }.map { $0.scissor ?? PixelRect(size: $0.size) }
          for quad in Set(quads).symmetricDifference(before[number]) {
            #expect(drawn.covers(quad.bounds, of: RandomNesting.size), "seed \(seed), frame \(step)")
          }
        }
      }
    }
    #expect(gone > 200)
  }

  @Test("switched off, walks every layer in every frame")
  func switchedOff() throws {
    let boxes = (0..<20).map { TestLayer.box(UInt64(10 + $0), x: Double($0) * 8, y: 20, 6, 6, color: .white) }
    var tree = try RenderTree(.box(1, x: 0, y: 0, 192, 144, color: .black, [], boxes))
    var pair = Pair()
    for step in 0..<3 {
      try tree.set(12, .position(Point(30, 40 + Double(step))))
      let (got, expected) = pair.plan(tree.snapshot(root: RandomNesting.root))
      #expect(expected.counters.layersVisited == 21)
      #expect(got.counters.layersVisited == (step == 0 ? 21 : 1))
    }
  }
}

extension [PixelRect] {
  /// Whether each pixel of `rect` that lies in a target of `size` is in one of them.
  fileprivate func covers(_ rect: PixelRect, of size: PixelSize) -> Bool {
    let rect = rect.intersection(PixelRect(size: size))
    for y in rect.minY..<Swift.max(rect.minY, rect.maxY) {
      var x = rect.minX
      while x < rect.maxX {
        let hit = first { $0.minX <= x && $0.maxX > x && $0.minY <= y && $0.maxY > y }
        guard let hit else { return false }
        x = hit.maxX
      }
    }
    return true
  }
}
