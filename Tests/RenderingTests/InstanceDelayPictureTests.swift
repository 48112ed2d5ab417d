import Commit
import FramePlan
import Geometry
import RenderTree
import TestSupport
import Testing

@Suite("A replicator with a delay is its sublayers, copied by hand, each copy with animations that begin later")
struct InstanceDelayPictureTests {
  private static let start = 1.0

  /// What moves in the sublayers, and the sublayers' own place.
  private func animated(_ layer: TestLayer, isTop: Bool, _ maker: inout RandomAnimation) -> TestLayer {
    var layer = layer
    if isTop {
      let interval = PropertyAnimation.Interval(from: .point(Point(10, 10)), to: .point(Point(30, 24)))
      layer.animations = [
        Animation(PropertyAnimation(AnimationKeyPath(whole: .position), .basic(interval)), timing: .init(duration: 2))
      ]
    } else if maker.random.oneIn(2) {
      layer.animations = (0..<Int.random(in: 1...2, using: &maker.random)).map { _ in maker.animation() }
    }
    layer.sublayers = layer.sublayers.map { animated($0, isTop: false, &maker) }
    layer.masks = layer.masks.map { animated($0, isTop: false, &maker) }
    return layer
  }

  private func copy(_ layer: TestLayer, _ number: Int, later delay: Double) -> TestLayer {
    layer.mapping { layer in
      var layer = layer
      layer.id = LayerID(rawValue: layer.id.rawValue + UInt64(number + 1) * 10_000_000)
      layer.animations = layer.animations.map { animation in
        var animation = animation
        let begin = animation.timing.beginTime
        let later = (begin == 0 ? Self.start : begin) + delay
        // A time of 0 would mean that of the commit.
        animation.timing.beginTime = later == 0 ? .leastNonzeroMagnitude : later
        return animation
      }
      return layer
    }
  }

  private func scenes(seed: UInt64) -> (replicated: [TestLayer], copied: [TestLayer]) {
    var maker = RandomTree(seed: seed, isExact: true)
    var random = SeededGenerator(seed: seed ^ 0xDE1A)
    var mover = RandomAnimation(seed: seed)
    let sublayers = (0..<2).map { _ in
      var layer = animated(maker.layer(depth: 2, sublayers: 2), isTop: true, &mover)
      // In the copies it stands in a box, whose place and opacity are the instance's.
      layer.properties += [.opacity(1), .zPosition(0), .snapsToPixels(false)]
      return layer
    }
    let replication = Replication(
      instanceCount: 3, instanceTransform: .translation(x: 16, y: 4),
      instanceDelay: [0.25, 0.5, -0.25].randomElement(using: &random) ?? 0.25)
    let bounds = Rect(x: 0, y: 0, width: 32, height: 32)
    let own: [PropertyChange] = [.bounds(bounds), .position(Point(40, 36)), .sortsSublayersByDepth(false)]
    var (power, copies) = (Transform3D.identity, [TestLayer]())
    for instance in 0..<3 {
      for (index, sublayer) in sublayers.enumerated() {
        let place = TestLayer(
          UInt64(900_000 + instance * 10 + index), .layer,
          [.bounds(bounds), .position(bounds.center), .transform(power)],
          [copy(sublayer, instance, later: Double(instance) * replication.instanceDelay)])
        copies.append(place)
      }
      power = power * replication.instanceTransform
    }
    func root(_ layer: TestLayer) -> [TestLayer] { [.box(700_000, x: 0, y: 0, 96, 72, color: .white, [], [layer])] }
    return (
      root(TestLayer(700_001, .replicator, own + [.replication(replication)], sublayers)),
      root(TestLayer(700_001, .layer, own, copies))
    )
  }

  @Test("in the reference to the last bit, frame after frame (seeds 1…40)")
  func exact() throws {
    let size = PixelSize(width: 96, height: 72)
    var changes = 0
    for seed in UInt64(1)...40 {
      let scenes = scenes(seed: seed)
      var replicated = try RenderTree(roots: scenes.replicated, at: Self.start)
      var copied = try RenderTree(roots: scenes.copied, at: Self.start)
      var last: Image?
      for time in [1, 1.375, 1.75, 2.5, 3.25, 5, 8] {
        replicated.advance(to: time)
        copied.advance(to: time)
        let expected = try Stage.shared.draw(copied.snapshot(root: 700_000), .reference, size: size)
        let got = try Stage.shared.draw(replicated.snapshot(root: 700_000), .reference, size: size)
        let difference = Difference(expected, got)
        #expect(difference.isNone, "seed \(seed) at \(time): \(difference)")
        if last?.pixels != got.pixels { changes += 1 }
        last = got
      }
    }
    // The test would prove nothing of pictures that stand still.
    #expect(changes > 150)
  }

  @Test("in GL as a frame of its own and as one that goes on from the frame before")
  func goesOn() throws {
    let size = PixelSize(width: 96, height: 72)
    let stage = try Stage()
    defer { stage.close() }
    for seed in UInt64(1)...8 {
      var tree = try RenderTree(roots: scenes(seed: seed).replicated, at: Self.start)
      var planner = FramePlanner()
      for time in [1, 1.375, 1.75, 2.5] {
        tree.advance(to: time)
        let snapshot = tree.snapshot(root: 700_000)
        let got = try stage.drawNext(planner.plan(snapshot, size: size, scale: 1, background: .clear))
        let expected = try Stage.shared.draw(snapshot, .gl, size: size)
        #expect(got == expected.pixels, "seed \(seed) at \(time)")
      }
    }
  }
}
