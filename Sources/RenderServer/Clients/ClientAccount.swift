/// What one client has, held against its limits. Time is given to it, in nanoseconds of the monotonic clock.
public struct ClientAccount: Sendable {
  public let limits: ClientLimits
  /// By kind; of what is counted one by one.
  private var counts = [UInt64](repeating: 0, count: ClientLimits.Kind.allCases.count)
  /// When the last commits came, from `firstRecent` on.
  private var recentCommits: [UInt64] = []
  private var firstRecent = 0

  // Since the connection began.
  public private(set) var commits: UInt64 = 0
  public internal(set) var changesApplied: UInt64 = 0
  public internal(set) var commitsRefused: UInt64 = 0

  public init(limits: ClientLimits) { self.limits = limits }

  /// How many, or how many bytes, the client has now.
  public subscript(kind: ClientLimits.Kind) -> UInt64 { counts[Int(kind.rawValue)] }

  /// Counts `amount` more, unless that is too much.
  public mutating func add(_ kind: ClientLimits.Kind, _ amount: UInt64 = 1) throws(LimitViolation) {
    let (sum, overflow) = self[kind].addingReportingOverflow(amount)
    guard !overflow, sum <= limits[kind] else { throw LimitViolation(kind: kind, limit: limits[kind]) }
    counts[Int(kind.rawValue)] = sum
  }

  /// Counts `amount` less.
  public mutating func remove(_ kind: ClientLimits.Kind, _ amount: UInt64 = 1) {
    counts[Int(kind.rawValue)] -= min(amount, self[kind])
  }

  /// Holds a number that is worked out anew each time against its limit, and keeps it.
  public mutating func set(_ kind: ClientLimits.Kind, to amount: UInt64) throws(LimitViolation) {
    guard amount <= limits[kind] else { throw LimitViolation(kind: kind, limit: limits[kind]) }
    counts[Int(kind.rawValue)] = amount
  }

  /// Counts a commit at this time.
  /// - Parameter isCounted: against the limit of commits a second.
  public mutating func addCommit(at nanoseconds: UInt64, isCounted: Bool = true) throws(LimitViolation) {
    commits += 1
    let limit = limits[.commitsPerSecond]
    guard isCounted, limit < .max else { return }
    while firstRecent < recentCommits.count, nanoseconds &- recentCommits[firstRecent] >= 1_000_000_000 {
      firstRecent += 1
    }
    if firstRecent > 1024, firstRecent * 2 > recentCommits.count {
      recentCommits.removeFirst(firstRecent)
      firstRecent = 0
    }
    guard UInt64(recentCommits.count - firstRecent) < limit else {
      throw LimitViolation(kind: .commitsPerSecond, limit: limit)
    }
    recentCommits.append(nanoseconds)
  }
}
