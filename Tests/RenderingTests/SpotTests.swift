import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("Many small places that differ")
struct SpotTests {
  private static let size = PixelSize(width: 640, height: 360)
  private let root = LayerID(rawValue: 1)

  /// Portals of one source of tiles, side by side or over each other, and layers between them.
  private func wall(_ random: inout SeededGenerator) -> [TestLayer] {
    let (columns, rows) = (Int.random(in: 4...8, using: &random), Int.random(in: 3...8, using: &random))
    let isOpaque = !random.oneIn(4)
    var tiles: [TestLayer] = []
    for index in 0..<16 {
      let (x, y) = (Double(index % 4) * 40, Double(index / 4) * 22.5)
      let shade = Float(index) / 16
      let color = Color(red: shade, green: 1 - shade, blue: 0.5, alpha: random.oneIn(4) ? 0.5 : 1)
      let properties: [PropertyChange] = random.oneIn(4) ? [.cornerRadius(6)] : []
      tiles.append(.box(UInt64(100 + index), x: x, y: y, 40, 22.5, color: color, properties))
    }
    let ground = isOpaque ? Color(red: 0.2, green: 0.3, blue: 0.4) : .clear
    let source = TestLayer.box(50, x: 700, y: 0, 160, 90, color: ground, [], tiles)
    let (width, height) = (640 / Double(columns), 360 / Double(rows))
    // Over each other by a little, or with a gap.
    let stretches: [Double] = [0.875, 1, 1, 1.125]
    let stretch: Double = stretches.randomElement(using: &random) ?? 1
    let (scaleX, scaleY): (Double, Double) = (width / 160 * stretch, height / 90 * stretch)
    var layers: [TestLayer] = []
    for index in 0..<columns * rows {
      let (column, row) = (Double(index % columns) + 0.5, Double(index / columns) + 0.5)
      let center = Point(column * width, row * height)
      var properties: [PropertyChange] = [
        .sourceLayer(LayerID(rawValue: 50)), .bounds(Rect(x: 0, y: 0, width: 160, height: 90)), .position(center),
        .transform(.scale(x: scaleX, y: scaleY)),
      ]
      if random.oneIn(40) { properties.append(.opacity(0.75)) }
      layers.append(TestLayer(UInt64(1000 + index), .portal, properties))
      if random.oneIn(40) {
        layers.append(.box(UInt64(3000 + index), x: center.x, y: center.y, 30.5, 20, color: .white))
      }
    }
    return [.box(1, x: 0, y: 0, 640, 360, color: random.oneIn(2) ? .white : .clear, [], layers), source]
  }

  @Test("give the bytes of frames drawn whole, whatever lies over and under them (seeds 1…40)")
  func sequences() throws {
    let (kept, fresh) = (try Stage(), try Stage())
    defer {
      kept.close()
      fresh.close()
    }
    var spotted = 0
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      let roots = wall(&random)
      var tree = try RenderTree(roots: roots)
      var planner = FramePlanner()
      let clear = Color(red: 0.1, green: 0.2, blue: 0.3).premultiplied
      for step in 0..<5 {
        if step > 0 {
          let tile = LayerID(rawValue: UInt64(100 + Int.random(in: 0..<16, using: &random)))
          let color = Color(red: Float(step) / 5, green: 0.5, blue: 0.9)
          try tree.apply(Commit([.set(tile, .backgroundColor(color))]))
        }
        let plan = planner.plan(tree.snapshot(root: root), size: Self.size, scale: 1, background: clear)
        if step > 0, plan.passes.contains(where: { $0.target == .output && $0.keepsContents }) { spotted += 1 }
        let got = try kept.drawNext(plan)
        var whole = FramePlanner()
        let expected = try fresh.draw([
          whole.plan(tree.freshSnapshot(root: root), size: Self.size, scale: 1, background: clear)
        ])
        #expect(got == expected, "seed \(seed), frame \(step)")
        if got != expected { break }
      }
    }
    // The test is of something.
    #expect(spotted > 30, "\(spotted)")
  }

  @Test("cost their own pixels: a hundredth of a source that a thousand portals show, less than a tenth of all of it")
  func pixels() throws {
    var tiles: [TestLayer] = []
    for index in 0..<100 {
      let (x, y) = (Double(index % 10) * 128, Double(index / 10) * 72)
      let color = Color(red: Float(index) / 100, green: 0.5, blue: 0.5)
      tiles.append(.box(UInt64(100 + index), x: x, y: y, 128, 72, color: color))
    }
    let window = Rect(x: 0, y: 0, width: 1280, height: 720)
    var layers: [TestLayer] = [.box(50, x: 0, y: 0, 1280, 720, color: .black, [], tiles)]
    for index in 0..<1024 {
      let (column, row) = (Double(index % 32) + 0.5, Double(index / 32) + 0.5)
      let properties: [PropertyChange] = [
        .sourceLayer(LayerID(rawValue: 50)), .hidesSourceLayer(true), .bounds(window),
        .position(Point(column * 40, row * 22.5)), .transform(.scale(x: 1.0 / 32, y: 1.0 / 32)),
      ]
      layers.append(TestLayer(UInt64(1000 + index), .portal, properties))
    }
    var tree = try RenderTree(roots: [.box(1, x: 0, y: 0, 1280, 720, color: .clear, [], layers)])
    var planner = FramePlanner()
    func shaded(_ count: Int, _ red: Float) throws -> Int {
      let color = Color(red: red, green: 0.1, blue: 0.1)
      var changes: [Change] = []
      for index in 0..<count {
        changes.append(.set(LayerID(rawValue: UInt64(100 + index * 37 % 100)), .backgroundColor(color)))
      }
      try tree.apply(Commit(changes))
      return planner.plan(
        tree.snapshot(root: root), size: PixelSize(width: 1280, height: 720), scale: 1, background: .clear
      ).counters.shadedPixels
    }
    _ = try shaded(0, 0)
    let all = try shaded(100, 0.5)
    let one = try shaded(1, 0.9)
    #expect(one > 1024 && one * 10 < all, "\(one) of \(all)")
  }
}
