import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A replicator is its sublayers, copied by hand")
struct ReplicatorPictureTests {
  private let size = PixelSize(width: 192, height: 144)

  /// The same layer with new identifiers.
  private func copy(_ layer: TestLayer, _ number: Int) -> TestLayer {
    layer.mapping { layer in
      var layer = layer
      layer.id = LayerID(rawValue: layer.id.rawValue + UInt64(number + 1) * 10_000)
      return layer
    }
  }

  /// A replicator of random sublayers, and the same made by hand.
  private func scenes(seed: UInt64, isExact: Bool) -> (replicated: [TestLayer], copied: [TestLayer]) {
    var maker = RandomTree(seed: seed, isExact: isExact)
    var random = SeededGenerator(seed: seed ^ 0x5E9)
    let sublayers = (0..<Int.random(in: 1...2, using: &random)).map { _ in maker.layer(depth: 1) }
    let transforms: [Transform3D] = [
      .translation(x: 12, y: 4), .translation(x: -6, y: 10), .scale(x: 0.5, y: 0.5),
      Transform3D(m11: 0, m12: 1, m21: -1, m22: 0), isExact ? .translation(x: 8.5, y: 0) : .rotation(angle: 0.4),
    ]
    let count = Int.random(in: 2...5, using: &random)
    let hasColor = random.oneIn(2)
    let replication = Replication(
      instanceCount: count, instanceTransform: transforms.randomElement(using: &random) ?? .identity,
      instanceColor: hasColor ? Color(red: 1, green: 0.5, blue: 0.75) : .white,
      instanceRedOffset: hasColor ? -0.25 : 0, instanceAlphaOffset: hasColor ? -0.125 : 0)
    let bounds = Rect(x: 0, y: 0, width: 32, height: 32)
    let own: [PropertyChange] = [
      .bounds(bounds), .position(Point(40, 36)), .masksToBounds(random.oneIn(4)), .cornerRadius(4),
      .backgroundColor(Color(red: 0.9, green: 0.9, blue: 1)), .opacity(random.oneIn(3) ? 0.5 : 1),
      // By hand they lie in boxes, whose planes are one.
      .sortsSublayersByDepth(false),
    ]
    var power = Transform3D.identity
    var copies: [TestLayer] = []
    let order = sublayers.enumerated().sorted { ($0.element.zPosition, $0.offset) < ($1.element.zPosition, $1.offset) }
    for instance in 0..<count {
      let color = replication.color(ofInstance: instance)
      for (index, sublayer) in order {
        var inner = copy(sublayer, instance)
        // In a box of the same space, so that what the instance adds comes after all that the sublayer does.
        inner.properties += [.zPosition(0), .opacity(1)]
        let place = TestLayer(
          UInt64(900_000 + instance * 10 + index), .layer,
          [
            .bounds(bounds), .position(bounds.center), .transform(power), .opacity(sublayer.opacity),
            .allowsGroupOpacity(sublayer.allowsGroupOpacity),
            .filters(
              color == .white
                ? []
                : [
                  .colorMatrix(
                    ColorMatrix(
                      red: SIMD4(color.red, 0, 0, 0), green: SIMD4(0, color.green, 0, 0),
                      blue: SIMD4(0, 0, color.blue, 0), alpha: SIMD4(0, 0, 0, color.alpha)))
                ]),
          ], [inner])
        copies.append(place)
      }
      power = power * replication.instanceTransform
    }
    var replicator = TestLayer(700_001, .replicator, own + [.replication(replication)], sublayers)
    replicator.kind = .replicator
    func root(_ layer: TestLayer) -> [TestLayer] { [.box(700_000, x: 0, y: 0, 96, 72, color: .white, [], [layer])] }
    return (root(replicator), root(TestLayer(700_001, .layer, own, copies)))
  }

  @Test("in the reference to the last bit, where the numbers are exact (seeds 1…60)")
  func exact() throws {
    var drawn = 0
    for seed in UInt64(1)...60 {
      let scenes = scenes(seed: seed, isExact: true)
      var (replicated, copied) = (try RenderTree(roots: scenes.replicated), try RenderTree(roots: scenes.copied))
      let expected = try Stage.shared.draw(copied.snapshot(root: 700_000), .reference, size: size, scale: 2)
      let got = try Stage.shared.draw(replicated.snapshot(root: 700_000), .reference, size: size, scale: 2)
      let difference = Difference(expected, got)
      #expect(difference.isNone, "seed \(seed): \(difference)")
      drawn += Set(got.pixels).count > 4 ? 1 : 0
    }
    #expect(drawn > 40)
  }

  @Test("in GL within the class of resampled pictures, under any transform (seeds 101…160)")
  func resampled() throws {
    for seed in UInt64(101)...160 {
      let scenes = scenes(seed: seed, isExact: false)
      var (replicated, copied) = (try RenderTree(roots: scenes.replicated), try RenderTree(roots: scenes.copied))
      let expected = try Stage.shared.draw(copied.snapshot(root: 700_000), .gl, size: size, scale: 2)
      let got = try Stage.shared.draw(replicated.snapshot(root: 700_000), .gl, size: size, scale: 2)
      let comparison = try ImageComparison(expected: expected, got: got)
      #expect(comparison.passes(.resampled), "seed \(seed): \(comparison)")
    }
  }

  /// A grid of cards as an interface has them, on whole pixels.
  private func grid(_ count: Int) -> [TestLayer] {
    let card = TestLayer.box(
      3, x: 2, y: 2, 28, 20, color: Color(red: 0.2, green: 0.4, blue: 0.8), [.cornerRadius(4)],
      [
        .box(4, x: 2, y: 2, 10, 10, color: .white), .box(5, x: 14, y: 4, 12, 4, color: .white, [.opacity(0.5)]),
        .box(6, x: 14, y: 10, 8, 4, color: .black),
      ])
    var row = TestLayer.box(
      2, x: 0, y: 0, 32, 24,
      [.replication(Replication(instanceCount: count, instanceTransform: .translation(x: 32, y: 0)))], [card])
    row.kind = .replicator
    var rows = TestLayer.box(
      7, x: 0, y: 0, 32, 24,
      [.replication(Replication(instanceCount: count, instanceTransform: .translation(x: 0, y: 24)))], [row])
    rows.kind = .replicator
    return [.box(1, x: 0, y: 0, 192, 144, color: .white, [], [rows])]
  }

  @Test("on the pixel grid bit for bit in GL too, nested, through one texture", arguments: Witness.allCases)
  func nested(_ witness: Witness) throws {
    var tree = try RenderTree(roots: grid(6))
    let card = grid(1)[0]
    let copies = (0..<36).map { index -> TestLayer in
      var copy = copy(card.find(LayerID(rawValue: 3)) ?? card, index)
      copy.properties.append(.position(Point(Double(index % 6) * 32 + 16, Double(index / 6) * 24 + 12)))
      return copy
    }
    var copied = try RenderTree(.box(1, x: 0, y: 0, 192, 144, color: .white, [], copies))
    let expected = try Stage.shared.draw(copied.snapshot(root: 1), witness, size: size)
    let got = try Stage.shared.draw(tree.snapshot(root: 1), witness, size: size)
    #expect(Difference(expected, got).isNone, "\(Difference(expected, got))")
  }

  @Test("a hundred instances of a card are one picture and a quad each")
  func cost() throws {
    var planner = FramePlanner()
    var layers = grid(1)[0].find(LayerID(rawValue: 2)).map { [$0] } ?? []
    layers[0].properties.append(
      .replication(Replication(instanceCount: 100, instanceTransform: .translation(x: 1, y: 1))))
    var tree = try RenderTree(.box(1, x: 0, y: 0, 192, 144, color: .white, [], layers))
    let plan = planner.plan(tree.snapshot(root: 1), size: size, scale: 1, background: .clear)
    #expect(plan.counters.sourcesDrawn == 1 && plan.counters.portalsSampled == 100)
    #expect(plan.counters.passes == 2 && plan.counters.batches < 12)
  }

  @Test("portals of replicators and replicators of portals", arguments: Witness.allCases)
  func portals(_ witness: Witness) throws {
    var replicator = TestLayer.box(
      2, x: 0, y: 0, 16, 16,
      [.replication(Replication(instanceCount: 3, instanceTransform: .translation(x: 20, y: 0)))],
      [.portal(3, of: 5, x: 0, y: 0, 16, 16)])
    replicator.kind = .replicator
    var tree = try RenderTree(
      .box(1, x: 0, y: 0, 96, 72, color: .white, [], [replicator, .portal(4, of: 2, x: 0, y: 40, 60, 16)]),
      .box(
        5, x: 0, y: 0, 16, 16, color: .black, [], [.box(6, x: 4, y: 4, 8, 8, color: Color(red: 1, green: 0, blue: 0))]))
    let image = try Stage.shared.draw(tree.snapshot(root: 1), witness, size: PixelSize(width: 96, height: 72))
    for y in [0, 40] {
      for x in [0, 20, 40] {
        #expect(image.pixel(x + 1, y + 1) == [0, 0, 0, 255] && image.pixel(x + 8, y + 8) == [255, 0, 0, 255])
        #expect(image.pixel(x + 18, y + 8) == [255, 255, 255, 255])
      }
    }
  }
}

extension TestLayer {
  // As set last.

  var opacity: Float {
    properties.reduce(1) { result, property in
      if case .opacity(let value) = property { return value }
      return result
    }
  }

  var allowsGroupOpacity: Bool {
    properties.reduce(true) { result, property in
      if case .allowsGroupOpacity(let value) = property { return value }
      return result
    }
  }

  var zPosition: Double {
    properties.reduce(0) { result, property in
      if case .zPosition(let value) = property { return value }
      return result
    }
  }
}
