import Commit

/// `porthole-bench ab`: draws two arms in turns, looks at a quarter, a half and all of the rounds, and stops where it is clear.
public struct ArmRun {
  private let options: ArmOptions
  private let environment: RunEnvironment
  private let clock: any BenchClock
  private let limit: RunLimit
  private let sensor: any Sensor

  public init(
    options: ArmOptions, environment: RunEnvironment, clock: any BenchClock, limit: RunLimit = RunLimit(),
    sensor: any Sensor = NoSensor()
  ) {
    self.sensor = sensor
    (self.options, self.environment, self.clock, self.limit) = (options, environment, clock, limit)
  }

  /// The arms are made anew again and again, since two renderers of the same layers differ by a few per cent for as long as
  /// they live.
  public func run(
    _ a: @autoclosure () throws(BenchError) -> any Contender, _ b: @autoclosure () throws(BenchError) -> any Contender
  ) throws(BenchError) -> ArmComparison {
    var faults: [String] = []
    for (arm, contender) in [(options.a, try a()), (options.b, try b())] {
      let pictures = [
        try contender.picture(frame: PictureJudge.frames[0]), try contender.picture(frame: PictureJudge.frames[1]),
      ]
      if let fault = FeatureRunner.fault(pictures[0], pictures[1], moves: arm.moves) {
        faults.append("\(arm.id): \(fault)")
      }
    }
    let metric = options.metric ?? environment.leadingMetric
    let looks = SequentialLooks(alpha: options.thresholds.alpha)
    var random = SplitMix64(seed: options.common.seed)
    var look = 0
    var decided: (level: Double, part: Double)?
    let beginning = clock.monotonicNanoseconds
    let rounds = try PairedRounds.measure(
      try a(), try b(), clock: clock, random: &random, rounds: options.rounds, seconds: options.seconds,
      pairs: PairedRounds.mostPairs, sensor: sensor,
      isDone: { rounds in
        if let reason = limit.reason(after: Double(clock.monotonicNanoseconds &- beginning) / 1e9) {
          faults.append("incomplete: \(reason)")
          return true
        }
        let count = rounds.first.count
        let part = options.rounds.map { Double(count) / Double($0) } ?? rounds.seconds / options.seconds
        guard look < looks.parts.count - 1, count >= 8, part >= looks.parts[look] else { return false }
        var thresholds = options.thresholds
        thresholds.alpha = looks.levels[look]
        look += 1
        let (first, second) = rounds.counted.costs(metric)
        guard let effect = PairedEffect(first, second, thresholds: thresholds), effect.p < thresholds.alpha,
          thresholds.verdict(effect.ratio, adjusted: effect.p) == .regressed
        else { return false }
        decided = (thresholds.alpha, looks.parts[look - 1])
        return true
      })
    return ArmComparison(
      a: options.a.id, b: options.b.id, environment: environment, seed: options.common.seed, metric: metric,
      thresholds: options.thresholds, rounds: rounds, level: decided?.level ?? looks.levels.last,
      decidedAt: decided?.part ?? 1, faults: faults, isStrict: options.common.isStrict)
  }
}
