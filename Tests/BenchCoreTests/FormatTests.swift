import BenchCore
import Foundation
import JSON
import Testing

@Suite("Forms of a result")
struct FormatTests {
  private static func parsed(_ text: String) throws -> JSONDocument { try JSONParser.parse([UInt8](text.utf8)) }

  @Test(
    "every form of one result is the same bytes each time, and of the file that was read back",
    arguments: OutputFormat.allCases)
  func pure(format: OutputFormat) throws {
    let result = FakeRun.result()
    let text = format.text(of: result)
    #expect(!text.isEmpty || format == .annotations)
    #expect(text == format.text(of: FakeRun.result()))
    let back = try BenchmarkResult([UInt8](result.json.text.utf8), name: "r.json")
    #expect(format.text(of: back) == text)
    #expect(!text.lowercased().contains("nan,") && !text.contains(": nan"))
  }

  @Test("a table has a row for each number of each cell, and each row as many fields as the head")
  func csv() {
    let result = FakeRun.result()
    let lines = CellTable(result).csv.split(separator: "\r\n", omittingEmptySubsequences: true)
    // Wall and CPU time, and five counters.
    #expect(lines.count == 1 + result.cells.count * 7)
    #expect(Set(lines.map { $0.count { $0 == "," } }) == [15])
    let rows = CellTable(result).ndjson.split(separator: "\n")
    #expect(rows.count == lines.count - 1)
    #expect(rows.allSatisfy { (try? Self.parsed(String($0))) != nil })
  }

  @Test("a cell that failed has a row that says so, and no number")
  func failedCell() throws {
    let stage = FakeStage()
    stage.framesUntilFailure = [.floor: 20]
    let result = FakeRun.result(stage)
    #expect(CellTable(result).csv.contains("crashed,the fake broke down,,,,,"))
    let junit = JUnitReport.text(GateReport(result))
    #expect(junit.contains("<error message=\"the fake broke down\"/>"))
    #expect(!junit.contains("errors=\"0\""))
    #expect(
      Annotations.lines(GateReport(result)).contains { $0.hasPrefix("::error") && $0.contains("the fake broke down") })
    #expect(StepSummary.text(GateReport(result)).contains("not valid"))
  }

  @Test("trackers get what their formats ask for")
  func trackers() throws {
    let result = FakeRun.result()
    let bencher = try Self.parsed(TrackerFormats.bencher(result).text)
    let id = "portal-grid/strategy=portal/n=16/size=1280x720/scale=1"
    let cell = try #require(bencher.member(id, of: 0))
    let wall = try #require(bencher.member("frame_wall_ms", of: cell))
    for key in ["value", "lower_value", "upper_value"] { #expect(bencher.member(key, of: wall) != nil, "\(key)") }
    let quads = try #require(bencher.member("quads", of: cell))
    #expect(bencher[try #require(bencher.member("value", of: quads))].value == .number(16))

    let action = try Self.parsed(TrackerFormats.githubAction(result).text)
    for entry in action.children(of: 0) {
      for key in ["name", "unit", "value", "range"] { #expect(action.member(key, of: entry) != nil) }
    }
    #expect(action.children(of: 0).count == result.cells.count * 2)

    let google = try Self.parsed(TrackerFormats.googleBenchmark(result).text)
    let benchmarks = google.children(of: try #require(google.member("benchmarks", of: 0)))
    #expect(benchmarks.count == result.cells.count * 12)
    for key in ["name", "run_type", "real_time", "cpu_time", "time_unit", "iterations", "repetition_index"] {
      #expect(google.member(key, of: benchmarks[0]) != nil, "\(key)")
    }
  }

  @Test("a trace has every frame once, none over another on its track, in the order in which they were drawn")
  func trace() throws {
    let result = FakeRun.result()
    let trace = try Self.parsed(ChromeTrace.json(result).text)
    var ends: [Double: Double] = [:]
    var frames = 0
    func number(_ key: String, _ node: Int32) -> Double? {
      guard let child = trace.member(key, of: node), case .number(let value) = trace[child].value else { return nil }
      return value
    }
    for event in trace.children(of: try #require(trace.member("traceEvents", of: 0))) {
      guard let phase = trace.member("ph", of: event), trace[phase].value == .string("X") else { continue }
      let (track, start, length) = (number("tid", event) ?? 0, number("ts", event) ?? -1, number("dur", event) ?? -1)
      #expect(start >= (ends[track] ?? 0) - 0.01 && length > 0)
      ends[track] = start + length
      frames += 1
    }
    #expect(frames == result.cells.reduce(0) { $0 + $1.wallFrames.count })
  }

  private static func report(rows count: Int, failed: Int, sentence: String = "slower") -> GateReport {
    let rows = (0..<count).map { index in
      GateRow(
        id: "suite/cell=\(index)", metric: "cpu_ms", state: index >= count - failed ? .failed : .passed,
        sentence: sentence)
    }
    return GateReport(
      title: "gate", rows: rows,
      exit: BenchCore.ExitStatus(failed > 0 ? [(code: .regression, reason: "something is slower")] : []))
  }

  @Test("a summary of many cells keeps within its limit, the worst first, and says how many more there are")
  func summaryLimit() {
    let small = StepSummary.text(
      Self.report(rows: 500, failed: 3, sentence: String(repeating: "a long word ", count: 20)))
    #expect(small.utf8.count <= StepSummary.limit && !small.contains("more rows"))
    let large = StepSummary.text(
      Self.report(rows: 20_000, failed: 3, sentence: String(repeating: "a long word ", count: 20)))
    #expect(large.utf8.count <= StepSummary.limit && large.contains("more rows"))
    #expect(large.contains("| REGRESSED | suite/cell=19999 |"))
    let comment = StepSummary.text(Self.report(rows: 2000, failed: 1), limit: StepSummary.commentLimit)
    #expect(comment.utf8.count <= StepSummary.commentLimit && comment.contains("suite/cell=1999 "))
  }

  @Test("no more than ten annotations of a kind, the last of which counts the rest")
  func annotationLimit() {
    let few = Annotations.lines(Self.report(rows: 20, failed: 10))
    #expect(few.count == 10 && !few.contains { $0.contains("more") })
    let many = Annotations.lines(Self.report(rows: 40, failed: 27))
    #expect(many.count == 10 && many[9].contains("18 more"))
    #expect(Annotations.lines(Self.report(rows: 40, failed: 0)).isEmpty)
    let odd = Annotations.lines(Self.report(rows: 1, failed: 1, sentence: "50 % more\nand\rmore"))
    #expect(odd == ["::error title=suite/cell=0::cpu_ms: 50 %25 more%0Aand%0Dmore"])
  }

  @Test("what XML cannot hold does not end a report, and no red run has a green report")
  func junit() {
    var report = Self.report(rows: 1, failed: 1, sentence: "<a> & \"b\" \u{1} \u{FFFE}")
    let text = JUnitReport.text(report)
    #expect(text.contains("&lt;a&gt; &amp; &quot;b&quot; \u{FFFD} \u{FFFD}") && !text.contains("\u{1}"))
    #expect(text.contains("failures=\"1\""))
    report = Self.report(rows: 2, failed: 0)
    report.exit = BenchCore.ExitStatus([(code: .baseline, reason: "there is no baseline")])
    #expect(JUnitReport.text(report).contains("errors=\"1\"") && JUnitReport.text(report).contains("no baseline"))
    #expect(Annotations.lines(report) == ["::error::there is no baseline"])
    report.rows[0].state = .unclear
    #expect(JUnitReport.text(report).contains("<skipped message=\"slower\"/>"))
  }

  @Test("a spreadsheet takes no field for a formula")
  func formula() {
    var result = FakeRun.result()
    result.cells[0].status = .invalid
    result.cells[0].reason = "=cmd|'/c calc'!A1, \"x\""
    #expect(CellTable(result).csv.contains("\"'=cmd|'/c calc'!A1, \"\"x\"\"\""))
  }

  @Test("unknown forms are usage errors")
  func unknown() throws {
    #expect(try OutputFormat.list("csv,junit,csv") == [.csv, .junit])
    for arguments in [
      ["scale", "--format", "pdf"], ["report", "r.json", "--format", ""], ["report"], ["merge"],
      ["compare", "a", "b", "--format", "trace"],
    ] {
      #expect(throws: BenchError.self, "\(arguments)") { try Command.parse(arguments) }
    }
  }
}
