import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Layers sorted by depth")
struct DepthTests {
  private let size = PixelSize(width: 96, height: 72)
  private static let (red, green, blue) = (
    Color(red: 1, green: 0, blue: 0), Color(red: 0, green: 1, blue: 0), Color(red: 0, green: 0, blue: 1)
  )

  private func draw(
    _ layers: [TestLayer], _ witness: Witness, _ properties: [PropertyChange] = [], roots: [TestLayer] = []
  ) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, color: .white, properties, layers)] + roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
  }

  /// About the y axis by a 3-4-5 triangle's angle: `side` 1 has the left half nearer to the viewer.
  private static func turned(_ side: Double) -> Transform3D {
    Transform3D(m11: 0.8, m13: -0.6 * side, m31: 0.6 * side, m33: 0.8)
  }

  @Test("two planes that cross show each its nearer half, whichever comes first")
  func crossing() throws {
    for witness in Stage.glassWitnesses {
      // 40 points wide, 32 as seen; they cross on the grid of pixels.
      let planes = [
        TestLayer.box(1, x: 28, y: 20, 40, 30, color: Self.red, [.transform(Self.turned(1))]),
        TestLayer.box(2, x: 28, y: 20, 40, 30, color: Self.green, [.transform(Self.turned(-1))]),
      ]
      let halves = try draw(
        [.box(1, x: 32, y: 20, 16, 30, color: Self.red), .box(2, x: 48, y: 20, 16, 30, color: Self.green)], witness)
      #expect(Difference(halves, try draw(planes, witness)).isNone, "\(witness)")
      #expect(Difference(halves, try draw(planes.reversed(), witness)).isNone, "\(witness)")
      // In order, one covers the other.
      let whole = try draw([.box(1, x: 32, y: 20, 32, 30, color: Self.green)], witness)
      #expect(Difference(whole, try draw(planes, witness, [.sortsSublayersByDepth(false)])).isNone, "\(witness)")
    }
  }

  @Test("a layer is cut with all that it holds, and a clip that is cut stays a clip")
  func content() throws {
    for witness in Stage.glassWitnesses {
      let inside = TestLayer.box(3, x: 10, y: 5, 40, 10, color: Self.blue)
      let planes = [
        TestLayer.box(
          1, x: 28, y: 20, 40, 30, color: Self.red, [.transform(Self.turned(1)), .masksToBounds(true)], [inside]),
        TestLayer.box(2, x: 28, y: 20, 40, 30, color: Self.green, [.transform(Self.turned(-1)), .opacity(0.5)]),
      ]
      // The red one shows through the green one's half, and reaches as far as it does.
      let halves = try draw(
        [
          .box(1, x: 32, y: 20, 32, 30, color: Self.red), .box(3, x: 40, y: 25, 24, 10, color: Self.blue),
          .box(2, x: 48, y: 20, 16, 30, color: Self.green, [.opacity(0.5)]),
        ], witness)
      let image = try draw(planes, witness)
      let difference = Difference(halves, image)
      #expect(difference.largest <= (witness == .reference ? 0 : 1), "\(witness) \(difference)")
    }
  }

  @Test("the opacity of a transform layer is that of each layer in it")
  func opacity() throws {
    for witness in Stage.glassWitnesses {
      func boxes(_ opacity: Float) -> [TestLayer] {
        [
          .box(1, x: 10, y: 10, 40, 30, color: Self.red, [.opacity(opacity)]),
          .box(
            2, x: 30, y: 20, 40, 30, color: Self.green, [.opacity(opacity)],
            [.box(3, x: 20, y: 10, 40, 30, color: Self.blue)]),
        ]
      }
      let inside = TestLayer(4, .transform, [.opacity(0.5)], boxes(0.5))
      let difference = Difference(try draw(boxes(0.25), witness), try draw([inside], witness))
      #expect(difference.isNone, "\(witness) \(difference)")
    }
  }

  @Test("a portal of a transform layer shows its sublayers sorted, without the layer's own place")
  func portals() throws {
    for witness in Stage.glassWitnesses {
      let planes = [
        TestLayer.box(1, x: 0, y: 0, 40, 30, color: Self.red, [.transform(Self.turned(1))]),
        TestLayer.box(2, x: 0, y: 0, 40, 30, color: Self.green, [.transform(Self.turned(-1))]),
      ]
      let source = TestLayer(
        3, .transform,
        [.position(Point(7, 9)), .transform(.rotation(angle: 1, x: 0.5, y: 0.5, z: 0.3)), .opacity(0.3)],
        planes)
      let wanted = try draw([TestLayer(4, .transform, [.position(Point(28, 20))], planes)], witness)
      let portal = TestLayer.portal(10, of: 3, x: 28, y: 20, 40, 30)
      #expect(Difference(wanted, try draw([portal], witness, roots: [source])).isNone, "\(witness)")
      // In a tree it is seen where it stands too.
      let shown = try draw([source, portal], witness)
      #expect(shown.pixel(40, 30) == wanted.pixel(40, 30), "\(witness)")
    }
  }

  @Test("a ring of three, each before the next, is cut where it must be")
  func ring() throws {
    for witness in Stage.glassWitnesses {
      let colors = [Self.red, Self.green, Self.blue]
      let bars = (0..<3).map { index -> TestLayer in
        let turn = Double(index) * 2 * .pi / 3
        // Its left end comes up, its right end goes down, and each ends on the next.
        let transform =
          Transform3D.rotation(angle: 0.3, x: 0, y: 1, z: 0) * .translation(x: 0, y: -13) * .rotation(angle: turn)
        return .box(UInt64(index + 1), x: 20, y: 30, 56, 12, color: colors[index], [.transform(transform)])
      }
      let image = try draw(bars, witness)
      let scene = RayScene(bars)
      var pairs: Set<[UInt64]> = []
      for y in 0..<72 {
        for x in 0..<96 where scene.planes(at: Point(Double(x) + 0.5, Double(y) + 0.5)).count == 2 {
          guard let nearest = scene.settled(x, y) else { continue }
          pairs.insert(scene.planes(at: Point(Double(x) + 0.5, Double(y) + 0.5)).map(\.id))
          #expect(image.pixel(x, y) == nearest.color.bytes, "\(witness) at \(x), \(y)")
        }
      }
      // None is nearest of all, and none furthest.
      #expect(Set(pairs.map { $0[0] }).count == 3 && Set(pairs.map { $0[1] }).count == 3)
    }
  }

  @Test("a cube of transform layers, and random planes, show at each pixel what a ray meets first (seeds 1…40)")
  func rays() throws {
    for witness in Stage.glassWitnesses {
      for seed in UInt64(1)...40 {
        var random = SeededGenerator(seed: seed)
        let planes = seed <= 10 ? Self.cube(&random) : Self.planes(&random)
        let distance = seed % 3 == 0 ? nil : random.real(150...400)
        let perspective = distance.map { Transform3D.perspective(distance: $0) } ?? .identity
        let scene = RayScene(planes, under: perspective, about: Point(48, 36))
        let image = try draw(planes, witness, [.sublayerTransform(perspective)])
        var count = 0
        for y in 0..<72 {
          for x in 0..<96 {
            guard let nearest = scene.settled(x, y) else { continue }
            count += 1
            let got = image.pixel(x, y)
            if !got.near(nearest.color.bytes, Stage.rounding(witness)) {
              Issue.record("\(witness) seed \(seed): \(got) at (\(x), \(y)), where a ray meets \(nearest)")
              return
            }
          }
        }
        #expect(count > 100, "seed \(seed)")
      }
    }
  }

  private static let palette: [Color] = [
    red, green, blue, Color(red: 1, green: 1, blue: 0), Color(red: 0, green: 1, blue: 1),
    Color(red: 1, green: 0, blue: 1), Color(red: 0, green: 0, blue: 0), Color(red: 0.2, green: 0.4, blue: 0.6),
  ]

  private static func cube(_ random: inout SeededGenerator) -> [TestLayer] {
    let out = Transform3D.translation(x: 0, y: 0, z: 15)
    let quarter = Double.pi / 2
    let turns: [Transform3D] = [
      .identity, .rotation(angle: quarter, x: 0, y: 1, z: 0), .rotation(angle: 2 * quarter, x: 0, y: 1, z: 0),
      .rotation(angle: 3 * quarter, x: 0, y: 1, z: 0), .rotation(angle: quarter, x: 1, y: 0, z: 0),
      .rotation(angle: -quarter, x: 1, y: 0, z: 0),
    ]
    let faces = turns.enumerated().map { index, turn in
      TestLayer.box(UInt64(index + 2), x: -15, y: -15, 30, 30, color: palette[index], [.transform(out * turn)])
    }
    let turn = Transform3D.rotation(
      angle: random.real(0...3), x: random.real(-1...1), y: random.real(-1...1), z: 0.5)
    return [TestLayer(1, .transform, [.position(Point(48, 36)), .transform(turn)], faces)]
  }

  private static func planes(_ random: inout SeededGenerator) -> [TestLayer] {
    (0..<8).map { index in
      let turn = Transform3D.rotation(
        angle: random.real(-1.2...1.2), x: random.real(-1...1), y: random.real(-1...1), z: random.real(-1...1))
      return .box(
        UInt64(index + 2), x: random.real(10...40), y: random.real(10...30), random.real(15...45),
        random.real(15...40), color: palette[index], [.transform(turn), .zPosition(random.real(-20...20))])
    }
  }
}

extension Color {
  fileprivate var bytes: [UInt8] { [red, green, blue, alpha].map { UInt8(($0 * 255).rounded()) } }
}
