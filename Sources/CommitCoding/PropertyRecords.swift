/// A sequence of records as `porthole_layer_v1.set` takes it, each of which sets one property.
///
/// A record is a key and a count, 32 bits each, then as many doubles, all of it little-endian. So every record and every
/// double lies at a multiple of eight bytes, and the buffer is one of 64-bit words. It is filled, sent and emptied, and
/// its storage used again.
public struct PropertyRecords: Sendable {
  /// In the order of the wire.
  private var words: [UInt64] = []

  public init() {}

  public var byteCount: Int { words.count * 8 }
  public var isEmpty: Bool { words.isEmpty }

  /// Empties it, and keeps the storage.
  public mutating func removeAll() { words.removeAll(keepingCapacity: true) }

  /// The records from byte `offset` on, to be sent.
  public func withBytes<Result, Failure: Error>(
    from offset: Int = 0, _ body: (RawSpan) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    // Whole words have no padding that bytes could be taken of.
    try unsafe body(words.span.extracting(droppingFirst: min(words.count, offset / 8)).bytes)
  }

  /// Takes the first bytes out, a whole number of records.
  public mutating func removeFirst(byteCount: Int) { words.removeFirst(min(words.count, byteCount / 8)) }

  // MARK: What encoders append

  mutating func begin(_ key: PropertyKey, _ count: Int) {
    words.append((UInt64(key.rawValue) | UInt64(UInt32(truncatingIfNeeded: count)) << 32).littleEndian)
  }

  mutating func append(_ number: Double) { words.append(number.bitPattern.littleEndian) }
}
