import BenchCore
import Foundation
import Testing

@Suite("What frames do, counted")
struct CounterBaselineTests {
  private var top: URL {
    URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
  }

  @Test("is what the checked-in baseline says, in all suites (make bench-counters writes it anew)")
  func baseline() throws {
    let ledger = try CounterLedger(scenes: top.appending(path: "bench/scenes").path(percentEncoded: false))
    let text = try String(contentsOf: top.appending(path: "bench/baseline/counters.txt"), encoding: .utf8)
    let baseline = text.split(separator: "\n").map(String.init)
    #expect(baseline.count > 150)
    for line in CounterLedger.differences(try ledger.lines(), from: baseline) { Issue.record("\(line)") }
  }

  @Test("differs where a counter does, is missing, or is new")
  func differences() {
    let differences = CounterLedger.differences(
      ["a/n=1 passes 2", "a/n=1 quads 9", "b/n=1 passes 1"],
      from: ["# a note", "a/n=1 passes 2", "a/n=1 quads 8", "c passes 4"])
    #expect(differences.count == 3)
    #expect(differences.first == "a/n=1 quads: 8 in the baseline, 9 now")
  }
}
