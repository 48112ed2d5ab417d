import Diagnostics
import LinuxIO

/// Does things at times of the monotonic clock, on the loop.
final class Alarm {
  private let loop: EventLoop
  private var token: EventLoop.Token?
  private var entries: [(time: UInt64, body: () -> Void)] = []

  init(_ loop: EventLoop) throws(SystemCallError) {
    self.loop = loop
    token = try loop.addTimer { [unowned self] in ring() }
  }

  /// Has `body` called at a time; at once for one that has come.
  func at(_ time: UInt64, _ body: @escaping () -> Void) {
    guard time > ProcessClock.monotonicNanoseconds else { return body() }
    entries.append((time, body))
    if entries.allSatisfy({ $0.time >= time }) { set(time) }
  }

  private func set(_ time: UInt64) {
    guard let token else { return }
    do { try loop.setTimer(token, atNanoseconds: time) } catch {
      Log.warning("server", "no timer: \(error)")
      ring(all: true)
    }
  }

  private func ring(all: Bool = false) {
    let now = ProcessClock.monotonicNanoseconds
    let due = entries.filter { all || $0.time <= now }
    entries.removeAll { all || $0.time <= now }
    for entry in due { entry.body() }
    if let next = entries.map(\.time).min() { set(next) }
  }
}
