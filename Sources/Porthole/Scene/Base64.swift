/// Bytes as text (RFC 4648).
enum Base64 {
  /// Nil for a text that is cut off, holds other characters than those of base64 and line breaks, or is not padded.
  static func decode(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count / 4 * 3)
    var bits: UInt32 = 0
    var count = 0
    var padding = 0
    for byte in text.utf8 {
      let value: UInt32
      switch byte {
      case UInt8(ascii: "A")...UInt8(ascii: "Z"): value = UInt32(byte - 65)
      case UInt8(ascii: "a")...UInt8(ascii: "z"): value = UInt32(byte - 71)
      case UInt8(ascii: "0")...UInt8(ascii: "9"): value = UInt32(byte + 4)
      case UInt8(ascii: "+"): value = 62
      case UInt8(ascii: "/"): value = 63
      case UInt8(ascii: "="):
        padding += 1
        continue
      case 0x0A, 0x0D: continue
      default: return nil
      }
      guard padding == 0 else { return nil }
      bits = bits << 6 | value
      count += 1
      if count == 4 {
        bytes.append(UInt8(truncatingIfNeeded: bits >> 16))
        bytes.append(UInt8(truncatingIfNeeded: bits >> 8))
        bytes.append(UInt8(truncatingIfNeeded: bits))
        count = 0
      }
    }
    switch (count, padding) {
    case (0, 0): break
    case (2, 2): bytes.append(UInt8(truncatingIfNeeded: bits >> 4))
    case (3, 1):
      bytes.append(UInt8(truncatingIfNeeded: bits >> 10))
      bytes.append(UInt8(truncatingIfNeeded: bits >> 2))
    default: return nil
    }
    return bytes
  }
}
