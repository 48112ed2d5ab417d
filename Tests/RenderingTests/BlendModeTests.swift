import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("Blend modes")
struct BlendModeTests {
  private let size = PixelSize(width: 96, height: 72)

  private func draw(
    _ layers: [TestLayer], _ witness: Witness, roots: [TestLayer] = [], background: PremultipliedColor = .clear
  ) throws -> Image {
    var tree = try RenderTree(roots: [.box(900, x: 0, y: 0, 96, 72, [], layers)] + roots)
    return try Stage.shared.draw(tree.snapshot(root: 900), witness, size: size, background: background)
  }

  @Test("every mode's colours are its formula's, on opaque, see-through and no ground", arguments: BlendMode.allCases)
  func formula(_ mode: BlendMode) throws {
    for witness in Stage.glassWitnesses {
      var random = SeededGenerator(seed: 7)
      let levels: [Float] = [0, 1, 64, 127, 128, 191, 254, 255]
      func color(_ alphas: [Float]) -> Color {
        func component() -> Float {
          random.oneIn(3)
            ? levels.randomElement(using: &random)! / 255 : Float(Int.random(in: 0...255, using: &random)) / 255
        }
        return Color(
          red: component(), green: component(), blue: component(), alpha: alphas.randomElement(using: &random)! / 255)
      }
      var layers: [TestLayer] = []
      var cells: [(behind: Color, source: Color, x: Int, y: Int)] = []
      for index in 0..<192 {
        let (x, y) = (index % 16 * 6, index / 16 * 6)
        let cell = (behind: color([0, 102, 204, 255, 255]), source: color([51, 153, 255, 255]), x: x, y: y)
        cells.append(cell)
        let id = UInt64(index * 2 + 1)
        layers.append(.box(id, x: Double(x), y: Double(y), 6, 6, color: cell.behind))
        layers.append(.box(id + 1, x: Double(x), y: Double(y), 6, 6, color: cell.source, [.blendMode(mode)]))
      }
      let image = try draw(layers, witness)
      for cell in cells {
        let wanted = W3C.result(mode, cell.source, on: cell.behind)
        let got = image.pixel(cell.x + 3, cell.y + 3)
        #expect(
          zip(wanted, got).allSatisfy { ($0 - Double($1)).magnitude <= (witness == .reference ? 0.51 : 1.5) },
          "\(witness) \(mode): \(cell.source) on \(cell.behind) gave \(got), not \(wanted)")
      }
    }
  }

  @Test("a group keeps what blends in it to itself; a plain layer and a clip don't")
  func isolation() throws {
    for witness in Stage.glassWitnesses {
      let blending = TestLayer.box(
        2, x: 8, y: 8, 40, 30, color: Color(red: 1, green: 0.5, blue: 0), [.blendMode(.multiply)])
      func behind(_ properties: [PropertyChange]) throws -> [UInt8] {
        let ground = TestLayer.box(3, x: 0, y: 0, 96, 72, color: Color(red: 0, green: 1, blue: 1))
        let parent = TestLayer.box(1, x: 0, y: 0, 90, 66, properties, [blending])
        return try draw([ground, parent], witness).pixel(20, 20)
      }
      let blended: [UInt8] = [0, 128, 0, 255]
      #expect(try behind([]) == blended)
      #expect(try behind([.masksToBounds(true)]) == blended)
      #expect(try behind([.masksToBounds(true), .cornerRadius(16)]) == blended)
      #expect(try behind([.transform(.rotation(angle: 0.1)), .masksToBounds(true)]) == blended)
      #expect(try behind([.opacity(0.5), .allowsGroupOpacity(false)]).near([0, 191, 128, 255]))
      let alone: [UInt8] = [255, 128, 0, 255]
      #expect(try behind([.filters([.brightness(1), .invert(0), .hueRotate(degrees: 360)])]).near(alone))
      #expect(try behind([.shadow(Shadow(opacity: 0))]) == blended)
      #expect(try behind([.shadow(Shadow(opacity: 0.5, radius: 0))]).near(alone))
      #expect(try behind([.opacity(0.5)]).near([128, 191, 128, 255]))
    }
  }

  @Test("what blends in a rounded clip is cut at its edge as if it were drawn alone")
  func clipEdge() throws {
    for witness in Stage.glassWitnesses {
      let ground = TestLayer.box(3, x: 0, y: 0, 96, 72, color: Color(red: 0.2, green: 0.8, blue: 0.6))
      // Multiplied by white, nothing changes, and the clip must leave no trace of itself.
      let inside = TestLayer.box(2, x: -20, y: -20, 120, 120, color: .white, [.blendMode(.multiply)])
      let clip = TestLayer.box(
        1, x: 10.25, y: 9.5, 60, 40, [.masksToBounds(true), .cornerRadius(14), .transform(.rotation(angle: 0.3))],
        [inside])
      let difference = Difference(try draw([ground], witness), try draw([ground, clip], witness))
      #expect(difference.largest <= (witness == .reference ? 0 : 1), "\(witness) \(difference)")
    }
  }

  @Test("a portal's content meets what lies behind the portal only where that is allowed")
  func portals() throws {
    for witness in Stage.glassWitnesses {
      let ground = TestLayer.box(3, x: 0, y: 0, 96, 72, color: Color(red: 0, green: 1, blue: 1))
      let source = TestLayer.box(
        1, x: 0, y: 0, 40, 40, [],
        [.box(2, x: 0, y: 0, 40, 40, color: Color(red: 1, green: 0.5, blue: 0), [.blendMode(.multiply)])])
      for (isAllowed, wanted) in [(false, [255, 128, 0, 255]), (true, [0, 128, 0, 255])] as [(Bool, [UInt8])] {
        for more in [[], [.sourceRect(Rect(x: 2.5, y: 2, width: 30, height: 30))]] as [[PropertyChange]] {
          let portal = TestLayer.portal(
            10, of: 1, x: 20, y: 20, 40, 40, [.allowsBackdropGroups(isAllowed)] + more)
          let image = try draw([ground, portal], witness, roots: [source])
          #expect(image.pixel(40, 40) == wanted, "\(witness)")
        }
      }
    }
  }

  @Test("opacity is applied before the picture meets what lies behind")
  func opacity() throws {
    for witness in Stage.glassWitnesses {
      let ground = TestLayer.box(3, x: 0, y: 0, 96, 72, color: Color(red: 1, green: 1, blue: 0))
      let layer = TestLayer.box(
        1, x: 0, y: 0, 96, 72, color: Color(red: 1, green: 0, blue: 1), [.blendMode(.difference), .opacity(0.5)])
      #expect(try draw([ground, layer], witness).pixel(9, 9).near([128, 255, 128, 255]))
    }
  }
}

/// The formulas of the W3C's Compositing and Blending, Level 1, as it writes them, in double precision.
private enum W3C {
  typealias RGB = [Double]

  /// Premultiplied, from 0 to 255.
  static func result(_ mode: BlendMode, _ source: Color, on behind: Color) -> [Double] {
    // These two are sums, which need no rounding before.
    let isSum = mode == .plusLighter || mode == .normal
    let (s, d) = (premultiplied(source, isRounded: !isSum), premultiplied(behind, isRounded: !isSum))
    if mode == .plusLighter { return zip(s, d).map { min(1, $0 + $1) * 255 } }
    let (sa, da) = (s[3], d[3])
    var mixed: RGB = [0, 0, 0]
    if sa > 0, da > 0 { mixed = blend(mode, d[..<3].map { $0 / da }, s[..<3].map { $0 / sa }) }
    let colors = (0..<3).map { s[$0] * (1 - da) + d[$0] * (1 - sa) + sa * da * mixed[$0] }
    return (colors + [sa + da - sa * da]).map { $0 * 255 }
  }

  /// Rounded, as eight bits hold it.
  private static func premultiplied(_ color: Color, isRounded: Bool) -> [Double] {
    let alpha = Double(color.alpha)
    return [Double(color.red) * alpha, Double(color.green) * alpha, Double(color.blue) * alpha, alpha]
      .map { isRounded ? ($0 * 255).rounded() / 255 : $0 }
  }

  private static func blend(_ mode: BlendMode, _ cb: RGB, _ cs: RGB) -> RGB {
    switch mode {
    case .hue: setLum(setSat(cs, sat(cb)), lum(cb))
    case .saturation: setLum(setSat(cb, sat(cs)), lum(cb))
    case .color: setLum(cs, lum(cb))
    case .luminosity: setLum(cb, lum(cs))
    default: zip(cb, cs).map { separable(mode, $0, $1) }
    }
  }

  private static func separable(_ mode: BlendMode, _ cb: Double, _ cs: Double) -> Double {
    switch mode {
    case .normal: return cs
    case .multiply: return cb * cs
    case .screen: return cb + cs - (cb * cs)
    case .overlay: return separable(.hardLight, cs, cb)
    case .darken: return min(cb, cs)
    case .lighten: return max(cb, cs)
    case .colorDodge: return cb == 0 ? 0 : cs == 1 ? 1 : min(1, cb / (1 - cs))
    case .colorBurn: return cb == 1 ? 1 : cs == 0 ? 0 : 1 - min(1, (1 - cb) / cs)
    case .hardLight: return cs <= 0.5 ? separable(.multiply, cb, 2 * cs) : separable(.screen, cb, 2 * cs - 1)
    case .softLight:
      if cs <= 0.5 { return cb - (1 - 2 * cs) * cb * (1 - cb) }
      let d = cb <= 0.25 ? ((16 * cb - 12) * cb + 4) * cb : cb.squareRoot()
      return cb + (2 * cs - 1) * (d - cb)
    case .difference: return abs(cb - cs)
    case .exclusion: return cb + cs - 2 * cb * cs
    case .plusDarker: return max(0, 1 - ((1 - cb) + (1 - cs)))
    default: return .nan
    }
  }

  private static func lum(_ c: RGB) -> Double { 0.3 * c[0] + 0.59 * c[1] + 0.11 * c[2] }

  private static func sat(_ c: RGB) -> Double { c.max()! - c.min()! }

  private static func clipColor(_ c: RGB) -> RGB {
    let (l, n, x) = (lum(c), c.min()!, c.max()!)
    var c = c
    if n < 0 { c = c.map { l + ((($0 - l) * l) / (l - n)) } }
    if x > 1 { c = c.map { l + ((($0 - l) * (1 - l)) / (x - l)) } }
    return c
  }

  private static func setLum(_ c: RGB, _ l: Double) -> RGB {
    let d = l - lum(c)
    return clipColor(c.map { $0 + d })
  }

  private static func setSat(_ c: RGB, _ s: Double) -> RGB {
    let order = [0, 1, 2].sorted { c[$0] < c[$1] }
    var result: RGB = [0, 0, 0]
    if c[order[2]] > c[order[0]] {
      result[order[1]] = ((c[order[1]] - c[order[0]]) * s) / (c[order[2]] - c[order[0]])
      result[order[2]] = s
    }
    return result
  }
}
