import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A one-to-one portal is its source, bit for bit")
struct OneToOneTests {
  /// A scene of a random source and of portals of it that lie a whole number of pixels away, all on one ground, whole
  /// and alike, so that every place shows the same.
  private func scene(seed: UInt64, portals: Int) throws -> (tree: RenderTree, root: LayerID, step: Int) {
    var maker = RandomTree(seed: seed, isExact: false)
    let root = maker.id()
    var source = maker.layer(depth: 2)
    let offset = Point(maker.random.eighth(0...1), maker.random.eighth(0...1))
    let bounds = Rect(x: 0, y: 0, width: 40, height: 40)
    source.properties += [
      .bounds(bounds), .position(Point(20 + offset.x, 20 + offset.y)), .transform(.identity),
      .anchorPoint(Point(0.5, 0.5)),
      .opacity(1), .isHidden(false), .masksToBounds(true), .zPosition(0),
      // None that reaches into the next place.
      .filters(seed % 3 == 0 ? [.sepia(0.5), .contrast(1.5)] : []), .shadow(nil),
    ]
    let copies = (1...portals).map { index in
      TestLayer.portal(
        maker.id(), of: source.id.rawValue, x: Double(index * 48) + offset.x, y: offset.y, 40, 40)
    }
    let ground = TestLayer.box(
      root, x: 0, y: 0, Double(48 * (portals + 1)), 48, color: Color(red: 0.9, green: 0.8, blue: 1), [],
      [source] + copies)
    return (try RenderTree(ground), LayerID(rawValue: root), 48)
  }

  @Test(
    "in its own scene, through a texture and drawn inline, at scale 1 and 2 (seeds 1…60)", arguments: Witness.allCases,
    [2, 24])
  func sameScene(_ witness: Witness, _ portals: Int) throws {
    for seed in UInt64(1)...60 {
      for scale in [1, 2] {
        let (tree, root, step) = try scene(seed: seed, portals: portals)
        var copy = tree
        let size = PixelSize(width: 48 * (portals + 1) * scale, height: 48 * scale)
        let image = try Stage.shared.draw(copy.snapshot(root: root), witness, size: size, scale: Double(scale))
        let source = image.cropped(x: 0, width: 48 * scale)
        for portal in 1...portals {
          let difference = Difference(source, image.cropped(x: portal * step * scale, width: 48 * scale))
          #expect(difference.isNone, "seed \(seed), scale \(scale), portal \(portal): \(difference)")
          if !difference.isNone { return }
        }
      }
    }
  }

  @Test(
    "portals of one source give the same picture in whatever order they were made (seeds 1…40)",
    arguments: Witness.allCases)
  func order(_ witness: Witness) throws {
    for seed in UInt64(1)...40 {
      var random = SeededGenerator(seed: seed)
      var maker = RandomTree(seed: seed, isExact: false)
      let source = maker.layer(depth: 1)
      // They do not overlap, so that painter's order is not part of the question.
      let portals = (0..<12).map { index -> TestLayer in
        let transform = Transform3D.rotation(angle: random.real(-3...3)) * .scale(x: random.real(0.2...0.5), y: 0.4)
        return .portal(
          UInt64(100 + index), of: source.id.rawValue, x: Double(index % 4) * 48, y: Double(index / 4) * 48, 48, 48,
          [.masksToBounds(true)], []
        )
        .with(random.oneIn(2) ? [.cornerRadius(9)] : [.sublayerTransform(transform)])
      }
      func draw(_ portals: [TestLayer]) throws -> Image {
        let root = TestLayer.box(90, x: 0, y: 0, 192, 144, color: .white, [], [source] + portals)
        var tree = try RenderTree(root)
        return try Stage.shared.draw(tree.snapshot(root: 90), witness, size: PixelSize(width: 192, height: 144))
      }
      let difference = Difference(try draw(portals), try draw(portals.shuffled(using: &random)))
      #expect(difference.isNone, "seed \(seed): \(difference)")
    }
  }

  @Test("at twice the scale it equals its source drawn directly", arguments: Witness.allCases)
  func directly(_ witness: Witness) throws {
    for seed in UInt64(1)...20 {
      var maker = RandomTree(seed: seed, isExact: false)
      var source = maker.layer(depth: 2)
      source.properties += [
        .bounds(Rect(x: 0, y: 0, width: 40, height: 30)), .position(Point(20, 15)), .transform(.identity),
        .anchorPoint(Point(0.5, 0.5)), .opacity(1), .isHidden(false), .zPosition(0),
      ]
      var direct = try RenderTree(.box(900, x: 0, y: 0, 64, 48, color: .white, [], [source]))
      var through = try RenderTree(roots: [
        .box(900, x: 0, y: 0, 64, 48, color: .white, [], [.portal(901, of: source.id.rawValue, x: 0, y: 0, 40, 30)]),
        source,
      ])
      let size = PixelSize(width: 128, height: 96)
      let expected = try Stage.shared.draw(direct.snapshot(root: 900), witness, size: size, scale: 2)
      let got = try Stage.shared.draw(through.snapshot(root: 900), witness, size: size, scale: 2)
      let difference = Difference(expected, got)
      #expect(difference.isNone, "seed \(seed): \(difference)")
    }
  }
}

extension TestLayer {
  func with(_ properties: [PropertyChange]) -> TestLayer {
    var layer = self
    layer.properties += properties
    return layer
  }
}

extension Image {
  /// A column of the picture.
  func cropped(x: Int, width part: Int) -> Image {
    var cut: [UInt8] = []
    cut.reserveCapacity(part * height * 4)
    for y in 0..<height {
      let start = (y * width + x) * 4
      cut += pixels[start..<start + part * 4]
    }
    return Image(size: PixelSize(width: part, height: height), alpha: alpha, pixels: cut) ?? self
  }
}
