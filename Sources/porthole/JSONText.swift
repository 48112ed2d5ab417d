/// JSON to be written, its keys in the order in which they are given.
indirect enum JSONText {
  case null
  case bool(Bool)
  case int(Int)
  case number(Double)
  case string(String)
  case array([JSONText])
  case object([(String, JSONText)])

  static func strings(_ texts: [String]) -> JSONText { .array(texts.map { .string($0) }) }

  /// As a file's text: indented, with a line break at the end.
  var text: String { lines("") + "\n" }

  private func lines(_ indent: String) -> String {
    let inner = indent + "  "
    switch self {
    case .null: return "null"
    case .bool(let value): return "\(value)"
    case .int(let value): return "\(value)"
    case .number(let value): return value.isFinite ? "\(value)" : "null"
    case .string(let value): return Self.quoted(value)
    case .array(let values):
      if values.isEmpty { return "[]" }
      return "[\n" + values.map { inner + $0.lines(inner) }.joined(separator: ",\n") + "\n\(indent)]"
    case .object(let members):
      if members.isEmpty { return "{}" }
      let lines = members.map { "\(inner)\(Self.quoted($0.0)): \($0.1.lines(inner))" }
      return "{\n" + lines.joined(separator: ",\n") + "\n\(indent)}"
    }
  }

  private static func quoted(_ text: String) -> String {
    var result = "\""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "\"": result += "\\\""
      case "\\": result += "\\\\"
      case "\n": result += "\\n"
      case "\t": result += "\\t"
      case _ where scalar.value < 0x20:
        let digits = String(scalar.value, radix: 16)
        result += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result + "\""
  }
}
