import JSON

extension JSONValue {
  /// A part of a text that was read, to be written again. Nothing that this tool writes is nested deeper than a few levels;
  /// what lies deeper than `depth` is left out.
  init(_ document: JSONDocument, _ node: Int32, depth: Int = 64) {
    switch document[node].value {
    case .null: self = .null
    case .bool(let flag): self = .boolean(flag)
    case .number(let number): self = .number(number)
    case .string(let text): self = .string(text)
    case .array:
      self = depth > 0 ? .array(document.children(of: node).map { JSONValue(document, $0, depth: depth - 1) }) : .null
    case .object:
      guard depth > 0 else {
        self = .null
        return
      }
      self = .object(
        document.children(of: node).map { (document[$0].key ?? "", JSONValue(document, $0, depth: depth - 1)) })
    }
  }
}
