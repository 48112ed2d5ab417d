import Commit

/// A trace of commits as bytes: `porthole-trace/1` and then records, all of it little-endian words of 64 bits.
///
/// A record is its kind, the count of bytes that follow, and these, filled up to whole words. A reader passes over kinds
/// that it does not know. A commit's bytes are changes, each a word with the operation in its lower half, and its numbers.
enum TraceFormat {
  /// Two words.
  static let magic = Array("porthole-trace/1".utf8)

  enum Record: UInt64 {
    /// Nanoseconds since the trace began, then changes.
    case commit = 1
    /// Number, width, height, alpha state, pixels; stands before the first commit that shows it.
    case image = 2
    /// Number, width, height, scale, period, root or 0, background as four doubles.
    case output = 3
    /// Number of an output that is gone.
    case outputEnd = 4
    /// A picture that differs from an earlier one in some rectangles: number, number of the other, count, four words for each
    /// (left, top, width, height), and the pixels of each, row by row.
    case revision = 5
  }

  enum Operation: UInt32 {
    /// Kind in the upper half; layer.
    case create = 1
    case release = 2
    /// Bytes of the property's record in the upper half; layer, record.
    case set = 3
    /// Layer, image or 0.
    case contents = 4
    /// Portal, source or 0.
    case source = 5
    /// Layer, mask or 0.
    case mask = 6
    /// Sublayer, parent, index.
    case insert = 7
    case removeFromParent = 8
    /// Bytes of the name in the upper half; layer, name filled up to whole words.
    case name = 9
    /// How many in the upper half; portal, then for each the bytes of its path and of its record, and these, each filled up
    /// to whole words.
    case overrides = 10
    /// Doubles in the upper half; layer, token, bytes of the key, key filled up to whole words, doubles.
    case addAnimation = 11
    /// In the upper half, whether all are meant; layer, bytes of the key, key filled up to whole words.
    case removeAnimation = 12
  }
}

/// A trace that can't be replayed.
public struct TraceError: Error, Sendable, CustomStringConvertible {
  public var description: String

  init(_ description: String) { self.description = description }
}
