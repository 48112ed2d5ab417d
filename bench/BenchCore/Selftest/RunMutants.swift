/// Faults of what is measured: pictures, clocks, and strategies that break down.
struct RunMutants {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  var sound: Mutant { scale("a sound run") { _ in } }

  var all: [Mutant] {
    [
      scale("a picture that is wrong") { $0.wrong = [.floor] },
      scale("a picture that does not move") { $0.frozen = [.portal] },
      scale("a strategy that breaks down at once") { $0.framesUntilFailure[.floor] = 0 },
      scale("a strategy that breaks down in the middle") { $0.framesUntilFailure[.portal] = 60 },
      scale("a clock that stands still") { $0.costs = [.portal: (0, 0), .floor: (0, 0)] },
      arms("an arm that costs a fifth more") { _, b in b.milliseconds *= 1.2 },
      arms("an arm whose picture does not move") { _, b in b.isFrozen = true },
      arms("an arm that breaks down") { a, _ in a.framesLeft = 40 },
      arms("arms whose frames take no time") { a, b in (a.milliseconds, b.milliseconds) = (0, 0) },
      arms("an arm whose frames take no number of seconds") { _, b in b.milliseconds = .nan },
    ]
  }

  private func scale(_ name: String, _ change: @escaping (SyntheticStage) -> Void) -> Mutant {
    Mutant(name) { [seed] () throws(BenchError) in ResultMutants.run(seed: seed, change).exit.code }
  }

  private func arms(_ name: String, _ change: @escaping (SyntheticContender, SyntheticContender) -> Void) -> Mutant {
    Mutant(name) { [seed] () throws(BenchError) in
      let machine = SyntheticMachine(.idle, seed: seed)
      let (a, b) = (SyntheticContender(machine, milliseconds: 4), SyntheticContender(machine, milliseconds: 4))
      change(a, b)
      let key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
      var options = ArmOptions(a: .cell(key), b: .cell(key))
      options.rounds = 60
      let environment = SyntheticStage(machine).environment
      return try ArmRun(options: options, environment: environment, clock: machine).run(a, b).exit.code
    }
  }
}
