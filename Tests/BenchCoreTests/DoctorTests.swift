import BenchCore
import JSON
import Testing

@Suite("The doctor")
struct DoctorTests {
  private static func report(
    _ stage: FakeStage = FakeStage(), _ change: (inout DoctorOptions) -> Void = { _ in }
  ) throws -> DoctorReport {
    var options = DoctorOptions()
    change(&options)
    func contender(_ strategy: Strategy) throws(BenchError) -> any Contender {
      try stage.contender(CellKey(suite: .portalGrid, strategy: strategy, n: 16))
    }
    return try DoctorRun(options: options, stage: stage, clock: stage.clock, console: Console(output: { _ in })).run(
      displays: ["surfaceless: taken"],
      capabilities: [DoctorReport.Capability(name: "timer queries", isPresent: false, note: "GPU time")],
      instruments: [
        DoctorRun.Instrument(
          name: "a cheap one", limit: 0.01, without: { () throws(BenchError) in try contender(.portal) },
          with: { () throws(BenchError) in try contender(.portal) }),
        DoctorRun.Instrument(
          name: "a dear one", limit: 0.01, without: { () throws(BenchError) in try contender(.portal) },
          with: { () throws(BenchError) in try contender(.duplicate) }),
      ])
  }

  @Test("a steady machine is quiet, and what instruments add is measured")
  func quiet() throws {
    let report = try Self.report { $0.seconds = 30 }
    let noise = try #require(report.noise)
    #expect(noise.grade == .quiet)
    #expect(noise.isClean && noise.falseAlarms == 0)
    #expect(report.exit.code == .ok)
    #expect(report.overheads.count == 2)
    #expect((report.overheads[0].ratio.value - 1).magnitude < 0.01)
    #expect(report.overheads[1].ratio.value > 2 && !report.overheads[1].holds)
    #expect(report.lines.contains { $0.contains("MORE than it may cost") && $0.contains("a dear one") })
    #expect(report.lines.contains { $0.hasPrefix("noise: quiet") })
  }

  @Test("the more a machine wavers, the worse its class, and longer measuring always sees more")
  func classes() throws {
    var grades: [NoiseReport.Class] = []
    for own in [0.01, 0.1, 0.3, 3] {
      let noise = try #require(NoiseReport(SyntheticRounds.make(60, own: own, seed: 7), metric: .wall, seed: 1))
      grades.append(noise.grade)
      let growths = noise.table.map(\.growth)
      #expect(growths == growths.sorted(by: >))
    }
    #expect(grades == [.quiet, .usable, .noisy, .bad])
  }

  @Test("without hardware, or a timer that is believed, what asks for them is refused with 5, in one line")
  func refusals() throws {
    let software = try Self.report { $0.common.requiresHardware = true }
    #expect(software.exit.code == .environment)
    #expect(software.exit.reasons.count == 1 && software.exit.reasons[0].contains("software renderer"))
    #expect(try Self.report { $0.requiresTimer = true }.exit.code == .environment)
  }

  @Test("a machine whose clocks stand still has no class, and that is no health")
  func frozen() throws {
    let stage = FakeStage()
    stage.costs = [:]
    #expect(NoiseReport(PairedRounds(), metric: .wall, seed: 1) == nil)
    let noise = NoiseReport(SyntheticRounds.make(60, seed: 1, secondsEach: 0), metric: .wall, seed: 1)
    #expect(noise == nil)
    let report = DoctorReport(environment: stage.environment, capabilities: [], overheads: [], noise: nil)
    #expect(report.exit.code == .invalid)
  }

  @Test("the same machine and seed give the same JSON, which holds all that was found")
  func json() throws {
    let text = try Self.report().json.text
    #expect(text == (try Self.report().json.text))
    for key in ["porthole-bench/doctor", "\"comparable_key\"", "\"aa_false_alarm_est\"", "\"mde\"", "\"overheads\""] {
      #expect(text.contains(key))
    }
    #expect(throws: JSONError.self) { try JSONParser.parse([UInt8]((text + "x").utf8)) }
  }

  @Test(
    "what makes no sense is a usage error that names the option",
    arguments: [["--seconds", "0"], ["--n", "x"], ["--nonsense"], ["stray"], ["--json=1"], ["--seed"]])
  func usage(arguments: [String]) {
    do {
      _ = try Command.parse(["doctor"] + arguments)
      Issue.record("accepted: \(arguments)")
    } catch {
      #expect(error.code == .usage)
      #expect(error.description.contains(arguments[0].split(separator: "=")[0]))
    }
  }
}
