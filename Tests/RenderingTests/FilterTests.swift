import Commit
import FramePlan
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Filters")
struct FilterTests {
  private func draw(
    _ layer: TestLayer, _ witness: Witness, size: PixelSize = PixelSize(width: 64, height: 48),
    background: PremultipliedColor = .clear
  ) throws -> Image {
    var tree = try RenderTree(.box(900, x: 0, y: 0, 64, 48, [], [layer]))
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size, background: background)
  }

  /// A filter, and what CSS's formula makes of (0.8, 0.4, 0.2), worked out by hand.
  static let formulas: [(filter: Filter, expected: [Double])] = [
    (.brightness(0.5), [0.4, 0.2, 0.1]),
    (.brightness(2), [1, 0.8, 0.4]),
    (.contrast(0.5), [0.65, 0.45, 0.35]),
    (.contrast(2), [1, 0.3, 0]),
    (.invert(1), [0.2, 0.6, 0.8]),
    (.invert(0.25), [0.65, 0.45, 0.35]),
    // Luminance 0.2126 · 0.8 + 0.7152 · 0.4 + 0.0722 · 0.2 = 0.4706.
    (.grayscale(1), [0.4706, 0.4706, 0.4706]),
    (.grayscale(0.5), [0.6353, 0.4353, 0.3353]),
    // With these coefficients 0.213, 0.715 and 0.072 it is 0.4708.
    (.saturate(0), [0.4708, 0.4708, 0.4708]),
    (.saturate(2), [1, 0.3292, 0]),
    (.sepia(1), [0.6598, 0.5872, 0.4576]),
    (.hueRotate(degrees: 180), [0.1416, 0.5416, 0.7416]),
    (.hueRotate(degrees: 360), [0.8, 0.4, 0.2]),
  ]

  @Test("of colours follow CSS's formulas", arguments: Witness.allCases)
  func formulas(_ witness: Witness) throws {
    for (filter, expected) in Self.formulas {
      let color = Color(red: 0.8, green: 0.4, blue: 0.2)
      let image = try draw(.box(1, x: 0, y: 0, 64, 48, color: color, [.filters([filter])]), witness)
      let got = image.pixel(32, 24)
      for (component, value) in expected.enumerated() {
        #expect(abs(Double(got[component]) - value * 255) <= 1, "\(filter): \(got), not \(expected.map { $0 * 255 })")
      }
      #expect(got[3] == 255)
    }
  }

  @Test("work on colours without their transparency", arguments: Witness.allCases)
  func straight(_ witness: Witness) throws {
    let color = Color(red: 0.8, green: 0.4, blue: 0.2, alpha: 0.5)
    let got = try draw(.box(1, x: 0, y: 0, 64, 48, color: color, [.filters([.invert(1)])]), witness).pixel(32, 24)
    // Inverted (0.2, 0.6, 0.8), then multiplied by alpha.
    for (value, expected) in zip(got, [25.5, 76.5, 102, 127.5]) { #expect(abs(Double(value) - expected) <= 1.5) }
  }

  @Test("clamp between steps where it matters, and only there are two steps two passes", arguments: Witness.allCases)
  func clamping(_ witness: Witness) throws {
    // 0.8 · 2 is 1, of which half is 0.5; in one step it would be 0.8.
    let layer = TestLayer.box(
      1, x: 0, y: 0, 64, 48, color: Color(red: 0.8, green: 0.4, blue: 0.2),
      [.filters([.brightness(2), .brightness(0.5)])])
    let got = try draw(layer, witness).pixel(32, 24)
    #expect(abs(Int(got[0]) - 128) <= 1 && abs(Int(got[1]) - 102) <= 1)
    #expect(try plan(layer).counters.passes == 3)
    var other = layer
    other.properties.append(.filters([.brightness(0.5), .sepia(0.5), .invert(0.5)]))
    #expect(try plan(other).counters.passes == 2)
  }

  @Test("draw nothing where the layer draws nothing", arguments: Witness.allCases)
  func nothing(_ witness: Witness) throws {
    let opaque = ColorMatrix(red: .zero, green: .zero, blue: .zero, alpha: .zero, constant: .one)
    let image = try draw(
      .box(1, x: 8, y: 8, 16, 16, color: .black, [.filters([.colorMatrix(opaque)])]), witness)
    #expect(image.pixel(16, 16) == [255, 255, 255, 255])
    #expect(image.pixel(40, 30) == [0, 0, 0, 0])
  }

  @Test("come before opacity, and take the border and what overflows with them", arguments: Witness.allCases)
  func order(_ witness: Witness) throws {
    let layer = TestLayer.box(
      1, x: 8, y: 8, 32, 32, color: .black,
      [.filters([.invert(1)]), .opacity(0.5), .borderWidth(4), .borderColor(.white)],
      [.box(2, x: 40, y: 0, 8, 8, color: .white)])
    let image = try draw(layer, witness, background: PremultipliedColor(red: 0, green: 0, blue: 1, alpha: 1))
    #expect(image.pixel(24, 24).near([128, 128, 255, 255]))
    #expect(image.pixel(9, 9).near([0, 0, 128, 255]))
    #expect(image.pixel(50, 10).near([0, 0, 128, 255]))
  }

  // MARK: Blur

  /// The integral of a gaussian up to `x` deviations, to seven digits.
  private func cumulative(_ x: Double) -> Double {
    var sum = 0.0
    let step = 1.0 / 512
    var t = -6.0
    while t < x {
      let width = min(step, x - t)
      let middle = t + width / 2
      sum += exponential(-middle * middle / 2) * width
      t += step
    }
    return sum / (2 * Double.pi).squareRoot()
  }

  @Test("a blurred edge has a gaussian's profile", arguments: Witness.allCases, [1.5, 4, 9, 20, 60])
  func profile(_ witness: Witness, _ radius: Double) throws {
    let size = PixelSize(width: 256, height: 16)
    var tree = try RenderTree(
      .box(
        900, x: 0, y: 0, 256, 16, [],
        [.box(1, x: -1024, y: -1024, 1152, 2048, color: .white, [.filters([.gaussianBlur(radius: radius)])])]))
    let image = try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size)
    var worst = 0.0
    for x in 0..<256 {
      let expected = 255 * cumulative((128 - (Double(x) + 0.5)) / radius)
      worst = max(worst, abs(Double(image.pixel(x, 8)[3]) - expected))
    }
    // Cut off at three deviations it loses 0.3 % of its weight.
    #expect(worst <= 2, "off by \(worst)")
  }

  @Test("a blur of a scaled, a turned and a sheared layer is seen as the layer is", arguments: Witness.allCases)
  func transformed(_ witness: Witness) throws {
    // A wide and low bar whose blur, under a scale of 2 along x, is twice as wide along x.
    func image(_ transform: Transform3D, _ filters: [Filter]) throws -> Image {
      try draw(
        .box(1, x: 24, y: 16, 16, 16, color: .white, [.transform(transform), .filters(filters)]), witness)
    }
    let scaled = try image(.scale(x: 2, y: 1), [.gaussianBlur(radius: 2)])
    for (x, y, deviation, distance) in [(16, 24, 4.0, 0.5), (17, 24, 4.0, 1.5), (32, 16, 2.0, 0.5), (32, 18, 2.0, 2.5)]
    {
      let expected = 255 * cumulative(distance / deviation)
      #expect(
        abs(Double(scaled.pixel(x, y)[3]) - expected) <= 3, "(\(x), \(y)): \(scaled.pixel(x, y)), not \(expected)")
    }
    let plain = try image(.identity, [.gaussianBlur(radius: 3)])
    let turned = try image(Transform3D(m11: 0, m12: 1, m21: -1, m22: 0), [.gaussianBlur(radius: 3)])
    #expect(Difference(plain, turned).largest <= 1)
  }

  @Test("what lies beyond the output's edge is blurred into it, and nothing lies beyond the layer's")
  func outside() throws {
    for witness in Witness.allCases {
      // All of the layer is left of the output: only its blur shows.
      let image = try draw(
        .box(1, x: -32, y: 0, 32, 48, color: .white, [.filters([.gaussianBlur(radius: 6)])]), witness)
      #expect(abs(Double(image.pixel(0, 24)[3]) - 255 * cumulative(-0.5 / 6)) <= 2)
      // At a corner it is the product of two edges.
      #expect(abs(Double(image.pixel(0, 0)[3]) - 255 * cumulative(-0.5 / 6) * cumulative(0.5 / 6)) <= 2)
    }
  }

  @Test("the passes and the memory of a blur are bounded, however large it is")
  func bounded() throws {
    var most = 0
    for radius in [1.0, 10, 100, 1_000, 100_000, 1e9] {
      let plan = try plan(.box(1, x: 0, y: 0, 64, 48, color: .white, [.filters([.gaussianBlur(radius: radius)])]))
      most = max(most, plan.counters.passes)
      #expect(plan.counters.targetPixels < 1_000_000, "radius \(radius)")
    }
    #expect(most <= 8)
  }

  private func plan(_ layer: TestLayer) throws -> FramePlan {
    var tree = try RenderTree(.box(900, x: 0, y: 0, 64, 48, [], [layer]))
    var planner = FramePlanner()
    return planner.plan(
      tree.snapshot(root: 900), size: PixelSize(width: 64, height: 48), scale: 1, background: .clear)
  }
}

extension Image {
  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
}

extension [UInt8] {
  func near(_ other: [UInt8], _ tolerance: Int = 1) -> Bool {
    count == other.count && zip(self, other).allSatisfy { abs(Int($0) - Int($1)) <= tolerance }
  }
}
