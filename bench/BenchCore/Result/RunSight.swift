/// How small a change a comparison of two arms would see on a run's machine, by the run's own rounds: each round of a cell
/// against the next one, as if they were two arms that are the same.
public struct RunSight: Sendable, Hashable {
  public static let seconds = 60.0

  public var n: Int
  public var metric: Metric
  /// The smallest growth that is caught in four of five cases in a minute.
  public var growth: Double

  /// Of the portals at the N in the middle. Nil where there are too few rounds.
  public init?(_ result: BenchmarkResult, thresholds: Thresholds = Thresholds()) {
    let metric = result.leadingMetric
    let cells = result.cells.filter { $0.key.strategy == .portal && $0.status == .ok }.sorted { $0.key.n < $1.key.n }
    guard !cells.isEmpty else { return nil }
    let cell = cells[cells.count / 2]
    let costs = cell.values(metric)
    let pairs = costs.count / 2
    let first = (0..<pairs).map { costs[$0 * 2] }
    let second = (0..<pairs).map { costs[$0 * 2 + 1] }
    guard let effect = PairedEffect(first, second, thresholds: thresholds),
      let wall = Quantile.median(cell.wallFrames), wall > 0
    else { return nil }
    // Two arms, and in each one frame more than those that count.
    let roundSeconds = 2 * wall / 1000 * Double(PairedRounds.frames + 1)
    n = cell.key.n
    self.metric = metric
    growth = effect.detectable(rounds: Self.seconds / roundSeconds, thresholds)
  }
}
