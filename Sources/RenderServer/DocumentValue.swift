/// JSON to be sent, its keys in the order in which they are given, on one line.
enum DocumentValue {
  case whole(UInt64)
  case number(Double)
  case flag(Bool)
  case text(String)
  case list([DocumentValue])
  case object([(String, DocumentValue)])

  static func count(_ value: Int) -> DocumentValue { .whole(UInt64(clamping: value)) }

  func write(to text: inout String) {
    switch self {
    case .whole(let value): text += "\(value)"
    case .number(let value): text += value.isFinite ? "\(value)" : "null"
    case .flag(let value): text += value ? "true" : "false"
    case .text(let value): Self.quote(value, &text)
    case .list(let values):
      text += "["
      for (index, value) in values.enumerated() {
        if index > 0 { text += "," }
        value.write(to: &text)
      }
      text += "]"
    case .object(let members):
      text += "{"
      for (index, member) in members.enumerated() {
        if index > 0 { text += "," }
        Self.quote(member.0, &text)
        text += ":"
        member.1.write(to: &text)
      }
      text += "}"
    }
  }

  private static func quote(_ value: String, _ text: inout String) {
    text += "\""
    for scalar in value.unicodeScalars {
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case _ where scalar.value < 32:
        let digits = String(scalar.value, radix: 16)
        text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
      default: text.unicodeScalars.append(scalar)
      }
    }
    text += "\""
  }
}
