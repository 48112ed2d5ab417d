/// Intervals by drawing whole rounds again: what happened together in a round, on a machine that was busy or idle just
/// then, stays together.
public struct RoundBootstrap: Sendable {
  public var resamples: Int
  public var seed: UInt64

  public init(resamples: Int = 1000, seed: UInt64) {
    self.resamples = max(1, resamples)
    self.seed = seed
  }

  /// The 95 % interval of each number that `statistic` makes of the rounds whose indices it is handed (some twice, some
  /// not at all). Nil for fewer than two rounds, and for a number that was not finite in more than one in twenty draws.
  /// - Complexity: O(resamples · statistic)
  public func intervals(rounds: Int, count: Int, _ statistic: ([Int]) -> [Double]) -> [Interval?] {
    guard rounds > 1 else { return Array(repeating: nil, count: count) }
    var random = SplitMix64(seed: seed)
    var draws = [[Double]](repeating: [], count: count)
    var indices = [Int](repeating: 0, count: rounds)
    for _ in 0..<resamples {
      for index in 0..<rounds { indices[index] = random.below(rounds) }
      let values = statistic(indices)
      for index in 0..<count where index < values.count && values[index].isFinite { draws[index].append(values[index]) }
    }
    return draws.map { values in
      guard values.count * 20 >= resamples * 19 else { return nil }
      let sorted = values.sorted()
      guard let lower = Quantile.of(sorted: sorted, 0.025), let upper = Quantile.of(sorted: sorted, 0.975) else {
        return nil
      }
      return Interval(lower, upper)
    }
  }

  public func interval(rounds: Int, _ statistic: ([Int]) -> Double) -> Interval? {
    intervals(rounds: rounds, count: 1) { [statistic($0)] }[0]
  }
}
