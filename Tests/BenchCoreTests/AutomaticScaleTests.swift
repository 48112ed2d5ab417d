import BenchCore
import JSON
import Testing

@Suite("scale without options")
struct AutomaticScaleTests {
  private static func run(_ stage: FakeStage = FakeStage(), seed: UInt64 = 1) -> BenchmarkResult {
    var options = ScaleOptions.automatic
    options.seed = seed
    return FakeRun.result(stage, options)
  }

  @Test("it is done within its time, has measured N between the first ones, and says everything in words")
  func answer() throws {
    let stage = FakeStage()
    let before = stage.clock.monotonicNanoseconds
    let result = Self.run(stage)
    #expect(Double(stage.clock.monotonicNanoseconds - before) / 1e9 < 27)
    #expect(result.exit.code == .ok)
    let counts = Set(result.cells.map(\.key.n)).sorted()
    #expect(counts.count == 8, "\(counts)")
    #expect(counts.starts(with: [1]) && counts.last == 1024)
    #expect(Set(result.planned) == Set(result.cells.map(\.id)))
    let words = Summary(result).sentences.joined(separator: "\n")
    #expect(words.contains("portal-grid, portal: fixed 1.") && words.contains("per portal"))
    #expect(words.contains("no knee up to N = 1,024"))
    #expect(words.contains("next regression that a comparison of a minute would see on this machine"))
  }

  @Test("every cell has the same number of rounds, and what chose the further N is not among them")
  func rounds() {
    let result = Self.run()
    #expect(Set(result.cells.map(\.rounds.count)).count == 1)
    #expect(result.cells.allSatisfy { $0.rounds.count >= 8 })
    let first = result.cells.filter { $0.key.n == 1024 }
    #expect(first.allSatisfy { $0.warmupFrames > 6 })
  }

  @Test("a bend is found by name within a step of where it is, and never where there is none")
  func bend() throws {
    for seed in 1...5 as ClosedRange<UInt64> {
      let stage = FakeStage()
      stage.noise = seed
      stage.bend = (at: 128, factor: 2)
      let result = Self.run(stage, seed: seed)
      let series = try #require(result.series(.portalGrid, .portal, .cpu))
      let knee = try #require(series.knee, "seed \(seed)")
      #expect((64...256).contains(knee.n), "seed \(seed): \(knee.n)")
      #expect((knee.slopeAfter / knee.slopeBefore - 2).magnitude < 0.3)
      let straight = FakeStage()
      straight.noise = seed
      #expect(Self.run(straight, seed: seed).series(.portalGrid, .portal, .cpu)?.knee == nil)
    }
  }

  @Test("further N lie in the middle, by ratio, between the likeliest bend and its neighbours")
  func refinement() {
    func costs(_ bend: Double) -> [(n: Int, costs: [Double])] {
      [1, 4, 16, 64, 256, 1024].map { n in
        let value: Double = 2 + 0.01 * Double(n) + 0.02 * max(0, Double(n) - bend)
        return (n, [value, value * 1.001, value * 0.999])
      }
    }
    #expect(Refinement.counts(costs(64)) == [32, 128])
    #expect(Refinement.counts(costs(16)) == [8, 32])
    #expect(Refinement.counts(Array(costs(64).prefix(3))).isEmpty)
    #expect(Refinement.counts([]).isEmpty)
    let dense = [1, 2, 3, 4].map { n in (n: n, costs: [Double(n) + 1]) }
    #expect(Refinement.counts(dense).isEmpty)
  }

  @Test("the parts of a slope are what grows, the dearest first, and their shares are one")
  func parts() throws {
    func frames(_ plan: Double, _ output: Double, _ sources: Double) -> [[FramePart]] {
      [0.9, 1, 1.1].map { factor in
        [
          FramePart(name: "plan", milliseconds: plan * factor),
          FramePart(name: "output", milliseconds: output * factor),
          FramePart(name: "sources", milliseconds: sources * factor),
        ]
      }
    }
    let slope = try #require(
      SlopeParts(
        suite: .portalGrid, strategy: .portal, few: (4, frames(0.1, 1, 2)), many: (104, frames(0.2, 4, 1.5))))
    #expect(slope.parts.map(\.name) == ["output", "plan"])
    #expect((slope.parts[0].slope - 0.03).magnitude < 1e-12 && (slope.parts[1].slope - 0.001).magnitude < 1e-12)
    #expect((slope.parts.reduce(0) { $0 + $1.share } - 1).magnitude < 1e-12)
    #expect(
      SlopeParts(suite: .portalGrid, strategy: .portal, few: (4, frames(1, 1, 1)), many: (8, frames(1, 1, 1))) == nil)
    #expect(SlopeParts(suite: .portalGrid, strategy: .portal, few: (4, []), many: (8, [])) == nil)
  }

  @Test("one N alone is told of by its median, its tail and its first frame")
  func single() throws {
    var options = FakeRun.options
    options.counts = [16]
    options.suites = [.portalGrid]
    options.strategies = [.portal]
    let result = FakeRun.result(FakeStage(), options)
    let words = Summary(result).sentences.joined(separator: "\n")
    #expect(words.contains("N = 16") && words.contains("the very first frame took"))
    #expect(result.json.text.contains("\"cold_ms\": "))
  }
}
