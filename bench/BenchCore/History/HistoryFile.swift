import JSON

/// Results over time: a file to which each run adds lines, one for each number, and nothing else ever changes.
public struct HistoryFile: Sendable {
  public struct Entry: Sendable, Hashable {
    public var started: String
    /// Of the surroundings: numbers of other machines are another series.
    public var key: String
    public var id: String
    public var metric: String
    public var value: Double

    var json: JSONValue {
      .object([
        ("schema", .string("porthole-bench/history")), ("version", .integer(1)), ("started", .string(started)),
        ("comparable_key", .string(key)), ("id", .string(id)), ("metric", .string(metric)), ("value", .number(value)),
      ])
    }
  }

  public struct Change: Sendable, Hashable {
    public var id: String
    public var metric: String
    public var started: String
    public var point: ChangePoints.Point
  }

  public var entries: [Entry] = []

  public init() {}

  /// Throws a sentence that names the file and the line; a last line that was cut off is one.
  public init(_ text: String, name: String) throws(BenchError) {
    for (index, line) in text.split(separator: "\n").enumerated() {
      guard let document = try? JSONParser.parse([UInt8](line.utf8)) else {
        throw BenchError(.report, "\(name):\(index + 1) is no line of a history.")
      }
      let reader = RecordReader(document: document, name: "\(name):\(index + 1)")
      guard try reader.text("schema", of: 0) == "porthole-bench/history", try reader.number("version", of: 0) == 1
      else {
        throw BenchError(.report, "\(name):\(index + 1) is no line of a history of version 1.")
      }
      entries.append(
        Entry(
          started: try reader.text("started", of: 0), key: try reader.text("comparable_key", of: 0),
          id: try reader.text("id", of: 0), metric: try reader.text("metric", of: 0),
          value: try reader.number("value", of: 0)))
    }
  }

  /// A run's medians, as lines. Throws where the run is not valid: what is not to be believed has no history.
  public static func lines(_ result: BenchmarkResult) throws(BenchError) -> String {
    guard result.exit.code == .ok else {
      throw BenchError(.report, "the run ended with exit code \(result.exit.code.rawValue): it is not to be believed.")
    }
    return CellTable(result).rows.compactMap { row in
      row.value.map {
        Entry(
          started: result.started, key: result.environment.comparableKey, id: row.cell.id, metric: row.metric, value: $0
        )
      }
    }.map(\.json.line).joined()
  }

  /// Where a series changed for good, each cell and metric on each machine by itself.
  public func changes(alpha: Double = 0.001) -> [Change] {
    var series: [[String]: [Entry]] = [:]
    for entry in entries { series[[entry.key, entry.id, entry.metric], default: []].append(entry) }
    return series.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap { name, entries -> [Change] in
      ChangePoints.find(entries.map(\.value), alpha: alpha).map { point in
        Change(id: name[1], metric: name[2], started: entries[point.index].started, point: point)
      }
    }
  }
}
