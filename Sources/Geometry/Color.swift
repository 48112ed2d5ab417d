/// A colour as people write it: sRGB-encoded, straight alpha, each component from 0 to 1. Components of colour beyond that
/// are colours outside of sRGB's gamut, or brighter than white: they count where a frame's `WorkingSpace` is extended, and
/// are held to 0…1 elsewhere.
@frozen
public struct Color: Sendable, Hashable {
  public var red: Float
  public var green: Float
  public var blue: Float
  public var alpha: Float

  @inlinable
  public init(red: Float, green: Float, blue: Float, alpha: Float = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static let clear = Color(red: 0, green: 0, blue: 0, alpha: 0)
  public static let black = Color(red: 0, green: 0, blue: 0)
  public static let white = Color(red: 1, green: 1, blue: 1)

  /// `#rrggbb` or `#rrggbbaa`; nil for anything else.
  public init?(hex text: some StringProtocol) {
    guard text.hasPrefix("#"), text.utf8.count == 7 || text.utf8.count == 9,
      text.utf8.dropFirst().allSatisfy({
        UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 || UInt8(ascii: "a")...UInt8(ascii: "f") ~= $0 | 0x20
      }),
      let value = UInt32(text.dropFirst(), radix: 16)
    else { return nil }
    let rgba = text.utf8.count == 7 ? value << 8 | 0xFF : value
    self.init(
      red: Float(rgba >> 24) / 255, green: Float(rgba >> 16 & 0xFF) / 255, blue: Float(rgba >> 8 & 0xFF) / 255,
      alpha: Float(rgba & 0xFF) / 255)
  }

  @inlinable public var premultiplied: PremultipliedColor {
    PremultipliedColor(red: red * alpha, green: green * alpha, blue: blue * alpha, alpha: alpha)
  }

  public var isFinite: Bool { red.isFinite && green.isFinite && blue.isFinite && alpha.isFinite }
}

/// A colour as it is blended: each component already multiplied by alpha. sRGB-encoded, unless a working space has made
/// it linear. A type of its own, so that the two are never mixed up.
@frozen
public struct PremultipliedColor: Sendable, Hashable {
  public var red: Float
  public var green: Float
  public var blue: Float
  public var alpha: Float

  @inlinable
  public init(red: Float, green: Float, blue: Float, alpha: Float) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  public static let clear = PremultipliedColor(red: 0, green: 0, blue: 0, alpha: 0)

  @inlinable
  public static func * (color: PremultipliedColor, factor: Float) -> PremultipliedColor {
    PremultipliedColor(
      red: color.red * factor, green: color.green * factor, blue: color.blue * factor, alpha: color.alpha * factor)
  }

  /// Source-over: what `self` gives when laid on `below`.
  @inlinable
  public func over(_ below: PremultipliedColor) -> PremultipliedColor {
    let k = 1 - alpha
    return PremultipliedColor(
      red: red + below.red * k, green: green + below.green * k, blue: blue + below.blue * k,
      alpha: alpha + below.alpha * k)
  }
}
