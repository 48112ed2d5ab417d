import JSON

/// One thing that the benchmark promises of itself, and what a trial of it found.
public struct SelftestBar: Sendable {
  /// As the specification counts them: `B1`.
  public var id: String
  public var claim: String
  public var figure: Double
  /// Within which the figure must lie.
  public var range: ClosedRange<Double>
  public var unit: String
  /// On what the figure stands.
  public var note: String

  public init(
    _ id: String, _ claim: String, _ figure: Double, in range: ClosedRange<Double>, unit: String = "%",
    note: String = ""
  ) {
    (self.id, self.claim, self.figure, self.range, self.unit, self.note) = (id, claim, figure, range, unit, note)
  }

  public var holds: Bool { range.contains(figure) }

  public var line: String {
    let limit =
      range.lowerBound == -.infinity
      ? "≤ \(NumberText.shortest(range.upperBound))"
      : range.upperBound == .infinity
        ? "≥ \(NumberText.shortest(range.lowerBound))"
        : "\(NumberText.shortest(range.lowerBound)) to \(NumberText.shortest(range.upperBound))"
    return "  " + PointTable.padEnd(holds ? "holds" : "SHORT", 7) + PointTable.padEnd(id, 5)
      + PointTable.padEnd(claim, 64) + PointTable.pad(NumberText.significant(figure, 3), 7) + " "
      + PointTable.padEnd("\(unit), \(limit)", 16) + (note.isEmpty ? "" : " \(note)")
  }

  var json: JSONValue {
    .object([
      ("id", .string(id)), ("claim", .string(claim)), ("figure", .optional(figure.isFinite ? figure : nil)),
      ("unit", .string(unit)), ("at_least", .optional(range.lowerBound.isFinite ? range.lowerBound : nil)),
      ("at_most", .optional(range.upperBound.isFinite ? range.upperBound : nil)), ("holds", .boolean(holds)),
      ("note", .string(note)),
    ])
  }
}

extension ClosedRange<Double> {
  public static func atMost(_ limit: Double) -> ClosedRange<Double> { -.infinity...limit }
  public static func atLeast(_ limit: Double) -> ClosedRange<Double> { limit ... .infinity }
}
