/// How an animation's progress goes with its time: a cubic Bézier curve from (0, 0) to (1, 1) (`CAMediaTimingFunction`).
public struct TimingFunction: Sendable, Hashable {
  /// The two control points. Their x, time, lies between 0 and 1; their y, progress, may lie beyond.
  public var x1: Double, y1: Double, x2: Double, y2: Double

  public init(_ x1: Double, _ y1: Double, _ x2: Double, _ y2: Double) {
    self.x1 = x1
    self.y1 = y1
    self.x2 = x2
    self.y2 = y2
  }

  public static let linear = TimingFunction(0, 0, 1, 1)
  public static let easeIn = TimingFunction(0.42, 0, 1, 1)
  public static let easeOut = TimingFunction(0, 0, 0.58, 1)
  public static let easeInEaseOut = TimingFunction(0.42, 0, 0.58, 1)
  /// Core Animation's own choice.
  public static let `default` = TimingFunction(0.25, 0.1, 0.25, 1)

  public var isLinear: Bool { x1 == y1 && x2 == y2 }

  /// The progress at `time`, both from 0 to 1; what lies beyond counts as the end.
  public func progress(at time: Double) -> Double {
    if time <= 0 { return 0 }
    if time >= 1 { return 1 }
    if isLinear { return time }
    return Self.curve(y1, y2, parameter(at: time))
  }

  /// Where on the curve its x is `time`. x never falls, so Newton's steps are kept between two ends that close in.
  private func parameter(at time: Double) -> Double {
    var (low, high, parameter) = (0.0, 1.0, time)
    for _ in 0..<64 {
      let miss = Self.curve(x1, x2, parameter) - time
      if miss == 0 { break }
      if miss > 0 { high = parameter } else { low = parameter }
      let slope = Self.slope(x1, x2, parameter)
      var next = parameter - miss / slope
      if !(next > low && next < high) { next = (low + high) / 2 }
      if next == parameter || (next - parameter).magnitude < 1e-16 { break }
      parameter = next
    }
    return parameter
  }

  private static func curve(_ a: Double, _ b: Double, _ t: Double) -> Double {
    ((1 + 3 * a - 3 * b) * t + (3 * b - 6 * a)) * t * t + 3 * a * t
  }

  private static func slope(_ a: Double, _ b: Double, _ t: Double) -> Double {
    (3 * (1 + 3 * a - 3 * b) * t + 2 * (3 * b - 6 * a)) * t + 3 * a
  }
}
