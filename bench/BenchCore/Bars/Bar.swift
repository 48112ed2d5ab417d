import JSON

/// One line that must hold: a figure, and how large it may be.
public struct Bar: Sendable {
  public enum Status: String, Sendable {
    case holds, short
    case notMeasured = "not measured"
  }

  /// As the table of the performance page has it.
  public var name: String
  public var figure: Double?
  public var limit: Double
  public var unit: String
  /// Of a ratio: within which it lies nineteen times in twenty.
  public var interval: Interval?
  /// What was counted or timed, or why not.
  public var note: String
  /// It can't be measured on this machine or in a short run, and does not count.
  public var isLeftOut = false

  public init(
    _ name: String, _ figure: Double?, limit: Double, unit: String = "x", interval: Interval? = nil, note: String = ""
  ) {
    self.name = name
    self.figure = figure
    self.limit = limit
    self.unit = unit
    self.interval = interval
    self.note = note
  }

  public var status: Status {
    guard let figure, figure.isFinite else { return .notMeasured }
    return figure <= limit ? .holds : .short
  }

  public var fails: Bool { status == .short || status == .notMeasured && !isLeftOut }

  var line: String {
    let mark = status == .holds ? "holds" : status == .short ? "SHORT" : isLeftOut ? "-" : "MISSING"
    let value = figure.map { NumberText.significant($0, 3) } ?? "-"
    let range =
      interval.map { " (\(NumberText.significant($0.lower, 3)) to \(NumberText.significant($0.upper, 3)))" } ?? ""
    return "  " + PointTable.padEnd(mark, 8) + PointTable.padEnd(name, 58) + PointTable.pad(value, 9)
      + " ≤ " + PointTable.padEnd("\(NumberText.shortest(limit)) \(unit)", 14) + range
      + (note.isEmpty ? "" : "  \(note)")
  }

  var json: JSONValue {
    .object([
      ("name", .string(name)), ("status", .string(status.rawValue)), ("left_out", .boolean(isLeftOut)),
      ("figure", .optional(figure)), ("limit", .number(limit)), ("unit", .string(unit)),
      ("ci95", interval.json), ("note", .string(note)),
    ])
  }
}
