import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("An optimisation that is switched off, over random sequences of changes")
struct SwitchTests {
  private static let size = RandomNesting.size

  /// Draws the same frames with and without a switch, each planner and each stage going on from its own last frame.
  private func compare(
    _ name: String, seeds: ClosedRange<UInt64>, frames: Int,
    _ check: (_ usual: [UInt8], _ switched: [UInt8], _ what: String) throws -> Void
  ) throws {
    let (usual, switched) = (try Stage(), try Stage())
    defer {
      usual.close()
      switched.close()
    }
    for seed in seeds {
      var world = RandomNesting(seed: seed)
      var tree = try RenderTree(roots: world.roots)
      var (planner, other) = (FramePlanner(), FramePlanner(options: PlanOptions(switches: [name])))
      for frame in 0..<frames {
        if frame > 0 {
          try tree.apply(Commit(world.changes()))
          tree.advance(to: Double(frame) / 8)
        }
        let snapshot = tree.snapshot(root: RandomNesting.root)
        func next(_ planner: inout FramePlanner) -> FramePlan {
          planner.plan(snapshot, size: Self.size, scale: 1, background: .clear)
        }
        let expected = try usual.drawNext(next(&planner))
        let got = try switched.drawNext(next(&other), copies: name != "nocopy")
        try check(expected, got, "seed \(seed), frame \(frame)")
      }
    }
  }

  @Test(
    "leaves the bytes as they are (seeds 1…16)", arguments: ["nocull", "nobatch", "nodamage", "nocopy", "noreuse"])
  func sameBytes(_ name: String) throws {
    try compare(name, seeds: 1...16, frames: 8) { usual, switched, what in #expect(usual == switched, "\(what)") }
  }
}
