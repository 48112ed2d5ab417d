/// What one strategy costs in terms of another at one N, from the rounds in which both ran.
public struct RatioCell: Sendable {
  public var suite: Suite
  public var n: Int
  public var metric: Metric
  /// `numerator / denominator`: 1.2 says that the first costs a fifth more.
  public var numerator: Strategy
  public var denominator: Strategy
  public var ratio: Estimate

  /// Nil unless both cells hold numbers.
  public init?(_ numerator: Cell, over denominator: Cell, metric: Metric) {
    guard numerator.status == .ok, denominator.status == .ok else { return nil }
    let rounds = min(numerator.rounds.count, denominator.rounds.count)
    guard
      let ratio = PairedRatio.estimate(
        Array(numerator.values(metric).prefix(rounds)), Array(denominator.values(metric).prefix(rounds)))
    else { return nil }
    suite = numerator.key.suite
    n = numerator.key.n
    self.metric = metric
    self.numerator = numerator.key.strategy
    self.denominator = denominator.key.strategy
    self.ratio = ratio
  }
}

/// Whether the pictures of two strategies agree, at one frame.
public struct PictureCheck: Sendable, Hashable {
  public var suite: Suite
  public var strategy: Strategy
  public var n: Int
  public var frame: Int
  public var passed: Bool
  /// What was compared and how far they are apart, for a person.
  public var note: String

  public init(suite: Suite, strategy: Strategy, n: Int, frame: Int, passed: Bool, note: String) {
    self.suite = suite
    self.strategy = strategy
    self.n = n
    self.frame = frame
    self.passed = passed
    self.note = note
  }
}
