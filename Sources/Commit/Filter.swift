import Geometry

/// One step of a layer's `filters`, with the meaning of the CSS function of that name on sRGB-encoded values. A colour
/// filter draws nothing where the layer draws nothing.
public enum Filter: Sendable, Hashable {
  /// `radius` is the gaussian's standard deviation, in the layer's points. Outside of the layer is nothing.
  case gaussianBlur(radius: Double)
  /// 1 is no change.
  case brightness(Double)
  /// 1 is no change.
  case contrast(Double)
  /// 1 is no change, 0 is grey.
  case saturate(Double)
  /// From 0, no change, to 1; more counts as 1.
  case grayscale(Double)
  /// From 0, no change, to 1; more counts as 1.
  case invert(Double)
  /// From 0, no change, to 1; more counts as 1.
  case sepia(Double)
  case hueRotate(degrees: Double)
  /// From 0 to 1, no change; more counts as 1.
  case opacity(Double)
  case colorMatrix(ColorMatrix)

  /// Whether it changes nothing.
  public var isIdentity: Bool {
    if case .gaussianBlur(let radius) = self { return radius == 0 }
    return matrix == .identity
  }

  /// What it does to a colour; nil for what does not work on each colour by itself.
  public var matrix: ColorMatrix? {
    switch self {
    case .gaussianBlur: return nil
    case .brightness(let amount): return .scale(amount)
    case .contrast(let amount): return .scale(amount, offset: 0.5 - 0.5 * amount)
    case .saturate(let amount):
      return .mix(amount, [0.213, 0.715, 0.072, 0.213, 0.715, 0.072, 0.213, 0.715, 0.072])
    case .grayscale(let amount):
      return .mix(1 - min(1, amount), [0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722, 0.2126, 0.7152, 0.0722])
    case .sepia(let amount):
      return .mix(1 - min(1, amount), [0.393, 0.769, 0.189, 0.349, 0.686, 0.168, 0.272, 0.534, 0.131])
    case .invert(let amount): return .scale(1 - 2 * min(1, amount), offset: min(1, amount))
    case .hueRotate(let degrees): return .hueRotation(degrees)
    case .opacity(let amount):
      var matrix = ColorMatrix.identity
      matrix.alpha.w = Float(min(1, amount))
      return matrix
    case .colorMatrix(let matrix): return matrix
    }
  }

  /// Whether all of its numbers are finite.
  public var isFinite: Bool {
    switch self {
    case .gaussianBlur(let value), .brightness(let value), .contrast(let value), .saturate(let value),
      .grayscale(let value), .invert(let value), .sepia(let value), .hueRotate(let value), .opacity(let value):
      value.isFinite && Float(value).isFinite
    case .colorMatrix(let matrix): matrix.isFinite
    }
  }

  /// Whether its radius or amount is not negative.
  public var isInRange: Bool {
    switch self {
    case .gaussianBlur(let value), .brightness(let value), .contrast(let value), .saturate(let value),
      .grayscale(let value), .invert(let value), .sepia(let value), .opacity(let value):
      value >= 0
    case .hueRotate, .colorMatrix: true
    }
  }
}

extension ColorMatrix {
  fileprivate static func scale(_ factor: Double, offset: Double = 0) -> ColorMatrix {
    let (k, c) = (Float(factor), Float(offset))
    return ColorMatrix(
      red: SIMD4(k, 0, 0, 0), green: SIMD4(0, k, 0, 0), blue: SIMD4(0, 0, k, 0), alpha: SIMD4(0, 0, 0, 1),
      constant: SIMD4(c, c, c, 0))
  }

  /// `share` of the colour, and the rest of what these three rows of three make of it.
  fileprivate static func mix(_ share: Double, _ rows: [Double]) -> ColorMatrix {
    func column(_ index: Int) -> SIMD4<Float> {
      func value(_ row: Int) -> Float {
        Float(rows[3 * row + index] * (1 - share) + (row == index ? share : 0))
      }
      return SIMD4(value(0), value(1), value(2), 0)
    }
    return ColorMatrix(red: column(0), green: column(1), blue: column(2), alpha: SIMD4(0, 0, 0, 1))
  }

  fileprivate static func hueRotation(_ degrees: Double) -> ColorMatrix {
    let turn = Transform3D.rotation(angle: degrees * .pi / 180)
    let (sine, cosine) = (turn.m12, turn.m11)
    func column(_ a: [Double], _ b: [Double], _ c: [Double]) -> SIMD4<Float> {
      func value(_ row: Int) -> Float { Float(a[row] + b[row] * cosine + c[row] * sine) }
      return SIMD4(value(0), value(1), value(2), 0)
    }
    return ColorMatrix(
      red: column([0.213, 0.213, 0.213], [0.787, -0.213, -0.213], [-0.213, 0.143, -0.787]),
      green: column([0.715, 0.715, 0.715], [-0.715, 0.285, -0.715], [-0.715, 0.140, 0.715]),
      blue: column([0.072, 0.072, 0.072], [-0.072, -0.072, 0.928], [0.928, -0.283, 0.072]),
      alpha: SIMD4(0, 0, 0, 1))
  }
}
