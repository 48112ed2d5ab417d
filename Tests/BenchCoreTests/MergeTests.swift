import BenchCore
import JSON
import Testing

@Suite("Shards")
struct MergeTests {
  private static func shards(_ count: Int) -> [(name: String, result: BenchmarkResult)] {
    (1...count).compactMap { index in
      var options = FakeRun.options
      options.counts = [1, 2, 4, 8, 16, 64, 256, 1024]
      options.shard = Shard(index: index, count: count)
      return ("shard \(index)", FakeRun.result(FakeStage(), options))
    }
  }

  private static var whole: BenchmarkResult {
    var options = FakeRun.options
    options.counts = [1, 2, 4, 8, 16, 64, 256, 1024]
    return FakeRun.result(FakeStage(), options)
  }

  @Test(
    "each cell is in one shard and with all of its strategies, whatever the number of shards", arguments: [1, 2, 3, 7])
  func deal(count: Int) {
    let planned = Self.whole.planned
    for id in planned {
      let owners = (1...count).filter { Shard(index: $0, count: count)?.contains(id) ?? false }
      #expect(owners.count == 1)
      let mate = id.replacing("strategy=portal/", with: "strategy=floor/")
      #expect((1...count).filter { Shard(index: $0, count: count)?.contains(mate) ?? false } == owners)
    }
  }

  @Test("merged shards say what the whole run says, in whatever order they come", arguments: [1, 2, 3, 7])
  func merged(count: Int) throws {
    let parts = Self.shards(count)
    let merged = try ResultMerge.merge(parts)
    let whole = Self.whole
    #expect(merged.exit.code == .ok)
    #expect(merged.planned == whole.planned)
    #expect(Set(merged.cells.map(\.id)) == Set(whole.cells.map(\.id)) && merged.cells.count == whole.cells.count)
    #expect(merged.scaling.count == whole.scaling.count && merged.ratios.count == whole.ratios.count)
    for (a, b) in zip(merged.scaling, whole.scaling) {
      #expect(a.suite == b.suite && a.strategy == b.strategy && a.metric == b.metric)
      #expect((a.fixed.value / b.fixed.value - 1).magnitude < 0.05)
    }
    #expect(try ResultMerge.merge(parts.reversed()).json.text == merged.json.text)
    // As files, too.
    var files: [(name: String, result: BenchmarkResult)] = []
    for part in parts {
      files.append((part.name, try BenchmarkResult([UInt8](part.result.json.text.utf8), name: part.name)))
    }
    #expect(try ResultMerge.merge(files).json.text == merged.json.text)
  }

  @Test("a split of one run's cells, merged, is the run to the last bit of every line, ratio and interval")
  func split() throws {
    let whole = Self.whole
    let parts = (1...3).map { index -> (name: String, result: BenchmarkResult) in
      var part = whole
      part.shard = Shard(index: index, count: 3)
      part.cells = whole.cells.filter { part.shard?.contains($0.id) ?? false }
      part.order = []
      return ("\(index)", part)
    }
    let merged = try ResultMerge.merge(parts)
    func members(_ result: BenchmarkResult, _ key: String) throws -> String {
      let document = try JSONParser.parse([UInt8](result.json.text.utf8))
      let node = try #require(document.member(key, of: 0))
      return "\(document.children(of: node).map { document.describe($0) })"
    }
    #expect(merged.cells.map(\.id) == whole.planned)
    for key in ["scaling", "comparison", "capacity", "exit"] {
      #expect(try members(merged, key) == (try members(whole, key)))
    }
    #expect(zip(merged.scaling, whole.scaling).allSatisfy { $0.fixed == $1.fixed && $0.slope == $1.slope })
    #expect(zip(merged.ratios, whole.ratios).allSatisfy { $0.ratio == $1.ratio })
  }

  @Test("a shard that is gone, or comes twice, costs its own cells: 3, with their names, and all others stand")
  func faults() throws {
    let parts = Self.shards(3)
    let gone = try ResultMerge.merge([parts[0], parts[2]])
    #expect(gone.exit.code == .invalid)
    let lost = parts[1].result.cells.map(\.id)
    #expect(!lost.isEmpty)
    for id in lost { #expect(gone.exit.reasons.contains { $0.hasPrefix(id) }) }
    #expect(gone.cells.filter { $0.status == .ok }.count == gone.cells.count - lost.count)
    let twice = try ResultMerge.merge(parts + [("again", parts[1].result)])
    #expect(twice.exit.code == .invalid)
    #expect(twice.exit.reasons.count == lost.count && twice.exit.reasons.allSatisfy { $0.contains("measured 2 times") })
  }

  @Test("parts of other plans, builds or machines make no whole")
  func strangers() throws {
    let parts = Self.shards(2)
    func refused(_ change: (inout BenchmarkResult) -> Void) -> BenchError.Code? {
      var other = parts[1].result
      change(&other)
      do throws(BenchError) {
        _ = try ResultMerge.merge([parts[0], ("other", other)])
        return nil
      } catch {
        return error.code
      }
    }
    #expect(refused { _ in } == nil)
    #expect(refused { $0.seed = 9 } == .report)
    #expect(refused { $0.tool.build = "debug" } == .report)
    #expect(refused { $0.planned.removeLast() } == .report)
    #expect(refused { $0.environment.host.cpu = "D" } == .environment)
    #expect(throws: BenchError.self) { try ResultMerge.merge([]) }
  }

  @Test("which of how many is said by two numbers, and a plan that is not known can't be dealt out")
  func options() throws {
    #expect(try Shard("2/7") == Shard(index: 2, count: 7))
    for wrong in ["", "0/3", "4/3", "1", "1/0", "a/b", "1/2/3", "1/99999"] {
      #expect(throws: BenchError.self, "\(wrong)") { try Shard(wrong) }
    }
    #expect(throws: BenchError.self) { try Command.parse(["scale", "--shard", "1/2"]) }
    #expect(throws: Never.self) { try Command.parse(["scale", "--full", "--shard", "1/2"]) }
  }
}
