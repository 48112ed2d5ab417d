/// Names a layer for as long as its connection lives. Never reused.
@frozen
public struct LayerID: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  public var rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  /// Numbers are given one after another by whoever owns the layers, never by a stranger: mixing their bits is enough, and
  /// costs a tenth of what the standard library's hashing does.
  @inlinable
  public func _rawHashValue(seed: Int) -> Int {
    let mixed = (rawValue ^ UInt64(truncatingIfNeeded: seed)) &* 0x9E37_79B9_7F4A_7C15
    return Int(truncatingIfNeeded: mixed ^ mixed >> 32)
  }

  public var description: String { "layer \(rawValue)" }
}
