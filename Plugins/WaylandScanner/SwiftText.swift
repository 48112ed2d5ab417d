/// Swift source, line by line.
struct SwiftText {
  private(set) var lines: [String] = []
  private var depth = 0

  mutating func line(_ text: String = "") {
    lines.append(text.isEmpty ? "" : String(repeating: "  ", count: depth) + text)
  }

  /// Lines between `head {` and `}`.
  mutating func block(_ head: String, tail: String = "", _ body: (inout SwiftText) -> Void) {
    line(head + " {")
    depth += 1
    body(&self)
    depth -= 1
    line("}" + tail)
  }

  mutating func indented(_ body: (inout SwiftText) -> Void) {
    depth += 1
    body(&self)
    depth -= 1
  }

  /// A comment of documentation: the summary as a sentence, then the text.
  mutating func document(_ prose: ProtocolModel.Prose) {
    let summary = prose.summary.prefix(1).uppercased() + prose.summary.dropFirst()
    if !summary.isEmpty { line("/// \(summary).") }
    let rows = prose.text.split(separator: "\n", omittingEmptySubsequences: false).map {
      $0.split(separator: " ").joined(separator: " ")
    }
    guard rows.contains(where: { !$0.isEmpty }) else { return }
    if !summary.isEmpty { line("///") }
    for row in rows.trimmed() { line(row.isEmpty ? "///" : "/// \(row)") }
  }

  var text: String { lines.joined(separator: "\n") + "\n" }
}

extension Array where Element == String {
  /// Without empty lines at both ends.
  fileprivate func trimmed() -> ArraySlice<String> {
    guard let first = firstIndex(where: { !$0.isEmpty }), let last = lastIndex(where: { !$0.isEmpty }) else {
      return []
    }
    return self[first...last]
  }
}
