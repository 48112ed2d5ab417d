import BenchCore
import JSON
import Testing

@Suite("What a gate makes of its tiers")
struct GateOutcomeTests {
  private static func tier(
    _ found: [(code: BenchCore.ExitStatus.Code, reason: String)] = [], _ name: GateTier.Name = .exact,
    blocks: Bool = true
  ) -> GateTier {
    var tier = GateTier(name, isBlocking: blocks)
    tier.rows = [GateRow(id: "a/n=1", metric: "passes", state: .passed, sentence: "2, as ever")]
    tier.found = found
    for (_, reason) in found { tier.rows.append(GateRow(id: "b", metric: "x", state: .failed, sentence: reason)) }
    return tier
  }

  private static func outcome(_ tiers: [GateTier], isComplete: Bool = true) -> GateOutcome {
    var outcome = GateOutcome(
      arguments: ["ci"], config: "g.toml", configHash: "0", seed: 1, started: "2026-01-01T00:00:00Z", budgetSeconds: 120
    )
    outcome.tiers = tiers
    outcome.isComplete = isComplete
    return outcome
  }

  @Test("the code is the first of 64, 1, 3, 5, 7, 2, 6, 4 that any tier which decides has found, and all are told")
  func precedence() {
    let order: [BenchCore.ExitStatus.Code] = [
      .usage, .toolError, .invalid, .environment, .baseline, .regression, .improvement, .inconclusive,
    ]
    for (index, code) in order.enumerated() {
      let exit = Self.outcome(order[index...].reversed().map { Self.tier([($0, "\($0)")]) }).exit
      #expect(exit.code == code)
      #expect(exit.reasons == order[index...].map { "\($0)" })
    }
    #expect(Self.outcome([Self.tier()]).exit == BenchCore.ExitStatus())
  }

  @Test("what only advises decides nothing, and is told in every report")
  func advisory() {
    let outcome = Self.outcome([Self.tier(), Self.tier([(.regression, "slower by half")], .time, blocks: false)])
    #expect(outcome.exit.code == .ok)
    for text in [StepSummary.text(outcome.report), JUnitReport.text(outcome.report), GatePage(outcome).text] {
      #expect(text.contains("slower by half"))
    }
    #expect(JUnitReport.text(outcome.report).contains("failures=\"0\""))
    #expect(outcome.json.text.contains("\"blocking\": false"))
  }

  @Test("a run that did not come to its end, that broke down, or that held nothing to anything, is never green")
  func never() {
    #expect(Self.outcome([Self.tier()], isComplete: false).exit.code == .invalid)
    var broken = Self.outcome([Self.tier()], isComplete: false)
    broken.failure = (.toolError, "no display")
    #expect(broken.exit.code == .toolError && broken.exit.reasons == ["no display"])
    #expect(Self.outcome([]).exit.code == .invalid)
    #expect(Self.outcome([Self.tier(blocks: false)]).exit.code == .invalid)
    #expect(Self.outcome([GateTier(.exact, isBlocking: true)]).exit.code == .invalid)
    #expect(GatePage(broken).text.contains("Exit code 1"))
  }

  @Test("the same outcome gives the same bytes, and JSON that reads back")
  func bytes() throws {
    let outcome = Self.outcome([Self.tier([(.regression, "a <b> & c")])])
    #expect(outcome.json.text == Self.outcome([Self.tier([(.regression, "a <b> & c")])]).json.text)
    let document = try JSONParser.parse([UInt8](outcome.json.text.utf8))
    let exit = try #require(document.member("exit", of: 0))
    #expect(document[try #require(document.member("code", of: exit))].value == .number(2))
    #expect(GatePage(outcome).text == GatePage(outcome).text && GatePage(outcome).text.contains("a &lt;b&gt; &amp; c"))
  }

  @Test("the page of 20,000 numbers has less than two megabytes, and needs no network and no script")
  func page() {
    var tier = Self.tier([(.regression, "worse")])
    for index in 0..<20_000 {
      tier.add(
        .regression, String(repeating: "a long word ", count: 20), id: "suite/cell=\(index)", metric: "passes")
    }
    let page = GatePage(Self.outcome([tier, tier, tier])).text
    #expect(page.utf8.count < 2_000_000 && page.contains("more rows are in ci.json"))
    for part in ["http", "<script", "url(", "@import", "<link", "src=", "javascript:", "<iframe"] {
      #expect(!page.contains(part), "\(part)")
    }
    #expect(Annotations.lines(Self.outcome([tier]).report).count == 10)
    #expect(StepSummary.text(Self.outcome([tier]).report).utf8.count <= StepSummary.limit)
  }
}

@Suite("Counted frames against a baseline and limits")
struct GateVerdictTests {
  private static func tier(
    _ config: String, _ lines: [String], base: String? = "# created 2026-01-01\na/n=1 passes 2\na/n=4 passes 5\n",
    today: String = "2026-01-31"
  ) throws -> GateTier {
    let exact = try GateConfig([UInt8]("[exact]\n\(config)".utf8), name: "g.toml", folder: "").exact
    var tier = GateTier(.exact, isBlocking: true)
    GateVerdicts.judge(try CounterBaseline.entries(lines), of: exact, into: &tier, today: today) {
      path throws(BenchError) in
      guard let base else { throw BenchError(.baseline, "\(path) is not there") }
      return try CounterBaseline(base, name: path)
    }
    return tier
  }

  private static let same = ["a/n=1 passes 2", "a/n=4 passes 5"]

  @Test("the same is green; more, gone, no baseline, a broken one and an old one have each their code")
  func codes() throws {
    let file = "baseline = \"b\"\nmax-age = 30\n"
    #expect(try Self.tier(file, Self.same).exit.code == .ok)
    let more = try Self.tier(file, ["a/n=1 passes 3", "a/n=4 passes 5"])
    #expect(more.exit.code == .regression && more.exit.reasons == ["a/n=1 passes: 2 became 3"])
    #expect(try Self.tier(file, ["a/n=1 passes 2"]).exit.code == .invalid)
    #expect(try Self.tier(file, Self.same, base: nil).exit.code == .baseline)
    #expect(try Self.tier(file, Self.same, base: "a b c d").exit.code == .toolError)
    #expect(try Self.tier(file, Self.same, base: "").exit.code == .baseline)
    #expect(try Self.tier(file, Self.same, today: "2026-02-01").exit.code == .baseline)
    #expect(try Self.tier(file, Self.same, today: "2025-12-31").exit.code == .baseline)
    #expect(try Self.tier("baseline = \"b\"", Self.same, base: "").exit.code == .invalid)
  }

  @Test(
    "growth that the file allows passes, advisory counters decide nothing, and strictness asks to bless what shrank")
  func leeway() throws {
    let more = ["a/n=1 passes 2", "a/n=4 passes 6"]
    #expect(try Self.tier("baseline = \"b\"\ngrowth = 20", more).exit.code == .ok)
    #expect(try Self.tier("baseline = \"b\"\ngrowth = 19", more).exit.code == .regression)
    let advisory = try Self.tier("baseline = \"b\"\nadvisory = [\"passes\"]", more)
    #expect(advisory.exit.code == .ok && advisory.rows.contains { $0.state == .failed && $0.isAdvisory })
    let fewer = ["a/n=1 passes 2", "a/n=4 passes 4"]
    #expect(try Self.tier("baseline = \"b\"", fewer).exit.code == .ok)
    #expect(try Self.tier("baseline = \"b\"\nstrict-improvement = true", fewer).exit.code == .improvement)
  }

  @Test("a limit holds every cell that it names, and one that names none is never green")
  func limits() throws {
    func limit(_ cell: String, _ most: Int) -> String {
      "[[exact.limit]]\ncell = \"\(cell)\"\ncounter = \"passes\"\nmost = \(most)\n"
    }
    #expect(try Self.tier(limit("a/*", 5), Self.same).exit.code == .ok)
    let beyond = try Self.tier(limit("a/*", 4), Self.same)
    #expect(beyond.exit.code == .regression && beyond.exit.reasons == ["a/n=4 passes: 5; at most 4 is allowed"])
    #expect(try Self.tier(limit("a/n=1", 2), Self.same).exit.code == .ok)
    let none = try Self.tier(limit("b/*", 5), Self.same)
    #expect(none.exit.code == .invalid && none.exit.reasons[0].contains("g.toml:2"))
  }
}

@Suite("Counted instructions in a gate")
struct GateInstructionTests {
  private static func tier(_ lines: [String], _ code: BenchCore.ExitStatus.Code) -> GateTier {
    var tier = GateTier(.instructions, isBlocking: true)
    GateVerdicts.judge(instructions: lines, code, into: &tier)
    return tier
  }

  @Test("what grew fails by its own line, all else passes by its own, and a count without a number is never green")
  func lines() {
    let (same, more) = ("n=16: 100 became 100 instructions (+0.000 %)", "n=32: 100 became 102 instructions (+2.000 %)")
    let green = Self.tier(["N = 16: 100 instructions a frame", same], .ok)
    #expect(green.exit.code == .ok && green.rows.map(\.state) == [.passed] && green.rows[0].id == "n=16")
    let red = Self.tier([same, more, "FAILS: \(more)"], .regression)
    #expect(red.exit.code == .regression && red.exit.reasons == [more])
    #expect(red.rows.map(\.state) == [.passed, .failed] && red.rows.map(\.id) == ["n=16", "n=32"])
    #expect(Self.tier([], .ok).exit.code == .invalid)
    #expect(Self.tier(["valgrind is not on PATH"], .environment).exit.reasons == ["valgrind is not on PATH"])
    #expect(Self.tier([], .toolError).exit.code == .toolError)
    #expect(green.line.contains("; 1 number, ") && red.line.contains("; 2 numbers, "))
  }
}

@Suite("Pairs of a gate")
struct GatePairTests {
  @Test("a comparison that was held up and has no number is unclear, and one that measured nothing is invalid")
  func heldUp() throws {
    #expect(try Self.row(0.3, atMost: 1.4) { ($0.effect, $0.verdict) = (nil, .inconclusive) }.state == .unclear)
    #expect(try Self.row(0.3, atMost: 1.4) { ($0.effect, $0.verdict) = (nil, .missing) }.state == .invalid)
  }

  private static func row(
    _ growth: Double, atMost: Double, rounds: Int = 60, own: Double = 0.02,
    _ change: (inout ArmComparison) -> Void = { _ in }
  ) throws -> GateRow {
    let text = "[time]\n[[time.pair]]\na = \"n=16\"\nb = \"n=32\"\nat-most = \(atMost)\n"
    let pair = try #require(try GateConfig([UInt8](text.utf8), name: "g.toml", folder: "").time.pairs.first)
    var thresholds = Thresholds()
    thresholds.margin = atMost - 1
    var comparison = ArmComparison(
      a: pair.a.id, b: pair.b.id, environment: FakeStage().environment, seed: 1, metric: .cpu, thresholds: thresholds,
      rounds: SyntheticRounds.make(rounds, growth: growth, own: own, seed: 3))
    change(&comparison)
    return GatePairs.row(pair, comparison, level: thresholds.alpha)
  }

  @Test("a failure counts once a second measurement shows it again, and is noise where that does not")
  func confirmation() throws {
    let (failed, passed) = (try Self.row(0.6, atMost: 1.4), try Self.row(0.3, atMost: 1.4))
    #expect(GatePairs.confirmed(failed, by: failed).state == .failed)
    let noise = GatePairs.confirmed(failed, by: passed)
    #expect(noise.state == .unclear && noise.sentence.hasPrefix("noise: first "))
    #expect(GatePairs.confirmed(failed, by: try Self.row(0.3, atMost: 1.4, rounds: 4)).state == .invalid)
    #expect(GatePairs.confirmed(passed, by: failed) == passed)
  }

  @Test("surely more than allowed fails, surely less passes, and what can't be said is unclear: below and above one")
  func states() throws {
    #expect(try Self.row(0.6, atMost: 1.4).state == .failed)
    #expect(try Self.row(0.3, atMost: 1.4).state == .passed)
    #expect(try Self.row(-0.6, atMost: 0.5).state == .passed)
    #expect(try Self.row(-0.3, atMost: 0.5).state == .failed)
    #expect(try Self.row(0.4, atMost: 1.4, rounds: 8, own: 0.3).state == .unclear)
    #expect(try Self.row(0.3, atMost: 1.4, rounds: 4).state == .invalid)
    #expect(try Self.row(0.6, atMost: 1.4).sentence.hasSuffix("at most 1.40x is allowed"))
  }
}
