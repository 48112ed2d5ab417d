import JSON

/// What a cell's cost is made of, or what moved in it between two runs, with what to try. A pure function of the files.
/// Schema "porthole-bench/explanation", version 1.
public struct Explanation: Sendable {
  private let base: ExplainedCell?
  private let head: ExplainedCell
  public let movements: [PartMovement]
  /// How much slower everything was.
  public let shared: Double
  public let counters: [(name: String, base: Int, head: Int)]

  /// - Parameter base: what it was before; nil where there is nothing to hold it against.
  public init(_ head: ExplainedCell, base: ExplainedCell? = nil) {
    (self.base, self.head) = (base, head)
    (movements, shared) = base.map { PartMovement.rank($0.parts, head.parts) } ?? ([], 1)
    counters = (base?.counters ?? []).compactMap { old in
      let new = head.counters.first { $0.name == old.name }?.value ?? 0
      return new == old.value ? nil : (old.name, old.value, new)
    }
  }

  /// The surest first; where nothing is sure, none.
  public var contributors: [PartMovement] { movements.filter(\.isSure) }

  public var lines: [String] { base.map(moved) ?? made }

  private var made: [String] {
    var lines = [head.id + (head.time.map { ": \(Self.milliseconds($0.milliseconds)) a frame (\($0.metric))" } ?? "")]
    if head.status != "ok" { lines.append("  it is \(head.status): its numbers are none") }
    if !head.counters.isEmpty {
      lines.append("  " + head.counters.map { "\($0.name) \(NumberText.grouped($0.value))" }.joined(separator: ", "))
    }
    if let what = head.partsOf { lines.append("  " + what) }
    let sum = head.parts.reduce(0) { $0 + $1.milliseconds }
    for part in head.parts.sorted(by: { $0.milliseconds > $1.milliseconds }).prefix(8) where sum > 0 {
      lines.append(row(part.name, part.milliseconds, part.milliseconds / sum))
    }
    if let rest = head.unattributed, rest.magnitude > 0.05 {
      lines.append("  \(NumberText.significant(rest * 100, 2)) % of GL's time is in no pass")
    }
    if let portal = head.portals.first {
      lines.append("  the dearest portal: \(portal.name), \(Self.milliseconds(portal.milliseconds))")
    }
    if let first = head.parts.max(by: { $0.milliseconds < $1.milliseconds }) {
      lines.append("  try: " + Advice.onPart(first.name))
    } else {
      lines.append("  what it is made of was not measured; porthole-bench run SUITE tells pass by pass")
    }
    return lines
  }

  private func moved(from base: ExplainedCell) -> [String] {
    var lines = [head.id]
    if let old = base.time, let new = head.time, old.milliseconds > 0 {
      lines[0] +=
        ": \(Self.milliseconds(old.milliseconds)) became \(Self.milliseconds(new.milliseconds)) "
        + "(\(Self.percent(new.milliseconds / old.milliseconds - 1)), \(new.metric))"
    }
    if (shared - 1).magnitude > 0.02 {
      lines.append("  all parts together: \(Self.percent(shared - 1)); what follows is beyond that")
    }
    for counter in counters {
      lines.append(
        "  \(counter.name): \(NumberText.grouped(counter.base)) became \(NumberText.grouped(counter.head))")
    }
    for movement in contributors.prefix(5) {
      let change = movement.base > 0 ? Self.percent(movement.delta / movement.base) : "new"
      lines.append(
        "  " + PointTable.padEnd(movement.name, 24) + PointTable.pad(Self.milliseconds(movement.base), 10) + " → "
          + PointTable.pad(Self.milliseconds(movement.head), 10) + "  \(change)")
    }
    var advice = counters.filter { $0.head > $0.base }.compactMap { Advice.onCounter($0.name) }
    if let first = contributors.first(where: { $0.delta > 0 }) {
      advice.append(Advice.onPart(first.name))
      if counters.isEmpty { advice.append(Advice.onSameCounters) }
    }
    if counters.isEmpty, contributors.isEmpty { advice = [Advice.onNothing] }
    return lines + advice.map { "  try: \($0)" }
  }

  private func row(_ name: String, _ milliseconds: Double, _ share: Double) -> String {
    "  " + PointTable.padEnd(name, 24) + PointTable.pad(Self.milliseconds(milliseconds), 10)
      + PointTable.pad("\(NumberText.fixed(share * 100, 0)) %", 7)
  }

  private static func milliseconds(_ value: Double) -> String { NumberText.significant(value, 3) + " ms" }
  private static func percent(_ part: Double) -> String {
    (part >= 0 ? "+" : "-") + NumberText.significant(part.magnitude * 100, 2) + " %"
  }

  public var json: JSONValue {
    let rows = movements.map { movement in
      JSONValue.object([
        ("part", .string(movement.name)), ("base_ms", .milliseconds(movement.base)),
        ("head_ms", .milliseconds(movement.head)), ("sure", .boolean(movement.isSure)),
      ])
    }
    let parts = head.parts.map {
      JSONValue.object([("part", .string($0.name)), ("ms", .milliseconds($0.milliseconds))])
    }
    let changes = counters.map {
      JSONValue.object([("name", .string($0.name)), ("base", .integer($0.base)), ("head", .integer($0.head))])
    }
    return .object([
      ("schema", .string("porthole-bench/explanation")), ("version", .integer(1)), ("id", .string(head.id)),
      ("parts", .array(parts)), ("shared", .number(shared)), ("top_contributors", .array(rows)),
      ("counters", .array(changes)), ("lines", .strings(lines)),
    ])
  }
}
