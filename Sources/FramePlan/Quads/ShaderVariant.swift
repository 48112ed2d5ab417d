import Geometry

/// What becomes of texture coordinates before the texture, then a gradient's one row, is sampled.
public enum TextureCurve: UInt8, Sendable, Hashable {
  case none
  /// u is their length: 1 on the unit circle.
  case radial
  /// u is their angle: 0 along the x axis, clockwise, 1 after a turn.
  case conic
}

/// What components of colour a program is for.
public enum ColorRange: UInt8, Sendable, Hashable {
  /// Those from 0 to 1.
  case unit
  /// Those of an extended working space that is encoded.
  case extended
  /// Those of one that is linear.
  case linear

  init(_ space: WorkingSpace) {
    switch space {
    case .rgba8: self = .unit
    case .rgba16f(.encoded): self = .extended
    case .rgba16f(.linear): self = .linear
    }
  }
}

/// Which program draws a batch: a small key. Every value is compiled at start, or with the first frame of an extended
/// working space where only those need it.
public struct ShaderVariant: Sendable, Hashable {
  public var format: InstanceFormat
  /// `fill` never is; `shape` and `edge` may be; all others are.
  public var isTextured: Bool
  /// For `shape`: the clip's fields count.
  public var isClipped: Bool
  /// For a textured `shape`.
  public var curve: TextureCurve
  /// For `edge`: a round corner counts.
  public var isRounded = false
  /// For `colors`, and for `blend`, which has no program of its own for linear values. All others know no range.
  public var range = ColorRange.unit

  public init(format: InstanceFormat, isTextured: Bool, isClipped: Bool, curve: TextureCurve = .none) {
    self.format = format
    self.isTextured = isTextured
    self.isClipped = isClipped
    self.curve = curve
  }

  public static let fill = ShaderVariant(format: .fill, isTextured: false, isClipped: false)
  public static let image = ShaderVariant(format: .image, isTextured: true, isClipped: false)

  public static let colors = ShaderVariant(format: .colors, isTextured: true, isClipped: false)
  public static let blur = ShaderVariant(format: .blur, isTextured: true, isClipped: false)
  public static let blend = ShaderVariant(format: .blend, isTextured: true, isClipped: false)
  public static let lens = ShaderVariant(format: .lens, isTextured: true, isClipped: false)

  static func edge(isTextured: Bool, isRounded: Bool) -> ShaderVariant {
    var variant = ShaderVariant(format: .edge, isTextured: isTextured, isClipped: false)
    variant.isRounded = isRounded
    return variant
  }

  public static let all: [ShaderVariant] = [
    .fill, .image,
    ShaderVariant(format: .shape, isTextured: false, isClipped: false),
    ShaderVariant(format: .shape, isTextured: false, isClipped: true),
    ShaderVariant(format: .shape, isTextured: true, isClipped: false),
    ShaderVariant(format: .shape, isTextured: true, isClipped: true),
    .colors, .blur,
    ShaderVariant(format: .shape, isTextured: true, isClipped: false, curve: .radial),
    ShaderVariant(format: .shape, isTextured: true, isClipped: true, curve: .radial),
    ShaderVariant(format: .shape, isTextured: true, isClipped: false, curve: .conic),
    ShaderVariant(format: .shape, isTextured: true, isClipped: true, curve: .conic),
    .blend, .lens,
    edge(isTextured: false, isRounded: false), edge(isTextured: false, isRounded: true),
    edge(isTextured: true, isRounded: false), edge(isTextured: true, isRounded: true),
  ]

  /// Those that only extended working spaces need.
  public static let extended: [ShaderVariant] = [
    colors.with(.extended), colors.with(.linear), blend.with(.extended),
  ]

  /// The program for colours of this range.
  func with(_ range: ColorRange) -> ShaderVariant {
    var variant = self
    switch format {
    case .colors: variant.range = range
    case .blend: variant.range = range == .unit ? .unit : .extended
    default: break
    }
    return variant
  }

  /// For labels, logs and dumps: `shape.textured.clipped`.
  public var name: String {
    switch format {
    case .fill: "fill"
    case .image: "image"
    case .colors: "colors" + words
    case .blur: "blur"
    case .blend: "blend" + words
    case .lens: "lens"
    case .edge: "edge" + (isTextured ? ".textured" : "") + (isRounded ? ".rounded" : "")
    case .shape: "shape" + fill + (isClipped ? ".clipped" : "")
    }
  }

  private var words: String {
    switch range {
    case .unit: ""
    case .extended: ".extended"
    case .linear: ".linear"
    }
  }

  private var fill: String {
    switch curve {
    case .none: isTextured ? ".textured" : ""
    case .radial: ".radial"
    case .conic: ".conic"
    }
  }
}
