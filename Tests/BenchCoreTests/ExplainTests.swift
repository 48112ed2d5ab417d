import BenchCore
import JSON
import Testing

@Suite("explain: what a cell is made of, and what moved in it")
struct ExplainTests {
  /// A `run.json` of one cell: passes by their targets and times.
  private static func features(
    _ passes: [(String, Double)], plan: Double = 0.2, pixels: Int = 5000, layerOffset: Int = 0, status: String = "ok"
  ) -> String {
    let rows = passes.map { target, time in
      let name = target.split(separator: " ").map(String.init)
      let shifted = name.count == 3 ? "\(name[0]) layer \((Int(name[2]) ?? 0) + layerOffset)" : target
      return #"{"target": "\#(shifted)", "ms": \#(time), "pixels": 9, "portals_ms": 0, "spread": 0.03}"#
    }
    return """
      {"schema": "porthole-bench/features", "version": 1, "cells": [
      {"id": "effects/effect=blur", "status": "\(status)", "rounds": 20, "cpu_ms": \(passes.reduce(plan) { $0 + $1.1 }),
       "stages_ms": {"plan": \(plan), "draw": 3, "finish": 1}, "stage_spreads": {"plan": 0.03},
       "counters": {"passes": \(passes.count), "shaded_pixels": \(pixels)},
       "attribution": {"frames": 15, "unattributed": 0.08, "passes": [\(rows.joined(separator: ","))],
        "portals": [{"portal": "card", "source": "s", "ms": 0.4, "pixels": 9}]}},
      {"id": "effects/effect=none", "status": "ok", "counters": {}, "stages_ms": {}, "attribution": null}]}
      """
  }

  private static let passes = [
    ("source layer 5", 0.7), ("group layer 9", 1.2), ("group layer 9", 2.2), ("output", 3.0),
  ]

  private func cell(_ text: String, _ name: String = "blur") throws -> ExplainedCell {
    try ExplainedCell([UInt8](text.utf8), name: "run.json", cell: name)
  }

  @Test("a cell is told by what it takes, pass by pass, with what no pass has, and what to try")
  func made() throws {
    let lines = Explanation(try cell(Self.features(Self.passes))).lines
    #expect(lines[0].contains("effects/effect=blur") && lines[0].contains("7.30 ms"))
    // Two passes into one target are one row, and the dearest is the first.
    #expect(lines[2].contains("group 1") && lines[2].contains("3.40 ms"))
    #expect(lines.contains { $0.contains("8.0 % of GL's time is in no pass") })
    #expect(lines.contains { $0.contains("the dearest portal: card") })
    #expect(lines.contains { $0.contains("try: ") })
  }

  @Test("what moved is named first, whatever the layers' numbers in the other process, and what all share is apart")
  func moved() throws {
    let head = Self.passes.map { ($0.0, $0.1 * 1.1 * ($0.0.hasPrefix("source") ? 1.5 : 1)) }
    let explanation = Explanation(
      try cell(Self.features(head, plan: 0.22, layerOffset: 40)), base: try cell(Self.features(Self.passes)))
    #expect((explanation.shared - 1.1).magnitude < 0.01)
    #expect(explanation.contributors.map(\.name) == ["source 1"])
    #expect(explanation.lines.contains { $0.contains("source 1") && $0.contains("+50 %") })
    #expect(explanation.lines.contains { $0.contains("all parts together: +10 %") })
  }

  @Test("counters that grew are told with what usually lies behind them")
  func counters() throws {
    let explanation = Explanation(
      try cell(Self.features(Self.passes, pixels: 9000)), base: try cell(Self.features(Self.passes)))
    #expect(explanation.counters.map(\.name) == ["shaded_pixels"])
    #expect(explanation.lines.contains { $0.contains("shaded_pixels: 5,000 became 9,000") })
    #expect(explanation.lines.contains { $0.contains("try: more pixels are covered") })
  }

  @Test("where nothing moved beyond chance, that is what is said")
  func nothing() throws {
    let head = Self.passes.map { ($0.0, $0.1 * 1.004) }
    let explanation = Explanation(try cell(Self.features(head)), base: try cell(Self.features(Self.passes)))
    #expect(explanation.contributors.isEmpty)
    #expect(explanation.lines.last?.contains("nothing moved beyond chance") == true)
  }

  @Test("the pass that costs a fifth more is named first in 95 of 100 trials and more")
  func ranked() {
    for bar in PassTrials(trials: 400, seed: 1).bars() { #expect(bar.holds, "\(bar.line)") }
  }

  @Test("a cell of a sweep is told by its counters and the parts of its slope")
  func sweep() throws {
    let text = FakeRun.result().json.text
    let cell = try ExplainedCell([UInt8](text.utf8), name: "result.json", cell: "portal-grid/strategy=portal/n=16/")
    #expect(cell.counters.contains { $0.name == "quads" && $0.value == 16 })
    #expect(cell.time != nil)
    #expect(Explanation(cell).lines[1].contains("quads 16"))
  }

  @Test("a name of no cell, or of several, is an error that lists them; a cell that failed says so")
  func names() throws {
    do throws(BenchError) {
      _ = try ExplainedCell([UInt8](Self.features(Self.passes).utf8), name: "run.json", cell: "effect")
      Issue.record("it was taken")
    } catch {
      #expect(error.description.contains("effects/effect=blur, effects/effect=none"))
    }
    #expect(throws: BenchError.self) { try cell(Self.features(Self.passes), "glow") }
    #expect(throws: BenchError.self) { try cell("{}") }
    let failed = try cell(Self.features(Self.passes, status: "crashed"))
    #expect(Explanation(failed).lines.contains { $0.contains("it is crashed") })
  }
}
