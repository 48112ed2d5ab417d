/// How a component stands for light.
public enum ColorEncoding: String, Sendable, CaseIterable {
  /// By sRGB's curve, as in nearly all files and APIs: see `SRGBCurve`.
  case encoded
  /// In proportion to it, 1 being white.
  case linear
}

/// What a pixel is made of.
public enum PixelFormat: String, Sendable, CaseIterable {
  /// Four bytes: each component from 0 to 1 in 255 steps.
  case rgba8
  /// Four half floats: components of colour may be below 0 and above 1.
  case rgba16f

  public var bytesPerPixel: Int { self == .rgba8 ? 4 : 8 }
}

/// In what form a frame's colours are kept while they are drawn, and so in what form they are mixed: by source-over, opacity,
/// antialiasing, sampling, gradients, blurs and blend modes.
public enum WorkingSpace: Sendable, Hashable, CaseIterable {
  /// Encoded, 8 bits a component.
  case rgba8
  /// Half floats of extended range.
  case rgba16f(blending: ColorEncoding)

  public static let allCases: [WorkingSpace] = [
    .rgba8, .rgba16f(blending: .encoded), .rgba16f(blending: .linear),
  ]

  public var format: PixelFormat { self == .rgba8 ? .rgba8 : .rgba16f }

  public var encoding: ColorEncoding {
    switch self {
    case .rgba8: .encoded
    case .rgba16f(let blending): blending
    }
  }

  /// Whether colours may have components beyond 0…1.
  public var isExtended: Bool { self != .rgba8 }

  /// Where colours enter an extended space, encoded components are held to this, either way: what is made of them then stays
  /// within what half floats can hold.
  public static let largestComponent: Float = 64

  /// An encoded colour as it is drawn in this space. It is held to the space's range.
  @inlinable
  public func color(_ color: Color) -> Color {
    switch self {
    case .rgba8: color.held(to: 0...1)
    case .rgba16f(.encoded): color.held(to: -Self.largestComponent...Self.largestComponent)
    case .rgba16f(.linear): color.held(to: -Self.largestComponent...Self.largestComponent).decoded
    }
  }

  /// The same of a premultiplied colour.
  @inlinable
  public func color(_ color: PremultipliedColor) -> PremultipliedColor {
    if self == .rgba8, color.isInRange { return color }
    guard color.alpha > 0 else { return .clear }
    return self.color(
      Color(
        red: color.red / color.alpha, green: color.green / color.alpha, blue: color.blue / color.alpha,
        alpha: color.alpha)
    ).premultiplied
  }
}

extension WorkingSpace {
  /// A straight component of an image, in its encoding, as it is drawn in this space. It is held to the space's range.
  public func component(_ value: Float, encoded encoding: ColorEncoding) -> Float {
    guard encoding != self.encoding else {
      let limit = encoding == .linear ? Self.largestLight : Self.largestComponent
      return isExtended ? min(limit, max(-limit, value)) : min(1, max(0, value))
    }
    if encoding == .encoded {
      return SRGBCurve.decode(min(Self.largestComponent, max(-Self.largestComponent, value)))
    }
    let code = SRGBCurve.encode(value)
    return isExtended
      ? min(Self.largestComponent, max(-Self.largestComponent, code)) : min(1, max(0, code))
  }

  private static let largestLight = SRGBCurve.decode(largestComponent)
}

extension Color {
  /// With each component of colour within `range`, and alpha within 0…1.
  public func held(to range: ClosedRange<Float>) -> Color {
    func held(_ value: Float) -> Float { min(range.upperBound, max(range.lowerBound, value)) }
    return Color(red: held(red), green: held(green), blue: held(blue), alpha: min(1, max(0, alpha)))
  }

  /// An encoded colour's components in proportion to light.
  public var decoded: Color {
    Color(
      red: SRGBCurve.decode(red), green: SRGBCurve.decode(green), blue: SRGBCurve.decode(blue), alpha: alpha)
  }
}

extension PremultipliedColor {
  /// Whether alpha is within 0…1, and no component is below 0 or above it.
  @inlinable public var isInRange: Bool {
    alpha >= 0 && alpha <= 1 && min(red, green, blue) >= 0 && max(red, green, blue) <= alpha
  }
}
