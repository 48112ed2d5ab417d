import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A picture whose middle alone is stretched")
struct NinePartTests {
  private let size = PixelSize(width: 160, height: 120)

  /// 12 × 12 pixels: corners of four, each part of a colour of its own, and a little different from pixel to pixel.
  private func picture(_ alpha: AlphaState = .opaque) -> Image? {
    let pixels = (0..<144).flatMap { index -> [UInt8] in
      let (x, y) = (index % 12, index / 12)
      return [UInt8(x / 4 * 100 + x % 4 * 8), UInt8(y / 4 * 100 + y % 4 * 8), UInt8((x + y) * 10), 255]
    }
    return Image(size: PixelSize(width: 12, height: 12), alpha: alpha, pixels: pixels)
  }

  private func layer(_ bounds: Rect, _ more: PropertyChange...) -> TestLayer {
    TestLayer(
      2, .layer,
      [
        .bounds(bounds), .position(Point(70, 56)), .contents(picture()),
        .contentsCenter(Rect(x: 1 / 3.0, y: 1 / 3.0, width: 1 / 3.0, height: 1 / 3.0)),
      ] + more)
  }

  private func draw(_ layers: [TestLayer], _ witness: Witness) throws -> Image {
    var tree = try RenderTree(.box(1, x: 0, y: 0, 160, 120, color: .white, [], layers))
    return try Stage.shared.draw(tree.snapshot(root: 1), witness, size: size)
  }

  @Test("corners keep their pixels, edges are stretched one way, and the middle both", arguments: Witness.allCases)
  func formula(_ witness: Witness) throws {
    let image = try draw([layer(Rect(x: 0, y: 0, width: 40, height: 28))], witness)
    let pixels = try #require(picture()).pixels
    func texel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[(y * 12 + x) * 4..<(y * 12 + x) * 4 + 4]) }
    // At (50, 42) begins the layer; its last four pixels each way are the picture's.
    for (x, y) in [(0, 0), (3, 0), (2, 3), (0, 2)] {
      #expect(image.pixel(50 + x, 42 + y) == texel(x, y))
      #expect(image.pixel(86 + x, 42 + y) == texel(8 + x, y))
      #expect(image.pixel(50 + x, 66 + y) == texel(x, 8 + y))
      #expect(image.pixel(86 + x, 66 + y) == texel(8 + x, 8 + y))
    }
    // Four texels on 32 pixels: between the centres of two, half way lies half a colour.
    #expect(image.pixel(50 + 4 + 8, 43).near(texel(4, 1).mixed(texel(5, 1), 9 / 16.0), 2))
    #expect(image.pixel(51, 42 + 4 + 12).near(texel(1, 6).mixed(texel(1, 6), 1), 10))
  }

  @Test("the scale of contents makes corners smaller, and what has no room is squeezed", arguments: Witness.allCases)
  func squeezed(_ witness: Witness) throws {
    let fine = try draw([layer(Rect(x: 0, y: 0, width: 40, height: 28), .contentsScale(2))], witness)
    // A corner of two pixels, and then the middle, which climbs to the next colour.
    #expect(fine.pixel(51, 43)[0] < 60 && fine.pixel(55, 43)[0] > 70)
    let narrow = try draw([layer(Rect(x: 0, y: 0, width: 4, height: 40))], witness)
    // Left and right share four pixels: no middle is left.
    #expect(narrow.pixel(69, 40)[0] < 60 && narrow.pixel(70, 40)[0] > 190)
  }

  @Test("gravities that don't resize show the picture as it is", arguments: Witness.allCases)
  func gravity(_ witness: Witness) throws {
    let bounds = Rect(x: 0, y: 0, width: 40, height: 28)
    let divided = try draw([layer(bounds, .contentsGravity(.topLeft))], witness)
    let plain = try draw(
      [layer(bounds, .contentsGravity(.topLeft), .contentsCenter(Rect(x: 0, y: 0, width: 1, height: 1)))], witness)
    #expect(divided.pixels == plain.pixels)
  }

  @Test("a crop is divided after it was cut out", arguments: Witness.allCases)
  func cropped(_ witness: Witness) throws {
    let crop = Rect(x: 1 / 3.0, y: 0, width: 2 / 3.0, height: 1)
    let image = try draw(
      [
        layer(
          Rect(x: 0, y: 0, width: 40, height: 28), .contentsRect(crop),
          .contentsCenter(Rect(x: 0.5, y: 0.25, width: 0.25, height: 0.5)))
      ], witness)
    let pixels = try #require(picture()).pixels
    // Four pixels of the crop on the left are as they are, two on the right.
    #expect(image.pixel(50, 42) == Array(pixels[16..<20]) && image.pixel(53, 42) == Array(pixels[28..<32]))
    #expect(image.pixel(89, 42) == Array(pixels[44..<48]))
  }

  @Test("GL equals the reference under any transform, with no seam between parts (seeds 1…60)")
  func agreement() throws {
    for seed in UInt64(1)...60 {
      var random = SeededGenerator(seed: seed)
      let bounds = Rect(
        x: random.eighth(-4...4), y: random.eighth(-4...4), width: random.real(6...70), height: random.real(6...50))
      let low = Point(random.real(0...0.5), random.real(0...0.5))
      let center = Rect(
        x: low.x, y: low.y, width: random.real(0...(1 - low.x)), height: random.real(0...(1 - low.y)))
      let transforms: [Transform3D] = [
        .identity, .rotation(angle: random.real(-3...3)), .scale(x: -1, y: 1), .scale(x: 1.5, y: -0.7),
        .rotation(angle: 0.7, x: 1, y: 1, z: 0) * .perspective(distance: 150),
      ]
      let made = layer(
        bounds, .contentsCenter(center), .transform(transforms[Int(seed % 5)]),
        .contentsScale([1, 2, 0.5][Int(seed % 3)]),
        .opacity(random.oneIn(3) ? 0.5 : 1))
      let expected = try draw([made], .reference)
      let comparison = try ImageComparison(expected: expected, got: try draw([made], .gl))
      #expect(comparison.passes(seed % 5 == 4 ? .perspective : .resampled), "seed \(seed): \(comparison)")
    }
  }

  @Test(
    "of one colour it is one rectangle, turned too: no part leaves a gap or lies on another",
    arguments: Witness.allCases)
  func seamless(_ witness: Witness) throws {
    let grey = (0..<144).flatMap { _ -> [UInt8] in [90, 60, 30, 128] }
    let image = Image(size: PixelSize(width: 12, height: 12), alpha: .straight, pixels: grey)
    for angle in stride(from: 0.0, through: 1.6, by: 0.1) {
      let turned: [PropertyChange] = [.transform(.rotation(angle: angle)), .contents(image)]
      var divided = layer(Rect(x: 0, y: 0, width: 61.5, height: 40.25))
      divided.properties += turned
      var whole = divided
      whole.properties.append(.contentsCenter(Rect(x: 0, y: 0, width: 1, height: 1)))
      let difference = Difference(try draw([whole], witness), try draw([divided], witness))
      #expect(difference.largest <= 1, "\(angle): \(difference)")
    }
  }
}

extension [UInt8] {
  /// So much of the other, each component.
  func mixed(_ other: [UInt8], _ share: Double) -> [UInt8] {
    zip(self, other).map { UInt8((Double($0) * (1 - share) + Double($1) * share).rounded()) }
  }
}
