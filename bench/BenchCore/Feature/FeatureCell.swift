/// One frame's worth of a point, from one round: what it took without instruments but the stages' clock.
public struct FeatureSample: Sendable {
  public var cpuMilliseconds: Double
  public var wallMilliseconds: Double
  /// By stage, in the order of `FeatureCell.stages`.
  public var stages: [Double]

  public init(cpuMilliseconds: Double, wallMilliseconds: Double, stages: [Double]) {
    self.cpuMilliseconds = cpuMilliseconds
    self.wallMilliseconds = wallMilliseconds
    self.stages = stages
  }
}

/// A point of a feature suite and all that was measured of it.
public struct FeatureCell: Sendable {
  /// The stages of a frame; the last two are GL.
  public static let stages = ["apply", "animate", "resolve", "plan", "draw", "finish"]
  static let stagesOfGL = 4..<6

  public var key: FeatureKey
  public var status = Cell.Status.ok
  public var reason: String?
  public var counters: FrameCount?
  public var samples: [FeatureSample] = []
  public var attribution: Attribution?

  public init(key: FeatureKey) { self.key = key }

  public var cpu: Double? { Quantile.median(samples.map(\.cpuMilliseconds)) }
  public var wall: Double? { Quantile.median(samples.map(\.wallMilliseconds)) }

  /// The median of each stage, in milliseconds.
  public var stageMedians: [Double] {
    Self.stages.indices.map { stage in Quantile.median(samples.map { $0.stages[stage] }) ?? .nan }
  }

  /// How far apart each stage's times lie, as a part of their median.
  var stageSpreads: [Double?] {
    Self.stages.indices.map { stage in
      let times = samples.map { $0.stages[stage] }
      guard let middle = Quantile.median(times), middle > 0 else { return nil }
      return Quantile.medianDeviation(times).map { $0 / middle }
    }
  }

  /// Marks it invalid where a number is none.
  mutating func checkNumbers() {
    guard status == .ok else { return }
    if samples.isEmpty {
      (status, reason) = (.invalid, "no round was measured")
    } else if !samples.allSatisfy({
      $0.cpuMilliseconds >= 0 && $0.wallMilliseconds > 0 && $0.wallMilliseconds.isFinite
        && $0.cpuMilliseconds.isFinite && $0.stages.allSatisfy { $0 >= 0 && $0.isFinite }
    }) {
      (status, reason) = (.invalid, "a time is not a positive number")
    } else if samples.allSatisfy({ $0.cpuMilliseconds == 0 }) {
      (status, reason) = (.invalid, "the process clock did not move")
    }
  }
}
