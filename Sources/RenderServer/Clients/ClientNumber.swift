import Commit

/// The server's own number of a client; never used twice. It is the upper half of the numbers of the client's layers.
public struct ClientNumber: Sendable, Hashable, Comparable {
  public let rawValue: UInt32

  public init(rawValue: UInt32) { self.rawValue = rawValue }

  public static func < (a: ClientNumber, b: ClientNumber) -> Bool { a.rawValue < b.rawValue }

  /// The client's layer of this number.
  public func layer(_ number: UInt32) -> LayerID { LayerID(rawValue: UInt64(rawValue) << 32 | UInt64(number)) }
}

extension LayerID {
  /// Whose layer it is.
  public var client: ClientNumber { ClientNumber(rawValue: UInt32(truncatingIfNeeded: rawValue >> 32)) }
}
