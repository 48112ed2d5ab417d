import JSON

/// A value of a configuration file, TOML or JSON, with where it stands: what is wrong with it can be said later.
public struct ConfigValue: Sendable {
  public enum Kind: Sendable {
    case text(String)
    case number(Double)
    case flag(Bool)
    case list([ConfigValue])
    case table([(key: String, value: ConfigValue)])
  }

  public var kind: Kind
  /// `gate.toml:12`, or in JSON `gate.json: scene[0].n`.
  public var place: String

  public init(_ kind: Kind, place: String) { (self.kind, self.place) = (kind, place) }

  /// What it is, for a message.
  var description: String {
    switch kind {
    case .text(let text): "“\(text.count > 40 ? text.prefix(40) + "…" : text)”"
    case .number(let number): NumberText.shortest(number)
    case .flag(let flag): "\(flag)"
    case .list(let values): "a list of \(values.count)"
    case .table: "a table"
    }
  }

  func failure(_ expected: String) -> BenchError {
    BenchError(.usage, "\(place): expected \(expected), got \(description).")
  }

  /// Of a file whose name ends with `.json`, as JSON; of any other, as TOML. Throws a sentence that names file and line.
  public static func read(_ bytes: [UInt8], name: String) throws(BenchError) -> ConfigValue {
    guard name.hasSuffix(".json") else { return try TOMLReader.read(bytes, name: name) }
    do throws(JSONError) {
      return try ConfigValue(JSONParser.parse(bytes), 0, name: name, depth: 16)
    } catch {
      throw BenchError(.usage, "\(name):\(error.line):\(error.column): \(error.message).")
    }
  }

  private init(_ document: JSONDocument, _ node: Int32, name: String, depth: Int) {
    let path = document.path(of: node)
    place = path.isEmpty ? name : "\(name): \(path)"
    switch document[node].value {
    case .bool(let flag): kind = .flag(flag)
    case .number(let number): kind = .number(number)
    case .string(let text): kind = .text(text)
    // What lies deeper is no value that anybody asks for.
    case .array where depth > 0:
      kind = .list(document.children(of: node).map { ConfigValue(document, $0, name: name, depth: depth - 1) })
    case .object where depth > 0:
      kind = .table(
        document.children(of: node).map {
          (document[$0].key ?? "", ConfigValue(document, $0, name: name, depth: depth - 1))
        })
    case .null, .array, .object: kind = .text("null")
    }
  }
}

/// A table from which values are taken by name; what nobody takes is a mistake of whoever wrote it.
struct ConfigTable {
  let place: String
  private var left: [(key: String, value: ConfigValue)]
  private var known: [String] = []

  init(_ value: ConfigValue) throws(BenchError) {
    guard case .table(let members) = value.kind else { throw value.failure("a table") }
    (place, left) = (value.place, members)
    var seen: Set<String> = []
    for member in members where !seen.insert(member.key).inserted {
      throw BenchError(.usage, "\(member.value.place): “\(member.key)” is there twice.")
    }
  }

  mutating func take(_ key: String) -> ConfigValue? {
    known.append(key)
    return left.firstIndex { $0.key == key }.map { left.remove(at: $0).value }
  }

  /// Throws where something was not taken.
  func end() throws(BenchError) {
    guard let other = left.first else { return }
    throw BenchError(
      .usage, "\(other.value.place): there is no “\(other.key)” here; there are \(known.joined(separator: ", ")).")
  }

  mutating func text(_ key: String) throws(BenchError) -> String? {
    guard let value = take(key) else { return nil }
    guard case .text(let text) = value.kind, !text.isEmpty else { throw value.failure("a text") }
    return text
  }

  mutating func flag(_ key: String) throws(BenchError) -> Bool? {
    guard let value = take(key) else { return nil }
    guard case .flag(let flag) = value.kind else { throw value.failure("true or false") }
    return flag
  }

  mutating func number(_ key: String, _ range: ClosedRange<Double>) throws(BenchError) -> Double? {
    guard let value = take(key) else { return nil }
    guard case .number(let number) = value.kind, range.contains(number) else {
      throw value.failure(
        "a number from \(NumberText.shortest(range.lowerBound)) to \(NumberText.shortest(range.upperBound))")
    }
    return number
  }

  mutating func whole(_ key: String, _ range: ClosedRange<Int>) throws(BenchError) -> Int? {
    guard let value = take(key) else { return nil }
    return try Self.whole(value, range)
  }

  mutating func wholes(_ key: String, _ range: ClosedRange<Int>) throws(BenchError) -> [Int]? {
    guard let value = take(key) else { return nil }
    guard case .list(let values) = value.kind, !values.isEmpty else { throw value.failure("a list of numbers") }
    var numbers: [Int] = []
    for value in values { numbers.append(try Self.whole(value, range)) }
    return Set(numbers).sorted()
  }

  private static func whole(_ value: ConfigValue, _ range: ClosedRange<Int>) throws(BenchError) -> Int {
    guard case .number(let number) = value.kind, let whole = Int(exactly: number), range.contains(whole) else {
      throw value.failure("a whole number from \(range.lowerBound) to \(range.upperBound)")
    }
    return whole
  }

  /// Seconds, as 120 or "120s".
  mutating func seconds(_ key: String, _ range: ClosedRange<Double>) throws(BenchError) -> Double? {
    guard let value = take(key) else { return nil }
    var seconds: Double?
    if case .number(let number) = value.kind { seconds = number }
    if case .text(let text) = value.kind, text.hasSuffix("s") { seconds = Double(text.dropLast()) }
    guard let seconds, range.contains(seconds) else {
      throw value.failure(
        "seconds from \(NumberText.shortest(range.lowerBound)) to \(NumberText.shortest(range.upperBound)), as 90 or \"90s\""
      )
    }
    return seconds
  }

  mutating func texts(_ key: String) throws(BenchError) -> [String]? {
    guard let value = take(key) else { return nil }
    guard case .list(let values) = value.kind else { throw value.failure("a list of texts") }
    var texts: [String] = []
    for value in values {
      guard case .text(let text) = value.kind else { throw value.failure("a text") }
      texts.append(text)
    }
    return texts
  }

  mutating func choice<Value: RawRepresentable<String> & CaseIterable>(
    _ key: String, _ type: Value.Type
  ) throws(BenchError) -> Value? {
    guard let value = take(key) else { return nil }
    guard case .text(let text) = value.kind, let choice = Value(rawValue: text) else {
      throw value.failure("one of " + Value.allCases.map(\.rawValue).joined(separator: ", "))
    }
    return choice
  }

  mutating func table(_ key: String) throws(BenchError) -> ConfigTable? {
    guard let value = take(key) else { return nil }
    return try ConfigTable(value)
  }

  mutating func tables(_ key: String) throws(BenchError) -> [ConfigTable] {
    guard let value = take(key) else { return [] }
    guard case .list(let values) = value.kind else { throw value.failure("tables, as in [[\(key)]]") }
    var tables: [ConfigTable] = []
    for value in values { tables.append(try ConfigTable(value)) }
    return tables
  }
}
