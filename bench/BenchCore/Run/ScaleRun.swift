/// `porthole-bench scale`: looks at the pictures, takes the times, and works out what they say.
public struct ScaleRun {
  private let options: ScaleOptions
  private let stage: any Stage
  private let clock: any BenchClock
  private let console: Console

  public init(options: ScaleOptions, stage: any Stage, clock: any BenchClock, console: Console) {
    self.options = options
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
    for line in Heading.lines(result) { console.detail(line) }

    var random = SplitMix64(seed: options.seed)
    for (index, suite) in options.suites.enumerated() {
      console.detail("")
      console.heading("\(suite.rawValue): \(suite.summary)")
      console.progress("\(suite.rawValue): looking at the pictures")
      let checks = PictureJudge(stage: stage, options: options).checks(suite)
      result.pictures += checks
      for line in PointTable.pictures(checks) { console.detail(line) }

      let share = Double(index + 1) / Double(options.suites.count)
      let deadline = beginning + UInt64(max(0, options.budgetSeconds * share) * 1e9)
      let outcome = SuiteRun(
        suite: suite, options: options, stage: stage, clock: clock, console: console, deadline: deadline
      ).run(random: &random)
      let offset = result.cells.count
      result.cells += outcome.cells
      result.planned += outcome.cells.map(\.id).filter { !result.planned.contains($0) }
      result.slopes += outcome.slopes
      result.order.append((suite, outcome.order.map { $0.map { $0 + offset } }))
      console.detail("")
      for line in PointTable.lines(outcome.cells, rounds: outcome.order.count) { console.detail(line) }
    }
    analyze(&result)
    result.exit = verdict(result)
    let end = clock.monotonicNanoseconds
    result.durationSeconds = end > beginning ? Double(end - beginning) / 1e9 : 0
    return result
  }

  private var planned: [String] {
    options.suites.flatMap { suite in
      options.strategies.flatMap { strategy in
        options.counts.map { n in
          Cell(key: CellKey(suite: suite, strategy: strategy, n: n), shape: options.shape).id
        }
      }
    }
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
    let bootstrap = RoundBootstrap(seed: options.seed)
    for suite in options.suites {
      for strategy in options.strategies {
        let cells = result.cells(suite, strategy)
        for metric in Metric.allCases {
          if let series = ScalingSeries(cells, metric: metric, bootstrap: bootstrap) { result.scaling.append(series) }
        }
        if let capacity = Capacity(cells, hertz: 60, bootstrap: bootstrap) { result.capacities.append(capacity) }
      }
      result.ratios += ratios(suite, result)
    }
    console.progress(nil)
  }

  /// The portal against each other strategy.
  private func ratios(_ suite: Suite, _ result: BenchmarkResult) -> [RatioCell] {
    let portals = result.cells(suite, .portal)
    return [Strategy.floor, .duplicate, .snapshot].flatMap { other in
      portals.flatMap { portal -> [RatioCell] in
        guard let cell = result.cells(suite, other).first(where: { $0.key.n == portal.key.n }) else { return [] }
        return Metric.allCases.compactMap { RatioCell(portal, over: cell, metric: $0) }
      }
    }
  }

  private func verdict(_ result: BenchmarkResult) -> ExitStatus {
    var reasons: [String] = []
    for check in result.pictures where !check.passed {
      reasons.append(
        "\(check.suite.rawValue)/\(check.strategy.rawValue) at N = \(check.n), frame \(check.frame): \(check.note)")
    }
    for cell in result.cells where cell.status == .invalid || cell.status == .crashed {
      reasons.append("\(cell.id): \(cell.reason ?? cell.status.rawValue)")
    }
    if !result.cells.contains(where: { $0.status == .ok }) { reasons.append("nothing was measured") }
    return ExitStatus(code: reasons.isEmpty ? .ok : .invalid, reasons: reasons)
  }
}
