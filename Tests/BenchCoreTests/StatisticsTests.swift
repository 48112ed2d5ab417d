import BenchCore
import Testing

/// Expected values come from numpy and scipy, worked out apart and written down here.
@Suite("statistics")
struct StatisticsTests {
  private static func isNear(_ a: Double?, _ b: Double, _ tolerance: Double = 1e-9) -> Bool {
    a.map { ($0 - b).magnitude <= tolerance * max(1, b.magnitude) } ?? false
  }

  @Test("the random numbers are SplitMix64's")
  func splitMix() {
    var random = SplitMix64(seed: 1_234_567)
    #expect(random.next() == 6_457_827_717_110_365_317)
    #expect(random.next() == 3_203_168_211_198_807_973)
    #expect(random.next() == 9_817_491_932_198_370_423)
  }

  @Test("numbers below a bound are spread evenly and stay below it")
  func below() {
    var random = SplitMix64(seed: 3)
    var counts = [Int](repeating: 0, count: 6)
    for _ in 0..<60_000 { counts[random.below(6)] += 1 }
    #expect(counts.allSatisfy { (9_600...10_400).contains($0) })
    #expect(random.below(1) == 0)
    #expect(random.below(0) == 0)
  }

  @Test("a shuffle holds the same elements, depends on the seed, and gives every order")
  func shuffle() {
    var seen: Set<[Int]> = []
    var random = SplitMix64(seed: 9)
    for _ in 0..<200 {
      var elements = [1, 2, 3]
      random.shuffle(&elements)
      #expect(elements.sorted() == [1, 2, 3])
      seen.insert(elements)
    }
    #expect(seen.count == 6)
  }

  @Test(
    "quantiles are those of numpy", arguments: zip([0, 0.05, 0.25, 0.5, 0.95, 1], [0.4, 0.79, 1.95, 3.1, 8.15, 9.5]))
  func quantiles(p: Double, expected: Double) {
    #expect(Self.isNear(Quantile.of([3.1, 0.4, 2.2, 9.5, 4.4, 1.7, 5.0], p), expected))
  }

  @Test("no quantile is made of nothing or of what is no number")
  func noQuantile() {
    #expect(Quantile.median([]) == nil)
    #expect(Quantile.median([1, .nan, 3]) == nil)
    #expect(Quantile.median([1, .infinity]) == nil)
    #expect(Self.isNear(Quantile.medianDeviation([3.1, 0.4, 2.2, 9.5, 4.4, 1.7, 5.0]), 1.4))
  }

  @Test("the incomplete beta function and the F distribution are scipy's")
  func beta() {
    #expect(Self.isNear(regularizedBeta(0.3, 2, 5), 0.57982500, 1e-12))
    #expect(Self.isNear(regularizedBeta(0.9, 2.5, 0.5), 0.48958974456442755, 1e-12))
    #expect(Self.isNear(regularizedBeta(0.5, 100, 100), 0.5, 1e-11))
    #expect(Self.isNear(upperTailOfF(2.5, 5, 180), 0.03234025139642301, 1e-10))
    #expect(Self.isNear(upperTailOfF(0.2, 3, 10), 0.8940181114207209, 1e-10))
    #expect(upperTailOfF(.nan, 3, 10) == nil)
  }

  private static let samples = zip([1, 4, 16, 64, 256, 1024], [1.21, 1.24, 1.29, 1.63, 2.71, 7.45])
    .map { CostLine.Sample(n: $0, cost: $1) }

  @Test("the line is the weighted least squares that numpy solves")
  func line() throws {
    let line = try #require(CostLine(fitting: Self.samples))
    #expect(Self.isNear(line.fixed, 1.2085245471517834))
    #expect(Self.isNear(line.slope, 0.0060465526091747195))
    #expect(Self.isNear(line.relativeMisses(Self.samples)[3], 0.02116324285953042, 1e-7))
    #expect(Self.isNear(line.explainedShare(Self.samples), 0.998983544646036, 1e-9))
  }

  @Test("no line is fitted to one N, or to a cost that is no positive number")
  func noLine() {
    #expect(CostLine(fitting: []) == nil)
    #expect(CostLine(fitting: [.init(n: 4, cost: 1), .init(n: 4, cost: 2)]) == nil)
    #expect(CostLine(fitting: [.init(n: 1, cost: 1), .init(n: 4, cost: .nan)]) == nil)
    #expect(CostLine(fitting: [.init(n: 1, cost: 1), .init(n: 4, cost: 0)]) == nil)
  }

  @Test("lack of fit is the F test that scipy gives")
  func lackOfFit() throws {
    let bent: [(n: Int, costs: [Double])] = [
      (1, [1.0, 1.1, 0.95]), (4, [1.5, 1.45, 1.62]), (16, [2.0, 2.2, 1.9]), (64, [9.0, 8.6, 9.3]),
    ]
    let lack = try #require(LackOfFit(rounds: bent))
    #expect(Self.isNear(lack.f, 40.37683429411638, 1e-9))
    #expect(Self.isNear(lack.p, 6.601075411286814e-05, 1e-8))
  }

  @Test("the paired ratio is Hodges and Lehmann's, with Wilcoxon's interval")
  func pairedRatio() throws {
    let estimate = try #require(
      PairedRatio.estimate(
        [1.20, 1.31, 1.18, 1.22, 1.45, 1.27, 1.19, 1.26], [1.00, 1.12, 0.97, 1.03, 1.10, 1.05, 1.02, 1.01]))
    #expect(Self.isNear(estimate.value, 1.207187142805313))
    #expect(Self.isNear(estimate.interval?.lower, 1.1755326548649006))
    #expect(Self.isNear(estimate.interval?.upper, 1.262684558538788))
  }

  @Test("the signed-rank sum's critical values are exact", arguments: zip([5, 6, 8, 10, 20], [0, 1, 4, 9, 53]))
  func signedRank(count: Int, rank: Int) {
    #expect(SignedRank.lowerCriticalRank(count: count) == rank)
  }

  @Test("below six rounds there is a ratio but no interval, and none of what is no number")
  func fewRounds() {
    #expect(PairedRatio.estimate([2, 2, 2, 2, 2], [1, 1, 1, 1, 1]) == Estimate(value: 2, interval: nil))
    #expect(PairedRatio.estimate([1, .nan], [1, 1]) == nil)
    #expect(PairedRatio.estimate([1, 0], [1, 1]) == nil)
    #expect(PairedRatio.estimate([1], [1, 1]) == nil)
  }

  @Test("a bootstrap interval holds the true mean in about 95 of 100 trials")
  func coverage() throws {
    var random = SplitMix64(seed: 77)
    var covered = 0
    for trial in 0..<200 {
      let samples = (0..<40).map { _ in Double(random.below(1001)) }
      let interval = RoundBootstrap(resamples: 300, seed: UInt64(trial)).interval(rounds: samples.count) { indices in
        indices.reduce(0) { $0 + samples[$1] } / Double(indices.count)
      }
      let found = try #require(interval)
      if found.lower <= 500, found.upper >= 500 { covered += 1 }
    }
    #expect((178...199).contains(covered))
  }

  @Test("the same seed gives the same interval, another seed another")
  func seeded() {
    let statistic = { (indices: [Int]) in indices.reduce(0.0) { $0 + Double($1 * $1) } }
    let first = RoundBootstrap(seed: 5).interval(rounds: 12, statistic)
    #expect(first != nil)
    #expect(first == RoundBootstrap(seed: 5).interval(rounds: 12, statistic))
    #expect(first != RoundBootstrap(seed: 6).interval(rounds: 12, statistic))
  }

  @Test("one round gives no interval, and a statistic that is no number gives none")
  func noInterval() {
    #expect(RoundBootstrap(seed: 1).interval(rounds: 1) { _ in 1 } == nil)
    #expect(RoundBootstrap(seed: 1).interval(rounds: 9) { _ in .nan } == nil)
  }

  @Test("the count that holds a frame rate lies where the last rise crosses the limit")
  func crossing() {
    let cost = { (n: Int, ms: Double) in CostLine.Sample(n: n, cost: ms) }
    #expect(Capacity.crossing([cost(1, 2), cost(100, 10), cost(200, 30)], limit: 20) == 150)
    #expect(Capacity.crossing([cost(1, 40), cost(100, 10), cost(200, 30)], limit: 20) == 150)
    #expect(Capacity.crossing([cost(1, 40), cost(100, 50)], limit: 20) == 0)
    #expect(Capacity.crossing([cost(1, 1.1), cost(101, 11.1)], limit: 20.05) == 190)
    #expect(Capacity.crossing([cost(1, 5), cost(100, 5)], limit: 20) == 100)
  }
}
