import JSON

/// A cell of a result of `run` or of `scale`, as far as it can be explained.
public struct ExplainedCell: Sendable {
  public var id: String
  public var status: String
  public var counters: [(name: String, value: Int)]
  /// The name of the metric and its middle, in milliseconds.
  public var time: (metric: String, milliseconds: Double)?
  public var parts: [PartTime]
  /// What the parts are of, where they are not of the whole frame.
  public var partsOf: String?
  /// The dearest portals, where they are known.
  public var portals: [PartTime] = []
  /// Of GL's time, what no pass has.
  public var unattributed: Double?

  /// Throws a sentence that names the file; where no cell, or more than one, is called so, it lists them.
  public init(_ bytes: [UInt8], name file: String, cell wanted: String) throws(BenchError) {
    let reader = try RecordReader(bytes, name: file)
    let document = reader.document
    let schema = try reader.text("schema", of: 0)
    let nodes = document.children(of: try reader.array("cells", of: 0))
    var found: [(id: String, node: Int32)] = []
    for node in nodes { found.append((try reader.text("id", of: node), node)) }
    let matches =
      found.filter { $0.id == wanted }.isEmpty
      ? found.filter { $0.id.contains(wanted) } : found.filter { $0.id == wanted }
    guard matches.count == 1, let match = matches.first else {
      let names = (matches.isEmpty ? found : matches).map(\.id)
      let list = names.prefix(12).joined(separator: ", ") + (names.count > 12 ? ", …" : "")
      throw BenchError(
        .report, "\(matches.isEmpty ? "no cell" : "more than one cell") of \(file) is called \"\(wanted)\": \(list).")
    }
    id = match.id
    status = try reader.text("status", of: match.node)
    (counters, parts) = ([], [])
    switch schema {
    case "porthole-bench/features": try readFeature(reader, match.node)
    case "porthole-bench/result": try readScale(reader, match.node)
    default: throw BenchError(.report, "\(file) is no result of run or of scale: its schema is \(schema).")
    }
  }

  private mutating func readFeature(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    for child in reader.document.children(of: try reader.member("counters", of: node)) {
      counters.append((reader.document[child].key ?? "", try reader.whole(child)))
    }
    if let time = try? reader.number("cpu_ms", of: node) { self.time = ("cpu_ms", time) }
    guard let attribution = reader.document.member("attribution", of: node),
      reader.document[attribution].value == .object
    else { return }
    let frames = (try? reader.whole("frames", of: attribution)) ?? 1
    let rounds = (try? reader.whole("rounds", of: node)) ?? 1
    let spreads = reader.document.member("stage_spreads", of: node)
    let passes = PassNames()
    var targets: [PartTime] = []
    for pass in reader.document.children(of: try reader.array("passes", of: attribution)) {
      let part = PartTime(
        name: passes.name(of: try reader.text("target", of: pass)), milliseconds: try reader.number("ms", of: pass),
        spread: try? reader.number("spread", of: pass), frames: frames)
      if let index = targets.firstIndex(where: { $0.name == part.name }) {
        targets[index].add(part)
      } else {
        targets.append(part)
      }
    }
    for stage in reader.document.children(of: try reader.member("stages_ms", of: node)) {
      let name = reader.document[stage].key ?? ""
      // GL's time is the passes'.
      if !targets.isEmpty, FeatureCell.stages[FeatureCell.stagesOfGL].contains(name) { continue }
      parts.append(
        PartTime(
          name: name, milliseconds: try reader.number(stage),
          spread: spreads.flatMap { node in try? reader.number(name, of: node) }, frames: rounds))
    }
    parts += targets
    unattributed = try? reader.number("unattributed", of: attribution)
    for portal in reader.document.children(of: try reader.array("portals", of: attribution)) {
      portals.append(
        PartTime(name: try reader.text("portal", of: portal), milliseconds: try reader.number("ms", of: portal)))
    }
  }

  private mutating func readScale(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    counters = try reader.counters(node)
    let metrics = try reader.member("metrics", of: node)
    for metric in [Metric.gpu, .cpu, .wall] {
      guard time == nil, let summary = reader.document.member(metric.rawValue, of: metrics) else { continue }
      time = (metric.rawValue, try reader.number("median", of: summary))
    }
    guard let key = CellKey(id: id) else { return }
    for slope in reader.document.children(of: try reader.array("slope_parts", of: 0)) {
      let series = "\(key.suite.rawValue)/strategy=\(key.strategy.rawValue)"
      guard try reader.text("series", of: slope) == series else { continue }
      partsOf = "what its \(NumberText.grouped(key.n)) portals add to the frame:"
      for part in reader.document.children(of: try reader.array("parts", of: slope)) {
        parts.append(
          PartTime(
            name: try reader.text("name", of: part), milliseconds: try reader.number("slope", of: part) * Double(key.n))
        )
      }
    }
  }
}

extension PartTime {
  /// Passes into one target are one part; its relative spread is no larger than theirs.
  fileprivate mutating func add(_ other: PartTime) {
    if let mine = spread, let others = other.spread, milliseconds + other.milliseconds > 0 {
      spread = (mine * milliseconds + others * other.milliseconds) / (milliseconds + other.milliseconds)
    }
    milliseconds += other.milliseconds
  }
}

/// Names of targets that two runs share: layers' numbers are of one process, their order is the scene's.
final class PassNames {
  private var known: [String: String] = [:]
  private var counts: [String: Int] = [:]

  func name(of target: String) -> String {
    let words = target.split(separator: " ").map(String.init)
    guard words.count == 3, words[1] == "layer", Int(words[2]) != nil else { return target }
    if let name = known[target] { return name }
    counts[words[0], default: 0] += 1
    let name = "\(words[0]) \(counts[words[0], default: 1])"
    known[target] = name
    return name
  }
}
