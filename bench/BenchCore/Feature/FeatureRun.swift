/// `porthole-bench run`: the points of one or more suites, in interleaved rounds, and where their frames' time goes.
struct FeatureRun {
  let options: FeatureOptions
  let scene: BenchScene
  let environment: RunEnvironment
  let clock: any BenchClock
  let console: Console
  var limit = RunLimit()

  static let fewestRounds = 5
  static let mostRounds = 60

  func run(arguments: [String], started: String) -> FeatureResult {
    let begin = clock.monotonicNanoseconds
    var result = FeatureResult(
      arguments: arguments, seed: options.seed, started: started, environment: environment, shape: options.shape)
    var random = SplitMix64(seed: options.seed)
    for (index, suite) in options.suites.enumerated() {
      console.detail("")
      console.heading("\(suite.rawValue): \(suite.summary)")
      let share = Double(index + 1) / Double(options.suites.count)
      let deadline = begin + UInt64(options.budgetSeconds * share * 1e9)
      let stop = { limit.reason(after: Double(clock.monotonicNanoseconds - begin) / 1e9) }
      let cells = measure(suite, deadline: deadline, stop: stop, random: &random)
      result.cells += cells
      for line in FeatureTable.lines(cells) { console.detail(line) }
      if let reason = stop() {
        result.exit.reasons.append("incomplete: \(reason)")
        break
      }
    }
    result.durationSeconds = Double(clock.monotonicNanoseconds - begin) / 1e9
    for cell in result.cells where cell.status != .ok {
      result.exit.reasons.append("\(cell.key.id): \(cell.reason ?? cell.status.rawValue)")
    }
    if !result.exit.reasons.isEmpty { result.exit.code = .invalid }
    return result
  }

  private func measure(
    _ suite: FeatureSuite, deadline: UInt64, stop: () -> String?, random: inout SplitMix64
  ) -> [FeatureCell] {
    var cells = suite.values.map { FeatureCell(key: FeatureKey(suite: suite, value: $0)) }
    var runners: [(index: Int, runner: FeatureRunner)] = []
    for index in cells.indices {
      if let reason = stop() {
        (cells[index].status, cells[index].reason) = (.missing, reason)
        continue
      }
      console.progress("making \(cells[index].key.id)")
      do throws(BenchError) {
        try options.watch.enter(cells[index].key.id)
        let runner = try FeatureRunner(cells[index].key, scene: scene, shape: options.shape, clock: clock)
        try runner.warmUp()
        runners.append((index, runner))
      } catch {
        cells[index].status = error.code == .crashed ? .crashed : .invalid
        cells[index].reason = error.description
      }
    }
    let most = options.rounds ?? Self.mostRounds
    var round = 0
    while round < most, stop() == nil,
      options.rounds != nil || round < Self.fewestRounds || clock.monotonicNanoseconds < deadline
    {
      console.progress("\(suite.rawValue): round \(round + 1)")
      random.shuffle(&runners)
      for (index, runner) in runners where cells[index].status == .ok {
        options.watch.tell(cells[index].key.id)
        attempt(&cells[index]) { () throws(BenchError) in try runner.drawRound() }
      }
      round += 1
    }
    for (index, runner) in runners where cells[index].status == .ok {
      options.watch.tell(cells[index].key.id)
      attempt(&cells[index]) { () throws(BenchError) in try runner.attribute() }
      if cells[index].status == .ok { cells[index] = runner.cell }
      cells[index].checkNumbers()
    }
    console.progress(nil)
    return cells
  }

  private func attempt(_ cell: inout FeatureCell, _ body: () throws(BenchError) -> Void) {
    do throws(BenchError) {
      try body()
    } catch {
      (cell.status, cell.reason) = (.crashed, error.description)
    }
  }
}
