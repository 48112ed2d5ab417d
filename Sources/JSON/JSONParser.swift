/// Reads JSON (RFC 8259) without recursion. Strict: no comments, no trailing commas, no text after the value.
public struct JSONParser {
  private let bytes: [UInt8]
  private var position = 0
  private var document = JSONDocument()
  /// The last child so far of each open container, innermost last.
  private var open: [(node: Int32, lastChild: Int32, count: Int32)] = []

  /// Arrays and objects within each other.
  private static let depthLimit = 30_000
  private static let nodeLimit = 1 << 26

  public static func parse(_ bytes: [UInt8]) throws(JSONError) -> JSONDocument {
    var parser = JSONParser(bytes)
    try parser.parse()
    return parser.document
  }

  private init(_ bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private func failure(_ message: String) -> JSONError {
    let before = bytes[..<min(position, bytes.count)]
    let line = before.count { $0 == UInt8(ascii: "\n") } + 1
    let start = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
    return JSONError(line: line, column: before.count - start + 1, message: message)
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 { position += 1 }
  }

  private mutating func parse() throws(JSONError) {
    // A byte order mark is no part of the text.
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
    var key: String?
    skipSpace()
    while true {
      if try !parseValue(key: key) {
        // A container that holds something: its first key, then its first value.
        key = try parseKeyIfInObject()
        skipSpace()
        continue
      }
      // A value is complete: close what ends here, and find the next one.
      while true {
        skipSpace()
        guard let container = open.last else {
          guard position == bytes.count else { throw failure("expected the end of the file after the value") }
          return
        }
        let isObject = document[container.node].value == .object
        let closing = UInt8(ascii: isObject ? "}" : "]")
        if next == closing {
          position += 1
          open.removeLast()
        } else if next == UInt8(ascii: ",") {
          position += 1
          skipSpace()
          key = try parseKeyIfInObject()
          skipSpace()
          break
        } else {
          throw failure("expected a comma or \(isObject ? "}" : "]")\(position >= bytes.count ? ", got the end" : "")")
        }
      }
    }
  }

  private mutating func parseKeyIfInObject() throws(JSONError) -> String? {
    guard let container = open.last, document[container.node].value == .object else { return nil }
    guard next == UInt8(ascii: "\"") else { throw failure("expected a key in quotes") }
    let key = try parseString()
    skipSpace()
    guard next == UInt8(ascii: ":") else { throw failure("expected a colon after the key") }
    position += 1
    return key
  }

  /// False for an array or an object that was opened and holds something.
  private mutating func parseValue(key: String?) throws(JSONError) -> Bool {
    guard let byte = next else { throw failure("expected a value, got the end of the file") }
    switch byte {
    case UInt8(ascii: "{"), UInt8(ascii: "["):
      let isObject = byte == UInt8(ascii: "{")
      let node = try append(isObject ? .object : .array, key: key)
      guard open.count < Self.depthLimit else {
        throw failure("nested more than \(Self.depthLimit) arrays and objects deep")
      }
      position += 1
      skipSpace()
      if next == UInt8(ascii: isObject ? "}" : "]") {
        position += 1
        return true
      }
      open.append((node, -1, 0))
      return false
    case UInt8(ascii: "\""): try append(.string(parseString()), key: key)
    case UInt8(ascii: "t"): try appendWord("true", .bool(true), key: key)
    case UInt8(ascii: "f"): try appendWord("false", .bool(false), key: key)
    case UInt8(ascii: "n"): try appendWord("null", .null, key: key)
    default: try append(.number(parseNumber()), key: key)
    }
    return true
  }

  @discardableResult
  private mutating func append(_ value: JSONDocument.Value, key: String?) throws(JSONError) -> Int32 {
    guard document.nodes.count < Self.nodeLimit else { throw failure("more than \(Self.nodeLimit) values") }
    let index = Int32(document.nodes.count)
    let container = open.last
    document.nodes.append(
      JSONDocument.Node(value: value, key: key, place: container?.count ?? 0, parent: container?.node ?? -1))
    if let container {
      if container.lastChild >= 0 {
        document.nodes[Int(container.lastChild)].next = index
      } else {
        document.nodes[Int(container.node)].firstChild = index
      }
      open[open.count - 1].lastChild = index
      open[open.count - 1].count += 1
    }
    return index
  }

  private mutating func appendWord(_ word: StaticString, _ value: JSONDocument.Value, key: String?) throws(JSONError) {
    let text = word.description.utf8
    guard bytes[position...].starts(with: text) else { throw failure("expected a value") }
    position += text.count
    try append(value, key: key)
  }

  private mutating func skipDigits() -> Int {
    let first = position
    while let byte = next, byte >= 0x30, byte <= 0x39 { position += 1 }
    return position - first
  }

  private mutating func parseNumber() throws(JSONError) -> Double {
    let start = position
    if next == UInt8(ascii: "-") { position += 1 }
    let isZero = next == UInt8(ascii: "0")
    let whole = skipDigits()
    guard whole > 0, !isZero || whole == 1 else {
      position = start
      throw failure("expected a value")
    }
    if next == UInt8(ascii: ".") {
      position += 1
      guard skipDigits() > 0 else { throw failure("expected a digit after the point") }
    }
    if let byte = next, byte | 0x20 == UInt8(ascii: "e") {
      position += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { position += 1 }
      guard skipDigits() > 0 else { throw failure("expected a digit in the exponent") }
    }
    // Beyond a double's range it is infinite, which no property accepts.
    guard let value = Double(String(decoding: bytes[start..<position], as: UTF8.self)) else {
      throw failure("expected a number")
    }
    return value
  }

  private mutating func parseString() throws(JSONError) -> String {
    position += 1
    var text: [UInt8] = []
    while true {
      guard let byte = next else { throw failure("expected the end of a text in quotes") }
      switch byte {
      case UInt8(ascii: "\""):
        position += 1
        guard let string = String(validating: text, as: UTF8.self) else { throw failure("expected text in UTF-8") }
        return string
      case UInt8(ascii: "\\"):
        position += 1
        try parseEscape(into: &text)
      case 0..<0x20: throw failure("expected no control character in a text; write it as an escape")
      default:
        // The whole run at once: pictures are long texts.
        var end = position + 1
        while end < bytes.count, bytes[end] >= 0x20, bytes[end] != UInt8(ascii: "\""), bytes[end] != UInt8(ascii: "\\")
        {
          end += 1
        }
        text.append(contentsOf: bytes[position..<end])
        position = end
      }
    }
  }

  private mutating func parseEscape(into text: inout [UInt8]) throws(JSONError) {
    guard let byte = next else { throw failure("expected an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "u"):
      var code = try parseHex()
      if 0xD800...0xDBFF ~= code {
        guard next == UInt8(ascii: "\\"), position + 1 < bytes.count, bytes[position + 1] == UInt8(ascii: "u") else {
          throw failure("expected the second half of a surrogate pair")
        }
        position += 2
        let low = try parseHex()
        guard 0xDC00...0xDFFF ~= low else { throw failure("expected the second half of a surrogate pair") }
        code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
      }
      guard let scalar = Unicode.Scalar(code) else { throw failure("expected a character, not half of one") }
      text.append(contentsOf: String(Character(scalar)).utf8)
    default: throw failure("expected an escape that JSON knows")
    }
  }

  private mutating func parseHex() throws(JSONError) -> UInt32 {
    var value: UInt32 = 0
    for _ in 0..<4 {
      guard let byte = next, let digit = Character(Unicode.Scalar(byte)).hexDigitValue, byte < 0x80 else {
        throw failure("expected four hexadecimal digits")
      }
      value = value << 4 | UInt32(digit)
      position += 1
    }
    return value
  }
}
