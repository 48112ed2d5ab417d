/// What one side of a comparison says of a cell's cost: the logarithm of the cost in terms of the floor that was drawn in
/// the same rounds, since what slows the whole machine is in both, and cancels; without a floor, of the cost alone.
struct SideCost {
  /// One for each run of the side.
  var runs: [Run]

  struct Run {
    var value: Double
    /// From the rounds of this run; it knows nothing of how another start of the same program would differ.
    var error: Double
  }

  /// How much two starts of one program differ for no reason (where things lie in memory), as a standard deviation of
  /// log costs. Measured between 2 and 4 % on shared machines; used where there are too few runs to see it.
  static let startSpread = 0.035
  /// From so many runs on, their own spread is believed instead.
  static let fewestStarts = 3

  /// Nil where one of the runs has no number for the cell, or too few rounds for an interval.
  init?(_ results: [RecordedResult], id: String, metric: Metric, againstFloor: Bool) {
    runs = []
    for result in results {
      guard let cell = result.cell(id), let costs = cell.costs(metric) else { return nil }
      var below = [Double](repeating: 1, count: costs.count)
      if againstFloor {
        guard let floor = result.floor(of: cell, metric) else { return nil }
        below = floor
      }
      let rounds = min(costs.count, below.count)
      guard let ratio = PairedRatio.estimate(Array(costs.prefix(rounds)), Array(below.prefix(rounds))),
        let interval = ratio.interval
      else { return nil }
      let width = naturalLogarithm(interval.upper) - naturalLogarithm(interval.lower)
      runs.append(Run(value: naturalLogarithm(ratio.value), error: width / 2 / 1.959964))
    }
    if runs.isEmpty { return nil }
  }

  var mean: Double { runs.reduce(0) { $0 + $1.value } / Double(runs.count) }

  /// Of the mean, squared; and Student's degrees of freedom of it.
  var variance: (value: Double, freedom: Double) {
    let count = Double(runs.count)
    guard runs.count >= Self.fewestStarts else {
      let within = runs.reduce(0) { $0 + $1.error * $1.error } / count
      return ((within + Self.startSpread * Self.startSpread) / count, .infinity)
    }
    let spread = runs.reduce(0) { $0 + ($1.value - mean) * ($1.value - mean) } / (count - 1)
    return (spread / count, count - 1)
  }

  /// What the head costs in terms of the base (Welch's: each side has a spread of its own).
  static func ratio(head: SideCost, base: SideCost) -> LogRatio {
    let (a, b) = (head.variance, base.variance)
    let sum = a.value + b.value
    let part = a.value * a.value / a.freedom + b.value * b.value / b.freedom
    return LogRatio(
      value: head.mean - base.mean, error: sum.squareRoot(), freedom: part > 0 ? sum * sum / part : .infinity)
  }
}
