import BenchCore
import JSON
import Testing

/// A build of one's own imagination: each start is off by a luck of its own, each block by the machine's mood.
final class FakeWorker: DuelWorker {
  private let arm: DuelRecord.Arm
  private let duel: FakeDuel
  private let luck: Double
  private(set) var isAlive = true
  var identity: DuelIdentity

  init(_ arm: DuelRecord.Arm, _ duel: FakeDuel) {
    (self.arm, self.duel) = (arm, duel)
    luck = SyntheticRounds.gaussian(&duel.random) * duel.startSpread
    identity = DuelIdentity(
      environment: duel.environment(arm), version: "1", pictures: [duel.otherPictures && arm == .head ? "y" : "x"])
    duel.alive += 1
  }

  func sample(_ cell: Int, frames: Int) throws(BenchError) -> RoundSample {
    duel.samples += 1
    if let limit = duel.failsAfter, duel.samples > limit, arm == .head {
      throw BenchError(.renderer, "the head has gone.")
    }
    let growth = arm == .head ? duel.growth : arm == .control ? duel.controlGrowth : 0
    let mood = SyntheticRounds.gaussian(&duel.random) * duel.roundSpread
    let value = 5 * (1 + growth) * SyntheticRounds.power(luck + mood)
    duel.clock.advance(milliseconds: value * Double(frames))
    return RoundSample(
      wallMilliseconds: Array(repeating: duel.isBroken ? .nan : value, count: frames), cpuMilliseconds: value)
  }

  func end() {
    isAlive = false
    duel.alive -= 1
  }
}

final class FakeDuel {
  var random: SplitMix64
  let clock = FakeClock()
  var growth = 0.0
  var controlGrowth = 0.0
  var startSpread = 0.025
  var roundSpread = 0.05
  var otherPictures = false
  var otherCPU = false
  var isBroken = false
  var failsAfter: Int?
  var samples = 0
  var alive = 0

  init(seed: UInt64) { random = SplitMix64(seed: seed) }

  func environment(_ arm: DuelRecord.Arm) -> [EnvironmentField] {
    [EnvironmentField(name: "host.cpu", value: otherCPU && arm == .head ? "D" : "C")]
  }

  func run(_ change: (inout DuelOptions) -> Void = { _ in }) -> DuelResult {
    var options = DuelOptions()
    options.restarts = 40
    change(&options)
    let record = DuelRun(options: options, clock: clock, console: Console(output: { _ in })) { arm throws(BenchError) in
      FakeWorker(arm, self)
    }.run()
    return DuelResult(record, options: options, metric: .cpu)
  }
}

@Suite("duel: two builds in lock-step")
struct DuelTests {
  @Test("a head that costs a tenth more fails with 2; one that costs a tenth less is improved")
  func change() {
    let duel = FakeDuel(seed: 3)
    duel.growth = 0.1
    let slower = duel.run { $0.hasControl = true }
    #expect(slower.exit.code == .regression && slower.cells[0].verdict == .regressed)
    #expect(slower.cells[0].starts.count == 40)
    let faster = FakeDuel(seed: 4)
    faster.growth = -0.1
    #expect(faster.run().cells[0].verdict == .improved)
  }

  @Test("of 300 duels of equal builds none is flagged, though starts differ by three per cent for no reason")
  func equal() {
    var flags = 0
    for seed in 1...300 as ClosedRange<UInt64> {
      let duel = FakeDuel(seed: seed)
      duel.startSpread = 0.03
      if duel.run({ $0.roundsPerRestart = 4 }).exit.code == .regression { flags += 1 }
    }
    #expect(flags <= 3, "\(flags)")
  }

  @Test("pooled rounds would cry wolf where restarts do not: the restart is what is tested")
  func freedom() throws {
    let result = FakeDuel(seed: 5).run()
    let effect = try #require(result.cells[0].effect)
    #expect(effect.freedom == 39)
    // scipy: stats.sem([0.01, 0.03, -0.02, 0.05]); the mean is 0.0175
    let small = try #require(DuelResult.estimate([0.01, 0.03, -0.02, 0.05]))
    #expect((small.value - 0.0175).magnitude < 1e-15 && (small.error - 0.014930394055974098).magnitude < 1e-12)
    #expect(small.freedom == 3)
  }

  @Test("where the base differs from itself, nothing is said of the head")
  func control() {
    let duel = FakeDuel(seed: 6)
    duel.growth = 0.1
    duel.controlGrowth = 0.1
    let result = duel.run { $0.hasControl = true }
    #expect(result.cells[0].verdict == .inconclusive && result.cells[0].controlVerdict == .regressed)
    #expect(result.exit.code == .ok)
    #expect(result.cells[0].note?.contains("disturbed") ?? false)
    let strict = FakeDuel(seed: 6)
    (strict.growth, strict.controlGrowth) = (0.1, 0.1)
    #expect(
      strict.run {
        $0.hasControl = true
        $0.common.isStrict = true
      }.exit.code == .inconclusive)
  }

  @Test("a side that ends, a time that is no number, and too few starts are never green")
  func never() {
    let gone = FakeDuel(seed: 7)
    gone.failsAfter = 30
    let result = gone.run()
    #expect(result.exit.code == .invalid && result.exit.reasons.contains { $0.contains("the head has gone") })
    #expect(gone.alive == 0)
    let broken = FakeDuel(seed: 8)
    broken.isBroken = true
    #expect(broken.run().exit.code == .invalid)
    let few = FakeDuel(seed: 9)
    #expect(few.run { $0.restarts = 5 }.exit.code == .invalid)
  }

  @Test("builds that draw other pictures, or see another machine, are not held against each other")
  func different() {
    let pictures = FakeDuel(seed: 10)
    pictures.otherPictures = true
    let result = pictures.run()
    #expect(result.exit.code == .invalid && result.exit.reasons.contains { $0.contains("different pictures") })
    let allowed = FakeDuel(seed: 10)
    allowed.otherPictures = true
    #expect(allowed.run { $0.allowsOtherPictures = true }.exit.code == .ok)
    let machine = FakeDuel(seed: 11)
    machine.otherCPU = true
    let refused = machine.run()
    #expect(refused.exit.code == .environment && refused.exit.reasons.contains { $0.contains("host.cpu") })
  }

  @Test("sides start and draw in an order of chance that the seed decides, every process is ended, bytes are the same")
  func order() {
    func run(_ seed: UInt64) -> DuelResult {
      FakeDuel(seed: 1).run {
        $0.common.seed = seed
        $0.hasControl = true
        $0.restarts = 12
      }
    }
    let (one, again, other) = (run(1), run(1), run(2))
    #expect(one.json.text == again.json.text)
    #expect(one.record.restarts.map(\.orders) != other.record.restarts.map(\.orders))
    #expect(Set(one.record.restarts.map { $0.starts.map(\.rawValue).joined() }).count > 2)
    #expect(Set(one.record.restarts.flatMap(\.orders)).count == 6)
    let duel = FakeDuel(seed: 2)
    _ = duel.run()
    #expect(duel.alive == 0)
  }

  @Test("a program that is no build of the benchmark is an error in words, and the command line too")
  func noBuild() {
    #expect(
      BenchTool(arguments: ["duel", "--base", "/nowhere", "--head", "/nowhere", "--out", "/dev/null/x"]).run() == 1)
    for wrong in [[], ["--base", "x"], ["--base", "x", "--head", "y", "--restarts", "3"], ["--n", "0"]] {
      #expect(throws: BenchError.self) { try Command.parse(["duel"] + wrong) }
    }
  }
}
