import BenchCore
import JSON
import Testing

@Suite("the harness")
struct HarnessTests {
  @Test("the lines that the strategies follow are found, and a slower strategy comes out slower")
  func lines() throws {
    let result = FakeRun.result()
    #expect(result.exit.code == .ok)
    for suite in Suite.allCases {
      let portal = try #require(result.series(suite, .portal, .wall))
      #expect((portal.fixed.value - 1.2).magnitude < 0.03)
      #expect((portal.slope.value - 0.006).magnitude < 0.0002)
      let interval = try #require(portal.slope.interval)
      #expect(interval.lower < 0.0061 && interval.upper > 0.0059)
      let duplicate = try #require(result.series(suite, .duplicate, .wall))
      #expect(duplicate.slope.value > 100 * portal.slope.value)
    }
    let ratio = try #require(
      result.ratios.first { $0.n == 256 && $0.denominator == .duplicate && $0.metric == .cpu })
    #expect(ratio.ratio.value < 0.02)
    #expect(try #require(ratio.ratio.interval).upper < 0.02)
  }

  @Test("cells drawn in one pass are left out of a line of cells drawn in several, and the summary says so")
  func leftOut() throws {
    var cells = FakeRun.result().cells(.portalGrid, .portal)
    cells[0].counters?.passes = 1
    cells[0].rounds = cells[0].rounds.map { _ in RoundSample(wallMilliseconds: [0.01], cpuMilliseconds: 0.01) }
    let bootstrap = RoundBootstrap(resamples: 50, seed: 1)
    let series = try #require(ScalingSeries(cells, metric: .wall, bootstrap: bootstrap))
    #expect(series.leftOut == [1])
    #expect((series.fixed.value - 1.2).magnitude < 0.05)
    for index in cells.indices { cells[index].counters?.passes = 1 }
    #expect(try #require(ScalingSeries(cells, metric: .wall, bootstrap: bootstrap)).leftOut.isEmpty)
  }

  @Test("CPU time is the process's, a frame")
  func cpuTime() throws {
    let result = FakeRun.result()
    let cell = try #require(result.cells(.portalGrid, .portal).first { $0.key.n == 1024 })
    let wall = try #require(Quantile.median(cell.values(.wall)))
    let cpu = try #require(Quantile.median(cell.values(.cpu)))
    #expect((cpu / wall - 1.5).magnitude < 0.05)
  }

  @Test("the portals that hold 60 Hz are counted where the 99th percentile crosses 16.67 ms")
  func capacity() throws {
    let result = FakeRun.result()
    let duplicate = try #require(result.capacities.first { $0.suite == .portalGrid && $0.strategy == .duplicate })
    #expect((14...18).contains(duplicate.count.value))
    #expect(duplicate.observed == 16 || duplicate.observed == 1)
    #expect(duplicate.isBounded)
    let portal = try #require(result.capacities.first { $0.suite == .portalGrid && $0.strategy == .portal })
    #expect(!portal.isBounded)
    #expect((2_200...2_700).contains(portal.count.value))
  }

  @Test("every round draws every cell once, strategies of one N side by side, in an order that the seed decides")
  func order() throws {
    let result = FakeRun.result()
    let order = try #require(result.order.first)
    #expect(order.rounds.count == 12)
    let cells = result.cells.indices.filter { result.cells[$0].key.suite == .portalGrid }
    for round in order.rounds {
      #expect(round.sorted() == cells)
      for start in stride(from: 0, to: round.count, by: 4) {
        #expect(Set(round[start..<start + 4].map { result.cells[$0].key.n }).count == 1)
      }
    }
    #expect(Set(order.rounds).count > 6)
    #expect(FakeRun.result().order.map(\.rounds) == result.order.map(\.rounds))
    var other = FakeRun.options
    other.seed = 2
    #expect(FakeRun.result(FakeStage(), other).order.map(\.rounds) != result.order.map(\.rounds))
  }

  @Test("a wrong picture is named and gives exit code 3")
  func wrongPicture() {
    let stage = FakeStage()
    stage.wrong = [.snapshot]
    var lines: [String] = []
    let result = FakeRun.result(stage) { lines.append($0) }
    #expect(result.exit.code == .invalid)
    #expect(result.exit.reasons.contains { $0.contains("portal-grid/snapshot") })
    #expect(!result.exit.reasons.contains { $0.contains("duplicate") })
    #expect(lines.contains { $0.contains("WRONG PICTURE: snapshot") })
  }

  @Test("a picture that does not move gives exit code 3")
  func frozenPicture() {
    let stage = FakeStage()
    stage.frozen = [.portal, .duplicate, .snapshot, .floor]
    let result = FakeRun.result(stage)
    #expect(result.exit.code == .invalid)
    #expect(result.exit.reasons.contains { $0.contains("does not move") })
  }

  @Test("a strategy that breaks down in the middle is reported, and the others are measured")
  func breakdown() {
    let stage = FakeStage()
    stage.framesUntilFailure = [.floor: 20]
    let result = FakeRun.result(stage)
    #expect(result.exit.code == .invalid)
    #expect(result.cells(.portalGrid, .floor).contains { $0.status == .crashed && $0.reason == "the fake broke down" })
    #expect(result.cells(.portalGrid, .portal).allSatisfy { $0.status == .ok })
  }

  @Test(
    "no number that is none ever passes",
    arguments: [
      RoundSample(wallMilliseconds: [.nan], cpuMilliseconds: 1),
      RoundSample(wallMilliseconds: [0], cpuMilliseconds: 1), RoundSample(wallMilliseconds: [-1], cpuMilliseconds: 1),
      RoundSample(wallMilliseconds: [], cpuMilliseconds: 1),
      RoundSample(wallMilliseconds: [1], cpuMilliseconds: .nan),
      RoundSample(wallMilliseconds: [1], cpuMilliseconds: -1), RoundSample(wallMilliseconds: [1], cpuMilliseconds: 0),
      RoundSample(wallMilliseconds: [1], cpuMilliseconds: 1, gpuMilliseconds: .infinity),
    ])
  func noNumber(sample: RoundSample) {
    var cell = Cell(
      key: CellKey(suite: .portalGrid, strategy: .portal, n: 1), shape: OutputShape(), rounds: [sample])
    cell.checkNumbers()
    #expect(cell.status == .invalid)
    #expect(cell.reason != nil)
  }

  @Test("a frozen clock makes every cell invalid, and the run exit with 3")
  func frozenClock() {
    let stage = FakeStage()
    stage.costs = [.portal: (0, 0), .duplicate: (0, 0), .snapshot: (0, 0), .floor: (0, 0)]
    let result = FakeRun.result(stage)
    #expect(result.exit.code == .invalid)
    #expect(result.cells.allSatisfy { $0.status == .invalid })
    #expect(result.scaling.isEmpty && result.ratios.isEmpty && result.capacities.isEmpty)
    #expect(!result.json.text.contains("nan"))
  }

  @Test("what would take too long is skipped, says so, and is no failure")
  func budget() {
    var options = FakeRun.options
    options.rounds = nil
    options.budgetSeconds = 30
    let stage = FakeStage()
    let before = stage.clock.monotonicNanoseconds
    var lines: [String] = []
    let result = FakeRun.result(stage, options) { lines.append($0) }
    #expect(Double(stage.clock.monotonicNanoseconds - before) / 1e9 < 36)
    #expect(result.exit.code == .ok)
    let skipped = result.cells.filter { $0.status == .skipped }
    #expect(!skipped.isEmpty && skipped.allSatisfy { $0.key.strategy == .duplicate && $0.reason != nil })
    #expect(lines.contains { $0.contains("skipped") })
    #expect(result.planned.count == result.cells.count)
  }

  @Test("the same seed and clock give the same JSON, with what it must hold")
  func json() {
    let text = FakeRun.result().json.text
    #expect(text == FakeRun.result().json.text)
    for key in [
      "\"schema\": \"porthole-bench/result\"", "\"version\": 1", "\"seed\": 1", "\"cells_expected\"",
      "\"lack_of_fit_p\"",
    ] {
      #expect(text.contains(key))
    }
  }

  @Test("the summary is in plain words")
  func summary() throws {
    let sentences = Summary(FakeRun.result()).sentences
    #expect(sentences.contains { $0.hasPrefix("portal-grid, portal: fixed 1.8") && $0.contains("per portal") })
    #expect(sentences.contains { $0.contains("holds 60 Hz") })
    #expect(sentences.contains { $0.contains("cheaper than duplicate at N = 1024") })
  }
}
