import BenchCore
import Testing

/// The bars that the benchmark keeps of itself, with as many trials as a test has time for; `porthole-bench selftest --long`
/// has hundreds.
@Suite("The benchmark's trial of itself")
struct SelftestTests {
  private func expect(_ bars: [SelftestBar]) {
    #expect(!bars.isEmpty)
    for bar in bars { #expect(bar.holds, "\(bar.line)") }
  }

  @Test("equal arms and builds are not called a change, on an idle machine, a noisy one, and one that drifts")
  func noise() { expect(NoiseTrials(trials: 40, seed: 1).bars()) }

  @Test("what was put in is caught in the time that is promised, and by its sign")
  func power() { expect(PowerTrials(trials: 40, seed: 1).bars()) }

  @Test("intervals hold the truth as often as they say, bends are where they are, and lines have none")
  func curves() { expect(CurveTrials(trials: 100, seed: 1).bars()) }

  @Test("none of some sixty faults passes green, and what is sound does")
  func mutants() {
    expect(Mutant.bars(seed: 1))
    #expect(Mutant.all(seed: 1).count >= 30)
  }

  @Test("a change of less than the margin that is sure passes, and is told of")
  func smallChange() {
    let result = SyntheticDuel(.idle, growth: 0.005, startSpread: 0.001, seed: 5).run(DuelOptions())
    #expect(result.exit.code == .ok)
    #expect(result.cells[0].verdict == .pass)
    #expect(result.lines[0].contains("1.00"))
  }

  @Test("starts that differ by fifteen per cent, and rounds by three, are no alarm", arguments: [UInt64(1), 2, 3])
  func betweenJobs(seed: UInt64) {
    var alarms = 0
    for trial in 0..<100 {
      var options = DuelOptions()
      options.restarts = 20
      options.common.seed = UInt64(trial)
      let duel = SyntheticDuel(.idle, startSpread: 0.15, seed: seed &* 1000 &+ UInt64(trial))
      if duel.run(options).exit.code != .ok { alarms += 1 }
    }
    #expect(alarms <= 1)
  }

  @Test("a bar says what it promises, what was found, and whether that is enough")
  func bar() {
    let bar = SelftestBar("B1", "false alarms", 2, in: .atMost(1), note: "of 100")
    #expect(!bar.holds && bar.line.contains("SHORT") && bar.line.contains("≤ 1"))
    let report = SelftestReport(seed: 1, bars: [bar])
    #expect(report.exit.code == .toolError && report.exit.reasons[0].contains("false alarms"))
    #expect(SelftestReport(seed: 1, bars: []).exit.code == .invalid)
    #expect(!SelftestBar("B1", "false alarms", .nan, in: .atMost(1)).holds)
  }

  @Test("selftest takes kinds, and refuses others in words")
  func options() throws {
    #expect(try SelftestOptions(["noise", "power"]).kinds == [.noise, .power])
    #expect(try SelftestOptions(["all"]).kinds == SelftestOptions.Kind.allCases)
    #expect(throws: BenchError.self) { try SelftestOptions(["luck"]) }
  }
}
