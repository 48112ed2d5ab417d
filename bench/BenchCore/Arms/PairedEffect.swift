/// What paired rounds of two arms say: by how much the second costs more.
public struct PairedEffect: Sendable {
  /// Of the second arm in terms of the first.
  public var ratio: Estimate
  /// One-sided, of "at most the margin more".
  public var p: Double
  /// Standard error of the logarithm of the ratio.
  public var error: Double
  public var rounds: Int
  /// Of each round's log ratio with the next one's.
  public var correlation: Double?

  public init(ratio: Estimate, p: Double, error: Double, rounds: Int, correlation: Double? = nil) {
    (self.ratio, self.p, self.error, self.rounds, self.correlation) = (ratio, p, error, rounds, correlation)
  }

  /// Nil where there are fewer than six rounds, or a cost is no positive number.
  public init?(_ first: [Double], _ second: [Double], thresholds: Thresholds) {
    guard let ratio = PairedRatio.estimate(second, first), let interval = ratio.interval else { return nil }
    let logs = zip(first, second).map { naturalLogarithm($1 / $0) }
    self.ratio = ratio
    // Where all rounds agree to the last bit there is nothing to test; the estimate itself decides.
    let limit = naturalLogarithm(1 + thresholds.margin)
    p = SignedRankTest.upperTail(logs, above: limit) ?? (ratio.value > 1 + thresholds.margin ? 0 : 1)
    error = (naturalLogarithm(interval.upper) - naturalLogarithm(interval.lower)) / 2 / 1.959964
    rounds = first.count
    correlation = Correlation.lag1(logs)
  }

  /// How many times further than the test knows estimates lie apart, since rounds are like their neighbours. The test's own
  /// limit does not move with it.
  private var likeness: Double {
    let rho = max(0, min(0.9, correlation ?? 0))
    return ((1 + rho) / (1 - rho)).squareRoot()
  }

  /// Of one round. A spread that few rounds tell is uncertain itself: Student's t, to its first term.
  private var oneError: Double { error * Double(rounds).squareRoot() * (1 + 2 / Double(max(6, rounds))) }

  /// The smallest growth that so many rounds catch with such a chance; the rounds' likeness to their neighbours counts.
  public func detectable(rounds count: Double, _ thresholds: Thresholds, power: Double = 0.8) -> Double {
    guard count > 0, let z = Normal.quantile(1 - thresholds.alpha), let more = Normal.quantile(power) else {
      return .infinity
    }
    let spread = oneError / count.squareRoot()
    return (1 + thresholds.margin) * exponential((z + more * likeness) * spread) - 1
  }

  /// How many rounds it takes until so small a growth is caught; nil where no number of them does.
  public func rounds(toSee growth: Double, _ thresholds: Thresholds, power: Double = 0.8) -> Double? {
    guard growth > thresholds.margin, let z = Normal.quantile(1 - thresholds.alpha), let more = Normal.quantile(power)
    else { return nil }
    let reach = naturalLogarithm((1 + growth) / (1 + thresholds.margin)) / (z + more * likeness)
    return max(6, (oneError / reach) * (oneError / reach)).rounded(.up)
  }
}
