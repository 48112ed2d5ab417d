import BenchCore
import Commit
import JSON
import Testing

@Suite("Factors beside the number of portals")
struct FactorTests {
  private func result(
    slope: Double, seed: UInt64 = 1, shard: Shard? = nil, change: (SyntheticStage) -> Void = { _ in }
  ) -> BenchmarkResult {
    var options = ScaleOptions()
    (options.rounds, options.counts, options.suites) = (30, [1, 16, 64, 256], [.portalGrid])
    (options.strategies, options.factors) = ([.portal, .floor], [FactorLevel(.blur, 1), FactorLevel(.overlap, 50)])
    (options.budgetSeconds, options.shard) = (1000, shard)
    let stage = SyntheticStage(SyntheticMachine(.idle, seed: seed))
    stage.factors[.blur] = (0.3, slope)
    change(stage)
    return ScaleRun(options: options, stage: stage, clock: stage.machine, console: Console(output: { _ in }))
      .run(arguments: ["scale"], started: "2026-01-01T00:00:00Z")
  }

  @Test("a factor that makes each portal dearer is told from one that costs the same for any number of them")
  func interaction() throws {
    let result = result(slope: 0.006)
    #expect(result.exit.code == .ok)
    let blur = try #require(result.interactions.first { $0.level.factor == .blur && $0.metric == .wall })
    #expect(blur.isSure && (blur.slopeRatio.value - 2).magnitude < 0.2)
    #expect((blur.fixedMore.value - 0.3).magnitude < 0.1)
    let overlap = try #require(result.interactions.first { $0.level.factor == .overlap && $0.metric == .wall })
    #expect(!overlap.isSure)
    let words = Summary(result).sentences.joined(separator: "\n")
    #expect(words.contains("blur=1: fixed +") && words.contains("the more portals, the more it costs"))
  }

  @Test("cells with a factor are cells of their own, in the plan, the file and what is read of it")
  func cells() throws {
    let result = result(slope: 0.006)
    #expect(result.cells.count == 16 && Set(result.planned) == Set(result.cells.map(\.id)))
    #expect(result.cells.contains { $0.id == "portal-grid/strategy=portal/n=16/size=1280x720/scale=1/blur=1" })
    for cell in result.cells { #expect(CellKey(id: cell.id) == cell.key) }
    // Lines of plain portals know nothing of them.
    #expect(result.scaling.count { $0.strategy == .portal && $0.metric == .wall } == 1)
    let read = try BenchmarkResult([UInt8](result.json.text.utf8), name: "r.json")
    #expect(read.json.text == result.json.text)
  }

  @Test("a cell with a factor stays with its plain one in a shard, and has the floor beside it in a comparison")
  func together() throws {
    let parts = (1...3).map { result(slope: 0.006, shard: Shard(index: $0, count: 3)) }
    for part in parts {
      for n in [1, 16, 64, 256] { #expect([0, 4].contains(part.cells.count { $0.key.n == n })) }
    }
    func recorded(_ seed: UInt64, _ slope: Double) throws -> RecordedResult {
      try RecordedResult([UInt8](result(slope: slope, seed: seed).json.text.utf8), name: "run \(seed)")
    }
    let comparison = ResultComparison(base: [try recorded(1, 0.006)], head: [try recorded(2, 0.02)])
    #expect(comparison.exit.code == .regression)
    #expect(
      comparison.cells.filter { $0.verdict == .regressed }.allSatisfy { $0.id.hasSuffix("/blur=1") })
  }

  @Test("a picture with a factor must move like any other")
  func pictures() {
    #expect(result(slope: 0) { $0.frozen = [.portal] }.exit.reasons.contains { $0.contains("with blur=1") })
  }

  @Test("factors are named with their levels, of which 0 is one")
  func options() throws {
    #expect(try ScaleOptions(["--factor", "blur=0,1"]).factors == [FactorLevel(.blur, 1)])
    #expect(
      try ScaleOptions(["--factor=overlap=0,25,50", "--factor", "blur=0,1"]).factors.map(\.name)
        == ["overlap=25", "overlap=50", "blur=1"])
    for text in ["blur", "blur=1", "blur=1,2", "glow=0,1", "blur=0,101", "blur=0,x", "blur=0"] {
      #expect(throws: BenchError.self) { try ScaleOptions(["--factor", text]) }
    }
    #expect(throws: BenchError.self) { try ScaleOptions(["--factor", "blur=0,1", "--strategies", "floor"]) }
  }

  @Test("on the library's renderer a factor changes the picture, and one of level 0 is no other cell")
  func real() throws {
    let stage = try LibraryStage(scenes: Self.scenes, shape: OutputShape(width: 160, height: 90))
    defer { stage.close() }
    let plain = try stage.contender(CellKey(suite: .portalGrid, strategy: .portal, n: 4)).picture(frame: 11)
    for factor in [
      FactorLevel(.blur, 1), FactorLevel(.opacity, 40), FactorLevel(.rounded, 20), FactorLevel(.overlap, 50),
    ] {
      let key = CellKey(suite: .portalGrid, strategy: .portal, n: 4, factor: factor)
      #expect(try stage.contender(key).picture(frame: 11).pixels != plain.pixels, "\(factor.name)")
    }
  }

  static let scenes =
    String(#filePath.prefix(#filePath.count - "Tests/BenchCoreTests/FactorTests.swift".count)) + "bench/scenes"
}
