/// One comparison of two arms on a machine of numbers, through all that the command `ab` goes through.
struct ArmTrial {
  private let machine: SyntheticMachine
  private let growth: Double
  private let milliseconds: Double
  private var options: ArmOptions

  /// - Parameters:
  ///   - growth: by how much the second arm costs more.
  ///   - milliseconds: of a frame of the first; nil for what a round of 25 ms was seen to have on an idle machine, and one of
  ///     56 ms on a noisy one.
  ///   - seconds: of the comparison, unless there are `rounds`.
  init(
    _ mood: SyntheticMachine.Mood, growth: Double = 0, milliseconds: Double? = nil, seconds: Double = 20,
    rounds: Int? = nil, drift: SyntheticMachine.Drift = .none, seed: UInt64
  ) {
    machine = SyntheticMachine(mood, drift: drift, seed: seed)
    self.growth = growth
    self.milliseconds = milliseconds ?? (mood == .idle ? 2.5 : 4.5)
    let key = CellKey(suite: .portalGrid, strategy: .portal, n: 64)
    options = ArmOptions(a: .cell(key), b: .cell(key))
    (options.seconds, options.rounds) = (seconds, rounds)
    options.common.seed = seed
  }

  func run() -> ArmComparison {
    let environment = SyntheticStage(machine).environment
    do throws(BenchError) {
      return try ArmRun(options: options, environment: environment, clock: machine).run(
        SyntheticContender(machine, milliseconds: milliseconds * machine.made()),
        SyntheticContender(machine, milliseconds: milliseconds * (1 + growth) * machine.made()))
    } catch {
      // Numbers do not fail; if they do, nothing was measured.
      return ArmComparison(
        a: options.a.id, b: options.b.id, environment: environment, seed: options.common.seed, metric: .wall,
        thresholds: options.thresholds, rounds: PairedRounds(), faults: [error.description])
    }
  }
}
