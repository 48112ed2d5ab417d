/// What one frame does, counted: exact, the same on every machine.
public struct FrameCount: Sendable, Hashable {
  public var passes: Int
  public var batches: Int
  public var quads: Int
  public var layersVisited: Int
  public var shadedPixels: Int

  public init(passes: Int, batches: Int, quads: Int, layersVisited: Int, shadedPixels: Int) {
    self.passes = passes
    self.batches = batches
    self.quads = quads
    self.layersVisited = layersVisited
    self.shadedPixels = shadedPixels
  }
}

/// The frames that a cell drew in one round, without a pause between them.
public struct RoundSample: Sendable, Hashable {
  /// Wall time of each frame, from the change of the layers to the last pixel.
  public var wallMilliseconds: [Double]
  /// CPU time of the whole process, user and system, a frame.
  public var cpuMilliseconds: Double
  /// GPU time a frame; nil where no timer is proven.
  public var gpuMilliseconds: Double?

  public init(wallMilliseconds: [Double], cpuMilliseconds: Double, gpuMilliseconds: Double? = nil) {
    self.wallMilliseconds = wallMilliseconds
    // To the nanosecond, as files hold it: a file says what the run said, to the last digit.
    self.cpuMilliseconds = (cpuMilliseconds * 1e6).rounded() / 1e6
    self.gpuMilliseconds = gpuMilliseconds
  }

  /// Whether every number in it can be one.
  public var isMeasured: Bool {
    !wallMilliseconds.isEmpty && wallMilliseconds.allSatisfy { $0.isFinite && $0 > 0 } && cpuMilliseconds.isFinite
      && cpuMilliseconds >= 0 && (gpuMilliseconds.map { $0.isFinite && $0 >= 0 } ?? true)
  }

  /// What stands for the round: the median frame.
  public var medianWall: Double { Quantile.median(wallMilliseconds) ?? .nan }
}

/// What is measured of a frame.
public enum Metric: String, Sendable, CaseIterable {
  case wall = "frame_wall_ms"
  case cpu = "cpu_ms"
  case gpu = "gpu_ms"

  /// The metric's one number for a round; not a number where there is none.
  public func value(of round: RoundSample) -> Double {
    switch self {
    case .wall: round.medianWall
    case .cpu: round.cpuMilliseconds
    case .gpu: round.gpuMilliseconds ?? .nan
    }
  }
}

/// One point of a sweep and all that was measured there.
public struct Cell: Sendable {
  public enum Status: String, Sendable {
    case ok, skipped, invalid, crashed, missing
  }

  public var key: CellKey
  public var shape: OutputShape
  public var status: Status
  /// A sentence, for any status but `ok`.
  public var reason: String?
  public var counters: FrameCount?
  /// Wall time of the very first frame, which compiles shaders and uploads pictures; no other time includes it.
  public var coldMilliseconds: Double?
  /// Frames drawn before the first that counts.
  public var warmupFrames: Int
  public var rounds: [RoundSample]
  /// Rounds that were taken out since the machine was throttled.
  public var throttledRounds = 0

  public init(
    key: CellKey, shape: OutputShape, status: Status = .ok, reason: String? = nil, counters: FrameCount? = nil,
    warmupFrames: Int = 0, rounds: [RoundSample] = []
  ) {
    self.key = key
    self.shape = shape
    self.status = status
    self.reason = reason
    self.counters = counters
    self.warmupFrames = warmupFrames
    self.rounds = rounds
  }

  /// `portal-grid/strategy=portal/n=16/size=1280x720/scale=1`
  public var id: String {
    "\(key.suite.rawValue)/strategy=\(key.strategy.rawValue)/n=\(key.n)/size=\(shape.width)x\(shape.height)"
      + "/scale=\(NumberText.shortest(shape.scale))" + (key.factor.map { "/\($0.name)" } ?? "")
  }

  public func values(_ metric: Metric) -> [Double] { rounds.map(metric.value(of:)) }

  public var wallFrames: [Double] { rounds.flatMap(\.wallMilliseconds) }

  /// Marks the cell invalid unless every number in it can be one: a NaN, a frame of no time, a process that used no CPU
  /// over all its rounds. Nothing that failed this is ever reported as a measurement.
  public mutating func checkNumbers() {
    guard status == .ok else { return }
    if rounds.isEmpty {
      fail("no round was measured")
    } else if rounds.contains(where: { $0.wallMilliseconds.isEmpty }) {
      fail("a round holds no frame")
    } else if !wallFrames.allSatisfy({ $0.isFinite && $0 > 0 }) {
      fail("a frame's wall time is not a positive number")
    } else if !rounds.allSatisfy({ $0.cpuMilliseconds.isFinite && $0.cpuMilliseconds >= 0 }) {
      fail("a round's CPU time is not a number")
    } else if rounds.allSatisfy({ $0.cpuMilliseconds == 0 }) {
      fail("the process clock did not move")
    } else if !rounds.allSatisfy({ $0.gpuMilliseconds.map { $0.isFinite && $0 >= 0 } ?? true }) {
      fail("a round's GPU time is not a number")
    }
  }

  /// Takes out the rounds in which the machine was throttled. Where too few are left, the cell is invalid.
  public mutating func drop(rounds held: Set<Int>, fewest: Int) {
    let lost = rounds.indices.filter(held.contains)
    guard status == .ok, !lost.isEmpty else { return }
    let all = rounds.count
    rounds = rounds.indices.filter { !held.contains($0) }.map { rounds[$0] }
    throttledRounds = lost.count
    if rounds.count < min(fewest, all) {
      fail("the machine was throttled in \(lost.count) of \(all) rounds; too few are left")
    }
  }

  private mutating func fail(_ sentence: String) {
    status = .invalid
    reason = sentence
  }
}

/// A metric of one cell in a few numbers.
public struct MetricSummary: Sendable, Hashable {
  public var metric: Metric
  /// Samples: frames for the wall time, else rounds.
  public var count: Int
  public var median: Double
  public var p95: Double
  public var p99: Double
  public var deviation: Double
  public var outliers: OutlierClasses
  /// Of the median, over the rounds.
  public var interval: Interval?

  /// Nil unless every sample is a number.
  public init?(_ metric: Metric, of cell: Cell, bootstrap: RoundBootstrap) {
    let values = cell.values(metric)
    let samples = metric == .wall ? cell.wallFrames : values
    guard let median = Quantile.median(samples), let p95 = Quantile.of(samples, 0.95),
      let p99 = Quantile.of(samples, 0.99), let deviation = Quantile.medianDeviation(samples),
      let outliers = OutlierClasses(samples)
    else { return nil }
    self.metric = metric
    self.count = samples.count
    self.median = median
    self.p95 = p95
    self.p99 = p99
    self.deviation = deviation
    self.outliers = outliers
    self.interval = bootstrap.interval(rounds: values.count) { indices in
      Quantile.median(indices.map { values[$0] }) ?? .nan
    }
  }
}
