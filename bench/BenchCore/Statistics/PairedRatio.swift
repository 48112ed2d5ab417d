/// How many times one thing costs what another does, from rounds in which both ran: each round gives one ratio, so that
/// a machine that slows down in the middle of a run slows both.
public enum PairedRatio {
  /// The typical ratio `a / b` and its interval: the median of all pairwise means of the rounds' log ratios (Hodges and
  /// Lehmann's), with the interval that Wilcoxon's signed ranks give without any assumption of a normal distribution.
  /// Nil where there is no round or a cost is not a positive number; below six rounds the interval is nil.
  /// - Complexity: O(n² log n) in the rounds
  public static func estimate(_ a: [Double], _ b: [Double]) -> Estimate? {
    guard a.count == b.count, !a.isEmpty else { return nil }
    var logarithms: [Double] = []
    for (x, y) in zip(a, b) {
      guard x > 0, y > 0, x.isFinite, y.isFinite else { return nil }
      logarithms.append(naturalLogarithm(x / y))
    }
    let means = walshMeans(logarithms)
    guard let middle = Quantile.of(sorted: means, 0.5) else { return nil }
    let rank = SignedRank.lowerCriticalRank(count: a.count)
    var interval: Interval?
    if rank > 0, rank <= means.count {
      interval = Interval(exponential(means[rank - 1]), exponential(means[means.count - rank]))
    }
    return Estimate(value: exponential(middle), interval: interval)
  }

  /// The means of all pairs, each with itself too, in rising order.
  static func walshMeans(_ values: [Double]) -> [Double] {
    var means: [Double] = []
    means.reserveCapacity(values.count * (values.count + 1) / 2)
    for i in values.indices {
      for j in i..<values.count { means.append((values[i] + values[j]) / 2) }
    }
    return means.sorted()
  }
}

/// The distribution of Wilcoxon's signed-rank sum of `count` numbers that lie around zero by chance.
package enum SignedRank {
  /// The smallest sum that is reached or undercut with a chance of at least 2.5 %; 0 if the smallest sum is already as
  /// likely, when there is no 95 % interval. Exact up to 200 numbers, by the normal distribution beyond.
  package static func lowerCriticalRank(count: Int) -> Int {
    if count > 200 {
      let n = Double(count)
      let deviation = (n * (n + 1) * (2 * n + 1) / 24).squareRoot()
      return Int(n * (n + 1) / 4 - 1.959964 * deviation)
    }
    var ways = [1.0]
    for rank in stride(from: 1, through: count, by: 1) {
      var next = ways + [Double](repeating: 0, count: rank)
      for (sum, value) in ways.enumerated() { next[sum + rank] += value }
      // Halved each time, so that the numbers are chances and stay small.
      ways = next.map { $0 / 2 }
    }
    var chance = 0.0
    for (sum, value) in ways.enumerated() {
      chance += value
      if chance >= 0.025 { return sum }
    }
    return 0
  }
}
