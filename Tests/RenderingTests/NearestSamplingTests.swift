import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A portal that samples nearest shows its source's own pixels")
struct NearestSamplingTests {
  private static let size = PixelSize(width: 64, height: 48)
  private static let colors: [[UInt8]] = [
    [255, 0, 0, 255], [0, 0, 255, 255], [0, 255, 0, 255], [255, 255, 255, 255],
  ]

  /// Two by two texels, each of another pure colour.
  private static func checker() throws -> Image {
    try #require(
      Image(size: PixelSize(width: 2, height: 2), alpha: .premultiplied, pixels: Array(colors.joined())))
  }

  /// What shows the checker with its corner at (8, 8), eight pixels for each of its points.
  private enum Way: CaseIterable {
    case contents, portal, portalOfPortal, manyPortals, filter, opacity, mask, shadow

    func roots() throws -> [TestLayer] {
      let checker = try NearestSamplingTests.checker()
      let source = TestLayer.box(10, x: 0, y: 0, 2, 2, [.contents(checker)])
      let magnified = [PropertyChange.anchorPoint(.zero), .position(Point(8, 8)), .transform(.scale(x: 8, y: 8))]
      var nearest = TestLayer.portal(20, of: 10, x: 8, y: 8, 2, 2, magnified + [.sampling(.nearest)])
      var others: [TestLayer] = []
      switch self {
      case .contents:
        return [
          .box(
            900, x: 0, y: 0, 64, 48, [],
            [.box(1, x: 8, y: 8, 16, 16, [.contents(checker), .magnificationFilter(.nearest)])])
        ]
      case .portal: break
      case .portalOfPortal:
        others = [.portal(11, of: 10, x: 100, y: 100, 2, 2)]
        nearest.properties.append(.sourceLayer(LayerID(rawValue: 11)))
      case .manyPortals:
        // Many others of the same size, so that the source has a texture.
        others = (0..<12).map {
          .portal(UInt64(30 + $0), of: 10, x: 30.0 + 2.75 * Double($0), y: 40.25, 2, 2, [.sampling(.nearest)])
        }
      case .filter: nearest.properties.append(.filters([.invert(1), .invert(1)]))
      case .opacity: nearest.sublayers = [.box(21, x: 1, y: 1, 1, 1)]
      case .mask: nearest = nearest.masked(by: .box(22, x: 0, y: 0, 2, 2, color: .black))
      case .shadow:
        nearest.properties.append(.shadow(Shadow(color: .black, opacity: 0.5, radius: 0, offset: Point(9, 0))))
      }
      return [.box(900, x: 0, y: 0, 64, 48, [], [nearest] + others), source]
    }
  }

  /// With numbers that nothing else has.
  private static func renumbered(_ layer: TestLayer) -> TestLayer {
    layer.mapping { layer in
      var layer = layer
      layer.id = LayerID(rawValue: layer.id.rawValue + 100_000)
      return layer
    }
  }

  private func draw(_ roots: [TestLayer], _ witness: Witness, scale: Double = 1) throws -> Image {
    var tree = try RenderTree(roots: roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: Self.size, scale: scale)
  }

  @Test("a checker magnified eight times has its four colours and no other", arguments: Witness.allCases)
  func pure(_ witness: Witness) throws {
    for way in Way.allCases {
      let image = try draw(try way.roots(), witness)
      for y in 8..<24 {
        for x in 8..<24 {
          #expect(image.pixel(x, y) == Self.colors[x / 16 + 2 * (y / 16)], "\(way) at (\(x), \(y))")
        }
      }
      #expect(image.pixel(7, 16)[3] == 0 && image.pixel(16, 24)[3] == 0, "\(way)")
    }
  }

  @Test("what is drawn between pixels is magnified with its half covered pixels, each of one colour")
  func covered() throws {
    // From a half to two and a half, over pixels 0, 1 and 2 of its own.
    let source = TestLayer.box(
      10, x: 0, y: 0, 4, 4, [], [.box(11, x: 0.5, y: 0, 2, 4, color: Color(red: 1, green: 0, blue: 0))])
    let portal = TestLayer.portal(
      20, of: 10, x: 0, y: 0, 4, 4,
      [.sampling(.nearest), .anchorPoint(.zero), .position(Point(8, 0)), .transform(.scale(x: 8, y: 8))])
    let roots = [TestLayer.box(900, x: 0, y: 0, 64, 48, [], [portal]), source]
    for witness in Witness.allCases {
      let image = try draw(roots, witness)
      for x in 0..<40 {
        let expected: [UInt8] =
          switch x {
          case 16..<24: [255, 0, 0, 255]
          case 8..<16, 24..<32: [128, 0, 0, 128]
          default: [0, 0, 0, 0]
          }
        #expect(image.pixel(x, 5).near(expected, 1), "\(witness) at \(x)")
        #expect(image.pixel(x, 5) == image.pixel(x, 25), "\(witness) at \(x)")
      }
    }
  }

  @Test("one to one it is the source, to the bit; a half pixel aside it is the source too, moved to whole pixels")
  func oneToOne() throws {
    var maker = RandomTree(seed: 5, isExact: true)
    maker.isUpright = true
    let content = Self.renumbered(maker.layer(depth: 3))
    let source = TestLayer.box(10, x: 0, y: 0, 30, 30, [.masksToBounds(true)], [content])
    func portals(_ sampling: PortalSampling, _ x: Double) -> [TestLayer] {
      [
        .box(900, x: 0, y: 0, 64, 48, [], [.portal(20, of: 10, x: x, y: 4, 30, 30, [.sampling(sampling)])]), source,
      ]
    }
    for witness in Witness.allCases {
      let plain = try draw(portals(.automatic, 10), witness, scale: 2)
      #expect(try draw(portals(.nearest, 10), witness, scale: 2).pixels == plain.pixels, "\(witness)")
      // The middle of each pixel lies on an edge, and so in the pixel after it.
      let aside = Difference(
        try draw(portals(.automatic, 9.5), witness, scale: 2), try draw(portals(.nearest, 9.75), witness, scale: 2))
      #expect(aside.largest <= Stage.rounding(witness), "\(witness): \(aside)")
    }
  }

  @Test("GL equals the reference, turned, shown smaller, in perspective, in groups, of a part and of itself")
  func agreement() throws {
    var projection = Transform3D.identity
    projection.m34 = -1 / 60
    let transforms: [Transform3D] = [
      .rotation(angle: 0.4) * .scale(x: 3, y: 3), .scale(x: 0.5, y: 0.5), .scale(x: 0.2, y: 0.3),
      .scale(x: -2.5, y: 1.5), .rotation(angle: 0.7, x: 0, y: 1, z: 0) * projection, .translation(x: 0.3, y: 0.7),
    ]
    let more: [[PropertyChange]] = [
      [], [.opacity(0.5)], [.masksToBounds(true), .cornerRadius(6)],
      [.sourceRect(Rect(x: 3.5, y: 2, width: 12, height: 9))],
      [.filters([.invert(1)])], [.matchesOpacity(true), .allowsBackdropGroups(true)],
    ]
    var glass = RandomGlass(seed: 3)
    for (seed, transform) in transforms.enumerated() {
      var maker = RandomTree(seed: UInt64(seed) + 60, isExact: false)
      let content = Self.renumbered(maker.layer(depth: 3))
      for (number, properties) in more.enumerated() {
        let source = TestLayer.box(
          10, x: 0, y: 0, 20, 16, color: Color(red: 0.9, green: 0.8, blue: 0.2),
          [.opacity(0.75), .masksToBounds(true)],
          [number < 3 ? content : glass.added(to: content)])
        let portal = TestLayer.portal(
          20, of: 10, x: 20, y: 14, 20, 16, [.transform(transform), .sampling(.nearest)] + properties)
        let roots = [TestLayer.box(900, x: 0, y: 0, 64, 48, color: .white, [], [portal]), source]
        let comparison = try ImageComparison(
          expected: try draw(roots, .reference), got: try draw(roots, .gl))
        #expect(comparison.passes(seed == 4 ? .perspective : .resampled), "\(seed), \(number): \(comparison)")
      }
    }
  }

  @Test("of a source 100,000 points wide, shown small, no more pixels are made than sixteen times the output's")
  func memory() throws {
    let source = TestLayer.box(
      10, x: 0, y: 0, 100_000, 100_000, color: .white, [], [.box(11, x: 5, y: 5, 9, 9, color: .black)])
    for zoom in [4, 1, 0.3, 0.001] {
      let portal = TestLayer.portal(
        20, of: 10, x: 0, y: 0, 64, 48, [.sampling(.nearest), .transform(.scale(x: zoom, y: zoom))])
      var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 64, 48, [.masksToBounds(true)], [portal]), source])
      var planner = FramePlanner()
      let plan = planner.plan(tree.snapshot(root: 900), size: Self.size, scale: 1, background: .clear)
      #expect(plan.counters.targetPixels <= 16 * Self.size.area, "\(zoom): \(plan.counters.targetPixels)")
    }
  }

  @Test("the frame before is sampled so too", arguments: Witness.allCases)
  func frameBefore(_ witness: Witness) throws {
    let checker = try Self.checker()
    let portal = TestLayer.portal(
      20, of: 10, x: 4, y: 4, 2, 2,
      [
        .sampling(.nearest), .recursion(.previousFrame), .anchorPoint(.zero), .position(Point(4, 4)),
        .transform(.scale(x: 8, y: 8)),
      ])
    let roots = [
      TestLayer.box(
        900, x: 0, y: 0, 64, 48, [],
        [.box(10, x: 0, y: 0, 2, 2, [.contents(checker)], [portal])])
    ]
    var tree = try RenderTree(roots: roots)
    let frames = [tree.snapshot(root: 900), tree.snapshot(root: 900)]
    let image = try Stage.shared.draw(frames, witness, size: Self.size)
    // The second level: a checker of sixteen pixels, of the checker of two that the frame before showed.
    let known = Set(Self.colors + [[0, 0, 0, 0]])
    for y in 0..<48 { for x in 0..<64 { #expect(known.contains(image.pixel(x, y)), "(\(x), \(y))") } }
    #expect(image.pixel(5, 5) == Self.colors[0] && image.pixel(19, 19) == Self.colors[3])
  }
}
