#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The machine's clocks, in nanoseconds. Only an event loop, the log and the benchmark read them; everything else is
/// given its time.
public enum ProcessClock {
  /// Processor time of all threads of this process.
  public static var cpuNanoseconds: UInt64 { read(CLOCK_PROCESS_CPUTIME_ID) }

  /// Processor time of the calling thread.
  public static var threadCPUNanoseconds: UInt64 { read(CLOCK_THREAD_CPUTIME_ID) }

  /// Time since some fixed moment; never set back.
  public static var monotonicNanoseconds: UInt64 { read(CLOCK_MONOTONIC) }

  private static func read(_ clock: clockid_t) -> UInt64 {
    var time = timespec()
    guard clock_gettime(clock, &time) == 0 else { return 0 }
    return UInt64(clamping: time.tv_sec) &* 1_000_000_000 &+ UInt64(clamping: time.tv_nsec)
  }
}
