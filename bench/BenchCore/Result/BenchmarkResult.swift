/// All that a run found: the reports are pure functions of it.
public struct BenchmarkResult: Sendable {
  public var tool: ToolIdentity
  public var arguments: [String]
  public var seed: UInt64
  /// ISO 8601, UTC.
  public var started: String
  public var durationSeconds: Double
  public var environment: RunEnvironment
  public var shape: OutputShape
  /// The identifiers of all cells that were asked for.
  public var planned: [String]
  /// Which part of the plan this is; nil for all of it.
  public var shard: Shard?
  /// For each suite: the cells in the order in which each round drew them, as indices in `cells`.
  public var order: [(suite: Suite, rounds: [[Int]])]
  public var cells: [Cell]
  public var pictures: [PictureCheck]
  public var scaling: [ScalingSeries]
  public var slopes: [SlopeParts]
  public var capacities: [Capacity]
  public var ratios: [RatioCell]
  /// What each factor adds.
  public var interactions: [Interaction] = []
  /// What the machine said of its clocks and its heat, by suite.
  public var sensors: [(suite: Suite, record: SensorRecord)] = []
  /// What ended the run before it was done; nil where nothing did. Such a result is never green.
  public var interruption: String?
  /// What a reader should know before believing a number.
  public var notes: [String]
  public var exit: ExitStatus

  /// Of plain portals, unless a factor is named.
  public func cells(_ suite: Suite, _ strategy: Strategy, _ factor: FactorLevel? = nil) -> [Cell] {
    cells.filter { $0.key.suite == suite && $0.key.strategy == strategy && $0.key.factor == factor }
  }

  /// In the order in which they first come.
  public var factors: [FactorLevel] {
    var seen: Set<FactorLevel> = []
    return cells.compactMap(\.key.factor).filter { seen.insert($0).inserted }
  }

  public func series(_ suite: Suite, _ strategy: Strategy, _ metric: Metric) -> ScalingSeries? {
    scaling.first { $0.suite == suite && $0.strategy == strategy && $0.metric == metric }
  }

  public var suites: [Suite] { Suite.allCases.filter { suite in cells.contains { $0.key.suite == suite } } }

  public var strategies: [Strategy] {
    Strategy.allCases.filter { strategy in cells.contains { $0.key.strategy == strategy } }
  }

  public var leadingMetric: Metric { environment.leadingMetric }
}

/// Which build of the benchmark ran.
public struct ToolIdentity: Sendable, Hashable {
  public var version: String
  public var build: String

  public init(version: String, build: String) {
    self.version = version
    self.build = build
  }

  public static let version = "0.1.0"

  public static var current: ToolIdentity {
    #if DEBUG
      ToolIdentity(version: version, build: "debug")
    #else
      ToolIdentity(version: version, build: "release")
    #endif
  }
}
