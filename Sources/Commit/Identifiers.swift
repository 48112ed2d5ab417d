/// Names a layer for as long as its connection lives. Never reused.
@frozen
public struct LayerID: Sendable, Hashable, RawRepresentable, CustomStringConvertible {
  public var rawValue: UInt64

  @inlinable
  public init(rawValue: UInt64) { self.rawValue = rawValue }

  public var description: String { "layer \(rawValue)" }
}
