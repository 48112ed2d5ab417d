import BenchCore
import JSON
import Testing

@Suite("Runs that are cut short")
struct InterruptionTests {
  private func run(_ options: ScaleOptions, _ limit: (FakeStage) -> RunLimit) -> BenchmarkResult {
    let stage = FakeStage()
    return ScaleRun(
      options: options, stage: stage, clock: stage.clock, console: Console(output: { _ in }), limit: limit(stage)
    ).run(arguments: ["scale"], started: "2026-01-01T00:00:00Z")
  }

  @Test("what was measured until then is in the result, which says that it is not whole, and is never green")
  func partial() throws {
    let whole = FakeRun.result().durationSeconds
    for part in [0.0001, 0.1, 0.5, 0.95] {
      let seconds = whole * part
      let result = run(FakeRun.options) { stage in
        RunLimit { stage.clock.monotonicNanoseconds > UInt64(seconds * 1e9) ? "ended by SIGTERM" : nil }
      }
      #expect(result.exit.code == .invalid, "\(seconds)")
      #expect(result.exit.reasons.first?.hasPrefix("incomplete: ended by SIGTERM after") == true)
      let read = try BenchmarkResult([UInt8](result.json.text.utf8), name: "r.json")
      #expect(read.interruption == result.interruption && read.exit.code == .invalid)
      let record = try RecordedResult([UInt8](result.json.text.utf8), name: "r.json")
      #expect(ResultComparison(base: [record], head: [record]).exit.code == .invalid)
    }
  }

  @Test("a deadline ends a run that would take longer, near to it; one that is far off changes nothing")
  func deadline() {
    var options = FakeRun.options
    options.rounds = 1000
    let cut = run(options) { _ in RunLimit(seconds: 40) }
    #expect(cut.exit.reasons.contains { $0.contains("the deadline of 40 s came") })
    #expect(cut.durationSeconds < 45)
    #expect(cut.cells.contains { $0.status == .ok && !$0.rounds.isEmpty })
    let whole = run(FakeRun.options) { _ in RunLimit(seconds: 1e6) }
    #expect(whole.exit.code == .ok && whole.interruption == nil)
    #expect(whole.json.text == FakeRun.result().json.text)
  }

  @Test("a comparison of arms, and a duel, that are cut short are not valid")
  func comparisons() throws {
    let machine = SyntheticMachine(.idle, seed: 1)
    let key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
    let options = ArmOptions(a: .cell(key), b: .cell(key))
    let arms = try ArmRun(
      options: options, environment: SyntheticStage(machine).environment, clock: machine, limit: RunLimit(seconds: 3)
    ).run(SyntheticContender(machine, milliseconds: 4), SyntheticContender(machine, milliseconds: 4))
    #expect(arms.exit.code == .invalid && arms.exit.reasons[0].contains("deadline"))
    let duel = DuelRun(
      options: DuelOptions(), clock: FakeClock(), console: Console(output: { _ in }),
      limit: RunLimit { "ended by SIGINT" }
    ) { _ throws(BenchError) in throw BenchError(.renderer, "not started") }.decided { _ in .wall }
    #expect(duel.exit.code == .invalid && duel.exit.reasons.contains { $0.contains("ended by SIGINT") })
  }

  @Test("a deadline makes the budget smaller, so that what is asked for fits into it where it can")
  func options() throws {
    #expect(try ScaleOptions(["--deadline", "20"]).budgetSeconds == 17)
    #expect(try ScaleOptions(["--deadline", "1000s"]).budgetSeconds == ScaleOptions.automatic.budgetSeconds)
    #expect(try DuelOptions(["--base", "a", "--head", "b", "--deadline", "60"]).seconds == 51)
    #expect(throws: BenchError.self) { try ScaleOptions(["--deadline", "0"]) }
  }
}
