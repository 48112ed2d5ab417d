/// `porthole-bench scale`: looks at the pictures, takes the times, and works out what they say.
public struct ScaleRun {
  private let options: ScaleOptions
  private let stage: any Stage
  private let clock: any BenchClock
  private let console: Console
  private let limit: RunLimit
  private let tell: (String) -> Void
  private let sensor: any Sensor

  /// - Parameter tell: takes the place where the run is, before anything is drawn there.
  public init(
    options: ScaleOptions, stage: any Stage, clock: any BenchClock, console: Console, limit: RunLimit = RunLimit(),
    sensor: any Sensor = NoSensor(), tell: @escaping (String) -> Void = { _ in }
  ) {
    self.sensor = sensor
    self.options = options
    self.limit = limit
    self.tell = tell
    self.stage = stage
    self.clock = clock
    self.console = console
  }

  /// `started` is the wall clock's time, ISO 8601, for the record alone.
  public func run(arguments: [String], started: String) -> BenchmarkResult {
    let beginning = clock.monotonicNanoseconds
    var result = BenchmarkResult(
      tool: .current, arguments: arguments, seed: options.seed, started: started, durationSeconds: 0,
      environment: stage.environment, shape: options.shape, planned: planned, order: [], cells: [], pictures: [],
      scaling: [], slopes: [], capacities: [], ratios: [], notes: notes, exit: ExitStatus())
    result.shard = options.shard
    for line in Heading.lines(result) { console.detail(line) }

    var random = SplitMix64(seed: options.seed)
    let stop = {
      limit.reason(after: Double(clock.monotonicNanoseconds &- beginning) / 1e9)
    }
    for (index, suite) in options.suites.enumerated() {
      result.interruption = stop()
      if result.interruption != nil { break }
      console.detail("")
      console.heading("\(suite.rawValue): \(suite.summary)")
      console.progress("\(suite.rawValue): looking at the pictures")
      let checks = PictureJudge(stage: stage, options: options, tell: tell).checks(suite)
      result.pictures += checks
      for line in PointTable.pictures(checks) { console.detail(line) }

      let share = Double(index + 1) / Double(options.suites.count)
      let deadline = beginning + UInt64(max(0, options.budgetSeconds * share) * 1e9)
      if let shard = options.shard,
        !options.counts.contains(where: { shard.contains(Self.id(suite, .portal, $0, options)) })
      {
        console.detail("  nothing of it is in this shard")
        continue
      }
      let outcome = SuiteRun(
        suite: suite, options: options, stage: stage, clock: clock, console: console, deadline: deadline,
        stop: stop, tell: tell, sensor: sensor
      ).run(random: &random)
      let offset = result.cells.count
      result.cells += outcome.cells
      result.planned += outcome.cells.map(\.id).filter { !result.planned.contains($0) }
      result.slopes += outcome.slopes
      let sensors = SensorRecord(name: sensor.name, highestClock: sensor.highestClock, readings: outcome.readings)
      result.sensors.append((suite, sensors))
      if let warning = sensors.warning(of: outcome.readings.count) {
        result.notes.append("\(suite.rawValue): \(warning).")
      }
      result.interruption = outcome.interruption
      result.order.append((suite, outcome.order.map { $0.map { $0 + offset } }))
      console.detail("")
      for line in PointTable.lines(outcome.cells, rounds: outcome.order.count) { console.detail(line) }
      if result.interruption != nil { break }
    }
    analyze(&result)
    let end = clock.monotonicNanoseconds
    result.durationSeconds = end > beginning ? Double(end - beginning) / 1e9 : 0
    return result
  }

  private var planned: [String] {
    var planned: [String] = []
    for suite in options.suites {
      for (strategy, factor) in options.series {
        for n in options.counts { planned.append(Self.id(suite, strategy, n, options, factor)) }
      }
    }
    return planned
  }

  static func id(
    _ suite: Suite, _ strategy: Strategy, _ n: Int, _ options: ScaleOptions, _ factor: FactorLevel? = nil
  ) -> String {
    Cell(key: CellKey(suite: suite, strategy: strategy, n: n, factor: factor), shape: options.shape).id
  }

  private var notes: [String] {
    var notes: [String] = []
    if ToolIdentity.current.build == "debug" {
      notes.append("This is a debug build: its CPU times are several times those of a release build.")
    }
    if options.server != nil {
      notes.append("A render server in a process of its own draws: CPU times are those of its client alone.")
    }
    if !stage.environment.timer.isValid {
      notes.append("GPU times are refused: \(stage.environment.timer.reason).")
    }
    return notes + stage.environment.warnings
  }

  private func analyze(_ result: inout BenchmarkResult) {
    console.progress("working out lines and intervals")
    ScaleAnalysis.analyze(&result)
    console.progress(nil)
  }
}
