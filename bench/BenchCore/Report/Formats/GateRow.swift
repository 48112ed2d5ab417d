/// One verdict as every report of a gate shows it, whatever was gated.
public struct GateRow: Sendable, Hashable {
  public enum State: Int, Sendable, CaseIterable {
    /// The worst first.
    case invalid, failed, refused, unclear, improved, passed
  }

  /// What was measured, and which number of it.
  public var id: String
  public var metric: String
  public var state: State
  /// What happened, for a person.
  public var sentence: String
  /// Decides nothing.
  public var isAdvisory: Bool
  /// Numbers by name.
  public var properties: [Property]

  public struct Property: Sendable, Hashable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) { (self.name, self.value) = (name, value) }
  }

  public init(
    id: String, metric: String, state: State, sentence: String, isAdvisory: Bool = false, properties: [Property] = []
  ) {
    (self.id, self.metric, self.state, self.sentence) = (id, metric, state, sentence)
    (self.isAdvisory, self.properties) = (isAdvisory, properties)
  }

  var word: String {
    switch state {
    case .invalid: "INVALID"
    case .failed: "REGRESSED"
    case .refused: "refused"
    case .unclear: "inconclusive"
    case .improved: "improved"
    case .passed: "pass"
    }
  }

  /// The worst first; among equals, as they stand.
  static func ranked(_ rows: [GateRow]) -> [GateRow] {
    State.allCases.flatMap { state in
      rows.filter { $0.state == state && !$0.isAdvisory } + rows.filter { $0.state == state && $0.isAdvisory }
    }
  }
}

/// All verdicts of a run under one name.
public struct GateReport: Sendable {
  public var title: String
  public var rows: [GateRow]
  public var notes: [String]
  public var exit: ExitStatus

  public init(title: String, rows: [GateRow], notes: [String] = [], exit: ExitStatus) {
    (self.title, self.rows, self.notes, self.exit) = (title, rows, notes, exit)
  }
}

extension GateReport {
  /// Of a run by itself: whether each cell was measured, and every picture right.
  public init(_ result: BenchmarkResult) {
    var rows = result.cells.map { cell -> GateRow in
      let isBad = [.invalid, .crashed, .missing].contains(cell.status)
      let state: GateRow.State = isBad ? .invalid : cell.status == .skipped ? .unclear : .passed
      let numbers = Metric.allCases.compactMap { metric -> GateRow.Property? in
        cell.status == .ok ? Quantile.median(cell.values(metric)).map { .init(metric.rawValue, "\($0)") } : nil
      }
      return GateRow(
        id: cell.id, metric: "cell", state: state, sentence: cell.reason ?? "measured in \(cell.rounds.count) rounds",
        properties: numbers)
    }
    rows += result.pictures.filter { !$0.passed }.map { check in
      GateRow(
        id: "\(check.suite.rawValue)/strategy=\(check.strategy.rawValue)/n=\(check.n)", metric: "picture",
        state: .invalid, sentence: "frame \(check.frame): \(check.note)")
    }
    self.init(title: "porthole-bench", rows: rows, notes: Summary(result).sentences + result.notes, exit: result.exit)
  }

  /// Of two results.
  public init(_ comparison: ResultComparison) {
    let rows = comparison.cells.map { cell -> GateRow in
      var properties: [GateRow.Property] = []
      switch cell.change {
      case .counter(let base, let head): properties = [.init("base", "\(base)"), .init("head", "\(head)")]
      case .time(let ratio, let p, let mde):
        properties = [.init("ratio", "\(ratio.value)"), .init("p_adj", "\(p)"), .init("mde", "\(mde)")]
        if let interval = ratio.interval {
          properties += [.init("ci95_lower", "\(interval.lower)"), .init("ci95_upper", "\(interval.upper)")]
        }
      case .none: break
      }
      return GateRow(
        id: cell.id, metric: cell.metric, state: GateRow.State(cell.verdict), sentence: ComparisonText.reason(cell),
        isAdvisory: cell.isAdvisory, properties: properties)
    }
    self.init(
      title: "porthole-bench compare", rows: rows, notes: [ComparisonText.summary(comparison)] + comparison.notes,
      exit: comparison.exit)
  }

  /// Of two builds.
  public init(_ duel: DuelResult) {
    let rows = duel.cells.map { cell -> GateRow in
      var properties: [GateRow.Property] = []
      if let effect = cell.effect {
        properties = [.init("ratio", "\(effect.estimate.value)"), .init("p_adj", "\(cell.p ?? 1)")]
        if let interval = effect.estimate.interval {
          properties += [.init("ci95_lower", "\(interval.lower)"), .init("ci95_upper", "\(interval.upper)")]
        }
      }
      return GateRow(
        id: cell.id, metric: duel.metric.rawValue, state: GateRow.State(cell.verdict),
        sentence: DuelResult.line(cell, duel.options.thresholds), properties: properties)
    }
    self.init(title: "porthole-bench duel", rows: rows, notes: duel.notes + duel.record.failures, exit: duel.exit)
  }
}

extension GateRow.State {
  init(_ verdict: Verdict) {
    switch verdict {
    case .missing: self = .invalid
    case .regressed: self = .failed
    case .refused: self = .refused
    case .inconclusive: self = .unclear
    case .improved: self = .improved
    case .pass, .new: self = .passed
    }
  }
}
