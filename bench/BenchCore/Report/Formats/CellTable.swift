import JSON

/// A result as one flat table: a row for each number of each cell.
public struct CellTable: Sendable {
  public struct Row: Sendable {
    public var cell: Cell
    public var metric: String
    public var unit: String
    public var kind: String
    /// Nil where the cell was not measured.
    public var value: Double?
    public var summary: MetricSummary?
  }

  public var rows: [Row]

  public init(_ result: BenchmarkResult) {
    let bootstrap = RoundBootstrap(seed: result.seed)
    rows = result.cells.flatMap { cell -> [Row] in
      guard cell.status == .ok else {
        return [Row(cell: cell, metric: "", unit: "", kind: "", value: nil, summary: nil)]
      }
      let times = Metric.allCases.compactMap { metric in
        MetricSummary(metric, of: cell, bootstrap: bootstrap).map {
          Row(cell: cell, metric: metric.rawValue, unit: "ms", kind: "time", value: $0.median, summary: $0)
        }
      }
      let counters = (cell.counters?.named ?? []).map { name, value in
        Row(cell: cell, metric: name, unit: "count", kind: "exact", value: Double(value), summary: nil)
      }
      return times + counters
    }
  }

  static let columns = [
    "id", "suite", "strategy", "n", "status", "reason", "metric", "kind", "unit", "value", "p95", "p99", "mad",
    "ci95_lower", "ci95_upper", "samples",
  ]

  private static func fields(_ row: Row) -> [JSONValue] {
    let key = row.cell.key
    func number(_ value: Double?) -> JSONValue { value.map { .milliseconds($0) } ?? .null }
    let named: [JSONValue] = [
      .string(row.cell.id), .string(key.suite.rawValue), .string(key.strategy.rawValue), .integer(key.n),
      .string(row.cell.status.rawValue), .optional(row.cell.reason), .string(row.metric), .string(row.kind),
      .string(row.unit), number(row.value),
    ]
    let summary = row.summary
    let spread: [JSONValue] = [
      number(summary?.p95), number(summary?.p99), number(summary?.deviation), number(summary?.interval?.lower),
      number(summary?.interval?.upper), summary.map { .integer($0.count) } ?? .null,
    ]
    return named + spread
  }

  /// Comma-separated values as RFC 4180 has them.
  public var csv: String {
    let lines = rows.map { row in
      Self.fields(row).map { field -> String in
        switch field {
        case .null: ""
        case .string(let text): Self.quoted(text)
        default: String(field.line.dropLast())
        }
      }.joined(separator: ",")
    }
    return ([Self.columns.joined(separator: ",")] + lines).map { $0 + "\r\n" }.joined()
  }

  /// A field that a spreadsheet takes for text, never for a formula.
  static func quoted(_ text: String) -> String {
    let safe = text.first.map { "=+-@".contains($0) } ?? false ? "'" + text : text
    guard safe.contains(where: { ",\"\r\n".contains($0) || $0 == "\r\n" }) else { return safe }
    return "\"" + safe.replacing("\"", with: "\"\"") + "\""
  }

  /// A line of JSON for each row.
  public var ndjson: String {
    rows.map { row in JSONValue.object(Array(zip(Self.columns, Self.fields(row)))).line }.joined()
  }
}
