/// `cost(N) = fixed + slope · N`, fitted so that each point counts by its *relative* miss: weights are 1/T², else the
/// largest N would decide alone.
public struct CostLine: Sendable, Hashable {
  public struct Sample: Sendable, Hashable {
    public var n: Int
    public var cost: Double

    public init(n: Int, cost: Double) {
      self.n = n
      self.cost = cost
    }
  }

  public var fixed: Double
  public var slope: Double

  public init(fixed: Double, slope: Double) {
    self.fixed = fixed
    self.slope = slope
  }

  /// Nil with fewer than two different N, and where a cost is not a positive number.
  public init?(fitting samples: [Sample]) {
    var (sw, sx, sy, sxx, sxy) = (0.0, 0.0, 0.0, 0.0, 0.0)
    for sample in samples {
      guard sample.cost > 0, sample.cost.isFinite else { return nil }
      let (x, y, w) = (Double(sample.n), sample.cost, 1 / (sample.cost * sample.cost))
      sw += w
      sx += w * x
      sy += w * y
      sxx += w * x * x
      sxy += w * x * y
    }
    let determinant = sw * sxx - sx * sx
    guard Set(samples.map(\.n)).count > 1, determinant > 0 else { return nil }
    fixed = (sxx * sy - sx * sxy) / determinant
    slope = (sw * sxy - sx * sy) / determinant
    guard fixed.isFinite, slope.isFinite else { return nil }
  }

  public func cost(at n: Double) -> Double { fixed + slope * n }

  /// How far the line misses each sample, as a part of the sample: 0.05 says that the line lies 5 % below it.
  public func relativeMisses(_ samples: [Sample]) -> [Double] {
    samples.map { ($0.cost - cost(at: Double($0.n))) / $0.cost }
  }

  /// The weighted share of the costs' variation that the line explains, or nil where they don't vary.
  public func explainedShare(_ samples: [Sample]) -> Double? {
    var (sw, sy) = (0.0, 0.0)
    for sample in samples {
      let w = 1 / (sample.cost * sample.cost)
      sw += w
      sy += w * sample.cost
    }
    let mean = sy / sw
    var (missed, total) = (0.0, 0.0)
    for sample in samples {
      let w = 1 / (sample.cost * sample.cost)
      let miss = sample.cost - cost(at: Double(sample.n))
      missed += w * miss * miss
      total += w * (sample.cost - mean) * (sample.cost - mean)
    }
    guard total > 0, total.isFinite, missed.isFinite else { return nil }
    return 1 - missed / total
  }
}

/// Whether a straight line is good enough, by what the rounds themselves say of their noise.
public struct LackOfFit: Sendable, Hashable {
  /// The chance of misses this large if the line were true.
  public var p: Double
  public var f: Double

  /// `rounds` holds, for each N, the cost in each round. Nil unless there are three N and repeated rounds.
  public init?(rounds: [(n: Int, costs: [Double])]) {
    let groups = rounds.filter { !$0.costs.isEmpty }
    let means = groups.map { group in
      CostLine.Sample(n: group.n, cost: group.costs.reduce(0, +) / Double(group.costs.count))
    }
    guard groups.count > 2, let line = CostLine(fitting: means) else { return nil }
    var (within, between) = (0.0, 0.0)
    var freedom = 0
    for (group, mean) in zip(groups, means) {
      let w = 1 / (mean.cost * mean.cost)
      for cost in group.costs { within += w * (cost - mean.cost) * (cost - mean.cost) }
      let miss = mean.cost - line.cost(at: Double(group.n))
      between += w * Double(group.costs.count) * miss * miss
      freedom += group.costs.count - 1
    }
    guard freedom > 0, within > 0 else { return nil }
    let f = between / Double(groups.count - 2) / (within / Double(freedom))
    guard let p = upperTailOfF(f, groups.count - 2, freedom) else { return nil }
    self.f = f
    self.p = p
  }
}
