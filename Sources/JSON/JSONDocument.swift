/// A JSON text, taken apart into one flat array: no nesting of values, so that no depth of a file is too deep for the
/// stack.
public struct JSONDocument: Sendable {
  public enum Value: Sendable, Hashable {
    case null
    case bool(Bool)
    case number(Double)
    case string(String)
    case array
    case object
  }

  public struct Node: Sendable {
    public var value: Value
    /// In an object.
    public var key: String?
    /// Which of its siblings it is.
    public var place: Int32
    // Links by index; -1 is none.
    var parent: Int32
    var firstChild: Int32 = -1
    var next: Int32 = -1
  }

  /// The first is the top.
  public internal(set) var nodes: [Node] = []

  public subscript(index: Int32) -> Node { nodes[Int(index)] }

  /// Elements of an array or members of an object, in the order of the file.
  public func children(of index: Int32) -> [Int32] {
    var result: [Int32] = []
    var child = self[index].firstChild
    while child >= 0 {
      result.append(child)
      child = self[child].next
    }
    return result
  }

  /// The member of that name; nil where there is none.
  public func member(_ key: String, of index: Int32) -> Int32? {
    var child = self[index].firstChild
    while child >= 0 {
      if self[child].key == key { return child }
      child = self[child].next
    }
    return nil
  }

  /// Where a value stands, as in `root.sublayers[3].cornerRadius`; empty for the top. The middle of a very long path is
  /// left out.
  public func path(of index: Int32) -> String {
    var steps: [String] = []
    var node = index
    while node >= 0, self[node].parent >= 0 {
      steps.append(self[node].key.map { steps.isEmpty && $0.isEmpty ? "\"\"" : $0 } ?? "[\(self[node].place)]")
      node = self[node].parent
    }
    steps.reverse()
    if steps.count > 24 { steps = Array(steps.prefix(8)) + ["…"] + Array(steps.suffix(8)) }
    var path = ""
    for step in steps {
      if !path.isEmpty, !step.hasPrefix("[") { path += "." }
      path += step
    }
    return path
  }

  /// What a value is, for a message.
  public func describe(_ index: Int32) -> String {
    switch self[index].value {
    case .null: "null"
    case .bool(let value): "\(value)"
    case .number(let value): value == value.rounded() && value.magnitude < 1e15 ? "\(Int64(value))" : "\(value)"
    case .string(let text): text.count > 40 ? "“\(text.prefix(40))…”" : "“\(text)”"
    case .array: "an array of \(children(of: index).count)"
    case .object: "an object"
    }
  }
}

/// Why a text is no JSON.
public struct JSONError: Error, Sendable {
  public var line: Int
  public var column: Int
  public var message: String
}
