/// Keeps a connection inside the server's limit of commits a second, which would end it.
struct CommitPacing {
  /// How many commits may be on their way without an answer.
  static let unanswered: UInt64 = 32

  /// Commits in any second; nil for no limit.
  private let allowed: Int?
  /// When the last commits were made, as a ring.
  private var times: [UInt64] = []
  private var next = 0

  /// - Parameter limit: the server's. As many as may be on their way are left to spare, since they may come at once.
  init(limit: UInt64?) {
    allowed = limit.map { limit in
      let spare = limit / 10 + Self.unanswered
      return Int(clamping: max(1, limit > spare ? limit - spare : limit / 2))
    }
  }

  /// When the next commit may be made, in nanoseconds of the monotonic clock: 0 for now.
  var earliest: UInt64 {
    guard let allowed, times.count >= allowed else { return 0 }
    return times[next] &+ 1_000_000_000
  }

  mutating func committed(at nanoseconds: UInt64) {
    guard let allowed else { return }
    if times.count < allowed {
      times.append(nanoseconds)
      return
    }
    times[next] = nanoseconds
    next = (next + 1) % allowed
  }
}
