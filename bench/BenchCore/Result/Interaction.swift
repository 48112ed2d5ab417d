/// What a factor adds to the cost of portals: to what is fixed, and to each of them. Where it adds to each, the two together
/// cost more than either alone.
public struct Interaction: Sendable {
  public var suite: Suite
  public var strategy: Strategy
  public var metric: Metric
  public var level: FactorLevel
  /// Milliseconds.
  public var fixedMore: Estimate
  /// Milliseconds a portal.
  public var slopeMore: Estimate
  /// What a portal costs with it, in terms of one without.
  public var slopeRatio: Estimate

  /// The number of portals and the factor raise each other's cost, surely.
  public var isSure: Bool { slopeMore.interval.map { $0.lower > 0 } ?? false }

  /// Of cells of the same rounds, at the N that both have. Nil unless these are two or more, with numbers.
  public init?(_ plain: [Cell], with factor: [Cell], metric: Metric, bootstrap: RoundBootstrap) {
    var pairs: [(n: Int, plain: [Double], with: [Double])] = []
    for cell in plain where cell.status == .ok {
      guard let other = factor.first(where: { $0.key.n == cell.key.n && $0.status == .ok }) else { continue }
      pairs.append((cell.key.n, cell.values(metric), other.values(metric)))
    }
    pairs.sort { $0.n < $1.n }
    guard let first = factor.first, let level = first.key.factor else { return nil }
    let rounds = pairs.map { min($0.plain.count, $0.with.count) }.min() ?? 0
    func numbers(_ indices: [Int]?) -> [Double]? {
      var (low, high): ([CostLine.Sample], [CostLine.Sample]) = ([], [])
      for pair in pairs {
        guard let a = Quantile.median(indices.map { $0.map { pair.plain[$0] } } ?? pair.plain),
          let b = Quantile.median(indices.map { $0.map { pair.with[$0] } } ?? pair.with)
        else { return nil }
        low.append(CostLine.Sample(n: pair.n, cost: a))
        high.append(CostLine.Sample(n: pair.n, cost: b))
      }
      guard let plain = CostLine(fitting: low), let with = CostLine(fitting: high) else { return nil }
      return [
        with.fixed - plain.fixed, with.slope - plain.slope, plain.slope > 0 ? with.slope / plain.slope : .nan,
      ]
    }
    guard let values = numbers(nil) else { return nil }
    let intervals = bootstrap.intervals(rounds: rounds, count: 3) { numbers($0) ?? [] }
    (suite, strategy, self.metric, self.level) = (first.key.suite, first.key.strategy, metric, level)
    fixedMore = Estimate(value: values[0], interval: intervals[0])
    slopeMore = Estimate(value: values[1], interval: intervals[1])
    slopeRatio = Estimate(value: values[2], interval: intervals[2])
  }
}
