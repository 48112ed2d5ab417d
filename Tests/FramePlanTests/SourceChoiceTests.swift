import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("How a source is drawn for its portals")
struct SourceChoiceTests {
  private static let output = PixelSize(width: 640, height: 360)

  private func plan(_ roots: [TestLayer], scale: Double = 1) throws -> FramePlan {
    var tree = try RenderTree(roots: roots)
    var planner = FramePlanner()
    return planner.plan(
      tree.snapshot(root: roots[0].id), size: Self.output, scale: scale, background: .clear)
  }

  /// A source of 21 quads that stands nowhere.
  private static func source(_ id: UInt64) -> TestLayer {
    .box(
      id, x: 0, y: 0, 320, 180, color: .black, [],
      (0..<20).map { .box(id + 1 + $0, x: Double($0 % 5) * 60, y: Double($0 / 5) * 40, 50, 30, color: .white) })
  }

  /// Portals that fill the output, `columns` to a row, each scaled to its cell.
  private static func grid(_ columns: Int, of source: UInt64) -> TestLayer {
    let (width, height) = (640 / Double(columns), 360 / Double(columns))
    let portals = (0..<columns * columns).map { index -> TestLayer in
      let (x, y) = (Double(index % columns) * width, Double(index / columns) * height)
      return TestLayer(
        UInt64(10_000 + index), .portal,
        [
          .bounds(Rect(x: 0, y: 0, width: 320, height: 180)), .position(Point(x, y)), .anchorPoint(.zero),
          .transform(.scale(x: width / 320, y: height / 180)), .sourceLayer(LayerID(rawValue: source)),
        ])
    }
    return .box(1, x: 0, y: 0, 640, 360, [], portals)
  }

  @Test(
    "however many portals show it, it is drawn once, and each portal is one quad of one batch", arguments: [4, 8, 40])
  func once(_ columns: Int) throws {
    let plan = try plan([Self.grid(columns, of: 100), Self.source(100)])
    let portals = columns * columns
    #expect(plan.counters.sourcesDrawn == 1)
    #expect(plan.counters.portalsSampled == portals)
    let output = try #require(plan.passes.last)
    #expect(output.target == .output)
    let batches = plan.batches[output.firstBatch..<output.firstBatch + output.batchCount]
    #expect(batches.allSatisfy { $0.variant == .image && !$0.isBlended })
    #expect(batches.reduce(0) { $0 + $1.instanceCount } == portals)
    #expect(batches.count == plan.counters.sourcesDrawn)
    // The walk goes through each portal and once through each picture of the source.
    #expect(plan.counters.layersVisited == 1 + portals + 21 * plan.counters.sourcesDrawn)
  }

  @Test("cells between pixels are opaque quads with thin blended edges, still in few batches")
  func betweenPixels() throws {
    let plan = try plan([Self.grid(11, of: 100), Self.source(100)])
    #expect(plan.counters.sourcesDrawn == 1 && plan.counters.portalsSampled == 121)
    let output = try #require(plan.passes.last)
    let batches = plan.batches[output.firstBatch..<output.firstBatch + output.batchCount]
    #expect(batches.map(\.isBlended) == [false, true])
    #expect(batches.first?.instanceCount == 121)
  }

  @Test("its texture has the size at which its portals show it, no more and no less")
  func size() throws {
    let plan = try plan([Self.grid(8, of: 100), Self.source(100)])
    #expect(plan.targets.map(\.size) == [PixelSize(width: 80, height: 45)])
    let twice = try self.plan([Self.grid(8, of: 100), Self.source(100)], scale: 2)
    #expect(twice.targets.map(\.size) == [PixelSize(width: 160, height: 90)])
  }

  @Test("a source of one quad is drawn again in each portal: no texture is made for what needs none")
  func trivial() throws {
    let plan = try plan([Self.grid(20, of: 100), .box(100, x: 0, y: 0, 320, 180, color: .black)])
    #expect(plan.targets.isEmpty)
    #expect(plan.counters.portalsInlined == 400)
    #expect(plan.counters.quads == 400)
  }

  @Test("a single portal draws the source's layers in its place")
  func single() throws {
    let plan = try plan([Self.grid(1, of: 100), Self.source(100)])
    #expect(plan.targets.isEmpty && plan.passes.count == 1)
  }

  @Test("portals that can't be seen cost nothing: off the output, clipped away, clear or hidden")
  func unseen() throws {
    var portals = (0..<64).map { TestLayer.portal(UInt64(1000 + $0), of: 100, x: 10_000, y: 0, 320, 180) }
    portals.append(.portal(2000, of: 100, x: 0, y: 0, 320, 180, [.opacity(0)]))
    portals.append(.portal(2001, of: 100, x: 0, y: 0, 320, 180, [.isHidden(true)]))
    portals.append(
      .box(2002, x: 0, y: 0, 10, 10, [.masksToBounds(true)], [.portal(2003, of: 100, x: 50, y: 50, 320, 180)]))
    let plan = try plan([.box(1, x: 0, y: 0, 640, 360, [], portals), Self.source(100)])
    #expect(plan.passes.count == 1)
    #expect(plan.counters.quads == 0)
  }

  @Test("of a source 100,000 points wide no more is drawn than shows")
  func huge() throws {
    let wide = TestLayer.box(
      100, x: 0, y: 0, 100_000, 100, color: .black, [],
      (0..<1000).map { .box(200 + $0, x: Double($0) * 100, y: 0, 50, 50, color: .white) })
    let portals = (0..<200).map { index in
      TestLayer.portal(UInt64(5000 + index), of: 100, x: 0, y: 0, 100, 50, [.masksToBounds(true)])
    }
    let plan = try plan([.box(1, x: 0, y: 0, 640, 360, [], portals), wide])
    #expect(plan.counters.targetPixels <= 104 * 54)
    #expect(plan.counters.layersVisited < 500)
  }

  @Test("nesting costs as much as its levels, not two to their power")
  func nesting() throws {
    func visited(_ depth: Int) throws -> Int {
      var roots: [TestLayer] = [Self.source(100)]
      var shown: UInt64 = 100
      for level in 0..<depth {
        let id = UInt64(1000 + level * 10)
        roots.append(
          .box(
            id, x: 0, y: 0, 320, 180, color: .black, [],
            [
              .portal(id + 1, of: shown, x: 0, y: 0, 320, 180),
              .portal(id + 2, of: shown, x: 80, y: 0, 320, 180),
            ]))
        shown = id
      }
      roots.insert(.box(1, x: 0, y: 0, 640, 360, [], [.portal(2, of: shown, x: 0, y: 0, 320, 180)]), at: 0)
      return try plan(roots).counters.layersVisited
    }
    let (eight, sixteen, thirtyTwo) = (try visited(8), try visited(16), try visited(32))
    #expect(sixteen > eight)
    #expect(thirtyTwo - sixteen <= 2 * (sixteen - eight) + 8)
  }

  @Test("in its own place it is served by the portals' texture where it shows the same pixels")
  func inPlace() throws {
    let portals = (0..<30).map { TestLayer.portal(UInt64(1000 + $0), of: 100, x: Double($0), y: 100, 320, 180) }
    let plan = try plan([.box(1, x: 0, y: 0, 640, 360, [], [Self.source(100)] + portals)])
    #expect(plan.counters.sourcesDrawn == 1)
    let output = try #require(plan.passes.last)
    let quads = plan.batches[output.firstBatch..<output.firstBatch + output.batchCount].reduce(0) {
      $0 + $1.instanceCount
    }
    #expect(quads == 31)
  }

  @Test("two scales of one source are two pictures, each right for its own")
  func twoScales() throws {
    let portals = (0..<40).map { index -> TestLayer in
      let scale = index % 2 == 0 ? 0.5 : 0.25
      return .portal(
        UInt64(1000 + index), of: 100, x: 0, y: 0, 320, 180,
        [.anchorPoint(.zero), .position(.zero), .transform(.scale(x: scale, y: scale))])
    }
    let plan = try plan([.box(1, x: 0, y: 0, 640, 360, [], portals), Self.source(100)])
    let widths = Set(plan.targets.map { $0.size.width })
    #expect(widths == [80, 160])
  }
}
