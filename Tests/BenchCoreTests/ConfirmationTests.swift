import BenchCore
import JSON
import Testing

@Suite("Alarms that are confirmed, and what can be seen at all")
struct ConfirmationTests {
  private func recorded(
    _ name: String, noise: UInt64, _ change: (FakeStage) -> Void = { _ in }
  ) throws -> RecordedResult {
    let stage = FakeStage()
    stage.noise = noise
    change(stage)
    return try RecordedResult([UInt8](FakeRun.result(stage).json.text.utf8), name: name)
  }

  private func flags(_ comparison: ResultComparison) throws -> [(id: String, metric: String)] {
    try Confirmation.flags([UInt8](comparison.json.text.utf8), name: "comparison.json")
  }

  @Test("what a second measurement flags too is a regression; what it does not is noise, and the overlap says which")
  func confirmed() throws {
    let slow = { (stage: FakeStage) in stage.costs[.portal] = (1.8, 0.009) }
    let first = ResultComparison(base: [try recorded("a", noise: 1)], head: [try recorded("b", noise: 2, slow)])
    let flagged = try flags(first)
    #expect(flagged.count == 8 && flagged.allSatisfy { $0.metric == "cpu_ms" })
    let again = ResultComparison(base: [try recorded("c", noise: 3)], head: [try recorded("d", noise: 4, slow)])
    let real = Confirmation(flagged, second: again)
    #expect(real.exit.code == .regression && real.overlap == 1 && real.exit.reasons[0].contains("twice"))
    let calm = ResultComparison(base: [try recorded("e", noise: 5)], head: [try recorded("f", noise: 6)])
    let noise = Confirmation(flagged, second: calm)
    #expect(noise.exit.code == .ok && noise.overlap == 0)
    #expect(noise.line == "0 of 8 alarms were confirmed: noise")
    #expect(noise.json.text.contains("\"overlap\": 0"))
  }

  @Test("the same cell must be flagged: another one's alarm in the second confirms nothing")
  func otherCell() throws {
    let first = ResultComparison(
      base: [try recorded("a", noise: 1)], head: [try recorded("b", noise: 2) { $0.quadsPerCopy = 2 }])
    let second = ResultComparison(
      base: [try recorded("c", noise: 3)], head: [try recorded("d", noise: 4) { $0.costs[.portal] = (1.8, 0.009) }])
    let confirmation = Confirmation(try flags(first), second: second)
    #expect(confirmation.confirmed.isEmpty && confirmation.exit.code == .ok)
  }

  @Test("a flagged cell that was not measured again, or a second that is not valid, is never green")
  func never() throws {
    let first = ResultComparison(
      base: [try recorded("a", noise: 1)], head: [try recorded("b", noise: 2) { $0.costs[.portal] = (1.8, 0.009) }])
    let flagged = try flags(first)
    let gone = Confirmation(flagged + [("area/portals=9", "cpu_ms")], second: first)
    #expect(gone.exit.code == .invalid)
    let wrong = ResultComparison(
      base: [try recorded("c", noise: 3)], head: [try recorded("d", noise: 4) { $0.wrong = [.floor] }])
    #expect(Confirmation(flagged, second: wrong).exit.code == .invalid)
    #expect(throws: BenchError.self) { try Confirmation.flags([UInt8]("{}".utf8), name: "x") }
  }

  @Test("a second job measures the flagged cells alone, with the floor beside them")
  func narrowed() throws {
    var options = ScaleOptions()
    try options.keep([
      "portal-window/strategy=portal/n=256/size=1280x720/scale=1",
      "portal-window/strategy=portal/n=16/size=1280x720/scale=1",
    ])
    #expect(options.counts == [16, 256] && options.suites == [.portalWindow])
    #expect(options.strategies == [.portal, .floor] && !options.isAdaptive)
    #expect(throws: BenchError.self) { try options.keep([]) }
  }

  @Test("calibrating says of each cell how small a growth is seen, and how long what a gate tolerates takes")
  func calibration() throws {
    func calibration(_ mood: SyntheticMachine.Mood, _ count: Int = 200, growth: Double = 0) throws -> Calibration {
      let machine = SyntheticMachine(mood, seed: 4)
      var random = SplitMix64(seed: 1)
      let rounds = try PairedRounds.measure(
        SyntheticContender(machine, milliseconds: 4), SyntheticContender(machine, milliseconds: 4 * (1 + growth)),
        clock: machine, random: &random, rounds: count, seconds: 1)
      return Calibration(
        environment: SyntheticStage(machine).environment, thresholds: Thresholds(), seed: 1, rounds: [(16, rounds)])
    }
    let quiet = try calibration(.idle)
    #expect(quiet.exit.code == .ok)
    let (idle, noisy) = (try #require(quiet.cells[0].secondsToSee), try calibration(.noisy).cells[0].secondsToSee)
    #expect(idle > 1 && idle < noisy ?? 0)
    #expect(quiet.lines[0].contains("portal-grid/strategy=portal/n=16: sees +"))
    #expect(quiet.json.text.contains("\"mde\"") && quiet.json.text.contains("\"seconds_to_see\""))
    // A machine that is not the same for both, and one on which nothing was measured, calibrate nothing.
    #expect(try calibration(.idle, growth: 0.2).exit.code == .inconclusive)
    #expect(try calibration(.idle, 3).exit.code == .invalid)
  }

  @Test("where what a gate tolerates can't be seen in ten minutes, calibrating fails")
  func hopeless() throws {
    let machine = SyntheticMachine(.noisy, seed: 4)
    var random = SplitMix64(seed: 1)
    let rounds = try PairedRounds.measure(
      SyntheticContender(machine, milliseconds: 400), SyntheticContender(machine, milliseconds: 400), clock: machine,
      random: &random, rounds: 40, seconds: 1)
    let calibration = Calibration(
      environment: SyntheticStage(machine).environment, thresholds: Thresholds(), seed: 1, rounds: [(16, rounds)])
    #expect(calibration.exit.code == .inconclusive)
    #expect(calibration.exit.reasons[0].contains("5.0 % is not seen here"))
  }
}
