import JSON

/// How steady a machine is, by two arms that are the same: what a comparison of this kind can see here, and how often it
/// would cry wolf.
public struct NoiseReport: Sendable {
  /// What half a minute of an in-process comparison can see.
  public enum Class: String, Sendable, CaseIterable {
    /// Three per cent and less.
    case quiet
    /// As little as a gate tolerates.
    case usable
    /// Fifteen per cent and less.
    case noisy
    /// Nothing worth gating on.
    case bad
  }

  public var metric: Metric
  public var effect: PairedEffect
  /// Of a round's log ratio, by its median distance from the median: a normal distribution's standard deviation.
  public var spread: Double
  public var roundSeconds: Double
  public var grade: Class
  /// The part of segments of these rounds that would have been called a regression.
  public var falseAlarms: Double
  /// Whether these rounds, of two equal arms, were called a change themselves.
  public var isClean: Bool
  /// The smallest growth that is caught in four of five cases, by the seconds of measuring.
  public var table: [(seconds: Double, growth: Double)]

  static let tableSeconds = [5.0, 15, 30, 60, 120]

  /// Nil where there are too few rounds, or a number is none.
  public init?(_ rounds: PairedRounds, metric: Metric, thresholds: Thresholds = Thresholds(), seed: UInt64) {
    let (first, second) = rounds.costs(metric)
    guard let effect = PairedEffect(first, second, thresholds: thresholds), rounds.unitSeconds > 0,
      let deviation = Quantile.medianDeviation(zip(first, second).map { naturalLogarithm($1 / $0) })
    else { return nil }
    self.metric = metric
    self.effect = effect
    spread = deviation * 1.4826
    let oneRound = rounds.unitSeconds
    roundSeconds = oneRound
    table = Self.tableSeconds.map { ($0, effect.detectable(rounds: $0 / oneRound, thresholds)) }
    let inHalfMinute = effect.detectable(rounds: 30 / oneRound, thresholds)
    grade =
      inHalfMinute <= 0.03
      ? .quiet : inHalfMinute <= thresholds.tolerance ? .usable : inHalfMinute <= 0.15 ? .noisy : .bad
    falseAlarms = Self.falseAlarms(first, second, thresholds, seed: seed)
    isClean = ![.regressed, .improved].contains(thresholds.verdict(effect.ratio, adjusted: effect.p))
  }

  /// Of 200 segments of half the rounds, or a hundred, at places of chance.
  private static func falseAlarms(
    _ first: [Double], _ second: [Double], _ thresholds: Thresholds, seed: UInt64
  ) -> Double {
    let count = min(100, max(6, first.count / 2))
    guard first.count > count else { return 0 }
    var random = SplitMix64(seed: seed)
    var flagged = 0
    let segments = 200
    for _ in 0..<segments {
      let start = random.below(first.count - count + 1)
      let range = start..<start + count
      // Either arm may play the changed one.
      let isTurned = random.below(2) == 1
      let (a, b) = (Array(first[range]), Array(second[range]))
      guard let effect = PairedEffect(isTurned ? b : a, isTurned ? a : b, thresholds: thresholds) else { continue }
      if thresholds.verdict(effect.ratio, adjusted: effect.p) == .regressed { flagged += 1 }
    }
    return Double(flagged) / Double(segments)
  }

  public var json: JSONValue {
    .object([
      ("class", .string(grade.rawValue)), ("metric", .string(metric.rawValue)), ("pairs", .integer(effect.rounds)),
      ("ratio", .number(effect.ratio.value)), ("ci95", effect.ratio.interval.json), ("clean", .boolean(isClean)),
      ("aa_false_alarm_est", .number(falseAlarms)), ("autocorr", .optional(effect.correlation)),
      ("round_spread", .number(spread)), ("round_s", .number(roundSeconds)),
      (
        "mde",
        .array(table.map { .object([("seconds", .number($0.seconds)), ("growth", .number($0.growth))]) })
      ),
    ])
  }
}
