import BenchCore
import JSON
import Testing

@Suite("ab: two arms in one process")
struct ArmTests {
  private static func comparison(
    _ stage: FakeStage, a: Strategy = .portal, b: Strategy = .floor, rounds: Int? = 60,
    _ change: (inout ArmOptions) -> Void = { _ in }
  ) throws -> ArmComparison {
    var options = ArmOptions(
      a: .cell(CellKey(suite: .portalGrid, strategy: a, n: 64)),
      b: .cell(CellKey(suite: .portalGrid, strategy: b, n: 64)))
    options.rounds = rounds
    options.metric = .wall
    change(&options)
    func contender(_ strategy: Strategy) throws(BenchError) -> any Contender {
      try stage.contender(CellKey(suite: .portalGrid, strategy: strategy, n: 64))
    }
    return try ArmRun(options: options, environment: stage.environment, clock: stage.clock)
      .run(try contender(a), try contender(b))
  }

  @Test("an arm that costs a tenth more fails with 2, is named, and is seen before all rounds are drawn")
  func slower() throws {
    let stage = FakeStage()
    stage.costs[.floor] = (1.32, 0.0066)
    let result = try Self.comparison(stage, rounds: 200)
    #expect(result.verdict == .regressed && result.exit.code == .regression)
    #expect(result.decidedAt < 1 && result.rounds.first.count < 200)
    #expect(result.exit.reasons.contains { $0.contains("strategy=floor") })
    #expect(result.line.contains("costs surely more"))
  }

  @Test("equal arms pass, and say what would have been seen")
  func equal() throws {
    let stage = FakeStage()
    stage.costs[.floor] = stage.costs[.portal]
    let result = try Self.comparison(stage)
    #expect(result.verdict == .pass && result.exit.code == .ok)
    #expect(result.decidedAt == 1 && result.rounds.first.count == 60)
    #expect(result.json.text.contains("\"verdict\": \"pass\""))
    #expect(result.json.text.contains("\"order_log\": \"") && result.json.text.contains("BA AB"))
  }

  @Test("a change that is sure and smaller than the margin passes")
  func small() throws {
    let stage = FakeStage()
    stage.costs[.floor] = (1.2 * 1.01, 0.006 * 1.01)
    let result = try Self.comparison(stage, rounds: 400)
    #expect(result.verdict == .pass && result.exit.code == .ok)
    let interval = try #require(result.effect?.ratio.interval)
    #expect(interval.lower > 1)
  }

  @Test("too few rounds, clocks that stand still and wrong pictures are never green")
  func never() throws {
    let frozen = FakeStage()
    frozen.costs = [.portal: (0, 0), .floor: (0, 0)]
    #expect(try Self.comparison(frozen).exit.code == .invalid)
    #expect(try Self.comparison(FakeStage(), rounds: 5).exit.code == .invalid)
    let still = FakeStage()
    still.frozen = [.floor]
    still.costs[.floor] = still.costs[.portal]
    let result = try Self.comparison(still)
    #expect(result.exit.code == .invalid && result.exit.reasons.contains { $0.contains("does not move") })
  }

  @Test("a few rounds of a wavering machine say nothing: 0 with a wish for more, 4 where strict")
  func unclear() throws {
    var random = SplitMix64(seed: 8)
    var rounds = PairedRounds()
    for _ in 0..<12 {
      func sample() -> RoundSample {
        let value = 5 * SyntheticRounds.power(SyntheticRounds.gaussian(&random) * 0.3)
        return RoundSample(wallMilliseconds: [value], cpuMilliseconds: value)
      }
      rounds.first.append(sample())
      rounds.second.append(sample())
      rounds.isTurned.append(false)
    }
    rounds.seconds = 1
    func result(_ isStrict: Bool) -> ArmComparison {
      ArmComparison(
        a: "a", b: "b", environment: FakeStage().environment, seed: 1, metric: .wall, thresholds: Thresholds(),
        rounds: rounds, isStrict: isStrict)
    }
    #expect(result(false).verdict == .inconclusive && result(false).exit.code == .ok)
    #expect(result(true).exit.code == .inconclusive)
    #expect(try #require(result(false).secondsToDecide) > 1)
  }

  @Test(
    "renderers that differ for as long as they live, and are no change, are not called one; rounds of a pair would be")
  func pairs() throws {
    var (alarms, ofRounds) = (0, 0)
    for seed in 1...100 as ClosedRange<UInt64> {
      let machine = SyntheticMachine(.noisy, seed: seed)
      let key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
      var options = ArmOptions(a: .cell(key), b: .cell(key))
      options.common.seed = seed
      let result = try ArmRun(options: options, environment: SyntheticStage(machine).environment, clock: machine).run(
        SyntheticContender(machine, milliseconds: 2 * machine.made()),
        SyntheticContender(machine, milliseconds: 2 * machine.made()))
      #expect(result.rounds.pairs.count >= 20 && result.line.contains(" rounds of "))
      if [.regressed, .improved].contains(result.verdict) { alarms += 1 }
      // What a single pair would have said.
      var single = result.rounds
      single.starts = []
      let range = try #require(result.rounds.pairs.first)
      (single.first, single.second) = (Array(single.first[range]), Array(single.second[range]))
      let (first, second) = single.costs(.wall)
      let effect = try #require(PairedEffect(first, second, thresholds: options.thresholds))
      let verdict = options.thresholds.verdict(effect.ratio, adjusted: effect.p)
      if [.regressed, .improved].contains(verdict) { ofRounds += 1 }
    }
    #expect(alarms <= 1 && ofRounds > alarms, "\(alarms), \(ofRounds)")
  }

  @Test("the same seed gives the same bytes")
  func sameBytes() throws {
    #expect(try Self.comparison(FakeStage()).json.text == (try Self.comparison(FakeStage()).json.text))
  }

  @Test("arms are said by what they draw")
  func specs() throws {
    #expect(try ArmSpec("n=64", option: "--a") == .cell(CellKey(suite: .portalGrid, strategy: .portal, n: 64)))
    #expect(
      try ArmSpec("suite=portal-window,strategy=duplicate,n=2", option: "--a")
        == .cell(CellKey(suite: .portalWindow, strategy: .duplicate, n: 2)))
    #expect(try ArmSpec("blur=on", option: "--a") == .feature(FeatureKey(suite: .effects, value: "blur")))
    #expect(try ArmSpec("blur=off", option: "--a") == .feature(FeatureKey(suite: .effects, value: "none")))
    #expect(try ArmSpec("nesting=3", option: "--a") == .feature(FeatureKey(suite: .nesting, value: "3")))
    for wrong in ["", "n", "n=", "n=0", "suite=x", "blur=maybe", "nesting=99", "n=4,blur=on", "blur=on,lens=on", "x=1"]
    {
      #expect(throws: BenchError.self, "\(wrong)") { try ArmSpec(wrong, option: "--a") }
    }
    for wrong in [["--a", "n=1"], [], ["--a", "n=1", "--b", "n=2", "--margin", "9", "--tolerance", "5"]] {
      #expect(throws: BenchError.self) { try Command.parse(["ab"] + wrong) }
    }
  }

  /// Counts how often it is read.
  private final class CountingClock: BenchClock {
    let machine = SyntheticMachine(.idle, seed: 1)
    private(set) var reads = 0

    var monotonicNanoseconds: UInt64 {
      reads += 1
      return machine.monotonicNanoseconds
    }
    var cpuNanoseconds: UInt64 {
      reads += 1
      return machine.cpuNanoseconds
    }
  }

  @Test("nothing is done in a gated frame but to read a clock before and after it")
  func instruments() throws {
    func reads(_ rounds: Int) throws -> Int {
      let clock = CountingClock()
      var random = SplitMix64(seed: 1)
      _ = try PairedRounds.measure(
        SyntheticContender(clock.machine, milliseconds: 4), SyntheticContender(clock.machine, milliseconds: 4),
        clock: clock, random: &random, rounds: rounds, seconds: 1)
      return clock.reads
    }
    // Two arms of four frames, each between two readings; the process clock before and after; and the round's own end.
    #expect(try reads(20) - reads(10) == 10 * (2 * (4 * 2 + 2) + 1))
  }

  @Test("what a run holds of its samples is far below twenty megabytes")
  func rawData() {
    let stage = FakeStage()
    stage.costs = [.portal: (0.2, 0.0001), .floor: (0.1, 0.0001)]
    let result = FakeRun.result(stage, .automatic)
    #expect(result.cells.map(\.rounds.count).max() ?? 0 >= 100)
    #expect(result.json.text.utf8.count < 20_000_000)
  }
}
