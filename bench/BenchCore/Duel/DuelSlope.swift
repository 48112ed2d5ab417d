extension DuelRecord.Restart {
  /// By how much what each further portal takes differs in this start: the logarithm of the ratio of the slopes of two lines,
  /// one through the middles of the base's rounds at each N, the other through these times what the rounds of both, in pairs,
  /// say of the other arm. Nil where a number is none, or where cost does not grow with N.
  public func slopeLogRatio(_ counts: [Int], _ arm: DuelRecord.Arm, _ metric: Metric) -> Double? {
    var (samples, others): ([CostLine.Sample], [CostLine.Sample]) = ([], [])
    for (index, n) in counts.enumerated() {
      guard let ratio = logRatio(index, arm, metric), let all = rounds[index][.base],
        let middle = Quantile.median(all.map(metric.value(of:)))
      else { return nil }
      samples.append(CostLine.Sample(n: n, cost: middle))
      others.append(CostLine.Sample(n: n, cost: middle * exponential(ratio)))
    }
    guard let base = CostLine(fitting: samples), let other = CostLine(fitting: others), base.slope > 0, other.slope > 0
    else { return nil }
    return naturalLogarithm(other.slope / base.slope)
  }
}

extension DuelResult {
  /// What ends the identifier of the cell that stands for what each further portal takes.
  public static let slopeID = "/slope"

  /// Curves are compared by their slopes, not point by point. Nil for a duel at one N.
  static func slope(_ record: DuelRecord, _ options: DuelOptions, _ metric: Metric) -> Cell? {
    guard options.counts.count > 1 else { return nil }
    let starts = record.restarts.compactMap { $0.slopeLogRatio(options.counts, .head, metric) }
    var cell = Cell(
      id: "portal-grid/strategy=portal" + slopeID, starts: starts, effect: estimate(starts), verdict: .inconclusive)
    // That a cost at some N is missing is told by the cell of that N.
    if starts.count < record.restarts.count {
      (cell.note, cell.effect) = ("cost grows too little with N to have a slope", nil)
    } else if starts.count < DuelOptions.fewestRestarts {
      (cell.note, cell.effect) = ("too few starts", nil)
    }
    if options.hasControl {
      cell.control = estimate(record.restarts.compactMap { $0.slopeLogRatio(options.counts, .control, metric) })
    }
    return cell
  }
}
