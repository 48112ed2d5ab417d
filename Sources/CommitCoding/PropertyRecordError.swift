/// Why bytes are no records, or a value has no record.
public struct PropertyRecordError: Error, Sendable, Hashable, CustomStringConvertible {
  public enum Fault: Sendable, Hashable {
    /// The bytes end inside a record.
    case cutShort
    /// A key that no property has.
    case unknownKey
    /// Another count of numbers than the property takes.
    case wrongCount
    /// A number that is no flag, no choice or no whole number where one is needed.
    case wrongValue
    /// When encoding: more stops or filters than a record may hold.
    case tooLong
  }

  public var fault: Fault
  /// As the record has it; 0 where the record ends before its key.
  public var key: UInt32
  /// Of the record's first byte, or of the number at fault, from the first byte of all.
  public var offset: Int
  /// How many numbers the record says that it has.
  public var count: UInt32

  public var description: String {
    let name = PropertyKey(rawValue: key).map { "\($0)" } ?? "key \(key)"
    switch fault {
    case .cutShort: return "the records end inside the one at byte \(offset) (\(name), count \(count))"
    case .unknownKey: return "the record at byte \(offset) has the key \(key), which is no property's"
    case .wrongCount: return "the record at byte \(offset) gives \(name) \(count) numbers, which is the wrong count"
    case .wrongValue: return "the number at byte \(offset) is none that \(name) can have"
    case .tooLong: return "\(name) has more parts than a record holds: 96 stops, or 480 numbers of filters"
    }
  }
}
