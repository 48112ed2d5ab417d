/// One number of one cell, before and after.
public struct CellComparison: Sendable {
  public enum Change: Sendable, Hashable {
    /// An exact counter.
    case counter(base: Int, head: Int)
    /// A time, as a ratio; with the smallest growth that would have been caught.
    case time(Estimate, p: Double, detectable: Double)
    case none
  }

  public var id: String
  /// The name of a counter or a `Metric`.
  public var metric: String
  public var change: Change
  public var verdict: Verdict
  /// A verdict that no gate acts on.
  public var isAdvisory = false
  /// A sentence, where the numbers don't say it.
  public var note: String?

  public init(id: String, metric: String, change: Change, verdict: Verdict, note: String? = nil) {
    self.id = id
    self.metric = metric
    self.change = change
    self.verdict = verdict
    self.note = note
  }

  /// A tenth of the time for the same work is no measurement: another unit, or work that was not done.
  mutating func refuseTheImplausible(_ base: RecordedCell?, _ head: RecordedCell?) {
    guard case .time(let ratio, _, _) = change, ratio.value < 0.1, let base, let head,
      base.counters.elementsEqual(head.counters, by: { $0 == $1 })
    else { return }
    verdict = .missing
    note = "\(EstimateText.ratio(ratio)) of the time for the same counters: in another unit, or not drawn"
  }

  /// A counter that some of a side's runs disagree on is none.
  static func counters(
    _ id: String, base: [RecordedCell], head: [RecordedCell], _ thresholds: Thresholds
  ) -> [CellComparison] {
    guard let first = head.first, let before = base.first else { return [] }
    let names =
      before.counters.map(\.name)
      + first.counters.map(\.name).filter { name in
        !before.counters.contains { $0.name == name }
      }
    return names.map { name in
      let values = (base + head).map { cell in cell.counters.first { $0.name == name }?.value }
      let (old, new) = (values[..<base.count], values[base.count...])
      guard let oldest = old.first, let newest = new.first, old.allSatisfy({ $0 == oldest }),
        new.allSatisfy({ $0 == newest })
      else {
        return CellComparison(
          id: id, metric: name, change: .none, verdict: .missing, note: "the runs of one side disagree on it")
      }
      guard let newest else {
        return CellComparison(
          id: id, metric: name, change: .none, verdict: .missing, note: "the head does not count it")
      }
      guard let oldest else {
        return CellComparison(id: id, metric: name, change: .none, verdict: .new, note: "the base does not count it")
      }
      let limit = Double(oldest) * (1 + thresholds.counterBudget)
      let verdict: Verdict = Double(newest) > limit ? .regressed : newest < oldest ? .improved : .pass
      return CellComparison(id: id, metric: name, change: .counter(base: oldest, head: newest), verdict: verdict)
    }
  }
}
