/// `porthole-bench doctor`: what this machine can do, whether its timer tells the truth, what measuring costs here, and how
/// small a change can be seen.
public struct DoctorRun {
  /// A way to measure, and the same frames without it.
  public struct Instrument {
    public var name: String
    public var limit: Double?
    public typealias Maker = () throws(BenchError) -> any Contender
    public var without: Maker
    public var with: Maker

    public init(name: String, limit: Double?, without: @escaping Maker, with: @escaping Maker) {
      (self.name, self.limit, self.without, self.with) = (name, limit, without, with)
    }
  }

  private let options: DoctorOptions
  private let stage: any Stage
  private let clock: any BenchClock
  private let console: Console

  public init(options: DoctorOptions, stage: any Stage, clock: any BenchClock, console: Console) {
    (self.options, self.stage, self.clock, self.console) = (options, stage, clock, console)
  }

  /// - Parameter instruments: of which the first tenths of the time go to each.
  public func run(
    displays: [String], capabilities: [DoctorReport.Capability], instruments: [Instrument]
  ) throws(BenchError) -> DoctorReport {
    var random = SplitMix64(seed: options.common.seed)
    let environment = stage.environment
    let metric = environment.leadingMetric
    // Half of the time for the noise, the other half shared among the instruments.
    console.progress("doctor: two equal arms")
    let key = CellKey(suite: .portalGrid, strategy: .portal, n: options.count)
    let rounds = try PairedRounds.measure(
      try stage.contender(key), try stage.contender(key), clock: clock, random: &random, rounds: nil,
      seconds: options.seconds * (instruments.isEmpty ? 1 : 0.5), fewest: 20, pairs: PairedRounds.mostPairs)
    let noise = NoiseReport(rounds, metric: metric, seed: options.common.seed)
    var overheads: [DoctorReport.Overhead] = []
    for instrument in instruments {
      console.progress("doctor: \(instrument.name)")
      let rounds = try PairedRounds.measure(
        try instrument.without(), try instrument.with(), clock: clock, random: &random, rounds: nil,
        seconds: options.seconds * 0.5 / Double(instruments.count), fewest: 12,
        pairs: PairedRounds.mostPairs)
      let (without, with) = rounds.costs(metric == .gpu ? .wall : metric)
      guard let ratio = PairedRatio.estimate(with, without) else { continue }
      overheads.append(DoctorReport.Overhead(name: instrument.name, ratio: ratio, limit: instrument.limit))
    }
    console.progress(nil)
    return DoctorReport(
      environment: environment, displays: displays, capabilities: capabilities, overheads: overheads, noise: noise,
      requiresHardware: options.common.requiresHardware, requiresTimer: options.requiresTimer,
      isStrict: options.common.isStrict)
  }
}
