/// Two builds of one's own imagination in a duel: each start is off by a luck of its own, each frame by the machine's mood.
public final class SyntheticDuel {
  /// What may be wrong with its sides.
  public enum Fault: Sendable, CaseIterable {
    case slower, ends, noStart, notANumber, noTime, otherPicture, otherMachine, swapped, replaced, otherControl
    case disturbed
  }

  public let machine: SyntheticMachine
  public var fault: Fault?
  private let startSpread: Double
  /// By how much the head costs more.
  private let growth: Double
  /// A frame of the base at each of the duel's N.
  private let milliseconds: [Double]
  private var starts = 0
  /// What a start takes.
  static let startMilliseconds = 250.0

  /// - Parameter startSpread: standard deviation of what a start is off by; as it was measured where nil.
  public init(
    _ mood: SyntheticMachine.Mood, growth: Double = 0, milliseconds: [Double] = [4.5], startSpread: Double? = nil,
    drift: SyntheticMachine.Drift = .none, seed: UInt64
  ) {
    machine = SyntheticMachine(mood, drift: drift, seed: seed)
    (self.growth, self.milliseconds) = (growth, milliseconds)
    // Of one side; the difference of two has the 3.4 and 2.0 per cent that were seen.
    self.startSpread = startSpread ?? (mood == .idle ? 0.024 : 0.014)
  }

  /// As the command runs it, with its looks before the end.
  public func run(_ options: DuelOptions) -> DuelResult {
    let run = DuelRun(options: options, clock: machine, console: Console(output: { _ in })) {
      [self] arm
        throws(BenchError) in
      try start(arm)
    }
    return run.decided(metric: { _ in .wall })
  }

  private func start(_ arm: DuelRecord.Arm) throws(BenchError) -> any DuelWorker {
    starts += 1
    if fault == .noStart, arm == .head { throw BenchError(.renderer, "the head does not start") }
    machine.spend(milliseconds: Self.startMilliseconds)
    var more = arm == .head ? growth : 0
    if fault == .slower, arm == .head { more = 0.2 }
    if fault == .disturbed, arm == .control { more = 0.2 }
    return Worker(self, arm, factor: (1 + more) * exponential(machine.luck() * startSpread))
  }

  fileprivate func identity(_ arm: DuelRecord.Arm) -> DuelIdentity {
    var program = arm == .head ? "head" : "base"
    let isLate = starts > 24
    if fault == .swapped, isLate { program = arm == .head ? "base" : "head" }
    if fault == .replaced, isLate, arm == .head { program = "a newer head" }
    if fault == .otherControl, arm == .control { program = "head" }
    let cpu = fault == .otherMachine && arm == .head ? "another" : "one"
    return DuelIdentity(
      environment: [EnvironmentField(name: "host.cpu", value: cpu)], version: "1",
      pictures: [fault == .otherPicture && arm == .head ? "another" : "one"], program: program)
  }

  private final class Worker: DuelWorker {
    let identity: DuelIdentity
    private let duel: SyntheticDuel
    private let arm: DuelRecord.Arm
    private let factor: Double
    private var samples = 0

    init(_ duel: SyntheticDuel, _ arm: DuelRecord.Arm, factor: Double) {
      (self.duel, self.arm, self.factor) = (duel, arm, factor)
      identity = duel.identity(arm)
    }

    func sample(_ cell: Int, frames: Int) throws(BenchError) -> RoundSample {
      samples += 1
      if duel.fault == .ends, arm == .head, samples > 5 { throw BenchError(.renderer, "the head has gone") }
      var walls: [Double] = []
      // The first finds the caches as another process has left them, and does not count.
      for _ in 0...frames {
        let begin = duel.machine.monotonicNanoseconds
        duel.machine.spend(milliseconds: duel.milliseconds[cell] * factor)
        walls.append(Double(duel.machine.monotonicNanoseconds - begin) / 1e6)
      }
      walls.removeFirst()
      if duel.fault == .notANumber, arm == .head { walls[0] = .nan }
      if duel.fault == .noTime, arm == .head { walls = walls.map { _ in 0 } }
      return RoundSample(wallMilliseconds: walls, cpuMilliseconds: walls.reduce(0, +) / Double(walls.count))
    }

    func end() {}
  }
}
