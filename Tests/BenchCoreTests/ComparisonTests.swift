import BenchCore
import JSON
import Testing

@Suite("two results held against each other")
struct ComparisonTests {
  /// A run of the fake stage as its `result.json` reads.
  private static func recorded(
    _ name: String, noise: UInt64 = 0, _ change: (FakeStage) -> Void = { _ in },
    _ edit: (inout BenchmarkResult) -> Void = { _ in }
  ) throws -> RecordedResult {
    let stage = FakeStage()
    stage.noise = noise
    change(stage)
    var result = FakeRun.result(stage)
    edit(&result)
    return try RecordedResult([UInt8](result.json.text.utf8), name: name)
  }

  private static func portals(_ comparison: ResultComparison) -> [CellComparison] {
    comparison.cells.filter { $0.metric == Metric.cpu.rawValue }
  }

  @Test("two runs of the same thing agree")
  func same() throws {
    let comparison = ResultComparison(
      base: [try Self.recorded("base", noise: 1)], head: [try Self.recorded("head", noise: 2)])
    #expect(comparison.exit.code == .ok)
    #expect(comparison.metric == .cpu)
    #expect(!comparison.cells.contains { $0.verdict == .regressed || $0.verdict == .improved })
    #expect(comparison.cells.count { $0.metric == "quads" && $0.verdict == .pass } == 32)
  }

  @Test("portals that cost half as much again fail with 2, and the report names the cell")
  func regression() throws {
    let comparison = ResultComparison(
      base: [try Self.recorded("base", noise: 1)],
      head: [try Self.recorded("head", noise: 2) { $0.costs[.portal] = (1.8, 0.009) }])
    #expect(comparison.exit.code == .regression)
    #expect(Self.portals(comparison).allSatisfy { $0.verdict == .regressed })
    #expect(comparison.exit.reasons.contains { $0.contains("portal-grid/strategy=portal/n=1024") })
    let back = ResultComparison(
      base: [try Self.recorded("base", noise: 1) { $0.costs[.portal] = (1.8, 0.009) }],
      head: [try Self.recorded("head", noise: 2)])
    #expect(back.exit.code == .ok)
    #expect(Self.portals(back).allSatisfy { $0.verdict == .improved })
  }

  @Test("a machine that became half as fast as a whole is no regression")
  func slowMachine() throws {
    let slow = try Self.recorded("head", noise: 2) { stage in
      for (strategy, cost) in stage.costs { stage.costs[strategy] = (cost.0 * 2, cost.1 * 2) }
    }
    let comparison = ResultComparison(base: [try Self.recorded("base", noise: 1)], head: [slow])
    #expect(comparison.exit.code == .ok)
    #expect(!Self.portals(comparison).contains { $0.verdict == .regressed })
  }

  @Test("one quad more is a regression, unless a budget or an advisory counter allows it")
  func counters() throws {
    let base = try Self.recorded("base", noise: 1)
    let head = try Self.recorded("head", noise: 2) { $0.quadsPerCopy = 2 }
    let strict = ResultComparison(base: [base], head: [head])
    #expect(strict.exit.code == .regression)
    #expect(strict.exit.reasons.count == 32)
    var thresholds = Thresholds()
    thresholds.counterBudget = 1
    #expect(ResultComparison(base: [base], head: [head], thresholds: thresholds).exit.code == .ok)
    #expect(ResultComparison(base: [base], head: [head], advisory: ["quads"]).exit.code == .ok)
  }

  @Test("a cell that is gone fails with 3 and is named; one that is new does not")
  func gone() throws {
    let whole = try Self.recorded("base")
    let less = try Self.recorded("head", noise: 2) { _ in
    } _: { result in
      result.cells.removeAll { $0.id.hasPrefix("portal-window/strategy=portal/n=256/") }
    }
    let comparison = ResultComparison(base: [whole], head: [less])
    #expect(comparison.exit.code == .invalid)
    #expect(comparison.exit.reasons.contains { $0.hasPrefix("portal-window/strategy=portal/n=256/") })
    #expect(ResultComparison(base: [less], head: [whole]).exit.code == .ok)
  }

  @Test("another driver is not compared by time: 5, and the field is named; its counters are")
  func otherMachine() throws {
    let base = try Self.recorded("base")
    let other = try Self.recorded("head", noise: 3) {
      $0.renderer = "another renderer"
      $0.costs[.portal] = (2.4, 0.012)
    }
    let comparison = ResultComparison(base: [base], head: [other])
    #expect(comparison.exit.code == .environment)
    #expect(comparison.metric == nil)
    #expect(comparison.notes.contains { $0.contains("gpu.renderer") && $0.contains("another renderer") })
    #expect(Self.portals(comparison).allSatisfy { $0.verdict == .refused })
    #expect(comparison.cells.contains { $0.metric == "quads" && $0.verdict == .pass })
    #expect(ResultComparison(base: [base], head: [other], advisory: ["cpu_ms"]).exit.code == .ok)
  }

  @Test("a file that was not written anew, times of another unit, and a tenth of the time are no improvement")
  func implausible() throws {
    let base = try Self.recorded("base", noise: 1)
    let copy = ResultComparison(base: [base], head: [try Self.recorded("head", noise: 1)])
    #expect(copy.exit.code == .invalid && copy.notes.contains { $0.contains("the very times of base") })
    let tenth = ResultComparison(
      base: [base], head: [try Self.recorded("head", noise: 2) { $0.costs[.portal] = (0.012, 0.00006) }])
    #expect(tenth.exit.code == .invalid && tenth.exit.reasons.contains { $0.contains("in another unit") })
    let long = try Self.recorded("head", noise: 2) { _ in
    } _: { result in
      result.durationSeconds /= 1000
    }
    let unit = ResultComparison(base: [base], head: [long])
    #expect(unit.exit.code == .invalid && unit.notes.contains { $0.contains("what are its times in") })
  }

  @Test("a run whose pictures were wrong is never green")
  func wrongPictures() throws {
    let wrong = try Self.recorded("head") { $0.wrong = [.portal] }
    let comparison = ResultComparison(base: [try Self.recorded("base")], head: [wrong])
    #expect(comparison.exit.code == .invalid)
    #expect(comparison.notes.contains { $0.contains("head") && $0.contains("exit code 3") })
  }

  @Test("with several starts on each side a change of a tenth is seen, and none is seen where there is none")
  func starts() throws {
    let starts = { (first: UInt64, factor: Double) in
      try (0..<6).map { index in
        // Each start is off by as much as starts are.
        let luck = 1 + 0.01 * Double(index % 3) - 0.01
        return try Self.recorded("run \(index)", noise: first + UInt64(index)) {
          $0.costs[.portal] = (1.2 * factor * luck, 0.006 * factor * luck)
        }
      }
    }
    let base = try starts(10, 1)
    let slower = ResultComparison(base: base, head: try starts(20, 1.1))
    #expect(slower.exit.code == .regression)
    #expect(Self.portals(slower).allSatisfy { $0.verdict == .regressed })
    let same = ResultComparison(base: base, head: try starts(30, 1))
    #expect(same.exit.code == .ok)
  }

  @Test("the same results give the same bytes, and the names of the verdicts")
  func sameBytes() throws {
    let (base, head) = (try Self.recorded("base", noise: 1), try Self.recorded("head", noise: 2))
    let first = ResultComparison(base: [base], head: [head])
    #expect(first.json.text == ResultComparison(base: [base], head: [head]).json.text)
    #expect(ComparisonText.lines(first) == ComparisonText.lines(ResultComparison(base: [base], head: [head])))
    #expect(first.json.text.contains("\"verdict\": \"pass\""))
  }

  @Test("when several things are wrong the worst decides, and every one is told")
  func precedence() {
    let status = ExitStatus([(.regression, "slower"), (.environment, "another driver"), (.invalid, "a cell is gone")])
    #expect(status.code == .invalid)
    #expect(status.reasons == ["a cell is gone", "another driver", "slower"])
    #expect(ExitStatus([]).code == .ok)
  }
}
