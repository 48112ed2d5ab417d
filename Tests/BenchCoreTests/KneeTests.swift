import BenchCore
import Testing

@Suite("the knee of a cost curve")
struct KneeTests {
  private static let counts = [1, 2, 4, 8, 16, 32, 64, 128, 256, 512]

  /// Twenty rounds of `0.8 + 0.02 · N`, with half as much again for each beyond `bend`; each cost off by about
  /// `noise`, and each round as a whole by up to a fifth.
  private static func rounds(bend: Int?, noise: Double, seed: UInt64) -> [(n: Int, costs: [Double])] {
    var random = SplitMix64(seed: seed)
    var rounds: [(n: Int, costs: [Double])] = counts.map { ($0, []) }
    for _ in 0..<20 {
      let shared = 1 + Double(random.below(1000)) / 5000
      for index in counts.indices {
        // The sum of four is near enough to normal, and its deviation is 1/√3 of a span of 1.
        var sum = 0.0
        for _ in 0..<4 { sum += Double(random.below(1001)) / 500 - 1 }
        let n = Double(counts[index])
        let cost = 0.8 + 0.02 * n + (bend.map { 0.01 * max(0, n - Double($0)) } ?? 0)
        rounds[index].costs.append(cost * shared * (1 + noise * sum * 0.866))
      }
    }
    return rounds
  }

  @Test("a slope that grows by half is found where it does, in 95 of 100 runs and more", arguments: [16, 32, 64])
  func found(bend: Int) throws {
    var near = 0
    var ratios: [Double] = []
    for seed in 0..<100 {
      guard let knee = Knee(rounds: Self.rounds(bend: bend, noise: 0.05, seed: UInt64(seed))) else { continue }
      let places = [knee.n, bend].compactMap { Self.counts.firstIndex(of: $0) }
      if abs(places[0] - places[1]) <= 1 { near += 1 }
      ratios.append(knee.slopeAfter / knee.slopeBefore)
    }
    #expect(near >= 95)
    // What bends at 16 is told by four small costs of fixed part mostly: single runs are off by a tenth, their mean not.
    #expect((try #require(Quantile.median(ratios)) - 1.5).magnitude < 0.03)
  }

  @Test("a straight line has none, in 99 of 100 runs and more", arguments: [0.02, 0.1, 0.3])
  func straight(noise: Double) {
    let found = (0..<300).count { Knee(rounds: Self.rounds(bend: nil, noise: noise, seed: UInt64($0))) != nil }
    #expect(found <= 3)
  }

  @Test("cost that grows ever more slowly has none")
  func concave() {
    let rounds = Self.rounds(bend: nil, noise: 0.02, seed: 4).map { cell in
      (n: cell.n, costs: cell.costs.map { $0 / (1 + 0.002 * Double(cell.n)) })
    }
    #expect(Knee(rounds: rounds) == nil)
  }

  @Test("too few N, too few rounds, and what is no cost have none")
  func none() {
    let rounds = Self.rounds(bend: 32, noise: 0.02, seed: 1)
    #expect(Knee(rounds: rounds) != nil)
    #expect(Knee(rounds: Array(rounds.prefix(4))) == nil)
    #expect(Knee(rounds: rounds.map { ($0.n, Array($0.costs.prefix(3))) }) == nil)
    #expect(Knee(rounds: rounds.map { ($0.n, $0.costs.map { $0 * 0 }) }) == nil)
    #expect(Knee(rounds: rounds.map { ($0.n, $0.costs.map { _ in .nan }) }) == nil)
    #expect(Knee(rounds: []) == nil)
  }
}
