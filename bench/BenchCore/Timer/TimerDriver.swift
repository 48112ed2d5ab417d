/// A GPU's timers and a workload to hold them against, as narrow as GL's own functions: a driver that misbehaves in any way
/// that drivers have been seen to can stand behind it.
public protocol TimerDriver: AnyObject {
  /// Bits of the counter of elapsed time; 0 where there is none.
  var elapsedBits: Int { get }
  /// Bits of the counter of moments; 0 where there is none.
  var stampBits: Int { get }
  /// The processor's monotonic clock, in nanoseconds.
  var monotonicNanoseconds: UInt64 { get }
  /// Hands the GPU so many times the unit of work.
  func draw(units: Int) throws(BenchError)
  func beginElapsed()
  func endElapsed()
  func stamp(_ slot: TimerSlot)
  /// Returns when the GPU has done everything.
  func finish()
  func isAvailable(_ slot: TimerSlot) -> Bool
  /// What a query says, as the driver gives it.
  func result(_ slot: TimerSlot) -> UInt64
  /// Whether the counters were disturbed since the last call.
  func takeDisjoint() -> Bool
}

/// The queries of one reading.
public enum TimerSlot: Sendable, Hashable, CaseIterable {
  case elapsed, begin, end
}

/// Arithmetic on a counter of so many bits, which begins anew when it is full.
public enum TimerCounter {
  /// From one value to a later one; nil where the later one lies before, as far as can be told: more than half of what the
  /// counter can count would have gone by.
  public static func distance(from begin: UInt64, to end: UInt64, bits: Int) -> UInt64? {
    guard bits > 0 else { return nil }
    let mask = bits >= 64 ? UInt64.max : (1 << UInt64(bits)) - 1
    let distance = (end &- begin) & mask
    return distance <= mask / 2 ? distance : nil
  }
}
