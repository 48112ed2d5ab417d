/// JSON with its keys in the order in which they were put: the same result gives the same bytes.
public enum JSONValue: Sendable {
  case object([(String, JSONValue)])
  case array([JSONValue])
  case string(String)
  case integer(Int)
  case unsigned(UInt64)
  case number(Double)
  case boolean(Bool)
  case null

  public static func optional(_ value: String?) -> JSONValue { value.map { .string($0) } ?? .null }
  public static func optional(_ value: Double?) -> JSONValue { value.map { .number($0) } ?? .null }

  /// Milliseconds, to the nanosecond: what a clock gave, without the noise of a division.
  public static func milliseconds(_ value: Double) -> JSONValue {
    .number((value * 1e6).rounded() / 1e6)
  }

  public static func strings(_ texts: [String]) -> JSONValue { .array(texts.map { .string($0) }) }

  /// The text, with two spaces of indentation and lists of plain numbers on one line. Ends with a line feed.
  public var text: String {
    var output = ""
    write(to: &output, indentation: 0)
    output += "\n"
    return output
  }

  /// The same on one line, without needless spaces. Ends with a line feed.
  public var line: String {
    var output = ""
    writeLine(to: &output)
    output += "\n"
    return output
  }

  private var isPlain: Bool {
    switch self {
    case .integer, .unsigned, .number, .boolean, .null: true
    case .array(let elements): elements.allSatisfy(\.isScalar)
    case .object, .string: false
    }
  }

  private var isScalar: Bool {
    switch self {
    case .integer, .unsigned, .number, .boolean, .null: true
    case .array, .object, .string: false
    }
  }

  private func write(to output: inout String, indentation: Int) {
    switch self {
    case .object(let members): writeObject(members, to: &output, indentation: indentation)
    case .array(let elements): writeArray(elements, to: &output, indentation: indentation)
    default: writeScalar(to: &output)
    }
  }

  private func writeLine(to output: inout String) {
    switch self {
    case .object(let members):
      output += "{"
      for (index, (key, value)) in members.enumerated() {
        if index > 0 { output += "," }
        Self.write(key, to: &output)
        output += ":"
        value.writeLine(to: &output)
      }
      output += "}"
    case .array(let elements):
      output += "["
      for (index, element) in elements.enumerated() {
        if index > 0 { output += "," }
        element.writeLine(to: &output)
      }
      output += "]"
    default: writeScalar(to: &output)
    }
  }

  private func writeScalar(to output: inout String) {
    switch self {
    case .object, .array: break
    case .string(let string): Self.write(string, to: &output)
    case .integer(let value): output += String(value)
    case .unsigned(let value): output += String(value)
    // JSON has no word for what is no number; whoever reads a null sees that there is none.
    case .number(let value): output += value.isFinite ? Self.shortest(value) : "null"
    case .boolean(let value): output += value ? "true" : "false"
    case .null: output += "null"
    }
  }

  private func writeObject(_ members: [(String, JSONValue)], to output: inout String, indentation: Int) {
    guard !members.isEmpty else {
      output += "{}"
      return
    }
    let margin = String(repeating: " ", count: indentation + 2)
    output += "{"
    for (index, (key, value)) in members.enumerated() {
      output += index == 0 ? "\n" : ",\n"
      output += margin
      Self.write(key, to: &output)
      output += ": "
      value.write(to: &output, indentation: indentation + 2)
    }
    output += "\n" + String(repeating: " ", count: indentation) + "}"
  }

  private func writeArray(_ elements: [JSONValue], to output: inout String, indentation: Int) {
    guard !elements.isEmpty else {
      output += "[]"
      return
    }
    let isInline = elements.allSatisfy(\.isPlain)
    let margin = String(repeating: " ", count: indentation + 2)
    output += "["
    for (index, element) in elements.enumerated() {
      if index > 0 { output += isInline ? ", " : "," }
      if !isInline { output += "\n" + margin }
      element.write(to: &output, indentation: indentation + 2)
    }
    if !isInline { output += "\n" + String(repeating: " ", count: indentation) }
    output += "]"
  }

  /// Without a needless fraction: 1, 1.5, 0.25.
  private static func shortest(_ value: Double) -> String {
    if let whole = Int64(exactly: value) { return String(whole) }
    return "\(value)"
  }

  private static func write(_ string: String, to output: inout String) {
    output += "\""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "\"": output += "\\\""
      case "\\": output += "\\\\"
      case "\n": output += "\\n"
      case "\r": output += "\\r"
      case "\t": output += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        output += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: output.unicodeScalars.append(scalar)
      }
    }
    output += "\""
  }
}
