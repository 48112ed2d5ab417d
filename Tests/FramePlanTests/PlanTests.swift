import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("What a frame plan holds")
struct PlanTests {
  private static let output = PixelSize(width: 320, height: 240)

  private func plan(_ roots: TestLayer..., options: PlanOptions = PlanOptions()) throws -> FramePlan {
    var tree = try RenderTree(roots: roots)
    var planner = FramePlanner(options: options)
    return planner.plan(tree.snapshot(root: roots[0].id), size: Self.output, scale: 1, background: .clear)
  }

  @Test("a scene in which nothing changed has no pass at all, and one in which anything did has")
  func staticScene() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 320, 240, [], [.box(2, x: 0, y: 0, 9, 9, color: .black), .portal(3, of: 2, x: 50, y: 0, 9, 9)]))
    var planner = FramePlanner()
    func next(scale: Double = 1) -> FramePlan {
      planner.plan(tree.snapshot(root: 1), size: Self.output, scale: scale, background: .clear)
    }
    #expect(next().passes.count == 1)
    for _ in 0..<3 {
      let plan = next()
      #expect(plan.passes.isEmpty && plan.batches.isEmpty && plan.instances.isEmpty)
      #expect(plan.counters == FrameCounters())
    }
    try tree.set(2, .backgroundColor(.white))
    // Where the layer stands, and where the portal shows it.
    #expect(next().passes.count == 2)
    #expect(next().passes.isEmpty)
    #expect(!next(scale: 2).passes.isEmpty)
  }

  @Test("a portal that shows the frame before goes on being drawn")
  func feedback() throws {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 320, 240, color: .black, [],
        [
          .portal(2, of: 1, x: 10, y: 10, 300, 220, [.recursion(.previousFrame)])
        ]))
    var planner = FramePlanner()
    for _ in 0..<3 {
      let plan = planner.plan(tree.snapshot(root: 1), size: Self.output, scale: 1, background: .clear)
      #expect(plan.targets.contains { $0.historyKey == 1 })
      #expect(plan.batches.contains { $0.texture == .history(1) })
    }
  }

  @Test("what a mask leaves out takes no pixels, and a mask of nothing no pass")
  func maskedExtent() throws {
    func masked(_ mask: TestLayer) throws -> FramePlan {
      try plan(
        .box(
          1, x: 0, y: 0, 320, 240, [],
          [TestLayer.box(2, x: 0, y: 0, 320, 240, color: .black, [], [.box(3, x: 0, y: 0, 9, 9)]).masked(by: mask)]))
    }
    let small = try masked(.box(4, x: 40, y: 40, 16, 12, color: .black))
    #expect(small.targets.map(\.size) == [PixelSize(width: 16, height: 12), PixelSize(width: 16, height: 12)])
    for mask in [TestLayer.box(4, x: 0, y: 0, 90, 90), .box(4, x: 0, y: 0, 90, 90, color: .black, [.isHidden(true)])] {
      #expect(try masked(mask).passes.count == 1)
    }
  }

  @Test("an opaque interior is drawn apart from its antialiased edges, without blending")
  func interiors() throws {
    let aligned = try plan(.box(1, x: 10, y: 10, 100, 80, color: .black))
    #expect(aligned.batches.map(\.variant) == [.fill])
    #expect(aligned.batches[0].isBlended == false && aligned.instances.prefix(4) == [10, 10, 110, 90])
    // Half a pixel off: the interior is whole pixels still, and four thin strips are antialiased.
    let between = try plan(.box(1, x: 10.5, y: 10.5, 100, 80, color: .black))
    #expect(between.batches.map(\.variant.name) == ["fill", "edge"])
    #expect(between.batches.map(\.instanceCount) == [1, 4])
    #expect(Array(between.instances.prefix(4)) == [11, 11, 110, 90])
    // Rounded: three bands and four corners.
    let rounded = try plan(.box(1, x: 10, y: 10, 100, 80, color: .black, [.cornerRadius(12)]))
    #expect(rounded.batches.map(\.instanceCount) == [3, 4])
  }

  @Test("translucent colours blend, opaque ones do not")
  func blending() throws {
    let clear = Color(red: 1, green: 0, blue: 0, alpha: 0.5)
    #expect(try plan(.box(1, x: 0, y: 0, 50, 50, color: clear)).batches.map(\.isBlended) == [true])
    #expect(try plan(.box(1, x: 0, y: 0, 50, 50, color: .white, [.opacity(0.5)])).batches.map(\.isBlended) == [true])
  }

  @Test("opacity needs a group only where more than one picture overlaps")
  func groups() throws {
    #expect(try plan(.box(1, x: 0, y: 0, 50, 50, color: .white, [.opacity(0.5)])).counters.groups == 0)
    let two = try plan(
      .box(1, x: 0, y: 0, 50, 50, color: .white, [.opacity(0.5)], [.box(2, x: 0, y: 0, 20, 20, color: .black)]))
    #expect(two.counters.groups == 1)
    #expect(two.passes.map(\.target) == [.target(0), .output])
  }

  @Test("an image in a rounded card is a rounded image: no group, no clip")
  func roundedImage() throws {
    let image = try #require(
      Image(size: PixelSize(width: 64, height: 64), alpha: .opaque, pixels: [UInt8](repeating: 200, count: 64 * 64 * 4))
    )
    let plan = try plan(
      .box(1, x: 0, y: 0, 64, 64, [.cornerRadius(10), .masksToBounds(true), .contents(image)]))
    #expect(plan.counters.groups == 0)
    #expect(plan.batches.map(\.variant.name) == ["image", "edge.textured.rounded"])
  }

  @Test("batches keep painter's order wherever quads overlap, on random scenes (seeds 1…60)")
  func order() throws {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      let count = 120
      let boxes = (0..<count).map { index -> TestLayer in
        // The colour says which it is; every third blends, so that batches alternate.
        let color = Color(red: Float(index) / 256, green: 0, blue: 0, alpha: index % 3 == 0 ? 0.5 : 1)
        return .box(
          UInt64(10 + index), x: random.whole(0...280), y: random.whole(0...200), random.whole(4...60),
          random.whole(4...60), color: color)
      }
      let plan = try plan(
        .box(1, x: 0, y: 0, 320, 240, [], boxes), options: PlanOptions(switches: ["nocull"]))
      var drawn: [(index: Int, rect: [Float])] = []
      for batch in plan.batches {
        for quad in 0..<batch.instanceCount {
          let floats = Array(plan.instances[(batch.firstFloat + quad * 8)..<(batch.firstFloat + quad * 8 + 8)])
          drawn.append((Int((floats[4] / floats[7] * 256).rounded()), Array(floats[0..<4])))
        }
      }
      #expect(drawn.count == count)
      #expect(plan.batches.count < 60, "seed \(seed): no batching to speak of")
      for (place, later) in drawn.enumerated() {
        for earlier in drawn[..<place] where earlier.index > later.index {
          let overlap =
            max(earlier.rect[0], later.rect[0]) < min(earlier.rect[2], later.rect[2])
            && max(earlier.rect[1], later.rect[1]) < min(earlier.rect[3], later.rect[3])
          #expect(!overlap, "seed \(seed): \(earlier.index) was drawn before \(later.index)")
        }
      }
    }
  }

  @Test("a layer of a billion points costs what shows of it")
  func giant() throws {
    let plan = try plan(
      .box(
        1, x: 0, y: 0, 320, 240, [],
        [
          .box(
            2, x: -5e8, y: -5e8, 1e9, 1e9, color: .black, [.cornerRadius(20), .borderWidth(3)],
            [
              .box(3, x: 5e8 + 10, y: 5e8 + 10, 20, 20, color: .white)
            ])
        ]))
    #expect(plan.instances.allSatisfy { $0.isFinite })
    #expect(plan.counters.shadedPixels <= 3 * 320 * 240)
  }

  @Test("ten thousand levels of nesting are planned")
  func deep() throws {
    var layer = TestLayer.box(10_001, x: 0, y: 0, 10, 10, color: .black)
    for level in (1...10_000).reversed() { layer = .box(UInt64(level), x: 0, y: 0, 320, 240, [], [layer]) }
    let plan = try plan(layer)
    #expect(plan.counters.quads == 1)
  }

  @Test("the dump says what was chosen for each source, and names every pass and batch")
  func dump() throws {
    let text = try plan(
      .box(
        1, x: 0, y: 0, 320, 240, color: .white, [],
        [
          .box(2, x: 0, y: 0, 20, 20, color: .black), .portal(3, of: 2, x: 50, y: 0, 20, 20),
        ])
    ).dump()
    #expect(
      text == """
        frame 320×240
        source layer 2: 2 uses of 1 primitive, 2 drawn inline
          exact picture 20×20 for 2 uses: not drawn, it costs 10 kpx, inline 1 kpx
        pass 0 → output 320×240, covered
          fill × 3
        passes 1, batches 1, quads 3, layers visited 4, portals sampled 0, inlined 1, sources drawn 0, groups 0, \
        shaded pixels 77600, target pixels 0, instance bytes 96

        """)
  }
}
