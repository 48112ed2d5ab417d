/// What a duel measured: for each restart of both sides, each cell's rounds.
public struct DuelRecord: Sendable {
  public enum Arm: String, Sendable, CaseIterable {
    case base, head, control
  }

  /// One start of all sides.
  public struct Restart: Sendable {
    /// By cell and by arm.
    public var rounds: [[Arm: [RoundSample]]]
    /// The order in which the sides were started.
    public var starts: [Arm]
    /// Of each round, the order in which they drew, as letters: b, h, c.
    public var orders: [String]

    public init(cells: Int) {
      rounds = Array(repeating: [:], count: cells)
      starts = []
      orders = []
    }

    /// The middle of a cell's log ratios, of one arm against the base. Nil where a number is none.
    public func logRatio(_ cell: Int, _ arm: Arm, _ metric: Metric) -> Double? {
      guard rounds.indices.contains(cell), let base = rounds[cell][.base], let other = rounds[cell][arm],
        base.count == other.count, (base + other).allSatisfy(\.isMeasured)
      else { return nil }
      var logs: [Double] = []
      for (a, b) in zip(base, other) {
        let (x, y) = (metric.value(of: a), metric.value(of: b))
        guard x > 0, y > 0, x.isFinite, y.isFinite else { return nil }
        logs.append(naturalLogarithm(y / x))
      }
      return Quantile.median(logs)
    }
  }

  public var restarts: [Restart] = []
  /// What went wrong, and of which side: a start that ended badly is never left out in silence.
  public var failures: [String] = []
  public var identities: [Arm: DuelIdentity] = [:]
  public var seconds = 0.0

  public init() {}
}
