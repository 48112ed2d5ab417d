/// A number with 24 bits before the point and 8 behind it, as Wayland's type `fixed`.
public struct WireFixed: RawRepresentable, Hashable, Sendable {
  /// 256 times the number.
  public var rawValue: Int32

  public init(rawValue: Int32) { self.rawValue = rawValue }

  /// The nearest that there is; the ends of the range for what lies outside, 0 for no number.
  public init(_ number: Double) {
    let scaled = (number * 256).rounded()
    rawValue = scaled.isNaN ? 0 : Int32(max(Double(Int32.min), min(Double(Int32.max), scaled)))
  }

  public var doubleValue: Double { Double(rawValue) / 256 }
}
