import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("What backdrops and blending cost")
struct BackdropPlanTests {
  private static let output = PixelSize(width: 640, height: 480)

  private func plan(_ layers: [TestLayer], roots: [TestLayer] = []) throws -> FramePlan {
    let root = TestLayer.box(900, x: 0, y: 0, 640, 480, color: .white, [], layers)
    var tree = try RenderTree(roots: [root] + roots)
    var planner = FramePlanner()
    return planner.plan(tree.snapshot(root: 900), size: Self.output, scale: 1, background: Color.black.premultiplied)
  }

  private func panel(_ id: UInt64, x: Double, y: Double, group: String?, radius: Double = 8) -> TestLayer {
    var panel = TestLayer.box(
      id, x: x, y: y, 30, 24, [.backdropFilters([.gaussianBlur(radius: radius)]), .backdropGroup(group)])
    panel.kind = .backdrop
    return panel
  }

  private func panels(_ count: Int, group: String?) -> [TestLayer] {
    (0..<count).map { index -> TestLayer in
      let (x, y) = (Double(index % 16) * 40, Double(index / 16) * 40)
      return panel(UInt64(index + 1), x: x, y: y, group: group)
    }
  }

  @Test("grouped panels cost one capture and one blur, however many, and a quad each")
  func grouped() throws {
    let few = try plan(panels(2, group: "g"))
    let many = try plan(panels(120, group: "g"))
    #expect(few.counters.captures == 1 && many.counters.captures == 1)
    #expect(few.passes.count == many.passes.count)
    #expect(few.counters.batches == many.counters.batches)
    #expect(many.counters.quads - few.counters.quads == 118)
  }

  @Test("panels by themselves cost a capture each")
  func alone() throws {
    #expect(try plan(panels(7, group: nil)).counters.captures == 7)
    #expect(try plan(panels(3, group: "a") + [panel(70, x: 0, y: 300, group: "b")]).counters.captures == 2)
  }

  @Test("the passes of a blur are as many at any radius but for halving, and its pictures no larger than what shows")
  func radius() throws {
    let small = try plan([panel(1, x: 0, y: 0, group: nil, radius: 2)])
    let large = try plan([panel(1, x: 0, y: 0, group: nil, radius: 400)])
    #expect(large.passes.count <= small.passes.count + 5)
    #expect(large.counters.targetPixels <= 2 * small.counters.targetPixels)
  }

  @Test("what adds up or screens blends without a look at what is behind; what multiplies takes one")
  func blending() throws {
    func captures(_ mode: BlendMode) throws -> Int {
      try plan([.box(1, x: 8, y: 8, 64, 64, color: .black, [.blendMode(mode)])]).counters.captures
    }
    #expect(try captures(.plusLighter) == 0 && captures(.screen) == 0)
    #expect(try captures(.multiply) == 1)
  }

  @Test("a target is looked at between two passes of its own, the second of which keeps what the first has drawn")
  func order() throws {
    let plan = try plan(panels(1, group: nil) + [.box(50, x: 0, y: 0, 9, 9, color: .black)])
    let own = plan.passes.indices.filter { plan.passes[$0].target == .output }
    try #require(own.count == 2)
    #expect(own[0] == 0 && own[1] == plan.passes.count - 1)
    #expect(!plan.passes[own[0]].keepsContents && plan.passes[own[1]].keepsContents)
    let looks = plan.passes.indices.filter { pass in
      plan.batches[plan.passes[pass].firstBatch..<plan.passes[pass].firstBatch + plan.passes[pass].batchCount]
        .contains { $0.texture == .output }
    }
    #expect(looks == [1])
  }

  @Test("a scene without glass has no capture, and a portal of glass draws it as a picture of its own")
  func portals() throws {
    #expect(try plan([.box(1, x: 0, y: 0, 9, 9, color: .black)]).counters.captures == 0)
    let card = TestLayer.box(
      500, x: 0, y: 0, 100, 80, color: .black, [],
      [.box(501, x: 0, y: 0, 50, 50, color: .white), panel(502, x: 20, y: 20, group: nil)])
    let portals = (0..<64).map { index -> TestLayer in
      let (x, y) = (Double(index % 8) * 80, Double(index / 8) * 60)
      return .portal(UInt64(600 + index), of: 500, x: x, y: y, 100, 80)
    }
    let shown = try plan(portals, roots: [card])
    // Those at the edge of the window may have a capture of their own; all others share one picture.
    #expect(shown.counters.captures <= 24)
  }
}
