import Diagnostics
import Foundation
import LinuxIO

/// Holds the threads that record frames on one processor.
///
/// A frame is handed from the thread that asks for it to the renderer's and back, and what that costs depends on where the
/// system has put the two: on two processors each frame wakes a sleeping one, and a small frame costs up to two thirds more.
/// The threads of a software renderer, which paint, are started by the first device and go on everywhere.
package enum ProcessorPin {
  /// Where this process might run before it was held; nil while it is not.
  private static let free = Guarded<[Int]?>(nil)

  /// Holds the calling thread, those that it starts from now on, and the one that draws. Does nothing where the system
  /// refuses.
  static func hold() {
    free.withLock { free in
      guard free == nil, let allowed = Processors.allowed, let processor = best(of: allowed) else { return }
      guard Processors.allow([processor]) else { return }
      free = allowed
      if let thread = try? RenderThread.shared() { thread.run { _ = Processors.allow([processor]) } }
    }
  }

  /// Runs `body`, which starts a process, with the calling thread where it might run before.
  static func released<Result, Failure: Error>(_ body: () throws(Failure) -> Result) throws(Failure) -> Result {
    guard let allowed = free.withLock({ $0 }), let held = Processors.allowed else { return try body() }
    _ = Processors.allow(allowed)
    defer { _ = Processors.allow(held) }
    return try body()
  }

  /// The fastest; of equals the last, since systems serve their devices on the first.
  package static func best(of allowed: [Int], speed: (Int) -> Int = ProcessorPin.speed) -> Int? {
    allowed.max { (speed($0), $0) < (speed($1), $1) }
  }

  package static func speed(_ processor: Int) -> Int {
    for name in ["cpu_capacity", "cpufreq/cpuinfo_max_freq"] {
      let path = "/sys/devices/system/cpu/cpu\(processor)/\(name)"
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else { continue }
      if let number = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) { return number }
    }
    return 0
  }
}
