/// Whether the lines that `scale` draws are where the truth is, their intervals as wide as they say, and bends and pairs of
/// features found where they are and nowhere else (bars B10 and B11).
public struct CurveTrials {
  private let trials: Int
  private let seed: UInt64
  static let counts = [1, 4, 16, 64, 256, 1024]
  static let (fixed, slope) = (0.8, 0.01)

  public init(trials: Int, seed: UInt64) { (self.trials, self.seed) = (trials, seed) }

  public func bars() -> [SelftestBar] { coverage() + [width()] + knees() + pairs() }

  /// Rounds of the portals of one suite.
  static func cells(
    _ machine: SyntheticMachine, rounds: Int, counts: [Int] = counts, cost: (Int) -> Double
  ) -> [Cell] {
    var cells = counts.map {
      Cell(key: CellKey(suite: .portalGrid, strategy: .portal, n: $0), shape: OutputShape())
    }
    for _ in 0..<rounds {
      for index in cells.indices {
        // A block of four, after one that does not count.
        var walls: [Double] = []
        for _ in 0..<5 {
          let begin = machine.monotonicNanoseconds
          machine.spend(milliseconds: cost(cells[index].key.n))
          walls.append(Double(machine.monotonicNanoseconds - begin) / 1e6)
        }
        walls.removeFirst()
        cells[index].rounds.append(
          RoundSample(wallMilliseconds: walls, cpuMilliseconds: walls.reduce(0, +) / Double(walls.count)))
      }
    }
    return cells
  }

  private func line(_ n: Int) -> Double { Self.fixed + Self.slope * Double(n) }

  /// The intervals against what a run a hundred times as long says: the machine's disturbances are part of its truth.
  private func coverage() -> [SelftestBar] {
    let long = Self.cells(SyntheticMachine(.idle, seed: seed &+ 1), rounds: 4000, cost: line)
    let samples = long.map { CostLine.Sample(n: $0.key.n, cost: Quantile.median($0.values(.wall)) ?? .nan) }
    guard let truth = CostLine(fitting: samples) else { return [] }
    var (fixed, slope) = (0, 0)
    // Two of a hundred is as near as so many say.
    let trials = max(trials, 400)
    for trial in 0..<trials {
      let cells = Self.cells(SyntheticMachine(.idle, seed: seed &+ 2 &+ 7001 &* UInt64(trial)), rounds: 40, cost: line)
      let bootstrap = RoundBootstrap(resamples: 400, seed: seed &+ UInt64(trial))
      guard let series = ScalingSeries(cells, metric: .wall, bootstrap: bootstrap) else { continue }
      if let range = series.fixed.interval, (range.lower...range.upper).contains(truth.fixed) { fixed += 1 }
      if let range = series.slope.interval, (range.lower...range.upper).contains(truth.slope) { slope += 1 }
    }
    return [
      SelftestBar(
        "B10", "the interval of the fixed cost holds the truth", 100 * Double(fixed) / Double(trials), in: 92...98,
        note: "\(fixed) of \(trials)"),
      SelftestBar(
        "B10", "the interval of the slope holds the truth", 100 * Double(slope) / Double(trials), in: 92...98,
        note: "\(slope) of \(trials)"),
    ]
  }

  /// A sweep of 25 s of the machine's clock.
  private func width() -> SelftestBar {
    let machine = SyntheticMachine(.idle, seed: seed &+ 3)
    let round = Self.counts.reduce(0) { $0 + line($1) * 5 / 1000 }
    let cells = Self.cells(machine, rounds: Int(25 / round), cost: line)
    let series = ScalingSeries(cells, metric: .wall, bootstrap: RoundBootstrap(seed: seed))
    let slope = series.flatMap { line in line.slope.interval.map { 100 * $0.halfWidth / line.slope.value } }
    let fixed = series.flatMap { line in line.fixed.interval.map { 100 * $0.halfWidth / line.fixed.value } }
    return SelftestBar(
      "B10", "half the slope's interval after 25 s", slope ?? .infinity,
      in: .atMost((fixed ?? .infinity) <= 5 ? 2 : -.infinity),
      note: "of the fixed cost \(NumberText.significant(fixed ?? .nan, 2)) %, which may be 5")
  }

  private func knees() -> [SelftestBar] {
    let counts = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    var (found, wrong) = (0, 0)
    var random = Gaussian(seed: seed &+ 5)
    for trial in 0..<trials {
      let place = 3 + Int(random.uniform() * 4)
      let bend = Double(counts[place])
      let bent = Self.knee(.idle, seed &+ 4099 &* UInt64(trial), counts) { n in
        0.8 + 0.03 * n + 0.015 * max(0, n - bend)
      }
      if let bent, let at = counts.firstIndex(of: bent.n), (at - place).magnitude <= 1 { found += 1 }
      let mood: SyntheticMachine.Mood = trial % 2 == 0 ? .idle : .noisy
      if Self.knee(mood, seed &+ 9973 &* UInt64(trial), counts, { 0.8 + 0.03 * $0 }) != nil { wrong += 1 }
    }
    return [
      SelftestBar(
        "B11", "a bend to one and a half is found within a step", share(found), in: .atLeast(95), note: note(found)),
      SelftestBar("B11", "a straight line is said to bend", share(wrong), in: .atMost(1), note: note(wrong)),
    ]
  }

  private static func knee(
    _ mood: SyntheticMachine.Mood, _ seed: UInt64, _ counts: [Int], _ cost: (Double) -> Double
  ) -> Knee? {
    let cells = cells(SyntheticMachine(mood, seed: seed), rounds: 60, counts: counts) { cost(Double($0)) }
    return Knee(rounds: cells.map { (n: $0.key.n, costs: $0.values(.wall)) })
  }

  /// A feature that doubles what a portal costs, and one that costs the same for any number of them.
  private func pairs() -> [SelftestBar] {
    var (found, wrong) = (0, 0)
    for trial in 0..<trials {
      if interaction(fixed: 0.3, slope: Self.slope, seed &+ 611 &* UInt64(trial))?.isSure == true { found += 1 }
      if interaction(fixed: 0.3, slope: 0, seed &+ 613 &* UInt64(trial))?.isSure == true { wrong += 1 }
    }
    return [
      SelftestBar(
        "B11", "a feature that doubles what a portal costs is seen", share(found), in: .atLeast(95), note: note(found)),
      // One-sided, of an interval of 95 %.
      SelftestBar(
        "B11", "a feature of a fixed cost is said to cost by portal", share(wrong), in: .atMost(5), note: note(wrong)),
    ]
  }

  private func interaction(fixed: Double, slope: Double, _ seed: UInt64) -> Interaction? {
    var options = ScaleOptions()
    (options.rounds, options.counts, options.suites) = (30, Self.counts, [.portalGrid])
    (options.strategies, options.factors, options.budgetSeconds) = ([.portal], [FactorLevel(.blur, 1)], 1000)
    let stage = SyntheticStage(SyntheticMachine(.idle, seed: seed))
    stage.costs[.portal] = (Self.fixed, Self.slope)
    stage.factors[.blur] = (fixed, slope)
    var random = SplitMix64(seed: seed)
    let cells = SuiteRun(
      suite: .portalGrid, options: options, stage: stage, clock: stage.machine, console: Console(output: { _ in }),
      deadline: .max, stop: { nil }, tell: { _ in }, sensor: NoSensor()
    ).run(random: &random).cells
    return Interaction(
      cells.filter { $0.key.factor == nil }, with: cells.filter { $0.key.factor != nil }, metric: .wall,
      bootstrap: RoundBootstrap(resamples: 200, seed: seed))
  }

  private func share(_ count: Int) -> Double { 100 * Double(count) / Double(max(1, trials)) }
  private func note(_ count: Int) -> String { "\(count) of \(trials)" }
}
