/// How far a film is, for a person at a terminal: one line that is written anew.
struct Progress {
  private let total: Int
  private let start = ContinuousClock.now
  private var last = ContinuousClock.now

  init(total: Int) { self.total = total }

  /// So many are done.
  mutating func show(_ done: Int) {
    let now = ContinuousClock.now
    // More often nobody can read it.
    guard done == total || now - last > .milliseconds(200) else { return }
    last = now
    Output.progress(Self.line(done, of: total, after: (now - start) / .seconds(1)), isLast: done == total)
  }

  static func line(_ done: Int, of total: Int, after seconds: Double) -> String {
    let share = total > 0 ? done * 100 / total : 100
    guard done > 0, done < total else { return "\(done) of \(total) frames (\(share) %)" }
    let left = seconds / Double(done) * Double(total - done)
    return "\(done) of \(total) frames (\(share) %), \(Int(min(1e6, left.rounded(.up)))) s left"
  }
}
