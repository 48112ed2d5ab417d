/// Whether changes that were put in are found, in the time that is promised, and called by their right sign (bars B2, B3).
public struct PowerTrials {
  private let trials: Int
  private let seed: UInt64

  public init(trials: Int, seed: UInt64) { (self.trials, self.seed) = (trials, seed) }

  public func bars() -> [SelftestBar] {
    var flags = Flags()
    let arms = [
      arm(.noisy, growth: 0.05, seconds: 35, atLeast: 95, &flags),
      arm(.idle, growth: 0.03, seconds: 15, atLeast: 90, &flags),
    ]
    let duels = [
      duel(growth: 0.05, seconds: 90, atLeast: 85, &flags), duel(growth: 0.10, seconds: 60, atLeast: 99, &flags),
    ]
    let right = flags.all > 0 ? 100 * Double(flags.right) / Double(flags.all) : 0
    return arms + duels + [
      slope(atLeast: 90),
      SelftestBar(
        "B3", "what is called a change has the right sign", right, in: .atLeast(99.9), note: "of \(flags.all) flags"),
    ]
  }

  private struct Flags {
    var (all, right) = (0, 0)

    mutating func note(_ verdict: Verdict) {
      guard [.regressed, .improved].contains(verdict) else { return }
      all += 1
      if verdict == .regressed { right += 1 }
    }
  }

  private func arm(
    _ mood: SyntheticMachine.Mood, growth: Double, seconds: Double, atLeast limit: Double, _ flags: inout Flags
  ) -> SelftestBar {
    var caught = 0
    for trial in 0..<trials {
      let comparison = ArmTrial(mood, growth: growth, seconds: seconds, seed: seed &+ 6007 &* UInt64(trial)).run()
      flags.note(comparison.verdict)
      if comparison.verdict == .regressed { caught += 1 }
    }
    return SelftestBar(
      "B2", "an arm that costs \(percent(growth)) % more is caught in \(percent(seconds / 100)) s, \(mood.rawValue)",
      share(caught), in: .atLeast(limit), note: "\(caught) of \(trials)")
  }

  private func duel(growth: Double, seconds: Double, atLeast limit: Double, _ flags: inout Flags) -> SelftestBar {
    var caught = 0
    var options = DuelOptions()
    options.seconds = seconds
    for trial in 0..<trials {
      options.common.seed = seed &+ UInt64(trial)
      let result = SyntheticDuel(.noisy, growth: growth, seed: seed &+ 15_485_863 &* UInt64(trial)).run(options)
      for cell in result.cells { flags.note(cell.verdict) }
      if result.exit.code == .regression { caught += 1 }
    }
    return SelftestBar(
      "B3", "a build that costs \(percent(growth)) % more is caught in \(percent(seconds / 100)) s, noisy",
      share(caught), in: .atLeast(limit), note: "\(caught) of \(trials)")
  }

  /// Two builds at two numbers of portals: what each further portal takes.
  private func slope(atLeast limit: Double) -> SelftestBar {
    var caught = 0
    let trials = max(trials, 200)
    var options = DuelOptions()
    // Where starts differ by more than rounds do, more of them and shorter ones see more.
    (options.seconds, options.counts, options.roundsPerRestart) = (60, [16, 1024], 10)
    for trial in 0..<trials {
      options.common.seed = seed &+ UInt64(trial)
      let result = SyntheticDuel(
        .idle, growth: 0.05, milliseconds: [0.3, 6.6], seed: seed &+ 32_452_843 &* UInt64(trial)
      ).run(options)
      // By the slope itself or, where that is clear before, by the N that is mostly slope.
      if result.exit.code == .regression { caught += 1 }
    }
    return SelftestBar(
      "B10", "a build whose slope is 5 % steeper is caught in 60 s, idle", 100 * Double(caught) / Double(trials),
      in: .atLeast(limit),
      note: "\(caught) of \(trials)")
  }

  private func percent(_ part: Double) -> String { NumberText.significant(part * 100, 2) }
  private func share(_ count: Int) -> Double { 100 * Double(count) / Double(max(1, trials)) }
}
