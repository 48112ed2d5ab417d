/// What a layer is exported by: 128 random bits. Whoever has it can show the layer, and nothing else.
public struct LayerHandle: Sendable, Hashable, CustomStringConvertible {
  private let upper: UInt64
  private let lower: UInt64

  /// Nil unless there are 16 bytes.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 16 else { return nil }
    upper = bytes[..<8].reduce(0) { $0 << 8 | UInt64($1) }
    lower = bytes[8...].reduce(0) { $0 << 8 | UInt64($1) }
  }

  /// From 32 hexadecimal digits, as `description` has them; nil for anything else.
  public init?(hex text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 32 else { return nil }
    var bytes: [UInt8] = []
    for index in stride(from: 0, to: 32, by: 2) {
      guard let high = Self.value(digits[index]), let low = Self.value(digits[index + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    self.init(bytes)
  }

  public var bytes: [UInt8] {
    [upper, lower].flatMap { half in (0..<8).map { UInt8(truncatingIfNeeded: half >> (56 - 8 * $0)) } }
  }

  /// In hexadecimal digits, to be passed on as a word.
  public var description: String {
    bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): digit - UInt8(ascii: "0")
    case UInt8(ascii: "a")...UInt8(ascii: "f"): digit - UInt8(ascii: "a") + 10
    case UInt8(ascii: "A")...UInt8(ascii: "F"): digit - UInt8(ascii: "A") + 10
    default: nil
    }
  }
}
