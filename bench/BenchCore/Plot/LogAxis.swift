/// One axis of a log-log plot: values to pixels.
public struct LogAxis: Sendable, Hashable {
  /// The values at the two ends, both positive.
  public let low: Double
  public let high: Double
  /// The pixels at the two ends; the second may be the smaller, as it is for y.
  public let start: Double
  public let end: Double

  /// Ends that are not positive numbers in order are widened to a decade.
  public init(low: Double, high: Double, start: Double, end: Double) {
    self.low = low > 0 && low.isFinite ? low : 1
    self.high = high > self.low && high.isFinite ? high : self.low * 10
    self.start = start
    self.end = end
  }

  /// Outside the ends, the pixel of the nearer end.
  public func pixel(_ value: Double) -> Double {
    guard value > low else { return start }
    let part = naturalLogarithm(value / low) / naturalLogarithm(high / low)
    return start + (end - start) * min(1, part)
  }

  /// 1, 2 and 5 of each decade within the ends; only powers of ten if that gives more than nine.
  public var ticks: [Double] {
    let all = decades.flatMap { [$0, 2 * $0, 5 * $0] }.filter(contains)
    return all.count <= 9 ? all : decades.filter(contains)
  }

  /// 1 to 9 of each decade, for hairlines.
  public var hairlines: [Double] { decades.flatMap { decade in (1...9).map { Double($0) * decade } }.filter(contains) }

  private func contains(_ value: Double) -> Bool { value >= low * 0.9999 && value <= high * 1.0001 }

  /// Powers of ten, worked out by multiplication of whole numbers so that 0.001 is 0.001.
  private var decades: [Double] {
    let first = max(-12, Int(decimalLogarithm(low).rounded(.down)))
    let last = min(12, Int(decimalLogarithm(high).rounded(.up)))
    return stride(from: first, through: max(first, last), by: 1).map { exponent in
      var power = 1.0
      for _ in 0..<exponent.magnitude { power *= 10 }
      return exponent < 0 ? 1 / power : power
    }
  }
}
