import Commit
import FramePlan
import Geometry
import Porthole
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

  /// Portals of some layers, side by side, each scaled or turned a little; and the same a moment later.
  private func cards(_ random: inout SeededGenerator) -> [TestLayer] {
    let tiles = (0..<9).map { index -> TestLayer in
      let (x, y) = (Double(index % 3) * 16, Double(index / 3) * 12)
      let color = Color(red: Float(index) / 8, green: 0.5, blue: 1 - Float(index) / 8)
      return .box(UInt64(100 + index), x: x, y: y, 16, 12, color: color)
    }
    let portals = (0..<12).map { index -> TestLayer in
      let (x, y) = (Double(index % 4) * 48 + random.eighth(-1...1), Double(index / 4) * 48 + 6 + random.eighth(-1...1))
      let scale = random.real(0.75...1)
      let turned = Transform3D.scale(x: scale, y: scale) * .rotation(angle: random.real(-0.25...0.25))
      return .portal(UInt64(10 + index), of: 50, x: x, y: y, 48, 36, [.transform(turned)])
    }
    return [
      .box(1, x: 0, y: 0, 192, 144, color: .black, [], portals),
      .box(50, x: 0, y: 0, 48, 36, color: .white, [], tiles),
    ]
  }

  @Test("leaves pictures within what resampling sources may change, where no source is drawn once (seeds 1…12)")
  func withinClass() throws {
    let limits = ImageComparison.Tolerance.of(.resampled)
    let (usual, switched) = (try Stage(), try Stage())
    defer {
      usual.close()
      switched.close()
    }
    for seed in UInt64(1)...12 {
      var random = SeededGenerator(seed: seed)
      var tree = try RenderTree(roots: cards(&random))
      var (planner, other) = (FramePlanner(), FramePlanner(options: PlanOptions(switches: ["nocache"])))
      for frame in 0..<4 {
        if frame > 0 {
          let portal = LayerID(rawValue: UInt64(10 + Int.random(in: 0..<12, using: &random)))
          try tree.apply(
            Commit([
              .set(portal, .transform(.rotation(angle: random.real(-0.25...0.25)))),
              .set(LayerID(rawValue: 100), .backgroundColor(Color(red: Float(frame) / 4, green: 1, blue: 0))),
            ]))
        }
        let snapshot = tree.snapshot(root: RandomNesting.root)
        func next(_ planner: inout FramePlanner) -> FramePlan {
          planner.plan(snapshot, size: Self.size, scale: 1, background: .clear)
        }
        let (cached, inline) = (next(&planner), next(&other))
        #expect(cached.counters.sourcesDrawn == 1 && inline.counters.sourcesDrawn == 0)
        let images = try [usual.drawNext(cached), switched.drawNext(inline)].map { pixels in
          try #require(Image(size: Self.size, alpha: .premultiplied, pixels: pixels))
        }
        let comparison = try ImageComparison(expected: images[1], got: images[0])
        #expect(comparison.passes(limits), "seed \(seed), frame \(frame): \(comparison)")
      }
    }
  }
}
