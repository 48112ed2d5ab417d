/// When an output's frames are due, and when they are begun: as late as the time that drawing takes allows, so that a frame
/// shows what was committed until then. Times are of the monotonic clock, in nanoseconds.
package struct OutputClock {
  /// From frame to frame; 0 for an output on demand.
  package let period: UInt64
  /// Frames are due at this time and every period after it.
  private let phase: UInt64
  /// How long before it is due a frame is begun.
  package private(set) var lead: UInt64
  /// When the last frame that was begun is due.
  private var last: UInt64 = 0

  /// What a frame takes beyond its drawing: wake-ups of threads.
  private static let slack: UInt64 = 1_000_000

  package init(period: UInt64, at now: UInt64) {
    self.period = period
    phase = now
    // Until it is known, half of a period.
    lead = period / 2
  }

  /// When the next frame that may still be begun is due.
  /// - Parameter earliest: no frame before this time is wanted.
  package func due(after now: UInt64, notBefore earliest: UInt64 = 0) -> UInt64 {
    let first = max(now &+ lead, last, max(earliest, 1) - 1, phase)
    return phase &+ ((first &- phase) / max(1, period) &+ 1) &* period
  }

  /// When the frame that is due then is begun.
  package func start(of due: UInt64) -> UInt64 { due &- min(due, lead) }

  /// A frame is begun.
  package mutating func begin(_ due: UInt64) { last = due }

  /// A frame was there so long after it was to be begun.
  package mutating func took(_ nanoseconds: UInt64) {
    let needed = nanoseconds &+ nanoseconds / 4 &+ Self.slack
    // Up at once, down slowly: one frame in many that takes longer is to be in time too.
    lead = min(max(lead &- lead / 64, needed), period / 4 &* 3)
  }
}
