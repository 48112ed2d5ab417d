/// What a comparison says of one cell.
public enum Verdict: String, Sendable, CaseIterable {
  /// Surely worse than the margin.
  case regressed
  /// Surely better than the margin.
  case improved
  /// Surely not worse than the tolerance.
  case pass
  /// Neither can be said.
  case inconclusive
  /// It has no counterpart to be held against.
  case new
  /// One side has no number for it.
  case missing
  /// The two sides were not measured under the same conditions.
  case refused
}

/// How much worse is worse, and how sure a verdict has to be.
public struct Thresholds: Sendable, Hashable {
  /// A change of time up to this is none: 0.015 is 1.5 %.
  public var margin = 0.015
  /// A change that is surely smaller than this passes.
  public var tolerance = 0.05
  /// The chance of a false alarm among all cells of a comparison together.
  public var alpha = 0.005
  /// By how much an exact counter may grow, as a part of itself.
  public var counterBudget = 0.0

  public init() {}
}

/// The logarithm of a ratio of costs and how well it is known.
public struct LogRatio: Sendable, Hashable {
  public var value: Double
  public var error: Double
  /// Of Student's distribution; infinite where the error is known and not estimated.
  public var freedom: Double

  public init(value: Double, error: Double, freedom: Double = .infinity) {
    self.value = value
    self.error = error
    self.freedom = freedom
  }

  public var estimate: Estimate {
    let reach = error * quantile(0.975)
    return Estimate(
      value: exponential(value), interval: Interval(exponential(value - reach), exponential(value + reach)))
  }

  /// The chance of a ratio as large, if in truth it were at most `1 + margin`.
  public func chanceIfWithin(_ margin: Double) -> Double {
    let distance = value - naturalLogarithm(1 + margin)
    guard error > 0 else { return distance > 0 ? 0 : 1 }
    guard freedom.isFinite else { return Normal.lowerTail(-distance / error) }
    return Student.upperTail(distance / error, freedom: freedom) ?? 1
  }

  /// The smallest growth that such a comparison catches in four of five cases.
  public func detectableEffect(_ thresholds: Thresholds) -> Double {
    let reach = (quantile(1 - thresholds.alpha) + quantile(0.8)) * error
    return (1 + thresholds.margin) * exponential(reach) - 1
  }

  private func quantile(_ p: Double) -> Double {
    (freedom.isFinite ? Student.quantile(p, freedom: freedom) : Normal.quantile(p)) ?? .infinity
  }
}

extension Thresholds {
  /// `adjusted` is the p-value of `LogRatio.chanceIfWithin`, adjusted for how many cells are judged with it.
  public func verdict(_ ratio: Estimate, adjusted: Double) -> Verdict {
    guard let interval = ratio.interval else { return .inconclusive }
    if interval.lower > 1 + margin, adjusted < alpha { return .regressed }
    if interval.upper < 1 - margin { return .improved }
    return interval.upper < 1 + tolerance ? .pass : .inconclusive
  }
}
