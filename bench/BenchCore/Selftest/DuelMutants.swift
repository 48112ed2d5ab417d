/// Faults of the sides of a duel.
struct DuelMutants {
  private let seed: UInt64

  init(seed: UInt64) { self.seed = seed }

  var sound: Mutant { duel("a sound duel", nil) }

  var all: [Mutant] {
    [
      duel("a head that costs a fifth more", .slower), duel("a side that ends", .ends),
      duel("a side that does not start", .noStart), duel("a side whose time is no number", .notANumber),
      duel("a side whose frames take no time", .noTime), duel("a side that draws another picture", .otherPicture),
      duel("a side on another machine", .otherMachine), duel("sides that are swapped", .swapped),
      duel("a program that is another in the middle", .replaced),
      duel("a control that is no copy of the base", .otherControl),
      duel("a base that differs from itself", .disturbed),
    ]
  }

  private func duel(_ name: String, _ fault: SyntheticDuel.Fault?) -> Mutant {
    Mutant(name) { [seed] () throws(BenchError) in
      var options = DuelOptions()
      (options.restarts, options.hasControl, options.common.isStrict) = (20, true, true)
      options.common.seed = seed
      let duel = SyntheticDuel(.idle, startSpread: 0.005, seed: seed)
      duel.fault = fault
      return duel.run(options).exit.code
    }
  }
}
