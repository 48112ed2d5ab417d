import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

/// What random scenes have found, each by itself and with the values that it must have.
@Suite("What random scenes found")
struct FindingTests {
  private static let size = PixelSize(width: 96, height: 72)

  private func draw(_ layers: [TestLayer], _ witness: Witness) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, color: .white, [], layers)])
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: Self.size)
  }

  @Test(
    "a source that snaps to pixels and reaches beyond its bounds is the same in a nearest portal in perspective as one that needs no snapping",
    arguments: Witness.allCases)
  func snappingSource(_ witness: Witness) throws {
    func image(_ more: [PropertyChange]) throws -> Image {
      // On the grid of the source's own pixels, as large as four points.
      let source = TestLayer.box(
        10, x: 4, y: 4, 12, 12, color: .black, more,
        [
          .box(11, x: 16, y: -4, 8, 20, color: Color(red: 1, green: 0, blue: 0)),
          .box(12, x: 4, y: 4, 32, 4, color: Color(red: 0, green: 0.5, blue: 0), more),
        ])
      var projection = Transform3D.identity
      projection.m34 = -1 / 30
      let portal = TestLayer.portal(
        20, of: 10, x: 30, y: 24, 40, 24,
        [.sampling(.nearest), .transform(.rotation(angle: 0.9, x: 1, y: 0.3, z: 0) * projection)])
      return try draw([source, portal], witness)
    }
    let plain = try image([])
    let snapping = try image([.snapsToPixels(true)])
    #expect(Difference(plain, snapping).isNone, "\(Difference(plain, snapping))")
    let bare = try draw([], witness)
    // Most of it lies to the right of where the source itself stands.
    let shown = (0..<72).reduce(0) { sum, y in
      sum + (40..<96).count { x in plain.pixel(x, y) != bare.pixel(x, y) }
    }
    #expect(shown > 60, "\(shown) pixels")
  }

  @Test(
    "an edge that is the clip's too is cut twice, as a mask cuts it, whatever is clipped and however it is drawn",
    arguments: Witness.allCases)
  func commonEdges(_ witness: Witness) throws {
    let dot = try #require(Image(size: PixelSize(width: 1, height: 1), alpha: .opaque, pixels: [0, 0, 0, 255]))
    let inside = TestLayer.box(31, x: 0, y: 0, 40, 30, color: .black)
    func clip(_ more: [PropertyChange], _ sublayers: [TestLayer] = []) -> TestLayer {
      .box(30, x: 10.5, y: 8, 40, 30, [.masksToBounds(true)] + more, sublayers)
    }
    let source = TestLayer.box(32, x: 200, y: 0, 40, 30, color: .black)
    let portal = TestLayer.portal(33, of: 32, x: 10.5, y: 8, 40, 30, [.masksToBounds(true)])
    let ways: [(String, [TestLayer])] = [
      ("contents", [clip([.contents(dot)])]), ("a sublayer", [clip([], [inside])]),
      ("sublayers", [clip([], [inside, .box(34, x: 50, y: 0, 4, 4)])]), ("a portal", [source, portal]),
      (
        "a mask",
        [.box(35, x: 10.5, y: 8, 40, 30, color: .black).masked(by: .box(36, x: 0, y: 0, 40, 30, color: .black))]
      ),
    ]
    for radius in [0.0, 6] {
      for (name, layers) in ways where radius == 0 || name != "a mask" {
        let rounded = layers.map { layer -> TestLayer in
          var layer = layer
          if radius > 0, layer.properties.contains(where: \.clips) { layer.properties.append(.cornerRadius(radius)) }
          return layer
        }
        let image = try draw(rounded, witness)
        // A quarter of black at either side, and all of it between.
        for (x, expected) in [(9, 255), (10, 191), (11, 0), (49, 0), (50, 191), (51, 255)] {
          #expect(abs(Int(image.pixel(x, 20)[0]) - expected) <= 1, "\(name), \(radius), \(x): \(image.pixel(x, 20))")
        }
      }
    }
  }

  @Test("a picture of a texel a pixel is not made smaller by any turn", arguments: [0.0, 0.093, 0.4, 1.2, 1.6642, 2.9])
  func turned(_ angle: Double) throws {
    let turn = Transform3D.rotation(angle: angle)
    let map = LinearMap(a: turn.m11, b: turn.m12, c: turn.m21, d: turn.m22)
    #expect(abs(map.singularValues.largest - 1) < 1e-14 && abs(map.singularValues.smallest - 1) < 1e-14)
    let texels = (0..<32 * 32).flatMap { index -> [UInt8] in
      (index + index / 32) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 255, 255]
    }
    let image = try #require(Image(size: PixelSize(width: 32, height: 32), alpha: .opaque, pixels: texels))
    let layer = TestLayer.box(
      10, x: 30, y: 20, 32, 32, [.contents(image), .magnificationFilter(.nearest), .transform(turn)])
    let (expected, got) = (try draw([layer], .reference), try draw([layer], .gl))
    // Each pixel is of one texel: black or white, but for those that the edges cut.
    for y in 28..<44 {
      for x in 38..<54 {
        let value = got.pixel(x, y)[0]
        #expect((value == 0 || value == 255) && expected.pixel(x, y)[0] == value, "(\(x), \(y)): \(value)")
      }
    }
  }

  @Test("where slanted edges meet, a pixel is covered by the area between them", arguments: Witness.allCases)
  func slantedCorners(_ witness: Witness) throws {
    for shear in [-3.0, -1, 0.5, 2, 5] {
      for offset in [0.0, 0.3, 0.5, 0.8] {
        // From (x, y) in the layer to (x + shear · y, y / 2), about (40 + offset, 30 + offset).
        let (x, y) = (40 + offset, 30 + offset)
        let layer = TestLayer.box(
          10, x: x - 10, y: y - 8, 20, 16, color: .black, [.transform(Transform3D(m21: shear, m22: 0.5))])
        let image = try draw([layer], witness)
        for row in 25..<36 {
          for column in 0..<96 {
            let area = area(column, row, shear: shear, about: Point(x, y))
            let value = Double(image.pixel(column, row)[0])
            #expect(
              abs(value - 255 * (1 - area)) < 1.6, "\(shear), \(offset), (\(column), \(row)): \(value), \(area) covered"
            )
          }
        }
      }
    }
  }

  /// How much of a pixel the sheared box covers: exact along x, in 4,096 steps along y.
  private func area(_ column: Int, _ row: Int, shear: Double, about middle: Point) -> Double {
    var sum = 0.0
    for step in 0..<4096 {
      let v = Double(row) + (Double(step) + 0.5) / 4096 - middle.y
      guard abs(v) < 4 else { continue }
      let left = middle.x - 10 + shear * 2 * v
      sum += max(0, min(Double(column + 1), left + 20) - max(Double(column), left))
    }
    return sum / 4096
  }

  @Test("the frame before lies where its source had its bounds then", arguments: Witness.allCases)
  func boundsOfTheFrameBefore(_ witness: Witness) throws {
    let portal = TestLayer.portal(20, of: 10, x: 40, y: 0, 40, 30, [.recursion(.previousFrame)])
    let source = TestLayer.box(
      10, x: 4, y: 4, 30, 20, color: Color(red: 0, green: 0, blue: 1), [],
      [.box(11, x: 5, y: 5, 10, 10, color: Color(red: 1, green: 0, blue: 0)), portal])
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 200, 72, color: .white, [], [source])])
    let first = tree.snapshot(root: 900)
    // Larger, and scrolled: the origin of the bounds is (3, 2).
    try tree.set(10, .bounds(Rect(x: 3, y: 2, width: 50, height: 40)), .position(Point(29, 24)))
    let second = tree.snapshot(root: 900)
    let image = try Stage.shared.draw([first, second], witness, size: PixelSize(width: 200, height: 72))
    // The source's (3, 2) lies at (4, 4), so the portal's corner, its (40, 0), at (41, 2), and there again its (3, 2). In that
    // copy the portal lies at (78, 0): it shows there what was the source's bounds, (0, 0) to (30, 20), less (3, 2).
    let blue: [UInt8] = [0, 0, 255, 255]
    let red: [UInt8] = [255, 0, 0, 255]
    for (x, y, expected) in [
      (80, 8, red), (89, 8, red), (91, 8, blue), (103, 16, blue), (106, 8, [255, 255, 255, 255]),
      (100, 19, [255, 255, 255, 255]),
    ] {
      #expect(image.pixel(x, y) == expected, "(\(x), \(y)): \(image.pixel(x, y))")
    }
  }

  @Test(
    "half a pixel aside, a nearest portal shows in each pixel the later of its source's, wherever those begin",
    arguments: Witness.allCases)
  func ties(_ witness: Witness) throws {
    for step in 1..<17 {
      let top = Double(step) / 17
      let source = TestLayer.box(
        10, x: 200, y: 0, 20, 20, [.bounds(Rect(x: 0, y: top, width: 20, height: 20))],
        [.box(11, x: 0, y: top + 2, 20, 4, color: .black)])
      let portal = TestLayer.portal(20, of: 10, x: 10, y: 9.5, 20, 20, [.sampling(.nearest)])
      let image = try draw([source, portal], witness)
      for y in 8..<20 {
        let expected: UInt8 = 11..<15 ~= y ? 0 : 255
        #expect(image.pixel(15, y)[0] == expected, "\(step) of 17, row \(y): \(image.pixel(15, y))")
      }
    }
  }

  @Test("a crop that is mixed of two levels keeps within each level's own edge texels, as the reference has it")
  func mixedCrop() throws {
    var texels: [UInt8] = []
    for row in 0..<64 {
      for column in 0..<64 { texels += [UInt8(column * 4), UInt8(row * 4), 0, 255] }
    }
    let image = try #require(Image(size: PixelSize(width: 64, height: 64), alpha: .opaque, pixels: texels))
    for (side, shear) in [(12.0, 0.125), (9, 0), (14, -0.25)] {
      let layer = TestLayer.box(
        10, x: 30, y: 20, side, side,
        [
          .contents(image), .contentsRect(Rect(x: 0.25, y: 0.25, width: 0.5, height: 0.5)),
          .minificationFilter(.trilinear), .transform(Transform3D(m21: shear)),
        ])
      let comparison = try ImageComparison(expected: try draw([layer], .reference), got: try draw([layer], .gl))
      #expect(comparison.envelope <= 2 && comparison.interior <= 2, "\(side): \(comparison)")
    }
  }

  @Test("a wide blur of what lies behind a box of an odd number of pixels has every line in it, wherever that lies")
  func oddBlur() throws {
    for width in [40.0, 41] {
      for line in stride(from: 4.0, to: 38, by: 3) {
        let layers: [TestLayer] = [
          .box(10, x: 20 + line, y: 0, 1, 72, color: .black),
          TestLayer(
            11, .backdrop,
            [
              .bounds(Rect(x: 0, y: 0, width: width, height: 41)), .anchorPoint(.zero), .position(Point(20, 10)),
              .backdropFilters([.gaussianBlur(radius: 6.1)]),
            ]),
        ]
        let difference = Difference(try draw(layers, .reference), try draw(layers, .gl))
        #expect(difference.largest <= 2, "\(width), \(line): \(difference)")
      }
    }
  }

  @Test(
    "a crop that begins in the middle of a texel begins with the one after it, sampled nearest",
    arguments: Witness.allCases)
  func halfTexels(_ witness: Witness) throws {
    for width in [6, 10, 14, 22, 66] {
      // Black up to the texel of which a half is in the crop, then white.
      let first = width / 4
      let texels = (0..<width).flatMap { $0 <= first ? [0, 0, 0, 255] : [255, 255, 255, 255] as [UInt8] }
      let image = try #require(Image(size: PixelSize(width: width, height: 1), alpha: .opaque, pixels: texels))
      let side = Double(width)
      let layer = TestLayer.box(
        10, x: 8, y: 20, side, 10,
        [
          .contents(image), .contentsRect(Rect(x: 0.25, y: 0, width: 0.5, height: 1)), .magnificationFilter(.nearest),
          .backgroundColor(Color(red: 1, green: 0, blue: 0)),
        ])
      let row = try draw([layer], witness)
      for x in 8..<8 + width {
        #expect(row.pixel(x, 25)[0] == 255 && row.pixel(x, 25)[1] == 255, "\(width) texels, \(x): \(row.pixel(x, 25))")
      }
    }
  }

  @Test(
    "a hard edge at the middle of a pixel leaves it out at the right and the bottom, of a border too",
    arguments: Witness.allCases)
  func hardBorder(_ witness: Witness) throws {
    for (x, scale) in [(1.68864, 7.3), (0.7, 1.46827), (3.1, 0.9)] {
      // Its right and lower edge are at 40.5.
      let layer = TestLayer(
        10, .layer,
        [
          .bounds(Rect(x: -2.375, y: -2.75, width: 15.375, height: 9)), .anchorPoint(Point(1, 1)),
          .position(Point(40.5, 40.5)), .transform(.scale(x: x, y: scale)), .borderWidth(2),
          .allowsEdgeAntialiasing(false),
        ])
      let image = try draw([layer], witness)
      #expect(image.pixel(39, 38)[0] == 0 && image.pixel(40, 38)[0] == 255, "\(x): \(image.pixel(40, 38))")
      #expect(image.pixel(38, 39)[0] == 0 && image.pixel(38, 40)[0] == 255, "\(scale): \(image.pixel(38, 40))")
    }
  }

  @Test(
    "a group's capture is made before its first backdrop in view, even one that its mask leaves nothing of",
    arguments: Witness.allCases)
  func maskedBackdrop(_ witness: Witness) throws {
    func backdrop(_ id: UInt64, x: Double) -> TestLayer {
      var layer = TestLayer.box(id, x: x, y: 10, 20, 20, [.backdropGroup("a")])
      layer.kind = .backdrop
      return layer
    }
    let image = try draw(
      [
        backdrop(10, x: 4).masked(by: .box(11, x: 0, y: 0, 0, 0)),
        .box(12, x: 30, y: 0, 50, 40, color: .black), backdrop(13, x: 40),
      ], witness)
    // What the capture has not, the last backdrop does not show.
    #expect(image.pixel(50, 20) == [255, 255, 255, 255] && image.pixel(70, 20) == [0, 0, 0, 255])
  }

  @Test(
    "a pixel that a layer and its mask have in part, side by side, shows the one as far as the other covers it",
    arguments: Witness.allCases)
  func maskBeside(_ witness: Witness) throws {
    // The layer has five eighths of pixel 27, and its mask a quarter.
    let layer = TestLayer.box(10, x: 27.375, y: 10, 20, 20, color: .black)
      .masked(by: .box(11, x: -5.125, y: 0, 5, 20, color: .black))
    let image = try draw([layer], witness)
    #expect(abs(Int(image.pixel(27, 20)[0]) - 215) <= 1, "\(image.pixel(27, 20))")
    #expect(image.pixel(26, 20)[0] == 255 && image.pixel(28, 20)[0] == 255)
  }
}

extension PropertyChange {
  fileprivate var clips: Bool { if case .masksToBounds(true) = self { true } else { false } }
}
