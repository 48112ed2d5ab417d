/// How many samples lie far out, by Tukey's fences. For information: no sample is thrown away for it.
public struct OutlierClasses: Sendable, Hashable {
  /// Further from the quartiles than 1.5 times their distance, and at most 3 times.
  public var mild: Int
  /// Further than 3 times.
  public var severe: Int

  /// Nil for an empty list and where a sample is no number.
  /// - Complexity: O(n log n)
  public init?(_ samples: [Double]) {
    guard let lower = Quantile.of(samples, 0.25), let upper = Quantile.of(samples, 0.75) else { return nil }
    let range = upper - lower
    let distances = samples.map { max(lower - $0, $0 - upper) }
    severe = distances.count { $0 > 3 * range }
    mild = distances.count { $0 > 1.5 * range } - severe
  }
}
