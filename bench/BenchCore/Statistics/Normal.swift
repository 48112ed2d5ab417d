/// The standard normal distribution.
public enum Normal {
  /// The chance of a number of at most `z`.
  public static func lowerTail(_ z: Double) -> Double { complementOfError(-z / 2.0.squareRoot()) / 2 }

  /// The number that a share `p` lies below. Nil unless 0 < p < 1.
  public static func quantile(_ p: Double) -> Double? {
    guard p > 0, p < 1 else { return nil }
    // The tail function is monotonic and smooth: a start within a few tenths, then Newton's steps.
    let tail = min(p, 1 - p)
    let t = (-2 * naturalLogarithm(tail)).squareRoot()
    var z = t - (2.30753 + 0.27061 * t) / (1 + t * (0.99229 + 0.04481 * t))
    for _ in 0..<20 {
      let miss = lowerTail(-z) - tail
      let density = exponential(-z * z / 2) / (2 * Double.pi).squareRoot()
      let step = miss / density
      z += step
      if step.magnitude < 1e-14 * max(1, z.magnitude) { break }
    }
    return p < 0.5 ? -z : z
  }
}

/// Student's distribution: what a mean of few numbers, over its own estimated error, follows.
public enum Student {
  /// The chance of a number of at least `t`. Nil unless `freedom` is positive (it need not be whole).
  public static func upperTail(_ t: Double, freedom: Double) -> Double? {
    guard freedom > 0, t.isFinite, freedom.isFinite else { return nil }
    let half = regularizedBeta(freedom / (freedom + t * t), freedom / 2, 0.5) / 2
    return t >= 0 ? half : 1 - half
  }

  /// The number that a share `p` lies below. Nil unless 0 < p < 1 and `freedom` is positive.
  public static func quantile(_ p: Double, freedom: Double) -> Double? {
    guard p > 0, p < 1, freedom > 0 else { return nil }
    let tail = min(p, 1 - p)
    var (low, high) = (0.0, 1.0)
    while let chance = upperTail(high, freedom: freedom), chance > tail, high < 1e300 { high *= 2 }
    // By halving: some of its tails are so heavy that steps along the slope overshoot.
    while high - low > 1e-13 * max(1, high) {
      let middle = (low + high) / 2
      guard middle > low, middle < high, let chance = upperTail(middle, freedom: freedom) else { break }
      if chance > tail { low = middle } else { high = middle }
    }
    return p < 0.5 ? -(low + high) / 2 : (low + high) / 2
  }
}
