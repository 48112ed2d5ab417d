import Commit
import Geometry

extension Canvas {
  /// Lays a finished group over what is there as `mode` says. It reads what the space can keep, as filters do: some modes make
  /// small steps large.
  mutating func paint(
    _ group: Canvas, opacity: Float, within scissor: PixelRect, mode: BlendMode, in space: WorkingSpace
  ) {
    guard mode != .normal else { return paint(group, opacity: opacity, within: scissor) }
    let picture = mode == .plusLighter ? group : group.kept(in: space)
    change(group.bounds.intersection(scissor)) { x, y, behind in
      let source = picture.pixels[picture.index(x: x, y: y)] * opacity
      guard source != .zero else { return behind }
      return mode.blend(source, onto: mode == .plusLighter ? behind : behind.kept(in: space), in: space)
    }
  }
}

extension SIMD4<Float> {
  /// As a target of the space holds it.
  func kept(in space: WorkingSpace) -> SIMD4<Float> {
    space.isExtended
      ? SIMD4<Float>(SIMD4<Float16>(self)) : (self * 255).rounded(.toNearestOrAwayFromZero) / 255
  }
}

extension BlendMode {
  /// `source` on `behind`, both premultiplied, after the W3C's Compositing and Blending: where only one of them is, it stays
  /// as it is; where both are, the mode's colour of both straight colours shows.
  ///
  /// In an extended space modes that are defined from 0 to 1 see colours held to that.
  func blend(_ source: SIMD4<Float>, onto behind: SIMD4<Float>, in space: WorkingSpace) -> SIMD4<Float> {
    if self == .plusLighter {
      var sum = source + behind
      guard space.isExtended else { return pointwiseMin(sum, .one) }
      sum.clamp(lowerBound: SIMD4(repeating: -Self.largestSum), upperBound: SIMD4(repeating: Self.largestSum))
      sum.w = min(1, sum.w)
      return sum
    }
    let (sourceAlpha, behindAlpha) = (source.w, behind.w)
    var result = source * (1 - behindAlpha) + behind * (1 - sourceAlpha)
    if sourceAlpha > 0, behindAlpha > 0 {
      var (above, below) = (
        Straight(source.x, source.y, source.z) / sourceAlpha, Straight(behind.x, behind.y, behind.z) / behindAlpha
      )
      if space.isExtended, !isForAllValues {
        (above, below) = (
          above.clamped(lowerBound: .zero, upperBound: .one), below.clamped(lowerBound: .zero, upperBound: .one)
        )
      }
      let mixed = color(above, on: below)
      result += SIMD4(mixed, 1) * (sourceAlpha * behindAlpha)
    }
    return result
  }

  /// So that what is made of a sum is finite in half floats.
  private static let largestSum: Float = 32768

  private typealias Straight = SIMD3<Float>

  /// Whether it makes sense beyond 0…1.
  private var isForAllValues: Bool {
    switch self {
    case .multiply, .darken, .lighten, .difference, .plusDarker: true
    default: false
    }
  }

  private func color(_ source: Straight, on behind: Straight) -> Straight {
    switch self {
    case .normal, .plusLighter: return source
    case .plusDarker: return pointwiseMax(source + behind - 1, .zero)
    case .hue: return Self.withLuminosity(of: behind, Self.withSaturation(of: behind, source))
    case .saturation: return Self.withLuminosity(of: behind, Self.withSaturation(of: source, behind))
    case .color: return Self.withLuminosity(of: behind, source)
    case .luminosity: return Self.withLuminosity(of: source, behind)
    default:
      return Straight(
        component(source.x, behind.x), component(source.y, behind.y), component(source.z, behind.z))
    }
  }

  // MARK: Each component by itself

  private func component(_ s: Float, _ b: Float) -> Float {
    switch self {
    case .multiply: b * s
    case .screen: b + s - b * s
    case .overlay: Self.hardLight(b, s)
    case .darken: min(b, s)
    case .lighten: max(b, s)
    case .colorDodge: b <= 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
    case .colorBurn: b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
    case .hardLight: Self.hardLight(s, b)
    case .softLight: Self.softLight(s, b)
    case .difference: (b - s).magnitude
    case .exclusion: b + s - 2 * b * s
    default: s
    }
  }

  private static func hardLight(_ s: Float, _ b: Float) -> Float {
    s <= 0.5 ? b * 2 * s : b + (2 * s - 1) - b * (2 * s - 1)
  }

  private static func softLight(_ s: Float, _ b: Float) -> Float {
    if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
    let d = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
    return b + (2 * s - 1) * (d - b)
  }

  // MARK: The colour as a whole

  private static func luminosity(_ c: Straight) -> Float { 0.3 * c.x + 0.59 * c.y + 0.11 * c.z }

  private static func saturation(_ c: Straight) -> Float { c.max() - c.min() }

  /// `c` with as much light as `other`, moved towards that grey as far as it must to have no component beyond 0…1.
  private static func withLuminosity(of other: Straight, _ c: Straight) -> Straight {
    let wanted = luminosity(other)
    var result = c + (wanted - luminosity(c))
    let light = luminosity(result)
    let (low, high) = (result.min(), result.max())
    if low < 0 { result = light + (result - light) * (light / (light - low)) }
    if high > 1 { result = light + (result - light) * ((1 - light) / (high - light)) }
    return result
  }

  /// `c` with its components spread as far as those of `other` are, from 0 on.
  private static func withSaturation(of other: Straight, _ c: Straight) -> Straight {
    let spread = saturation(c)
    guard spread > 0 else { return .zero }
    return (c - c.min()) * (saturation(other) / spread)
  }
}
