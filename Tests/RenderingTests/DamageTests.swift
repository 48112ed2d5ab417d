import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("What a frame leaves out")
struct DamageTests {
  private static let size = PixelSize(width: 192, height: 144)

  /// One of the things that happen to a scene from frame to frame.
  private func change(_ layers: [TestLayer], _ random: inout SeededGenerator) -> Change {
    let layer = layers.randomElement(using: &random)?.id ?? LayerID(rawValue: 1)
    let shade = Float(Int.random(in: 0...4, using: &random)) / 4
    switch Int.random(in: 0..<10, using: &random) {
    case 0, 1: return .set(layer, .position(Point(random.eighth(0...60), random.eighth(0...50))))
    case 2, 3: return .set(layer, .backgroundColor(Color(red: shade, green: 0.5, blue: 1 - shade)))
    case 4: return .set(layer, .opacity(shade))
    case 5: return .set(layer, .isHidden(random.oneIn(2)))
    case 6: return .set(layer, .zPosition(Double(Int.random(in: -2...2, using: &random))))
    case 7: return .set(layer, .cornerRadius(random.eighth(0...10)))
    case 8: return .set(layer, .transform(.rotation(angle: Double(shade))))
    default:
      return .set(layer, .bounds(Rect(x: 0, y: 0, width: random.eighth(4...50), height: random.eighth(4...40))))
    }
  }

  private func all(_ layer: TestLayer) -> [TestLayer] { [layer] + (layer.sublayers + layer.masks).flatMap(all) }

  @Test("is as it was: sequences of random changes give the bytes of frames drawn whole (seeds 1…60)")
  func sequences() throws {
    let (kept, fresh) = (try Stage(), try Stage())
    defer {
      kept.close()
      fresh.close()
    }
    var partial = 0
    for seed in UInt64(1)...60 {
      var maker = RandomTree(seed: seed, isExact: seed % 2 == 0)
      maker.sortsByDepth = seed % 4 == 1
      var scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: seed % 5 == 0)
      if seed % 4 == 2 {
        var glass = RandomGlass(seed: seed)
        scene.roots = scene.roots.map { glass.added(to: $0) }
      }
      var tree = try RenderTree(roots: scene.roots)
      var random = SeededGenerator(seed: seed &* 77)
      let layers = scene.roots.flatMap(all)
      var planner = FramePlanner()
      for step in 0..<8 {
        if step > 0 {
          try tree.apply(Commit((0..<Int.random(in: 1...2, using: &random)).map { _ in change(layers, &random) }))
        }
        let snapshot = tree.snapshot(root: scene.roots[0].id)
        let plan = planner.plan(snapshot, size: Self.size, scale: 2, background: .clear)
        if plan.passes.contains(where: { $0.scissor != nil }) { partial += 1 }
        let got = try kept.drawNext(plan)
        var whole = FramePlanner()
        let expected = try fresh.draw([
          whole.plan(tree.freshSnapshot(root: scene.roots[0].id), size: Self.size, scale: 2, background: .clear)
        ])
        #expect(got == expected, "seed \(seed), frame \(step)")
        if got != expected { break }
      }
    }
    // The test is of something.
    #expect(partial > 60)
  }

  @Test(
    "switched off, gives the same bytes: nothing culled, nothing put together, nothing kept (seeds 1…60)",
    arguments: ["nocull", "nobatch", "nodamage"])
  func switches(_ name: String) throws {
    let options = PlanOptions(switches: [name])
    #expect(options != PlanOptions())
    for seed in UInt64(1)...60 {
      var maker = RandomTree(seed: seed, isExact: false)
      let scene = maker.portalScene(matchesPosition: seed % 3 == 0, matchesTransform: false)
      var tree = try RenderTree(roots: scene.roots)
      let snapshot = tree.snapshot(root: scene.roots[0].id)
      let pixels = try [PlanOptions(), options].map { options in
        var planner = FramePlanner(options: options)
        return try Stage.shared.draw([planner.plan(snapshot, size: Self.size, scale: 2, background: .clear)])
      }
      #expect(pixels[0] == pixels[1], "seed \(seed)")
    }
  }

  @Test("after a frame that was not drawn, the next is whole, and a renderer that has drawn none draws it")
  func undrawn() throws {
    var tree = try RenderTree(roots: [.box(1, x: 10, y: 10, 50, 50, color: .black)])
    var planner = FramePlanner()
    func next() -> FramePlan {
      planner.plan(tree.snapshot(root: 1), size: Self.size, scale: 1, background: .clear)
    }
    let lost = next()
    #expect(lost.previous == nil && lost.number != nil)
    planner.invalidate()
    let whole = next()
    #expect(whole.previous == nil && whole.number != lost.number)
    let stage = try Stage()
    defer { stage.close() }
    _ = try stage.drawNext(whole)
    try tree.apply(Commit([.set(LayerID(rawValue: 1), .position(Point(40, 40)))]))
    let after = next()
    #expect(after.previous == whole.number)
    var fresh = FramePlanner()
    let expected = fresh.plan(tree.snapshot(root: 1), size: Self.size, scale: 1, background: .clear)
    #expect(try stage.drawNext(after) == Stage.shared.draw([expected]))
  }

  /// A wall of portals of one source that is drawn once.
  private func wall(_ count: Int) -> [TestLayer] {
    let source = TestLayer.box(
      5000, x: 400, y: 300, 20, 16, color: .black, [],
      [.box(5001, x: 2, y: 2, 6, 6, color: .white), .box(5002, x: 10, y: 6, 6, 6, color: .white, [.cornerRadius(3)])])
    let portals = (0..<count).map { index -> TestLayer in
      let (x, y) = (Double(index % 32) * 24, Double(index / 32) * 20)
      return .portal(UInt64(1 + index), of: 5000, x: x, y: y, 20, 16)
    }
    return [.box(9000, x: 0, y: 0, 768, 640, color: .white, [], portals), source]
  }

  @Test("one of a thousand portals that moves by a pixel costs at most twice its own pixels")
  func onePortal() throws {
    var tree = try RenderTree(roots: wall(1024))
    var planner = FramePlanner()
    func plan() -> FramePlan {
      planner.plan(
        tree.snapshot(root: 9000), size: PixelSize(width: 768, height: 640), scale: 1, background: .clear)
    }
    let first = plan()
    try tree.apply(Commit([.set(LayerID(rawValue: 500), .position(Point(19 * 24 + 11, 15 * 20 + 8)))]))
    let second = plan()
    #expect(first.counters.portalsSampled == 1024)
    #expect(second.passes.count == 1 && second.counters.shadedPixels <= 2 * 2 * 20 * 16)
    #expect(second.counters.shadedPixels > 0)
  }

  @Test("a change of the source's pixels is drawn where portals show it, and the rest of the source is not")
  func sourceChange() throws {
    var tree = try RenderTree(roots: wall(64))
    var planner = FramePlanner()
    func plan() -> FramePlan {
      planner.plan(
        tree.snapshot(root: 9000), size: PixelSize(width: 768, height: 640), scale: 1, background: .clear)
    }
    _ = plan()
    try tree.apply(Commit([.set(LayerID(rawValue: 5001), .backgroundColor(Color(red: 1, green: 0, blue: 0)))]))
    let second = plan()
    // The source's pass within the changed square, and the window's.
    #expect(second.passes.count >= 2)
    #expect(second.passes[0].scissor?.area ?? 0 <= 8 * 8)
    // A layer that nobody sees costs nothing.
    try tree.apply(Commit([.create(LayerID(rawValue: 7777), .layer)]))
    #expect(plan().passes.isEmpty)
  }

  @Test("what opaque layers hide is not drawn: twenty deep costs as much as one")
  func occlusion() throws {
    func shaded(_ depth: Int) throws -> Int {
      let cards = (0..<depth).map { index -> TestLayer in
        let color = Color(red: Float(index) / 20, green: 0, blue: 0)
        return .box(UInt64(10 + index), x: 32, y: 32, 128, 96, color: color)
      }
      var tree = try RenderTree(roots: [.box(9000, x: 0, y: 0, 192, 144, color: .white, [], cards)])
      var planner = FramePlanner()
      return planner.plan(tree.snapshot(root: 9000), size: Self.size, scale: 1, background: Color.black.premultiplied)
        .counters.shadedPixels
    }
    #expect(try shaded(20) == shaded(1))
  }

  @Test("a target that opaque quads cover is not cleared")
  func covered() throws {
    var tree = try RenderTree(roots: [.box(1, x: 0, y: 0, 192, 144, color: .white)])
    var planner = FramePlanner()
    let plan = planner.plan(tree.snapshot(root: 1), size: Self.size, scale: 1, background: Color.black.premultiplied)
    #expect(plan.passes.map(\.isCovered) == [true])
    planner.invalidate()
    var smaller = try RenderTree(roots: [.box(1, x: 0, y: 0, 191, 144, color: .white)])
    #expect(
      planner.plan(smaller.snapshot(root: 1), size: Self.size, scale: 1, background: Color.black.premultiplied).passes
        .map(\.isCovered)
        == [false])
  }

  @Test("of a picture that says where it differs from the one before, that part is drawn, and where portals show it")
  func revisions() throws {
    let stream = ImageRevision.newStream()
    func image(_ base: Image?, _ damage: [PixelRect]?) throws -> Image {
      let revision = ImageRevision(stream: stream, base: base?.identity ?? 0, damage: damage)
      return try #require(
        Image(
          size: PixelSize(width: 64, height: 48), alpha: .opaque, pixels: [UInt8](repeating: 9, count: 64 * 48 * 4),
          revision: revision))
    }
    let first = try image(nil, nil)
    var tree = RenderTree()
    let (root, source, portal) = (LayerID(rawValue: 1), LayerID(rawValue: 2), LayerID(rawValue: 3))
    let rect = Rect(x: 0, y: 0, width: 64, height: 48)
    try tree.apply(
      Commit([
        .create(root, .layer), .create(source, .layer), .create(portal, .portal),
        .insert(source, into: root, at: 0), .insert(portal, into: root, at: 1),
        .set(source, .bounds(rect)), .set(source, .position(Point(40, 30))), .set(source, .contents(first)),
        .set(portal, .bounds(rect)), .set(portal, .position(Point(140, 100))), .set(portal, .sourceLayer(source)),
      ]))
    var planner = FramePlanner()
    func damage(_ image: Image) throws -> [PixelRect?] {
      try tree.apply(Commit([.set(source, .contents(image))]))
      return planner.plan(tree.snapshot(root: root), size: Self.size, scale: 1, background: .clear).passes.map(
        \.scissor)
    }
    #expect(try damage(first) == [nil])
    let second = try image(first, [PixelRect(minX: 10, minY: 20, maxX: 14, maxY: 22)])
    // The layer begins at (8, 6), the portal at (108, 76); a pixel more to every side may be drawn, and no more than three.
    for part in try damage(second) {
      let part = try #require(part)
      #expect(part.width <= 10 && part.height <= 8, "\(part)")
      let isAtSource = part.contains(PixelRect(minX: 18, minY: 26, maxX: 22, maxY: 28))
      #expect(isAtSource || part.contains(PixelRect(minX: 118, minY: 96, maxX: 122, maxY: 98)), "\(part)")
    }
    #expect(try damage(image(second, [])).isEmpty, "it differs nowhere")
    #expect(try damage(image(first, [])).count == 2, "it goes on from another one than what is shown")
  }
}
