import Foundation

/// Time that a processor has spent, in microseconds.
enum CPUTime {
  static var ofThisThread: Int {
    var time = timespec()
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }

  /// Of all threads of a process, by its CPU clock; 0 if there is none.
  static func of(process: Int32) -> Int {
    var clock = clockid_t()
    var time = timespec()
    guard clock_getcpuclockid(process, &clock) == 0, clock_gettime(clock, &time) == 0 else { return 0 }
    return time.tv_sec * 1_000_000 + time.tv_nsec / 1000
  }
}
