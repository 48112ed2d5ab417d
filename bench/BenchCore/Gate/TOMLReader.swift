/// Reads the part of TOML 1.0 that configuration takes: tables, lists of tables, plain and dotted keys, texts of one line,
/// numbers in decimal, true and false, lists. Whatever it reads means what TOML says; dates, inline tables, texts of several
/// lines and numbers to other bases are errors that say so, with file and line.
public struct TOMLReader {
  private let bytes: [UInt8]
  private let name: String
  private var position = 0
  private var line = 1
  private let root: Table

  /// A table as it grows.
  private final class Table {
    var members: [(key: String, item: Item)] = []
    let line: Int
    /// By a header of its own, which may come once.
    var isNamed = false
    /// By a dotted key, which no header may go on with.
    var isDotted = false

    init(line: Int) { self.line = line }

    func item(_ key: String) -> Item? { members.first { $0.key == key }?.item }
  }

  private enum Item {
    case value(ConfigValue)
    case table(Table)
    case tables([Table], line: Int)
  }

  private static let largestFile = 1 << 20
  private static let deepest = 16

  public static func read(_ bytes: [UInt8], name: String) throws(BenchError) -> ConfigValue {
    guard bytes.count <= largestFile else {
      throw BenchError(.usage, "\(name) has more than a megabyte: that is no configuration.")
    }
    var reader = TOMLReader(bytes, name)
    try reader.read()
    return reader.value(of: reader.root)
  }

  private init(_ bytes: [UInt8], _ name: String) {
    (self.bytes, self.name, root) = (bytes, name, Table(line: 1))
    if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { position = 3 }
  }

  private func failure(_ sentence: String, line: Int? = nil) -> BenchError {
    BenchError(.usage, "\(name):\(line ?? self.line): \(sentence).")
  }

  private func value(of table: Table) -> ConfigValue {
    func place(_ line: Int) -> String { "\(name):\(line)" }
    return ConfigValue(
      .table(
        table.members.map { key, item in
          switch item {
          case .value(let value): (key, value)
          case .table(let table): (key, value(of: table))
          case .tables(let tables, let line): (key, ConfigValue(.list(tables.map(value)), place: place(line)))
          }
        }), place: place(table.line))
  }

  // Characters.

  private var next: UInt8? { position < bytes.count ? bytes[position] : nil }

  private mutating func skip(_ byte: Unicode.Scalar) -> Bool {
    guard next == UInt8(ascii: byte) else { return false }
    position += 1
    return true
  }

  private mutating func skipSpace() { while next == 0x20 || next == 0x09 { position += 1 } }

  /// The rest of a line that holds nothing more.
  private mutating func endLine() throws(BenchError) {
    skipSpace()
    try skipComment()
    guard let byte = next else { return }
    if byte == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { position += 1 }
    guard next == 0x0A else { throw failure("expected the end of the line, got “\(word)”") }
    position += 1
    line += 1
  }

  private mutating func skipComment() throws(BenchError) {
    guard next == UInt8(ascii: "#") else { return }
    while let byte = next, byte != 0x0A {
      if byte == 0x0D, position + 1 < bytes.count, bytes[position + 1] == 0x0A { return }
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw failure("a control character is in a comment") }
      position += 1
    }
  }

  /// What stands here, for a message.
  private var word: String {
    let rest = bytes[position...].prefix { $0 > 0x20 && $0 != UInt8(ascii: ",") && $0 != UInt8(ascii: "]") }.prefix(30)
    if !rest.isEmpty { return String(decoding: rest, as: UTF8.self) }
    guard let byte = next else { return "the end of the file" }
    return byte == 0x0A || byte == 0x0D ? "the end of the line" : String(Character(Unicode.Scalar(byte)))
  }

  // Lines.

  private mutating func read() throws(BenchError) {
    guard String(validating: bytes, as: UTF8.self) != nil else { throw failure("the file is not UTF-8") }
    var table = root
    while true {
      skipSpace()
      guard let byte = next else { return }
      switch byte {
      case UInt8(ascii: "["): table = try readHeader()
      case 0x0A, 0x0D, UInt8(ascii: "#"): break
      default: try readPair(into: table)
      }
      try endLine()
    }
  }

  private mutating func readHeader() throws(BenchError) -> Table {
    position += 1
    let isList = skip("[")
    let path = try readPath()
    guard skip("]"), !isList || skip("]") else { throw failure("expected \(isList ? "]]" : "]"), got “\(word)”") }
    var table = root
    for key in path.dropLast() { table = try descend(table, key) }
    guard let key = path.last else { return table }
    let made = Table(line: line)
    switch table.item(key) {
    case nil:
      table.members.append((key, isList ? .tables([made], line: line) : .table(made)))
    case .tables(let tables, let first) where isList:
      guard let index = table.members.firstIndex(where: { $0.key == key }) else { break }
      table.members[index].item = .tables(tables + [made], line: first)
    case .table(let old) where !isList && !old.isNamed && !old.isDotted:
      old.isNamed = true
      return old
    case .table(let old): throw failure("“\(key)” is a table already, since line \(old.line)")
    case .tables(_, let first): throw failure("“\(key)” is a list of tables, since line \(first); write [[\(key)]]")
    case .value: throw failure("“\(key)” is a value already, and no table")
    }
    made.isNamed = true
    return made
  }

  /// The table of that name in a header's path; of a list of tables, the last.
  private func descend(_ table: Table, _ key: String) throws(BenchError) -> Table {
    switch table.item(key) {
    case .table(let inner): return inner
    case .tables(let tables, _):
      if let last = tables.last { return last }
    case .value: throw failure("“\(key)” is a value already, and no table")
    case nil: break
    }
    let made = Table(line: line)
    table.members.append((key, .table(made)))
    return made
  }

  private mutating func readPair(into table: Table) throws(BenchError) {
    let path = try readPath()
    guard skip("=") else { throw failure("expected = after the key, got “\(word)”") }
    var table = table
    for key in path.dropLast() {
      if case .table(let inner) = table.item(key), inner.isNamed || !inner.isDotted {
        throw failure("“\(key)” is a table of its own, since line \(inner.line); write the key there")
      }
      if case .tables = table.item(key) { throw failure("“\(key)” is a list of tables") }
      table = try descend(table, key)
      table.isDotted = true
    }
    guard let key = path.last else { return }
    guard table.item(key) == nil else { throw failure("“\(key)” is there twice") }
    skipSpace()
    table.members.append((key, .value(try readValue(depth: 0))))
  }

  /// Keys with points between.
  private mutating func readPath() throws(BenchError) -> [String] {
    var path: [String] = []
    repeat {
      skipSpace()
      path.append(try readKey())
      skipSpace()
    } while skip(".")
    guard path.count <= Self.deepest else { throw failure("more than \(Self.deepest) tables lie within each other") }
    return path
  }

  private mutating func readKey() throws(BenchError) -> String {
    if next == UInt8(ascii: "\"") || next == UInt8(ascii: "'") { return try readText() }
    let start = position
    while let byte = next, Self.isBare(byte) { position += 1 }
    guard position > start else { throw failure("expected a key, got “\(word)”") }
    return String(decoding: bytes[start..<position], as: UTF8.self)
  }

  private static func isBare(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "_"), UInt8(ascii: "-"):
      true
    default: false
    }
  }

  // Values.

  private mutating func readValue(depth: Int) throws(BenchError) -> ConfigValue {
    let place = "\(name):\(line)"
    switch next {
    case UInt8(ascii: "\""), UInt8(ascii: "'"): return ConfigValue(.text(try readText()), place: place)
    case UInt8(ascii: "["): return ConfigValue(.list(try readList(depth: depth)), place: place)
    case UInt8(ascii: "{"): throw failure("inline tables are not read here; write [a table] of its own")
    default: break
    }
    let start = position
    while let byte = next, Self.isBare(byte) || ".+:".utf8.contains(byte) { position += 1 }
    let text = String(decoding: bytes[start..<position], as: UTF8.self)
    if text == "true" || text == "false" { return ConfigValue(.flag(text == "true"), place: place) }
    guard let number = Self.number(text) else {
      position = start
      let isDate = text.count >= 8 && text.prefix(4).allSatisfy(\.isNumber) && text.contains("-") || text.contains(":")
      throw failure(
        isDate ? "dates are not read here; write it in quotes" : "expected a value (a text is in quotes), got “\(word)”"
      )
    }
    return ConfigValue(.number(number), place: place)
  }

  /// A number as TOML has it: no needless zeros in front, `_` between digits alone. Nil for what is none, or too large.
  private static func number(_ text: String) -> Double? {
    guard
      let match = text.wholeMatch(
        of: #/[+-]?(?:0|[1-9](?:_?[0-9])*)(?:\.[0-9](?:_?[0-9])*)?(?:[eE][+-]?[0-9](?:_?[0-9])*)?/#),
      let number = Double(String(match.output).replacing("_", with: "")), number.isFinite
    else { return nil }
    return number
  }

  private mutating func readList(depth: Int) throws(BenchError) -> [ConfigValue] {
    guard depth < Self.deepest else { throw failure("more than \(Self.deepest) lists lie within each other") }
    position += 1
    var values: [ConfigValue] = []
    while true {
      try skipLines()
      if skip("]") { return values }
      values.append(try readValue(depth: depth + 1))
      try skipLines()
      if skip("]") { return values }
      guard skip(",") else { throw failure("expected a comma or ] in the list, got “\(word)”") }
    }
  }

  /// Space, comments and ends of lines within a list.
  private mutating func skipLines() throws(BenchError) {
    while true {
      skipSpace()
      guard let byte = next, [0x0A, 0x0D, UInt8(ascii: "#")].contains(byte) else { return }
      try endLine()
    }
  }

  private mutating func readText() throws(BenchError) -> String {
    let isLiteral = next == UInt8(ascii: "'")
    let quote = isLiteral ? UInt8(ascii: "'") : UInt8(ascii: "\"")
    if bytes[position...].starts(with: [quote, quote, quote]) {
      throw failure("texts of several lines are not read here; write \\n")
    }
    position += 1
    var text: [UInt8] = []
    while let byte = next, byte != 0x0A, byte != 0x0D {
      position += 1
      if byte == quote { return String(decoding: text, as: UTF8.self) }
      guard byte >= 0x20 && byte != 0x7F || byte == 0x09 else { throw failure("a control character is in a text") }
      if byte == UInt8(ascii: "\\"), !isLiteral { try readEscape(into: &text) } else { text.append(byte) }
    }
    throw failure("a text ends with the quote that it began with")
  }

  private mutating func readEscape(into text: inout [UInt8]) throws(BenchError) {
    guard let byte = next else { throw failure("expected an escape") }
    position += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"): text.append(byte)
    case UInt8(ascii: "b"): text.append(0x08)
    case UInt8(ascii: "t"): text.append(0x09)
    case UInt8(ascii: "n"): text.append(0x0A)
    case UInt8(ascii: "f"): text.append(0x0C)
    case UInt8(ascii: "r"): text.append(0x0D)
    case UInt8(ascii: "u"), UInt8(ascii: "U"):
      let digits = bytes[position...].prefix(byte == UInt8(ascii: "u") ? 4 : 8)
      let isWhole = digits.count == (byte == UInt8(ascii: "u") ? 4 : 8)
      guard isWhole, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit && $0 < 0x80 }),
        let code = UInt32(String(decoding: digits, as: UTF8.self), radix: 16), let scalar = Unicode.Scalar(code)
      else { throw failure("expected a character's number in hexadecimal, \\u with four digits, \\U with eight") }
      position += digits.count
      text += Array(String(Character(scalar)).utf8)
    default: throw failure("there is no escape \\\(Character(Unicode.Scalar(byte)))")
    }
  }
}
