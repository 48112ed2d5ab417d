import BenchCore
import Testing

@Suite("A baseline of counters")
struct BaselineTests {
  private static let text = """
    # created 2024-02-28
    # commit 0123abc
    # reason fewer passes
    # rename c/n=1 d/n=1
    # a note
    a/n=1 passes 2
    a/n=1 quads 9
    c/n=1 passes 4

    """

  private static func entries(_ lines: [String]) throws -> [CounterBaseline.Entry] {
    try CounterBaseline.entries(lines)
  }

  @Test("a file says when, of what and why, and reads back as what was written")
  func roundTrip() throws {
    let base = try CounterBaseline(Self.text, name: "b")
    #expect(base.created == "2024-02-28" && base.commit == "0123abc" && base.reason == "fewer passes")
    #expect(base.renames == ["c/n=1": "d/n=1"] && base.entries.count == 3)
    #expect(try CounterBaseline(base.text, name: "b") == base)
    #expect(base.text == Self.text.replacing("# a note\n", with: ""))
  }

  @Test(
    "a line that is none is an error with its number", arguments: ["a passes", "a passes x", "a passes -1", "a b 1 2"])
  func malformed(line: String) {
    do throws(BenchError) {
      _ = try CounterBaseline("a/n=1 passes 2\n\(line)\n", name: "b.txt")
      Issue.record("it was read")
    } catch {
      #expect(error.description.hasPrefix("b.txt:2:"))
    }
    #expect(throws: BenchError.self) { try CounterBaseline("a p 1\na p 1\n", name: "b") }
  }

  @Test("what is the same passes, a new counter is a note, and a renamed cell is known")
  func same() throws {
    let base = try CounterBaseline(Self.text, name: "b")
    let report = base.check(
      try Self.entries(["a/n=1 passes 2", "a/n=1 quads 9", "d/n=1 passes 4", "e/n=1 passes 1"]))
    #expect(report.exit.code == .ok)
    #expect(report.rows.contains { $0.id == "e/n=1" && $0.sentence.hasPrefix("new") })
  }

  @Test("one more is a regression unless a budget allows it, fewer an improvement that strictness asks to bless")
  func changed() throws {
    let base = try CounterBaseline(Self.text, name: "b")
    let more = try Self.entries(["a/n=1 passes 2", "a/n=1 quads 10", "d/n=1 passes 4"])
    #expect(base.check(more).exit.code == .regression)
    #expect(base.check(more).exit.reasons == ["a/n=1 quads: 9 became 10"])
    #expect(base.check(more, budget: 0.2).exit.code == .ok)
    let fewer = try Self.entries(["a/n=1 passes 1", "a/n=1 quads 9", "d/n=1 passes 4"])
    #expect(base.check(fewer).exit.code == .ok)
    #expect(base.check(fewer, isStrictAboutImprovement: true).exit.code == .improvement)
  }

  @Test("a cell that is gone, and a baseline of nothing, are never green")
  func gone() throws {
    let base = try CounterBaseline(Self.text, name: "b")
    let report = base.check(try Self.entries(["a/n=1 passes 2", "d/n=1 passes 4"]))
    #expect(report.exit.code == .invalid && report.exit.reasons[0].contains("a/n=1 quads"))
    #expect(CounterBaseline(entries: []).check([]).exit.code == .invalid)
  }

  @Test("its age is counted in days of the calendar, and what is no day has none")
  func age() throws {
    let base = try CounterBaseline(Self.text, name: "b")
    // python3: (date(2026, 11, 30) - date(2024, 2, 28)).days
    #expect(base.age(on: "2026-11-30") == 1006)
    #expect(base.age(on: "2024-03-01") == 2 && base.age(on: "2024-02-28") == 0)
    for wrong in ["", "2026-13-01", "2026-00-10", "2026-02-32", "26-1-1", "nonsense", "2026-1-01"] {
      #expect(base.age(on: wrong) == nil, "\(wrong)")
    }
    #expect(CounterBaseline(entries: []).age(on: "2026-11-30") == nil)
  }

  @Test("no baseline, and one that is too old, exit with 7; usage errors with 64")
  func exits() {
    #expect(BenchTool(arguments: ["baseline", "expire", "/nowhere/b", "--max-age", "3"]).run() == 7)
    #expect(BenchTool(arguments: ["baseline", "show", "/nowhere/b"]).run() == 7)
    for wrong in [
      [], ["check"], ["check", "a", "b"], ["melt", "a"], ["bless", "a"], ["expire", "a"],
      ["check", "a", "--max-age", "x"],
      ["check", "a", "--format", "csv"],
    ] {
      #expect(BenchTool(arguments: ["baseline"] + wrong).run() == 64, "\(wrong)")
    }
  }
}

@Suite("History")
struct HistoryTests {
  @Test("Welch's test and the energy of two samples are SciPy's and NumPy's")
  func references() throws {
    let (a, b) = ([5.1, 4.9, 5.3, 5.0, 5.2, 4.8], [5.9, 6.2, 6.0, 6.4, 5.8])
    // stats.ttest_ind(a, b, equal_var=False).pvalue
    #expect((try #require(ChangePoints.welch(a, b)) - 8.393457219581815e-05).magnitude < 1e-12)
    // m*n/(m+n) * (2*|a-b|.mean() - |a-a'|.sum()/(m*(m-1)) - |b-b'|.sum()/(n*(n-1)))
    #expect((ChangePoints.energy(a, b) - 4.054545454545454).magnitude < 1e-12)
    #expect(ChangePoints.split(a + b)?.index == 6)
    #expect(ChangePoints.welch([1, 1], [1, 1]) == 1 && ChangePoints.welch([1, 1], [2, 2]) == 0)
    #expect(ChangePoints.welch([1], [2, 3]) == nil)
  }

  /// Stretches of so many runs at a level each.
  private static func series(_ stretches: [(count: Int, level: Double)], seed: UInt64) -> [Double] {
    var random = SplitMix64(seed: seed)
    var values: [Double] = []
    for stretch in stretches {
      for _ in 0..<stretch.count {
        let noise: Double = SyntheticRounds.gaussian(&random)
        values.append(stretch.level + stretch.level * 0.02 * noise)
      }
    }
    return values
  }

  @Test("a series is divided where the energy of what lies on either side is largest, worked out pair by pair")
  func division() throws {
    for seed in 1...30 as ClosedRange<UInt64> {
      var random = SplitMix64(seed: seed)
      let values = Self.series([(4 + random.below(9), 5), (4 + random.below(9), 5.2)], seed: seed)
      var best: (index: Int, distance: Double)?
      for index in ChangePoints.shortest...values.count - ChangePoints.shortest {
        let distance = ChangePoints.energy(Array(values[..<index]), Array(values[index...]))
        if distance > best?.distance ?? -.infinity { best = (index, distance) }
      }
      let (split, plain) = (try #require(ChangePoints.split(values)), try #require(best))
      #expect(split.index == plain.index, "seed \(seed)")
      #expect((split.distance - plain.distance).magnitude < 1e-9, "seed \(seed)")
    }
    #expect(ChangePoints.split([1, 2, 3, 4, 5, 6, 7]) == nil)
  }

  @Test("lasting changes are found where they are, and a wavering series has none")
  func places() {
    // Of seed 14, the whole is best divided where nothing changed: only what is within shows the places.
    for seed in 1...20 as ClosedRange<UInt64> {
      let found = ChangePoints.find(Self.series([(20, 5), (15, 5.5), (25, 5.1)], seed: seed))
      #expect(found.count == 2, "seed \(seed)")
      for (point, place) in zip(found, [20, 35]) { #expect((point.index - place).magnitude <= 1, "seed \(seed)") }
    }
    var alarms = 0
    for seed in 1...200 as ClosedRange<UInt64> where !ChangePoints.find(Self.series([(40, 5)], seed: seed)).isEmpty {
      alarms += 1
    }
    #expect(alarms <= 4, "\(alarms)")
  }

  @Test(
    "a counter that became another is found to the run, however little it is, and no number that is none is looked at")
  func exact() {
    let steps = [Double](repeating: 900, count: 6) + [Double](repeating: 901, count: 7)
    let found = ChangePoints.find(steps)
    #expect(found.map(\.index) == [6] && found.map(\.before) == [900] && found.map(\.after) == [901])
    #expect(ChangePoints.find([Double](repeating: 4, count: 50)).isEmpty)
    for none in [[1, 2, 3], [], [1, .nan, 3, 4, 5, 6, 7, 8, 9], [1, .infinity, 3, 4, 5, 6, 7, 8, 9]] as [[Double]] {
      #expect(ChangePoints.find(none).isEmpty)
    }
    let huge = [Double](repeating: -1.7e308, count: 6) + [Double](repeating: 1.7e308, count: 6)
    #expect(ChangePoints.find(huge).count <= 1)
  }

  @Test("each machine is a series of its own, runs that are not valid have no history, a cut line is an error")
  func file() throws {
    var text = ""
    for run in 0..<24 {
      let stage = FakeStage()
      stage.noise = UInt64(run)
      stage.costs[.portal] = run < 12 ? (1.2, 0.006) : (1.5, 0.0075)
      var result = FakeRun.result(stage)
      result.started = "2026-01-\(run + 10)"
      text += try HistoryFile.lines(result)
    }
    let history = try HistoryFile(text, name: "h")
    let changes = history.changes()
    #expect(
      changes.contains {
        $0.id.contains("strategy=portal/n=1024") && $0.metric == "cpu_ms" && $0.started == "2026-01-22"
      })
    #expect(!changes.contains { $0.metric == "quads" || $0.id.contains("strategy=floor") })
    // Half of the runs on another machine: nothing can be said of a change between the two.
    var other = try HistoryFile(text, name: "h")
    for index in other.entries.indices where other.entries[index].started >= "2026-01-22" {
      other.entries[index].key = "x"
    }
    #expect(other.changes().isEmpty)
    let stage = FakeStage()
    stage.wrong = [.portal]
    #expect(throws: BenchError.self) { try HistoryFile.lines(FakeRun.result(stage)) }
    #expect(throws: BenchError.self) { try HistoryFile(String(text.dropLast(20)), name: "h") }
  }
}
