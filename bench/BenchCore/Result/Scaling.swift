/// How one strategy's cost grows in one suite: `cost(N) = fixed + slope · N`.
public struct ScalingSeries: Sendable {
  /// The line and its 95 % band at one N.
  public struct BandPoint: Sendable, Hashable {
    public var n: Double
    public var cost: Double
    public var interval: Interval?
  }

  public var suite: Suite
  public var strategy: Strategy
  public var metric: Metric
  /// Milliseconds.
  public var fixed: Estimate
  /// Milliseconds a portal.
  public var slope: Estimate
  public var lackOfFit: LackOfFit?
  /// Where cost begins to grow faster, if anywhere.
  public var knee: Knee?
  /// The largest relative miss and the N where it is.
  public var worstMiss: Double
  public var worstMissAt: Int
  /// The root of the mean square of the relative misses.
  public var relativeError: Double
  public var explainedShare: Double?
  /// N that were measured but are not part of the line, since their frames are made otherwise: drawn in one pass where
  /// the others' sources have passes of their own.
  public var leftOut: [Int]
  /// For a picture: from the smallest N to the largest, evenly in log N.
  public var band: [BandPoint]

  /// Nil unless two cells or more hold numbers. All cells are of one suite and strategy.
  public init?(_ cells: [Cell], metric: Metric, bootstrap: RoundBootstrap) {
    let measured = cells.filter { $0.status == .ok }.sorted { $0.key.n < $1.key.n }
    let cells = Self.ofOneMake(measured)
    guard let first = cells.first, let last = cells.last else { return nil }
    leftOut = measured.map(\.key.n).filter { n in !cells.contains { $0.key.n == n } }
    let values = cells.map { $0.values(metric) }
    guard let samples = Self.medians(cells, values, rounds: nil), let line = CostLine(fitting: samples) else {
      return nil
    }
    suite = first.key.suite
    strategy = first.key.strategy
    self.metric = metric

    let places = Self.places(from: first.key.n, to: last.key.n)
    // A run that was stopped may leave cells with one round more than others; what all have is what can be paired.
    let rounds = values.map(\.count).min() ?? 0
    let intervals = bootstrap.intervals(rounds: rounds, count: 2 + places.count) { indices in
      guard let drawn = Self.medians(cells, values, rounds: indices), let line = CostLine(fitting: drawn) else {
        return []
      }
      return [line.fixed, line.slope] + places.map(line.cost(at:))
    }
    fixed = Estimate(value: line.fixed, interval: intervals[0])
    slope = Estimate(value: line.slope, interval: intervals[1])
    band = places.enumerated().map { index, n in
      BandPoint(n: n, cost: line.cost(at: n), interval: intervals[2 + index])
    }
    let misses = line.relativeMisses(samples)
    let worst = misses.indices.max { misses[$0].magnitude < misses[$1].magnitude } ?? 0
    worstMiss = misses[worst]
    worstMissAt = samples[worst].n
    relativeError = (misses.reduce(0) { $0 + $1 * $1 } / Double(misses.count)).squareRoot()
    explainedShare = line.explainedShare(samples)
    let costs = zip(cells, values).map { (n: $0.key.n, costs: $1) }
    lackOfFit = LackOfFit(rounds: costs)
    knee = Knee(rounds: costs)
  }

  /// Without those of one pass, if enough others have several. The counters decide, not the times.
  private static func ofOneMake(_ cells: [Cell]) -> [Cell] {
    let several = cells.filter { ($0.counters?.passes ?? 0) > 1 }
    return several.count > 2 ? several : cells
  }

  private static func medians(_ cells: [Cell], _ values: [[Double]], rounds: [Int]?) -> [CostLine.Sample]? {
    var samples: [CostLine.Sample] = []
    for (cell, values) in zip(cells, values) {
      guard let median = Quantile.median(rounds.map { $0.map { values[$0] } } ?? values) else { return nil }
      samples.append(CostLine.Sample(n: cell.key.n, cost: median))
    }
    return samples
  }

  private static func places(from first: Int, to last: Int) -> [Double] {
    guard first > 0, last > first else { return [Double(first)] }
    let (low, high) = (naturalLogarithm(Double(first)), naturalLogarithm(Double(last)))
    let steps = 32
    return (0...steps).map { exponential(low + (high - low) * Double($0) / Double(steps)) }
  }
}

/// The largest N that holds a frame rate at the 99th percentile of the wall time.
public struct Capacity: Sendable {
  /// Hertz.
  public static let rates = [60.0, 90, 120]

  public var suite: Suite
  public var strategy: Strategy
  public var hertz: Double
  public var count: Estimate
  /// The largest N that was measured and held it; 0 for none.
  public var observed: Int
  /// A larger N was measured that does not hold it. Else `count` is where the fitted line leads.
  public var isBounded: Bool

  /// Nil unless two cells or more hold numbers. All cells are of one suite and strategy.
  public init?(_ cells: [Cell], hertz: Double, bootstrap: RoundBootstrap) {
    let cells = cells.filter { $0.status == .ok }.sorted { $0.key.n < $1.key.n }
    guard cells.count > 1, let first = cells.first, let last = cells.last, hertz > 0 else { return nil }
    let limit = 1000 / hertz
    guard let costs = Self.tail(cells, rounds: nil) else { return nil }
    let count = Self.crossing(costs, limit: limit)
    let rounds = cells.map(\.rounds.count).min() ?? 0
    let interval = bootstrap.interval(rounds: rounds) { indices in
      Self.tail(cells, rounds: indices).map { Self.crossing($0, limit: limit) } ?? .nan
    }
    suite = first.key.suite
    strategy = first.key.strategy
    self.hertz = hertz
    self.count = Estimate(value: count, interval: interval)
    observed = costs.last { $0.cost <= limit }?.n ?? 0
    isBounded = observed < last.key.n
  }

  private static func tail(_ cells: [Cell], rounds: [Int]?) -> [CostLine.Sample]? {
    var samples: [CostLine.Sample] = []
    for cell in cells {
      let frames = rounds.map { $0.flatMap { cell.rounds[$0].wallMilliseconds } } ?? cell.wallFrames
      guard let tail = Quantile.of(frames, 0.99) else { return nil }
      samples.append(CostLine.Sample(n: cell.key.n, cost: tail))
    }
    return samples
  }

  /// Where the line from point to point rises above `limit` for good, rounded down; beyond the last point, where the
  /// fitted line does. A small N may cost more than a larger one, so it is the last rise that counts.
  package static func crossing(_ samples: [CostLine.Sample], limit: Double) -> Double {
    guard let index = samples.lastIndex(where: { $0.cost <= limit }) else { return 0 }
    let below = samples[index]
    if index + 1 < samples.count {
      let above = samples[index + 1]
      let part = (limit - below.cost) / (above.cost - below.cost)
      return (Double(below.n) + part * Double(above.n - below.n)).rounded(.down)
    }
    guard let line = CostLine(fitting: samples), line.slope > 0 else { return Double(below.n) }
    // The line may run above the last point; what was measured to hold, holds.
    return max(Double(below.n), ((limit - line.fixed) / line.slope).rounded(.down))
  }
}
