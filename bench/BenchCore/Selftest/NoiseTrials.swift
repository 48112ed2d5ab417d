/// Whether equal things are told apart: they must not be, whatever the machine does meanwhile (bars B1, B4, B17 and B18).
public struct NoiseTrials {
  private let trials: Int
  private let seed: UInt64

  public init(trials: Int, seed: UInt64) { (self.trials, self.seed) = (trials, seed) }

  public func bars() -> [SelftestBar] {
    SyntheticMachine.Mood.allCases.flatMap { mood in arms(mood) + duels(mood) + [drift(mood), honesty(mood)] }
  }

  /// Two equal arms as `ab` compares them by default.
  private func arms(_ mood: SyntheticMachine.Mood) -> [SelftestBar] {
    var (alarms, open) = (0, 0)
    for trial in 0..<trials {
      let comparison = ArmTrial(mood, seed: seed &+ UInt64(trial) &* 7919).run()
      if [.regressed, .improved].contains(comparison.verdict) { alarms += 1 }
      if comparison.verdict == .inconclusive { open += 1 }
    }
    let note = "\(alarms) of \(trials) runs of ab, 20 s"
    return [
      SelftestBar("B1", "equal arms are called a change, \(mood.rawValue)", share(alarms), in: .atMost(1), note: note),
      SelftestBar(
        "B18", "nothing can be said of equal arms, \(mood.rawValue)", share(open),
        in: .atMost(mood == .idle ? 10 : 25)),
    ]
  }

  /// Two equal builds at four numbers of portals and what a further one takes, judged together.
  private func duels(_ mood: SyntheticMachine.Mood) -> [SelftestBar] {
    var (alarms, open) = (0, 0)
    var options = DuelOptions()
    options.counts = [16, 64, 256, 1024]
    for trial in 0..<trials {
      options.common.seed = seed &+ UInt64(trial)
      let result = SyntheticDuel(
        mood, milliseconds: [2.5, 3, 4.5, 10], seed: seed &+ UInt64(trial) &* 104_729
      ).run(options)
      if result.cells.contains(where: { [.regressed, .improved].contains($0.verdict) }) { alarms += 1 }
      if result.cells.contains(where: { $0.verdict == .inconclusive }) { open += 1 }
    }
    return [
      SelftestBar(
        "B1", "equal builds are called a change in any cell, \(mood.rawValue)", share(alarms), in: .atMost(1),
        note: "\(alarms) of \(trials) duels of 90 s, \(options.counts.count + 1) cells under Holm"),
      SelftestBar(
        "B18", "nothing can be said of a cell of equal builds, \(mood.rawValue)", share(open),
        in: .atMost(mood == .idle ? 10 : 25)),
    ]
  }

  /// The whole machine becomes faster or slower by up to 30 % in the run.
  private func drift(_ mood: SyntheticMachine.Mood) -> SelftestBar {
    var random = Gaussian(seed: seed &+ 4)
    var (alarms, sum) = (0, 0.0)
    for trial in 0..<trials {
      let part = random.uniform() < 0.5 ? -0.3 : 0.3
      let drift: SyntheticMachine.Drift =
        random.uniform() < 0.5
        ? .ramp(part, seconds: 5 + 15 * random.uniform()) : .step(part, at: 1 + 18 * random.uniform())
      let comparison = ArmTrial(mood, drift: drift, seed: seed &+ 31 &* UInt64(trial)).run()
      if [.regressed, .improved].contains(comparison.verdict) { alarms += 1 }
      sum += naturalLogarithm(comparison.effect?.ratio.value ?? .nan)
    }
    let bias = (exponential(sum / Double(max(1, trials))) - 1).magnitude * 100
    return SelftestBar(
      "B4", "a drift of 30 % moves the estimate, \(mood.rawValue)", alarms == 0 ? bias : .infinity, in: .atMost(0.5),
      note: "\(alarms) false alarms in \(trials) runs with a ramp or a step")
  }

  /// A growth as small as the report says is seen in four of five runs must be.
  private func honesty(_ mood: SyntheticMachine.Mood) -> SelftestBar {
    let count = max(trials, 400)
    // Growths that a gate is about are smaller than what a few rounds see: longer runs for the noisy machine.
    let rounds = mood == .idle ? 150 : 300
    var seen: [Double] = []
    for trial in 0..<40 {
      let comparison = ArmTrial(mood, rounds: rounds, seed: seed &+ 577 &* UInt64(trial)).run()
      seen.append(comparison.effect.map { $0.detectable(rounds: Double($0.rounds), Thresholds()) } ?? .nan)
    }
    let growth = Quantile.median(seen) ?? .nan
    var caught = 0
    for trial in 0..<count {
      let comparison = ArmTrial(mood, growth: growth, rounds: rounds, seed: seed &+ 911 &* UInt64(trial) &+ 1).run()
      if comparison.verdict == .regressed { caught += 1 }
    }
    return SelftestBar(
      "B17", "the smallest growth that is printed is caught, \(mood.rawValue)",
      100 * Double(caught) / Double(count), in: 75...85,
      note: "+\(NumberText.significant(growth * 100, 2)) % in \(rounds) rounds, \(count) trials")
  }

  private func share(_ count: Int) -> Double { 100 * Double(count) / Double(max(1, trials)) }
}
