import Diagnostics

/// The clocks of this process.
public final class SystemClock: BenchClock {
  public init() {}
  public var monotonicNanoseconds: UInt64 { ProcessClock.monotonicNanoseconds }
  public var cpuNanoseconds: UInt64 { ProcessClock.cpuNanoseconds }
}
