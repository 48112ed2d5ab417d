import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

/// Single features against the formula that each is of, pixel by pixel: tighter than any picture. Gradients, filters, blurs,
/// shadows, blend modes, lenses and sampled images have suites of their own.
@Suite("Edges, corners, borders and opacity are their formulas")
struct FormulaTests {
  private static let size = PixelSize(width: 72, height: 56)

  private func draw(_ layers: [TestLayer], _ witness: Witness, background: PremultipliedColor = .clear) throws -> Image
  {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 72, 56, [], layers)])
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: Self.size, background: background)
  }

  /// The largest difference of alpha from what a formula gives for a pixel (x, y), in 255ths; pixels for which it gives none
  /// don't count.
  private func worst(_ image: Image, _ share: (Int, Int) -> Double?) -> Double {
    var worst = 0.0
    for y in 0..<image.height {
      for x in 0..<image.width {
        guard let share = share(x, y) else { continue }
        worst = max(worst, abs(Double(image.pixel(x, y)[3]) - 255 * share))
      }
    }
    return worst
  }

  /// How much of a pixel lies in a rounded rectangle: exact along x, in 512 steps along y.
  private func area(_ rect: Rect, _ radius: Double, _ x: Int, _ y: Int) -> Double {
    var sum = 0.0
    for step in 0..<512 {
      let v = Double(y) + (Double(step) + 0.5) / 512
      guard v > rect.minY, v < rect.maxY else { continue }
      // How far the side lies further in at this height.
      let out = max(0, radius - min(v - rect.minY, rect.maxY - v))
      let inset = radius - max(0, radius * radius - out * out).squareRoot()
      sum += max(0, min(Double(x + 1), rect.maxX - inset) - max(Double(x), rect.minX + inset))
    }
    return sum / 512
  }

  @Test("a rounded corner covers of each pixel the area that lies within the circle", arguments: Witness.allCases)
  func corners(_ witness: Witness) throws {
    for (index, radius) in [0.0, 1, 2.5, 6, 13, 20].enumerated() {
      for rect in [Rect(x: 8, y: 6, width: 50, height: 40), Rect(x: 8.3, y: 6.7, width: 50.25, height: 40.5)] {
        let layer = TestLayer(
          1, .layer,
          [
            .bounds(Rect(x: 0, y: 0, width: rect.width, height: rect.height)), .position(rect.center),
            .backgroundColor(.white), .cornerRadius(radius),
          ])
        let worst = worst(try draw([layer], witness)) { x, y in area(rect, radius, x, y) }
        // GL takes the circle for its tangent: off by as much as the two are apart within a pixel, which no corner of less
        // than two pixels is made for.
        let tangent: [Double] = [0, 60, 14, 5, 2.5, 1.5]
        let allowed = witness == .reference ? 0.65 : 1 + tangent[index]
        #expect(worst <= allowed, "radius \(radius), \(rect): off by \(worst)")
      }
    }
  }

  @Test("a border covers what lies in its outer outline and not in its inner", arguments: Witness.allCases)
  func borders(_ witness: Witness) throws {
    for (radius, width) in [(0.0, 3.0), (0, 1.5), (10, 4), (16, 2)] {
      let layer = TestLayer.box(
        1, x: 8, y: 6, 50, 40, [.cornerRadius(radius), .borderWidth(width), .borderColor(.white)])
      let (outer, inner) = (
        Rect(x: 8, y: 6, width: 50, height: 40), Rect(x: 8, y: 6, width: 50, height: 40).insetBy(dx: width, dy: width)
      )
      let worst = worst(try draw([layer], witness)) { x, y in
        area(outer, radius, x, y) - area(inner, max(0, radius - width), x, y)
      }
      #expect(worst <= (witness == .reference ? 0.65 : 4), "radius \(radius), width \(width): off by \(worst)")
    }
  }

  /// The area of a convex polygon within a pixel, and how many of its sides meet that.
  private func cut(_ polygon: [Point], _ x: Int, _ y: Int) -> (area: Double, sides: Int) {
    let (left, top) = (Double(x), Double(y))
    var points = polygon
    for (a, b, c) in [(1.0, 0.0, -left), (-1, 0, left + 1), (0, 1, -top), (0, -1, top + 1)] {
      func height(_ p: Point) -> Double { a * p.x + b * p.y + c }
      var result: [Point] = []
      for (index, to) in points.enumerated() {
        let from = points[(index + points.count - 1) % points.count]
        if (height(from) < 0) != (height(to) < 0) {
          let t = height(from) / (height(from) - height(to))
          result.append(Point(from.x + (to.x - from.x) * t, from.y + (to.y - from.y) * t))
        }
        if height(to) >= 0 { result.append(to) }
      }
      points = result
    }
    var area = 0.0
    for (index, p) in points.enumerated() {
      let q = points[(index + 1) % points.count]
      area += (p.x * q.y - q.x * p.y) / 2
    }
    let corners = polygon.filter { abs($0.x - left - 0.5) < 1.5 && abs($0.y - top - 0.5) < 1.5 }
    return (abs(area), corners.count)
  }

  @Test("a turned, sheared or slanted edge covers of each pixel the area behind it", arguments: Witness.allCases)
  func edges(_ witness: Witness) throws {
    let far = Transform3D.rotation(angle: 0.8, x: 0.3, y: 1, z: 0) * .perspective(distance: 150)
    let transforms: [Transform3D] = [
      .rotation(angle: 0.1), .rotation(angle: .pi / 4), .rotation(angle: 1.3), Transform3D(m12: 0.3, m21: 0.1),
      .scale(x: 1.37, y: 0.61), far,
    ]
    for (index, transform) in transforms.enumerated() {
      let layer = TestLayer.box(1, x: 18, y: 14, 36, 28, color: .white, [.transform(transform)])
      let matrix = Homography(.translation(x: -18, y: -14) * transform * .translation(x: 36, y: 28))
      let polygon = try Rect(x: 0, y: 0, width: 36, height: 28).corners.map { try #require(matrix.apply($0)) }
      let image = try draw([layer], witness)
      let ring = polygon.count == 4 ? [polygon[0], polygon[1], polygon[2], polygon[3]] : polygon
      let edges = worst(image) { x, y in
        let cut = cut(ring, x, y)
        return cut.sides == 0 ? cut.area : nil
      }
      #expect(edges <= 1.1, "\(index): off by \(edges) at an edge")
      // Where two edges meet in a pixel, GL takes the one's share of the other's.
      let corners = worst(image) { x, y in cut(ring, x, y).area }
      #expect(corners <= (witness == .reference ? 1.1 : 48), "\(index): off by \(corners) at a corner")
    }
  }

  @Test("opacity multiplies, colours lie over each other by alpha: every code", arguments: Witness.allCases)
  func opacity(_ witness: Witness) throws {
    for code in stride(from: 0, through: 255, by: 5) {
      let alpha = Float(code) / 255
      let color = Color(red: 1, green: 0.6, blue: 0.2)
      let ground = PremultipliedColor(red: 0.2, green: 0.4, blue: 0.8, alpha: 1)
      // As the layer's own, as its colour's, and as that of a group of two that cover each other.
      let ways: [TestLayer] = [
        .box(1, x: 0, y: 0, 72, 56, color: color, [.opacity(alpha)]),
        .box(1, x: 0, y: 0, 72, 56, color: Color(red: 1, green: 0.6, blue: 0.2, alpha: alpha)),
        .box(1, x: 0, y: 0, 72, 56, color: .black, [.opacity(alpha)], [.box(2, x: 0, y: 0, 72, 56, color: color)]),
      ]
      for (index, way) in ways.enumerated() {
        let got = try draw([way], witness, background: ground).pixel(30, 20)
        for (component, (from, to)) in [(0.2, 1.0), (0.4, 0.6), (0.8, 0.2)].enumerated() {
          let expected = 255 * (from + (to - from) * Double(alpha))
          #expect(
            abs(Double(got[component]) - expected) <= (witness == .reference ? 0.51 : 1),
            "alpha \(code), way \(index): \(got), not \(expected)")
        }
      }
    }
  }

  @Test("an image made larger is linear between the middles of its texels", arguments: Witness.allCases)
  func magnified(_ witness: Witness) throws {
    let texels: [UInt8] = [0, 255, 40, 200]
    let image = try #require(
      Image(
        size: PixelSize(width: 4, height: 1), alpha: .premultiplied,
        pixels: texels.flatMap { [0, 0, 0, $0] }))
    let layer = TestLayer.box(1, x: 4, y: 6, 64, 40, [.contents(image), .contentsGravity(.resize)])
    let worst = worst(try draw([layer], witness)) { x, y in
      guard x >= 4, x < 68, y >= 6, y < 46 else { return 0 }
      let place = min(3, max(0, (Double(x - 4) + 0.5) / 16 - 0.5))
      let first = min(2, Int(place))
      let share = place - Double(first)
      return (Double(texels[first]) * (1 - share) + Double(texels[first + 1]) * share) / 255
    }
    #expect(worst <= (witness == .reference ? 0.51 : 1.2), "off by \(worst)")
  }

  @Test("a rounded clip covers what its corner covers, of all that is in it at once", arguments: Witness.allCases)
  func clips(_ witness: Witness) throws {
    let rect = Rect(x: 8, y: 6, width: 50, height: 40)
    let clip = TestLayer.box(
      1, x: 8, y: 6, 50, 40, [.cornerRadius(14), .masksToBounds(true)],
      [.box(2, x: -4, y: -4, 60, 60, color: .white), .box(3, x: 2, y: 2, 60, 60, color: .black)])
    let worst = worst(try draw([clip], witness)) { x, y in area(rect, 14, x, y) }
    #expect(worst <= (witness == .reference ? 0.65 : 4), "off by \(worst)")
  }
}
