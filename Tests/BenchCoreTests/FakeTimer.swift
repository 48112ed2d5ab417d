import BenchCore

/// A GPU of one's own imagination, with timers that tell the truth or lie in one of the ways that drivers do. Nothing in it
/// takes any time: its clock stands still but for the work that it is given.
final class FakeTimer: TimerDriver {
  enum Lie: CaseIterable {
    case unflushed, zero, constant, wrap, disjoint, pending, unordered, duplicate, halfRate, vsync, negative
    /// Only the first answer is right.
    case rightOnce
    case doubleRate, fewBits, none
  }

  private let lie: Lie
  private var random: SplitMix64
  var elapsedBits = 64
  var stampBits = 64
  /// Of the readings, every so many are disturbed and say so; 0 for none.
  var disturbedEvery = 0
  private(set) var monotonicNanoseconds: UInt64 = 77_000_000_000
  private var gpu: UInt64
  private var queued = 0
  private var spent: UInt64 = 0
  private var results: [TimerSlot: UInt64] = [:]
  private var readings = 0
  private var lastStamp: UInt64 = 0
  /// A unit of work, in nanoseconds.
  let unit = 1_700_000.0

  init(_ lie: Lie = .none, seed: UInt64 = 1, gpuStart: UInt64 = 123_456_789_012) {
    self.lie = lie
    random = SplitMix64(seed: seed)
    gpu = lie == .wrap ? (1 << 32) - 60_000_000 : gpuStart
    if lie == .fewBits { elapsedBits = 24 }
  }

  /// Between 0.97 and 1.03.
  private var jitter: Double { 0.97 + 0.06 * Double(random.below(10_000)) / 10_000 }

  func draw(units: Int) throws(BenchError) { queued += units }

  func beginElapsed() { spent = 0 }

  /// The GPU works off what is queued: here, so that the moments around it lie apart.
  func endElapsed() {
    readings += 1
    spent = UInt64(unit * Double(queued) * jitter)
    queued = 0
    gpu &+= spent
    // The processor waits a little longer than the GPU works.
    monotonicNanoseconds += spent + 40_000 + UInt64(random.below(20_000))
    results[.elapsed] = said(spent)
  }

  func stamp(_ slot: TimerSlot) {
    gpu &+= 900
    var moment = stampBits < 64 ? gpu & ((1 << UInt64(stampBits)) - 1) : gpu
    switch lie {
    case .wrap: moment = gpu & 0xFFFF_FFFF
    case .zero: moment = 0
    case .unordered where slot == .end && readings % 4 == 3: moment = lastStamp - 5_000
    case .duplicate where slot == .end && readings % 4 == 3: moment = lastStamp
    default: break
    }
    lastStamp = moment
    results[slot] = moment
  }

  private func said(_ truth: UInt64) -> UInt64 {
    switch lie {
    case .unflushed: 30_000 + UInt64(random.below(5_000))
    case .rightOnce: readings == 1 ? truth : 30_000 + UInt64(random.below(5_000))
    case .zero: 0
    case .constant: 4_000_000
    case .halfRate: truth / 2
    case .doubleRate: truth * 2
    case .vsync: UInt64((Double(truth) / 16_666_667).rounded(.up) * 16_666_667)
    case .negative: UInt64(bitPattern: -Int64(clamping: truth))
    default: elapsedBits < 64 ? truth & ((1 << UInt64(elapsedBits)) - 1) : truth
    }
  }

  func finish() {}
  func isAvailable(_ slot: TimerSlot) -> Bool {
    if lie == .pending { monotonicNanoseconds += 1_000_000 }
    return lie != .pending || slot != .elapsed
  }
  func result(_ slot: TimerSlot) -> UInt64 { results[slot] ?? 0 }
  func takeDisjoint() -> Bool {
    lie == .disjoint || (disturbedEvery > 0 && readings % disturbedEvery == 0)
  }
}
