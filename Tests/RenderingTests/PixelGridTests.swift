import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Layers and the grid of pixels")
struct PixelGridTests {
  private let size = PixelSize(width: 96, height: 72)

  private func draw(_ layers: [TestLayer], _ witness: Witness, scale: Double = 1) throws -> Image {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 96, 72, color: .white, [], layers))
    return try Stage.shared.draw(tree.snapshot(root: 1), witness, size: size, scale: scale)
  }

  /// What takes part in a layer's place: a border, a sublayer and a portal that shows a picture pixel by pixel.
  private func layer(_ x: Double, _ y: Double, _ more: PropertyChange...) -> TestLayer {
    .box(
      2, x: x, y: y, 30, 24, color: Color(red: 0.2, green: 0.4, blue: 0.8), [.borderWidth(2)] + more,
      [.box(3, x: 4, y: 4, 10, 10, color: .black), .portal(4, of: 5, x: 16, y: 4, 8, 8)])
  }

  private var checks: TestLayer {
    let pixels = (0..<64).flatMap { index -> [UInt8] in
      (index + index / 8) % 2 == 0 ? [0, 0, 0, 255] : [255, 255, 0, 255]
    }
    let image = Image(size: PixelSize(width: 8, height: 8), alpha: .opaque, pixels: pixels)
    return .box(5, x: 70, y: 50, 8, 8, [.contents(image)])
  }

  @Test(
    "a layer that snaps is, with all that it shows, where the nearest whole pixels are", arguments: Witness.allCases,
    [(0.3, 0.4, 0.0, 0.0), (0.5, 0.5, 1, 1), (0.7, 0.49, 1, 0), (-0.5, 0.2, 0, 0)])
  func snaps(_ witness: Witness, _ offset: (Double, Double, Double, Double)) throws {
    let there = try draw([layer(20 + offset.2, 20 + offset.3), checks], witness)
    let between = try draw([layer(20 + offset.0, 20 + offset.1, .snapsToPixels(true)), checks], witness)
    #expect(Difference(there, between).isNone, "\(Difference(there, between))")
    let loose = try draw([layer(20 + offset.0, 20 + offset.1), checks], witness)
    #expect(loose.pixels != there.pixels)
  }

  @Test("its sides are stretched to whole pixels, and never to none", arguments: Witness.allCases)
  func stretched(_ witness: Witness) throws {
    let wide = try draw([.box(2, x: 10.2, y: 10.2, 20.5, 0.3, color: .black, [.snapsToPixels(true)])], witness)
    for x in 8..<34 { #expect(wide.pixel(x, 10) == (10..<31 ~= x ? [0, 0, 0, 255] : [255, 255, 255, 255])) }
    #expect(wide.pixel(12, 9) == [255, 255, 255, 255] && wide.pixel(12, 11) == [255, 255, 255, 255])
  }

  @Test("at any scale of the output, in groups, filters and portals the two renderers agree")
  func agreement() throws {
    for seed in UInt64(1)...30 {
      var random = SeededGenerator(seed: seed)
      var snapping = layer(random.real(0...40), random.real(0...30), .snapsToPixels(true))
      // One of them: what one rounds to eight bits, another would make more of.
      if random.oneIn(2) {
        snapping.properties.append(.opacity(0.5))
      } else if random.oneIn(2) {
        snapping.properties.append(.filters([.gaussianBlur(radius: random.real(0...6))]))
      }
      if random.oneIn(3) { snapping.properties.append(.transform(.scale(x: random.real(0.5...1.5), y: -1))) }
      if random.oneIn(4) { snapping.properties.append(.transform(.rotation(angle: 0.3))) }
      let group = TestLayer.box(
        6, x: random.real(0...9), y: random.real(0...9), 60, 50, [.masksToBounds(true)], [snapping])
      let portals = (0..<(random.oneIn(2) ? 1 : 12)).map { index -> TestLayer in
        .portal(
          UInt64(20 + index), of: 2, x: random.real(0...60), y: random.real(0...40), 30, 24,
          [.transform(.scale(x: 1 - Double(index) * 0.05, y: 1))])
      }
      let scale = [1, 1.25, 1.5][Int(seed % 3)]
      let expected = try draw([group, checks] + portals, .reference, scale: scale)
      let comparison = try ImageComparison(
        expected: expected, got: try draw([group, checks] + portals, .gl, scale: scale))
      #expect(
        comparison.passes(ImageComparison.SceneClass.resampled.tolerance.or(.blur)), "seed \(seed): \(comparison)")
    }
  }

  @Test(
    "an edge that is not antialiased gives each pixel whole or not at all, by its centre", arguments: Witness.allCases)
  func hardEdges(_ witness: Witness) throws {
    for (offset, first, end) in [(0.25, 20, 30), (0.5, 20, 30), (0.75, 21, 31)] {
      let image = try draw(
        [.box(2, x: 20 + offset, y: 20 + offset, 10, 10, color: .black, [.allowsEdgeAntialiasing(false)])], witness)
      for x in 18..<34 {
        let isIn = x >= first && x < end
        #expect(image.pixel(x, 25)[0] == (isIn ? 0 : 255), "\(offset), \(x)")
        #expect(image.pixel(25, x)[0] == (isIn ? 0 : 255), "\(offset), \(x)")
      }
    }
    // The left alone.
    let image = try draw(
      [.box(2, x: 20.25, y: 20, 10, 10, color: .black, [.edgeAntialiasingMask([.right, .top, .bottom])])], witness)
    #expect(image.pixel(20, 25)[0] == 0 && image.pixel(30, 25).near([191, 191, 191, 255], 1))
  }

  @Test("tiles with hard edges leave no gap and never overlap, under any transform", arguments: Witness.allCases)
  func tiles(_ witness: Witness) throws {
    for angle in stride(from: 0.0, through: 1.5, by: 0.15) {
      let color = Color(red: 0, green: 0, blue: 0, alpha: 0.5)
      let half: [TestLayer] = [
        .box(3, x: 0, y: 0, 13, 24, color: color, [.edgeAntialiasingMask([.left, .top, .bottom])]),
        .box(4, x: 13, y: 0, 17, 24, color: color, [.edgeAntialiasingMask([.right, .top, .bottom])]),
      ]
      func holder(_ sublayers: [TestLayer]) -> TestLayer {
        .box(2, x: 30.3, y: 20.4, 30, 24, [.transform(.rotation(angle: angle))], sublayers)
      }
      let tiled = try draw([holder(half)], witness)
      let whole = try draw([holder([.box(5, x: 0, y: 0, 30, 24, color: color)])], witness)
      let difference = Difference(whole, tiled)
      #expect(difference.largest <= 1 || difference.pixels < 3, "\(angle): \(difference)")
    }
  }

  @Test("round corners are antialiased whatever the mask says", arguments: Witness.allCases)
  func round(_ witness: Witness) throws {
    let hard = try draw(
      [.box(2, x: 20.25, y: 20.5, 20, 20, color: .black, [.cornerRadius(6), .allowsEdgeAntialiasing(false)])], witness)
    let soft = try draw([.box(2, x: 20.25, y: 20.5, 20, 20, color: .black, [.cornerRadius(6)])], witness)
    #expect(hard.pixels == soft.pixels)
  }
}
