import JSON

/// Faults of files: a result that some run wrote, changed, and held against what it was before.
struct ResultMutants {
  private let base: BenchmarkResult
  private let head: BenchmarkResult

  init(seed: UInt64) {
    base = Self.run(seed: seed &+ 1)
    head = Self.run(seed: seed &+ 2)
  }

  /// A small sweep on a machine of numbers.
  static func run(
    seed: UInt64, shard: Shard? = nil, _ change: (SyntheticStage) -> Void = { _ in }
  ) -> BenchmarkResult {
    var options = ScaleOptions()
    (options.rounds, options.counts, options.budgetSeconds) = (12, [1, 16, 256], 600)
    (options.suites, options.strategies, options.shard) = ([.portalGrid], [.portal, .floor], shard)
    let stage = SyntheticStage(SyntheticMachine(.idle, seed: seed))
    change(stage)
    return ScaleRun(options: options, stage: stage, clock: stage.machine, console: Console(output: { _ in }))
      .run(arguments: ["scale"], started: "2026-01-01T00:00:00Z")
  }

  var sound: Mutant {
    Mutant("two sound results") { [base, head] () throws(BenchError) in
      try Self.compare(base, head.json.text)
    }
  }

  var all: [Mutant] { cells + numbers + files + merges + ledgers }

  private static func compare(_ base: BenchmarkResult, _ text: String) throws(BenchError) -> ExitStatus.Code {
    ResultComparison(
      base: [try RecordedResult([UInt8](base.json.text.utf8), name: "base.json")],
      head: [try RecordedResult([UInt8](text.utf8), name: "head.json")]
    ).exit.code
  }

  /// The head, changed as a whole.
  private func edited(_ name: String, _ edit: @escaping (inout BenchmarkResult) -> Void) -> Mutant {
    Mutant(name) { [base, head] () throws(BenchError) in
      var changed = head
      edit(&changed)
      return try Self.compare(base, changed.json.text)
    }
  }

  /// The head's file, with its first such words replaced. Words that are not there would be no fault at all.
  private func replaced(_ name: String, _ words: String, _ others: String) -> Mutant {
    Mutant(name) { [base, head] () throws(BenchError) in
      let text = head.json.text
      guard let range = text.firstRange(of: words) else { return .ok }
      return try Self.compare(base, text[..<range.lowerBound] + others + text[range.upperBound...])
    }
  }

  private var cells: [Mutant] {
    [
      edited("a cell that is gone") { $0.cells.remove(at: 0) },
      edited("a cell that is gone, from the plan too") { result in
        let cell = result.cells.remove(at: 1)
        result.planned.removeAll { $0 == cell.id }
      },
      edited("no cell at all") { $0.cells = [] },
      edited("no cell and no plan") { ($0.cells, $0.planned) = ([], []) },
      edited("a cell by another name") { $0.cells[0].key.n = 2 },
      edited("a cell twice") { $0.cells.append($0.cells[0]) },
      edited("a cell that crashed") { $0.cells[0].status = .crashed },
      edited("a cell that is missing") { $0.cells[0].status = .missing },
      edited("a cell that is invalid") { $0.cells[0].status = .invalid },
      edited("a cell that was skipped") { $0.cells[0].status = .skipped },
      replaced("a cell whose parameters are another's", "\"n\": 1,", "\"n\": 3,"),
      edited("counters that are gone") { $0.cells[0].counters = nil },
      replaced("a counter by another name", "\"quads\"", "\"quadz\""),
      replaced("a counter of half a thing", "\"value\": ", "\"value\": 0.5"),
      edited("a counter that grew") { $0.cells[0].counters?.batches += 1 },
      edited("a picture that was wrong, and a run that says it ended well") { result in
        result.pictures[0].passed = false
      },
      replaced("a run that ended badly", "\"code\": 0", "\"code\": 3"),
      edited("a run that was cut short") { $0.interruption = "SIGTERM" },
    ]
  }

  private var numbers: [Mutant] {
    func walls(_ value: Double) -> (inout BenchmarkResult) -> Void {
      { result in result.cells[0].rounds[3].wallMilliseconds[0] = value }
    }
    func scaled(_ factor: Double, _ strategies: Set<Strategy>) -> (inout BenchmarkResult) -> Void {
      { result in
        for index in result.cells.indices where strategies.contains(result.cells[index].key.strategy) {
          result.cells[index].rounds = result.cells[index].rounds.map {
            RoundSample(
              wallMilliseconds: $0.wallMilliseconds.map { $0 * factor }, cpuMilliseconds: $0.cpuMilliseconds * factor)
          }
        }
      }
    }
    return [
      edited("a time that is no number", walls(.nan)), edited("a time without end", walls(.infinity)),
      edited("a time below nothing", walls(-1)), edited("a frame of no time", walls(0)),
      edited("rounds that are gone") { $0.cells[0].rounds = [] },
      edited("a round without a frame") { $0.cells[0].rounds[2].wallMilliseconds = [] },
      edited("a clock that stands still") { result in
        for index in result.cells[0].rounds.indices { result.cells[0].rounds[index].cpuMilliseconds = 0 }
      },
      replaced(
        "a number beyond all numbers", "\"raw\": {\n        \"frame_wall_ms\": [[",
        "\"raw\": {\n        \"frame_wall_ms\": [[1e999,"),
      replaced("times in another unit", "\"unit\": \"ms\"", "\"unit\": \"us\""),
      edited("times a thousand times too large", scaled(1000, Set(Strategy.allCases))),
      edited("portals' times a thousand times too small", scaled(0.001, [.portal])),
      edited("portals that take half as long again", scaled(1.5, [.portal])),
      replaced("a median that its samples don't have", "\"median\": ", "\"median\": 9"),
    ]
  }

  private var files: [Mutant] {
    func text(_ name: String, _ make: @escaping (String) -> String) -> Mutant {
      Mutant(name) { [base, head] () throws(BenchError) in try Self.compare(base, make(head.json.text)) }
    }
    return [
      text("a file that was cut off") { String($0.prefix($0.count / 2)) },
      text("a file that lacks its last bracket") { String($0.dropLast(2)) },
      text("an empty file") { _ in "" },
      text("a page in place of a result") { _ in "<!doctype html><title>404</title>" },
      text("an empty object") { _ in "{}" },
      replaced("a result of another kind", "porthole-bench/result", "porthole-bench/features"),
      replaced("a result of another version", "\"version\": 1", "\"version\": 2"),
      Mutant("a stale file: the base's own, under the head's name") { [base] () throws(BenchError) in
        try Self.compare(base, base.json.text)
      },
      replaced("an environment that was changed by hand", "a processor of numbers", "another processor"),
      Mutant("a result of another machine") { [base] () throws(BenchError) in
        try Self.compare(base, Self.run(seed: 77) { $0.cpu = "another processor" }.json.text)
      },
    ]
  }

  private var merges: [Mutant] {
    func merged(
      _ name: String, _ edit: @escaping (inout [(name: String, result: BenchmarkResult)]) -> Void
    ) -> Mutant {
      Mutant(name) { () throws(BenchError) in
        var parts: [(name: String, result: BenchmarkResult)] = []
        for index in 1...2 {
          parts.append(("shard\(index).json", Self.run(seed: UInt64(index), shard: Shard(index: index, count: 2))))
        }
        edit(&parts)
        return try ResultMerge.merge(parts).exit.code
      }
    }
    return [
      merged("a shard that is gone") { $0.remove(at: 0) },
      merged("a shard twice") { $0.append($0.first { !$0.result.cells.isEmpty } ?? $0[0]) },
      merged("a shard of another plan") { $0[1].result.seed = 99 },
      merged("a shard of another build") { $0[1].result.tool.version = "0.0.9" },
      merged("a shard of another machine") { $0[1].result.environment.host.cpu = "another" },
      merged("a shard of which a cell is gone") { parts in
        for index in parts.indices where !parts[index].result.cells.isEmpty { parts[index].result.cells.removeLast() }
      },
      merged("a shard that was cut short") { $0[0].result.interruption = "SIGTERM" },
    ]
  }

  private var ledgers: [Mutant] {
    let sound = ["area/portals=1 batches 3", "area/portals=1 quads 20", "area/portals=4 quads 23"]
    func ledger(_ name: String, _ lines: [String]) -> Mutant {
      Mutant(name) { () throws(BenchError) in
        CounterLedger.differences(lines, from: sound).isEmpty ? .ok : .regression
      }
    }
    return [
      ledger("a counter that the ledger lacks", Array(sound.dropLast())),
      ledger("an empty ledger", []),
      ledger("a counter that grew in the ledger", sound.dropLast() + ["area/portals=4 quads 24"]),
      ledger("a counter of another name in the ledger", sound.dropLast() + ["area/portals=5 quads 23"]),
    ]
  }
}
