import JSON

/// Reads a result's members; what is missing or of another kind is an error with its path.
struct RecordReader {
  let document: JSONDocument
  let name: String

  init(document: JSONDocument, name: String) { (self.document, self.name) = (document, name) }

  /// Of a file that was read. What is no JSON is an error with its line and column.
  init(_ bytes: [UInt8], name: String) throws(BenchError) {
    self.name = name
    do throws(JSONError) {
      document = try JSONParser.parse(bytes)
    } catch {
      throw BenchError(.report, "\(name):\(error.line):\(error.column): \(error.message).")
    }
  }

  func failure(_ node: Int32, _ expected: String) -> BenchError {
    let path = document.path(of: node)
    let place = path.isEmpty ? "its top" : path
    return BenchError(.report, "\(name): \(place): expected \(expected), got \(document.describe(node)).")
  }

  func member(_ key: String, of node: Int32) throws(BenchError) -> Int32 {
    guard let child = document.member(key, of: node) else { throw failure(node, "a member “\(key)”") }
    return child
  }

  func array(_ key: String, of node: Int32) throws(BenchError) -> Int32 {
    let child = try member(key, of: node)
    guard document[child].value == .array else { throw failure(child, "an array") }
    return child
  }

  func text(_ key: String, of node: Int32) throws(BenchError) -> String {
    let child = try member(key, of: node)
    guard case .string(let text) = document[child].value else { throw failure(child, "a text") }
    return text
  }

  func optionalText(_ key: String, of node: Int32) -> String? {
    guard let child = document.member(key, of: node), case .string(let text) = document[child].value else { return nil }
    return text
  }

  func number(_ key: String, of node: Int32) throws(BenchError) -> Double {
    try number(try member(key, of: node))
  }

  func number(_ node: Int32) throws(BenchError) -> Double {
    guard case .number(let number) = document[node].value, number.isFinite else { throw failure(node, "a number") }
    return number
  }

  func whole(_ key: String, of node: Int32) throws(BenchError) -> Int { try whole(try member(key, of: node)) }

  /// From zero, and such that a double holds it exactly.
  func whole(_ node: Int32) throws(BenchError) -> Int {
    let value = try number(node)
    guard let whole = Int(exactly: value), whole >= 0, whole <= 1 << 53 else { throw failure(node, "a whole number") }
    return whole
  }

  func choice<Value: RawRepresentable<String>>(_ key: String, of node: Int32) throws(BenchError) -> Value {
    let child = try member(key, of: node)
    guard case .string(let text) = document[child].value, let value = Value(rawValue: text) else {
      throw failure(child, "a word that is known")
    }
    return value
  }

  func flag(_ key: String, of node: Int32) throws(BenchError) -> Bool {
    let child = try member(key, of: node)
    guard case .bool(let flag) = document[child].value else { throw failure(child, "true or false") }
    return flag
  }

  func texts(_ key: String, of node: Int32) throws(BenchError) -> [String] {
    var texts: [String] = []
    for child in document.children(of: try array(key, of: node)) {
      guard case .string(let text) = document[child].value else { throw failure(child, "a text") }
      texts.append(text)
    }
    return texts
  }

  /// The plain members of an object, as texts.
  func fields(_ key: String, of node: Int32) throws(BenchError) -> [(name: String, value: String)] {
    plainMembers(try member(key, of: node), prefix: "")
  }

  private func plainMembers(_ node: Int32, prefix: String) -> [(name: String, value: String)] {
    document.children(of: node).compactMap { child in
      let name = prefix + (document[child].key ?? "")
      switch document[child].value {
      case .null: return (name, "unset")
      case .bool(let value): return (name, "\(value)")
      case .number(let value): return (name, NumberText.shortest(value))
      case .string(let text): return (name, text)
      case .array, .object: return nil
      }
    }
  }

  /// Every plain value of a result's environment. One whose `comparable_key` is not that of its values was written, or
  /// changed, by something else than this tool.
  func environment(_ node: Int32) throws(BenchError) -> [EnvironmentField] {
    let fields = EnvironmentField.fields(of: document, node)
    let key = try text("comparable_key", of: node)
    guard key == EnvironmentField.comparableKey(fields) else {
      throw BenchError(
        .report, "\(name): env.comparable_key is not that of the values beside it; the file was changed by hand.")
    }
    return fields
  }

  func counters(_ cell: Int32) throws(BenchError) -> [(name: String, value: Int)] {
    var counters: [(name: String, value: Int)] = []
    for metric in document.children(of: try member("metrics", of: cell)) {
      guard optionalText("kind", of: metric) == "exact" else { continue }
      let value = try number("value", of: metric)
      guard let whole = Int(exactly: value) else { throw failure(metric, "a whole number") }
      counters.append((document[metric].key ?? "", whole))
    }
    return counters
  }

  /// Every frame of every round.
  func frames(_ key: String, of raw: Int32) throws(BenchError) -> [Double] {
    guard let list = document.member(key, of: raw) else { return [] }
    var frames: [Double] = []
    for round in document.children(of: list) {
      guard document[round].value == .array else { throw failure(round, "an array of frames") }
      for frame in document.children(of: round) { frames.append(try number(frame)) }
    }
    return frames
  }

  /// What a cell says of its times must be in the unit that this tool writes, and be what its samples say.
  func checkSummaries(of cell: Int32, _ samples: [Metric: [Double]]) throws(BenchError) {
    let metrics = try member("metrics", of: cell)
    for (metric, values) in samples {
      guard let node = document.member(metric.rawValue, of: metrics) else { continue }
      guard try text("unit", of: node) == "ms" else { throw failure(try member("unit", of: node), "the unit ms") }
      let told = try number("median", of: node)
      guard let median = Quantile.median(values), (median - told).magnitude <= 2e-6 + 1e-9 * median.magnitude else {
        throw failure(try member("median", of: node), "the median of the samples under raw")
      }
    }
  }

  /// One number a round; of a round that holds a list of frames, their median.
  func rounds(_ key: String, of raw: Int32) throws(BenchError) -> [Double] {
    guard let list = document.member(key, of: raw) else { return [] }
    var rounds: [Double] = []
    for child in document.children(of: list) {
      guard document[child].value == .array else {
        rounds.append(try number(child))
        continue
      }
      var frames: [Double] = []
      for frame in document.children(of: child) { frames.append(try number(frame)) }
      guard let median = Quantile.median(frames) else { throw failure(child, "the time of a frame or more") }
      rounds.append(median)
    }
    return rounds
  }
}
