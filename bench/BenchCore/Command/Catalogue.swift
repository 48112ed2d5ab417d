import JSON

/// What can be measured: suites with their parameters, strategies, metrics and counters.
public enum Catalogue {
  public static var text: String {
    func row(_ name: String, _ summary: String) -> String { "  " + PointTable.padEnd(name, 16) + summary }
    var lines = ["Suites"]
    lines += Suite.allCases.map { row($0.rawValue, $0.summary) }
    lines += FeatureSuite.allCases.map { row($0.rawValue, $0.summary) }
    lines.append("Strategies")
    lines += Strategy.allCases.map { row($0.rawValue, $0.summary) }
    lines.append("Metrics")
    lines += Metric.allCases.map { row($0.rawValue, Summary.name($0) + " of a frame, in ms") }
    lines.append("Counters, the same on every machine")
    lines += counters.map { row($0.name, $0.summary) }
    return lines.joined(separator: "\n")
  }

  static let counters: [(name: String, summary: String)] = [
    ("passes", "targets that a frame draws into"), ("batches", "draw calls"), ("quads", "instances drawn"),
    ("layers_visited", "layers that resolving looked at"), ("shaded_pixels", "pixels that quads cover, in all passes"),
  ]

  /// Schema "porthole-bench/catalogue", version 1.
  public static var json: JSONValue {
    let scaling = Suite.allCases.map { suite in
      JSONValue.object([
        ("name", .string(suite.rawValue)), ("summary", .string(suite.summary)), ("command", .string("scale")),
        ("parameter", .string("n")), ("values", .null),
      ])
    }
    let features = FeatureSuite.allCases.map { suite in
      JSONValue.object([
        ("name", .string(suite.rawValue)), ("summary", .string(suite.summary)), ("command", .string("run")),
        ("parameter", .string(suite.parameter)), ("values", .strings(suite.values)),
      ])
    }
    func named(_ pairs: [(String, String)], _ more: [(String, JSONValue)]) -> JSONValue {
      .array(pairs.map { .object([("name", .string($0.0)), ("summary", .string($0.1))] + more) })
    }
    let times = Metric.allCases.map { ($0.rawValue, Summary.name($0)) }
    return .object([
      ("schema", .string("porthole-bench/catalogue")), ("version", .integer(1)),
      ("suites", .array(scaling + features)),
      ("strategies", named(Strategy.allCases.map { ($0.rawValue, $0.summary) }, [])),
      ("metrics", named(times, [("unit", .string("ms")), ("kind", .string("time")), ("better", .string("lower"))])),
      ("counters", named(counters.map { ($0.name, $0.summary) }, [("kind", .string("exact"))])),
    ])
  }
}
