/// What a list of samples says in a few numbers.
public enum Quantile {
  /// The `p`-quantile of samples in rising order, interpolated between neighbours (Hyndman and Fan's type 7). Nil for an
  /// empty list, and where a sample is not a number.
  public static func of(sorted samples: [Double], _ p: Double) -> Double? {
    guard let first = samples.first, let last = samples.last, first.isFinite, last.isFinite, p >= 0, p <= 1 else {
      return nil
    }
    let position = p * Double(samples.count - 1)
    let index = Int(position)
    guard index + 1 < samples.count else { return last }
    let fraction = position - Double(index)
    return samples[index] + (samples[index + 1] - samples[index]) * fraction
  }

  /// The same for samples in any order.
  /// - Complexity: O(n log n)
  public static func of(_ samples: [Double], _ p: Double) -> Double? {
    guard samples.allSatisfy(\.isFinite) else { return nil }
    return of(sorted: samples.sorted(), p)
  }

  public static func median(_ samples: [Double]) -> Double? { of(samples, 0.5) }

  /// The median distance from the median: a measure of spread that a few wild samples don't move.
  public static func medianDeviation(_ samples: [Double]) -> Double? {
    guard let middle = median(samples) else { return nil }
    return median(samples.map { ($0 - middle).magnitude })
  }
}

/// A range that holds the true value in 95 of 100 runs like this one.
public struct Interval: Sendable, Hashable {
  public var lower: Double
  public var upper: Double

  /// Nil unless both are numbers and in order.
  public init?(_ lower: Double, _ upper: Double) {
    guard lower.isFinite, upper.isFinite, lower <= upper else { return nil }
    self.lower = lower
    self.upper = upper
  }

  public var halfWidth: Double { (upper - lower) / 2 }
}

/// A value and how sure it is.
public struct Estimate: Sendable, Hashable {
  public var value: Double
  /// Nil where there are too few rounds for one.
  public var interval: Interval?

  public init(value: Double, interval: Interval?) {
    self.value = value
    self.interval = interval
  }
}
