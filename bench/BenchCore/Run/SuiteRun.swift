/// One suite: which cells fit into its time, and its rounds.
struct SuiteRun {
  let suite: Suite
  let options: ScaleOptions
  let stage: any Stage
  let clock: any BenchClock
  let console: Console
  /// On the monotonic clock: when the suite should be done.
  let deadline: UInt64
  /// Why the run is to end at once; nil while it is not.
  let stop: () -> String?
  let tell: (String) -> Void
  let sensor: any Sensor

  /// Fewer rounds give no 95 % interval.
  static let fewestRounds = 8
  static let mostRounds = 100
  /// Of a run that is asked for an answer within its time: as many as fit.
  static let mostAdaptiveRounds = 1000
  /// Before further N are chosen.
  static let pilotRounds = 6
  /// Frames whose parts are timed.
  static let partFrames = 7

  struct Outcome {
    var cells: [Cell] = []
    /// The cells in each round's order, as indices in `cells`.
    var order: [[Int]] = []
    var slopes: [SlopeParts] = []
    /// What the machine said at the end of each round.
    var readings: [SensorReading] = []
    /// Why not everything was measured.
    var interruption: String?
  }

  func run(random: inout SplitMix64) -> Outcome {
    var outcome = Outcome()
    var runners: [(index: Int, runner: CellRunner)] = []
    make(options.counts.filter(isMine), &runners, &outcome)
    dropSlowest(&runners, &outcome)
    if options.isAdaptive, outcome.interruption == nil { refine(&runners, &outcome, random: &random) }
    if outcome.interruption == nil { drawRounds(runners, &outcome, random: &random, until: deadline) }
    if outcome.interruption == nil { attribute(runners, &outcome) }
    let sensors = SensorRecord(name: sensor.name, highestClock: sensor.highestClock, readings: outcome.readings)
    for (index, runner) in runners {
      runner.cell.drop(rounds: sensors.throttled, fewest: Self.fewestRounds)
      outcome.cells[index] = runner.cell
      outcome.cells[index].checkNumbers()
    }
    return outcome
  }

  /// Whether this N is of the part of the plan that this run measures.
  private func isMine(_ n: Int) -> Bool { options.shard?.contains(ScaleRun.id(suite, .portal, n, options)) ?? true }

  /// Cells of these N, warmed up.
  private func make(_ counts: [Int], _ runners: inout [(index: Int, runner: CellRunner)], _ outcome: inout Outcome) {
    let beginning = clock.monotonicNanoseconds
    for (strategy, factor) in options.series {
      // After the first N that takes too long, the larger ones would too.
      var tooSlow: String?
      var pilots: [(n: Int, seconds: Double)] = []
      for n in counts {
        let key = CellKey(suite: suite, strategy: strategy, n: n, factor: factor)
        var cell = Cell(key: key, shape: options.shape)
        if tooSlow == nil { tooSlow = reasonToSkip(n, after: pilots, since: beginning) }
        if let reason = options.watch.lost[cell.id] {
          (cell.status, cell.reason) = (.crashed, reason)
          console.result("\(cell.id): \(reason)")
        } else if let reason = outcome.interruption ?? stop() {
          outcome.interruption = reason
          (cell.status, cell.reason) = (.missing, reason)
        } else if let tooSlow {
          cell.status = .skipped
          cell.reason = tooSlow
          console.detail(PointTable.skipped(cell))
        } else if let runner = warmed(&cell) {
          pilots.append((n, runner.pilotSeconds))
          runners.append((outcome.cells.count, runner))
          cell = runner.cell
        }
        outcome.cells.append(cell)
      }
    }
  }

  /// A few rounds that only say where more N would tell most. They are not counted: a place that was chosen by some numbers
  /// is not confirmed by the same.
  private func refine(
    _ runners: inout [(index: Int, runner: CellRunner)], _ outcome: inout Outcome, random: inout SplitMix64
  ) {
    let now = clock.monotonicNanoseconds
    guard deadline > now else { return }
    var pilot = Outcome()
    drawRounds(runners, &pilot, random: &random, until: now + (deadline - now) / 4, most: Self.pilotRounds)
    outcome.interruption = pilot.interruption
    let watched = options.strategies.contains(.portal) ? Strategy.portal : options.strategies[0]
    let rounds = runners.filter {
      $0.runner.cell.key.strategy == watched && $0.runner.cell.key.factor == nil && $0.runner.cell.status == .ok
    }.map {
      (n: $0.runner.cell.key.n, costs: $0.runner.cell.values(stage.environment.leadingMetric))
    }
    let largest = runners.map(\.runner.cell.key.n).max() ?? 0
    let more = Refinement.counts(rounds, fits: liesOnPixels).filter { $0 < largest }
    // What was chosen by some numbers is not confirmed by the same; of a run that was cut short, they are better than none.
    guard outcome.interruption == nil else {
      outcome.order = pilot.order
      return
    }
    for (_, runner) in runners { runner.dropRounds() }
    guard !more.isEmpty else { return }
    console.detail("  looking closer: N = " + more.map { NumberText.grouped($0) }.joined(separator: ", "))
    make(more, &runners, &outcome)
    dropSlowest(&runners, &outcome)
  }

  /// Whether a grid of such a number has cells of whole pixels, all of them filled, as the first N have: what lies between
  /// pixels is drawn otherwise, and costs otherwise.
  private func liesOnPixels(_ n: Int) -> Bool {
    guard suite == .portalGrid else { return true }
    let side = Int(Double(n).squareRoot().rounded())
    let width = Double(options.shape.width) * options.shape.scale
    let height = Double(options.shape.height) * options.shape.scale
    guard side > 0, side * side == n, let across = Int(exactly: width), let down = Int(exactly: height) else {
      return false
    }
    return across % side == 0 && down % side == 0
  }

  /// What the portals' slope is made of, from the N of several passes, smallest and largest.
  private func attribute(_ runners: [(index: Int, runner: CellRunner)], _ outcome: inout Outcome) {
    let portals = runners.map(\.runner).filter { runner in
      let cell = runner.cell
      guard cell.key.strategy == .portal, cell.key.factor == nil, cell.status == .ok else { return false }
      return (cell.counters?.passes ?? 0) > 1
    }
    guard let few = portals.min(by: { $0.cell.key.n < $1.cell.key.n }),
      let many = portals.max(by: { $0.cell.key.n < $1.cell.key.n })
    else { return }
    do throws(BenchError) {
      tell(many.cell.id)
      let slope = SlopeParts(
        suite: suite, strategy: .portal, few: (few.cell.key.n, try few.parts(frames: Self.partFrames)),
        many: (many.cell.key.n, try many.parts(frames: Self.partFrames)))
      if let slope { outcome.slopes.append(slope) }
    } catch {
      console.detail("  what the slope is made of could not be seen: \(error.description)")
    }
  }

  private var secondsLeft: Double {
    let now = clock.monotonicNanoseconds
    return deadline > now ? Double(deadline - now) / 1e9 : 0
  }

  /// A cell is not even tried if one frame of it would take a twentieth of the suite's time. What a frame would take
  /// is read off the line through the last two N; off one alone, as if all of its cost grew with N.
  private func reasonToSkip(_ n: Int, after pilots: [(n: Int, seconds: Double)], since beginning: UInt64) -> String? {
    guard let last = pilots.last else { return nil }
    var predicted = last.seconds * Double(n) / Double(max(1, last.n))
    if let before = pilots.dropLast().last {
      let slope = max(0, last.seconds - before.seconds) / Double(max(1, last.n - before.n))
      predicted = last.seconds + slope * Double(n - last.n)
    }
    let whole = deadline > beginning ? Double(deadline - beginning) / 1e9 : 0
    guard predicted > whole / 20 else { return nil }
    return "a frame would take about \(NumberText.significant(predicted, 2)) s, "
      + "more than a twentieth of the suite's time"
  }

  private func warmed(_ cell: inout Cell) -> CellRunner? {
    console.progress("\(suite.rawValue): making \(cell.key.strategy.rawValue), N = \(NumberText.grouped(cell.key.n))")
    do throws(BenchError) {
      tell(cell.id)
      let runner = CellRunner(cell: cell, contender: try stage.contender(cell.key), clock: clock)
      try runner.warmUp()
      console.detail(PointTable.first(runner.cell, seconds: runner.pilotSeconds))
      return runner
    } catch {
      cell.status = .crashed
      cell.reason = error.description
      console.result("\(cell.id): \(error.description)")
      return nil
    }
  }

  /// Until the fewest rounds fit into what is left of the time.
  private func dropSlowest(_ runners: inout [(index: Int, runner: CellRunner)], _ outcome: inout Outcome) {
    let wanted = min(options.rounds ?? Self.fewestRounds, Self.fewestRounds)
    while runners.count > 1, runners.reduce(0, { $0 + $1.runner.roundSeconds }) * Double(wanted) > secondsLeft {
      guard let slowest = runners.indices.max(by: { runners[$0].runner.roundSeconds < runners[$1].runner.roundSeconds })
      else { return }
      let (index, runner) = runners.remove(at: slowest)
      var cell = runner.cell
      cell.status = .skipped
      cell.reason =
        "a frame takes \(NumberText.significant(runner.pilotSeconds, 2)) s; \(wanted) rounds don't fit into the time budget"
      outcome.cells[index] = cell
      console.detail(PointTable.skipped(cell))
    }
  }

  /// Each round draws every cell once: the N in random order, and at each N the strategies in random order, so that
  /// those which are held against each other run within the same moment.
  private func drawRounds(
    _ runners: [(index: Int, runner: CellRunner)], _ outcome: inout Outcome, random: inout SplitMix64,
    until end: UInt64, most limit: Int = .max
  ) {
    func secondsLeft() -> Double {
      let now = clock.monotonicNanoseconds
      return end > now ? Double(end - now) / 1e9 : 0
    }
    var failed: Set<Int> = []
    let roundSeconds = runners.reduce(0) { $0 + $1.runner.roundSeconds }
    let fit = roundSeconds > 0 ? secondsLeft() / roundSeconds : Double(Self.mostRounds)
    let expected = options.rounds ?? max(1, Int(max(1, min(Double(Self.mostRounds), fit))))
    let most = min(limit, options.rounds ?? (options.isAdaptive ? Self.mostAdaptiveRounds : Self.mostRounds))
    var round = 0
    while round < most {
      if round >= min(most, Self.fewestRounds), secondsLeft() < roundSeconds { break }
      console.progress("\(suite.rawValue): round \(round + 1) of about \(max(expected, round + 1))")
      var counts = Array(Set(runners.map(\.runner.cell.key.n))).sorted()
      random.shuffle(&counts)
      var order: [Int] = []
      for n in counts {
        var group = runners.filter { $0.runner.cell.key.n == n }
        random.shuffle(&group)
        for (index, runner) in group where !failed.contains(index) {
          outcome.interruption = stop()
          guard outcome.interruption == nil else {
            outcome.order.append(order)
            return
          }
          tell(runner.cell.id)
          do throws(BenchError) {
            try runner.drawRound()
            order.append(index)
          } catch {
            runner.cell.status = .crashed
            runner.cell.reason = error.description
            failed.insert(index)
          }
        }
      }
      outcome.order.append(order)
      outcome.readings.append(sensor.read())
      round += 1
    }
    console.progress(nil)
  }
}
