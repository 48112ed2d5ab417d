/// Two sides of recorded results, held against each other: a pure function of them, so that whoever runs it again gets
/// the same verdicts.
///
/// Exact counters are compared as they are, on whatever machine they were counted. Times are compared only between runs
/// whose processor, driver and settings are the same; and since the two sides ran one after the other, each is taken in
/// terms of the floor that ran beside it.
public struct ResultComparison: Sendable {
  public var base: [String]
  public var head: [String]
  public var thresholds: Thresholds
  /// What times are compared by; nil where none can be.
  public var metric: Metric?
  public var cells: [CellComparison]
  /// Why times were not compared, and what else a reader should know.
  public var notes: [String]
  public var exit: ExitStatus

  /// `advisory` names counters and metrics that no gate acts on.
  public init(
    base: [RecordedResult], head: [RecordedResult], thresholds: Thresholds = Thresholds(), advisory: Set<String> = [],
    isStrict: Bool = false
  ) {
    self.base = base.map(\.name)
    self.head = head.map(\.name)
    self.thresholds = thresholds
    let all = base + head
    let metric: Metric =
      all.allSatisfy(\.isTimerValid) ? .gpu : all.allSatisfy(\.isSoftware) ? .cpu : .wall
    let differences = Self.differences(all)
    self.metric = differences.isEmpty ? metric : nil
    notes = differences.map { "times are not compared: \($0)" }
    let faults = Self.faults(all)
    notes += faults
    var cells: [CellComparison] = []
    let identifiers = Self.union(all.map(\.identifiers))
    for id in identifiers {
      let (old, new) = (base.map { $0.cell(id) }, head.map { $0.cell(id) })
      if let gap = Self.gap(id, old, new) {
        cells.append(gap)
        continue
      }
      let (before, after) = (old.compactMap(\.self), new.compactMap(\.self))
      cells += CellComparison.counters(id, base: before, head: after, thresholds)
      guard after.first?.parameter("strategy") == Strategy.portal.rawValue else { continue }
      guard differences.isEmpty else {
        cells.append(CellComparison(id: id, metric: metric.rawValue, change: .none, verdict: .refused))
        continue
      }
      var cell = Self.time(id, metric, base, head, thresholds)
      cell.refuseTheImplausible(before.first, after.first)
      cells.append(cell)
    }
    Self.judge(&cells, thresholds)
    for index in cells.indices where advisory.contains(cells[index].metric) { cells[index].isAdvisory = true }
    self.cells = cells
    exit = Self.exit(cells, runsFailed: !faults.isEmpty, notes, isStrict: isStrict)
  }

  /// What makes a result none, whatever its numbers say.
  private static func faults(_ results: [RecordedResult]) -> [String] {
    var faults: [String] = []
    for result in results {
      if result.exitCode != 0 {
        faults.append("\(result.name) is of a run that itself ended with exit code \(result.exitCode)")
      }
      faults += result.faults.map { "\(result.name) \($0)" }
    }
    for (index, result) in results.enumerated() {
      // No two runs take the same time to the last digit.
      for other in results[..<index] where result.sharesTimes(with: other) {
        faults.append("\(result.name) holds the very times of \(other.name): it is a copy, or was not written anew")
      }
    }
    return faults
  }

  /// Where a cell is not on both sides, or failed: never green.
  private static func gap(_ id: String, _ old: [RecordedCell?], _ new: [RecordedCell?]) -> CellComparison? {
    func state(_ cells: [RecordedCell?]) -> String? {
      guard cells.contains(where: { $0 != nil }) else { return "absent" }
      guard let failed = cells.first(where: { $0?.status != Cell.Status.ok.rawValue }) else { return nil }
      guard let failed else { return "absent from one of its runs" }
      return failed.reason.map { "\(failed.status): \($0)" } ?? failed.status
    }
    let (before, after) = (state(old), state(new))
    if before == nil, after == nil { return nil }
    // What neither side measured, since it is too slow here, is no loss.
    let isSkipped = { (cells: [RecordedCell?]) in cells.allSatisfy { $0?.status == Cell.Status.skipped.rawValue } }
    if isSkipped(old), isSkipped(new) {
      return CellComparison(id: id, metric: "cell", change: .none, verdict: .pass, note: "skipped on both sides")
    }
    if before != nil, after == nil {
      return CellComparison(
        id: id, metric: "cell", change: .none, verdict: .new, note: "in the base it is \(before ?? "absent")")
    }
    return CellComparison(
      id: id, metric: "cell", change: .none, verdict: .missing, note: "in the head it is \(after ?? "absent")")
  }

  private static func time(
    _ id: String, _ metric: Metric, _ base: [RecordedResult], _ head: [RecordedResult], _ thresholds: Thresholds
  ) -> CellComparison {
    let hasFloor = (base + head).allSatisfy { result in
      result.cell(id).map { result.floor(of: $0, metric) != nil } ?? false
    }
    guard let old = SideCost(base, id: id, metric: metric, againstFloor: hasFloor),
      let new = SideCost(head, id: id, metric: metric, againstFloor: hasFloor)
    else {
      return CellComparison(
        id: id, metric: metric.rawValue, change: .none, verdict: .inconclusive,
        note: "too few rounds (an interval takes six)")
    }
    let ratio = SideCost.ratio(head: new, base: old)
    let p = ratio.chanceIfWithin(thresholds.margin)
    var cell = CellComparison(
      id: id, metric: metric.rawValue,
      change: .time(ratio.estimate, p: p, detectable: ratio.detectableEffect(thresholds)), verdict: .pass)
    // Without a floor, only many starts can tell a change from the hour of the day.
    if !hasFloor, min(old.runs.count, new.runs.count) < SideCost.fewestStarts {
      cell.verdict = .inconclusive
      cell.note = "without a floor beside it, this takes \(SideCost.fewestStarts) results or more on each side"
    }
    return cell
  }

  /// The verdicts of the times, once it is known how many are judged together.
  private static func judge(_ cells: inout [CellComparison], _ thresholds: Thresholds) {
    let chances = Holm.adjusted(
      cells.map { cell in
        if case .time(_, let p, _) = cell.change, cell.note == nil { return p }
        return nil
      })
    for (index, adjusted) in chances.enumerated() {
      guard let adjusted, case .time(let ratio, _, let detectable) = cells[index].change else { continue }
      cells[index].change = .time(ratio, p: adjusted, detectable: detectable)
      cells[index].verdict = thresholds.verdict(ratio, adjusted: adjusted)
    }
  }

  private static func differences(_ results: [RecordedResult]) -> [String] {
    guard let first = results.first else { return [] }
    var sentences: [String] = []
    for result in results.dropFirst() {
      for name in union([first.surroundings.map(\.name), result.surroundings.map(\.name)]) {
        let (old, new) = (value(name, first), value(name, result))
        if old != new { sentences.append("\(name) is “\(old)” in \(first.name), “\(new)” in \(result.name)") }
      }
    }
    return sentences
  }

  private static func value(_ name: String, _ result: RecordedResult) -> String {
    result.surroundings.first { $0.name == name }?.value ?? "absent"
  }

  /// Each once, in the order in which they first come.
  private static func union(_ lists: [[String]]) -> [String] {
    var seen: Set<String> = []
    return lists.joined().filter { seen.insert($0).inserted }
  }

  private static func exit(
    _ cells: [CellComparison], runsFailed: Bool, _ notes: [String], isStrict: Bool
  ) -> ExitStatus {
    var found: [(ExitStatus.Code, String)] = []
    for cell in cells where !cell.isAdvisory {
      let sentence = "\(cell.id), \(cell.metric): " + ComparisonText.reason(cell)
      switch cell.verdict {
      case .missing: found.append((.invalid, sentence))
      case .regressed: found.append((.regression, sentence))
      case .inconclusive where isStrict: found.append((.inconclusive, sentence))
      default: break
      }
    }
    if cells.isEmpty { found.append((.invalid, "there is no cell to compare")) }
    if runsFailed { found.append((.invalid, "a run was not valid by itself")) }
    if cells.contains(where: { $0.verdict == .refused && !$0.isAdvisory }) {
      found.append((.environment, notes.first ?? "times are not comparable"))
    }
    return ExitStatus(found)
  }
}
