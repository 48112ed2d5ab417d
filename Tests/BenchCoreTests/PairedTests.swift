import BenchCore
import Testing

/// Paired rounds out of numbers of chance, of which the truth is known.
enum SyntheticRounds {
  /// Log-normal costs: `spread` of a round for both arms together, `own` of each arm, `growth` of the second.
  static func make(
    _ count: Int, growth: Double = 0, spread: Double = 0.2, own: Double = 0.02, seed: UInt64, secondsEach: Double = 0.03
  ) -> PairedRounds {
    var random = SplitMix64(seed: seed)
    var result = PairedRounds()
    for _ in 0..<count {
      let together = gaussian(&random) * spread
      func cost(_ factor: Double, _ own: Double) -> RoundSample {
        let value = 5 * factor * power(together + own)
        return RoundSample(wallMilliseconds: [value], cpuMilliseconds: value)
      }
      result.first.append(cost(1, gaussian(&random) * own))
      result.second.append(cost(1 + growth, gaussian(&random) * own))
      result.isTurned.append(random.below(2) == 1)
    }
    result.seconds = secondsEach * Double(count)
    return result
  }

  static func gaussian(_ random: inout SplitMix64) -> Double {
    Normal.quantile((Double(random.below(1 << 40)) + 0.5) / Double(1 << 40)) ?? 0
  }

  /// e to a small power, by its series.
  static func power(_ x: Double) -> Double {
    var (sum, term) = (1.0, 1.0)
    for n in 1..<30 {
      term *= x / Double(n)
      sum += term
    }
    return sum
  }
}

@Suite("Two arms held against each other")
struct PairedTests {
  @Test("Wilcoxon's test gives SciPy's chances")
  func signedRanks() throws {
    // scipy 1.x: stats.wilcoxon(x - d, alternative="greater", mode="exact").pvalue
    let x = [0.021, 0.034, -0.008, 0.017, 0.042, 0.011, 0.029, -0.003, 0.0383, 0.025, 0.0195, 0.0445]
    #expect((try #require(SignedRankTest.upperTail(x, above: 0.015)) - 0.054931640625).magnitude < 1e-12)
    #expect((try #require(SignedRankTest.upperTail(x)) - 0.001220703125).magnitude < 1e-12)
    // stats.wilcoxon(t, alternative="greater", mode="approx", zero_method="wilcox", correction=False).pvalue
    let ties: [Double] = [1, 2, 2, 3, -1, 4, 4, -2, 5, 6, 7, 0, 8, 9, 2, 3]
    #expect((try #require(SignedRankTest.upperTail(ties)) - 0.0010522864477195632).magnitude < 1e-12)
    let many: [Double] = (0..<80).map { index in Double((index * 7919) % 101 - 45) / 100 }
    #expect((try #require(SignedRankTest.upperTail(many)) - 0.12791771874641983).magnitude < 1e-12)
    #expect(SignedRankTest.upperTail([]) == nil)
    #expect(SignedRankTest.upperTail([1, 1], above: 1) == nil)
    #expect(SignedRankTest.upperTail([1, .nan]) == nil)
  }

  @Test("looks before the end use O'Brien and Fleming's shares of the chance, and together no more than all of it")
  func looks() {
    // scipy: z = norm.ppf(1 - a/2); 2 - 2 * norm.cdf(z / sqrt(t))
    #expect((SequentialLooks.spent(0.005, at: 0.25) - 1.9762502301290397e-08).magnitude < 1e-15)
    #expect((SequentialLooks.spent(0.005, at: 0.5) - 7.194952363209772e-05).magnitude < 1e-13)
    #expect((SequentialLooks.spent(0.05, at: 0.5) - 0.005574596680784305).magnitude < 1e-12)
    let looks = SequentialLooks(alpha: 0.005)
    #expect((looks.levels.reduce(0, +) - 0.005).magnitude < 1e-12)
    #expect(looks.levels == looks.levels.sorted())
  }

  @Test("a row's likeness to itself one step on is NumPy's")
  func correlation() throws {
    // d = v - v.mean(); (d[:-1] * d[1:]).sum() / (d * d).sum()
    #expect((try #require(Correlation.lag1([1, 3, 2, 5, 4, 6, 8, 7])) - 0.49404761904761907).magnitude < 1e-12)
    #expect(Correlation.lag1([1, 1, 1, 1]) == nil)
    #expect(Correlation.lag1([1, 2]) == nil)
  }

  @Test("the smallest growth that is seen follows from the error, the rounds and their likeness")
  func detectable() {
    let ratio = Estimate(value: 1, interval: nil)
    // (norm.ppf(.995) + norm.ppf(.8) * sqrt((1 + rho) / (1 - rho))) * se * sqrt(n / m) * (1 + 2 / n): the limit that the
    // test sets does not know of rho, and estimates lie that much further apart; n rounds tell no spread exactly.
    let independent = PairedEffect(ratio: ratio, p: 1, error: 0.004, rounds: 100)
    #expect((independent.detectable(rounds: 400, Thresholds()) - 0.02210089662390735).magnitude < 1e-9)
    let alike = PairedEffect(ratio: ratio, p: 1, error: 0.004, rounds: 100, correlation: 0.3)
    #expect((alike.detectable(rounds: 50, Thresholds()) - 0.03703837920657138).magnitude < 1e-9)
    // And back: so many rounds see just that.
    let needed = alike.rounds(toSee: 0.03703837920657138, Thresholds())
    #expect(needed == 50 || needed == 51)
    #expect(alike.rounds(toSee: 0.015, Thresholds()) == nil)
  }

  @Test("of equal arms, none in a thousand is called a change, however the machine wavers")
  func equalArms() throws {
    var flags = 0
    for seed in 1...1000 as ClosedRange<UInt64> {
      let (first, second) = SyntheticRounds.make(60, spread: 0.5, own: 0.05, seed: seed).costs(.wall)
      let effect = try #require(PairedEffect(first, second, thresholds: Thresholds()))
      if Thresholds().verdict(effect.ratio, adjusted: effect.p) == .regressed { flags += 1 }
    }
    #expect(flags == 0)
  }

  @Test("the printed smallest growth is honest: injected, it is caught in 75 to 85 of 100 trials")
  func honest() throws {
    // The spread of one round is known here, so the promise can be made before the trials.
    let long = SyntheticRounds.make(1500, own: 0.04, seed: 99).costs(.wall)
    let promised = try #require(PairedEffect(long.first, long.second, thresholds: Thresholds()))
      .detectable(rounds: 120, Thresholds())
    var caught = 0
    let trials = 400
    for seed in 1...UInt64(trials) {
      let (first, second) = SyntheticRounds.make(120, growth: promised, own: 0.04, seed: seed &* 31).costs(.wall)
      let effect = try #require(PairedEffect(first, second, thresholds: Thresholds()))
      if Thresholds().verdict(effect.ratio, adjusted: effect.p) == .regressed { caught += 1 }
    }
    let share = Double(caught) / Double(trials)
    #expect(share > 0.75 && share < 0.85, "\(share) of \(promised)")
  }

  @Test("arms are drawn in an order of chance that the seed decides, and the log of it tells")
  func order() throws {
    let stage = FakeStage()
    let key = CellKey(suite: .portalGrid, strategy: .portal, n: 16)
    func rounds(_ seed: UInt64) throws -> PairedRounds {
      var random = SplitMix64(seed: seed)
      return try PairedRounds.measure(
        try stage.contender(key), try stage.contender(key), clock: stage.clock, random: &random, rounds: 40, seconds: 1)
    }
    let (one, again, other) = (try rounds(5), try rounds(5), try rounds(6))
    #expect(one.isTurned == again.isTurned && one.isTurned != other.isTurned)
    #expect(one.orderLog.split(separator: " ").count == 40)
    #expect(one.orderLog.contains("AB") && one.orderLog.contains("BA"))
    #expect(one.first.allSatisfy { $0.wallMilliseconds.count == 4 })
  }

  @Test("a growth that was put in is found, and its sign is right")
  func growth() throws {
    let stage = FakeStage()
    stage.costs[.floor] = (1.32, 0.0066)
    var random = SplitMix64(seed: 3)
    let rounds = try PairedRounds.measure(
      try stage.contender(CellKey(suite: .portalGrid, strategy: .portal, n: 64)),
      try stage.contender(CellKey(suite: .portalGrid, strategy: .floor, n: 64)), clock: stage.clock, random: &random,
      rounds: 60, seconds: 1)
    let (first, second) = rounds.costs(.wall)
    let effect = try #require(PairedEffect(first, second, thresholds: Thresholds()))
    #expect((effect.ratio.value - 1.1).magnitude < 0.02)
    #expect(Thresholds().verdict(effect.ratio, adjusted: effect.p) == .regressed)
    let back = try #require(PairedEffect(second, first, thresholds: Thresholds()))
    #expect(Thresholds().verdict(back.ratio, adjusted: back.p) == .improved)
  }
}
