import Diagnostics
import LinuxIO
import RenderTree
import WaylandProtocol

/// Sees to it that the ends of animations are told when they come, and pictures that wait are shown, whether or not an output
/// shows them.
final class AnimationTimer {
  private unowned let server: ServerCore
  private var token: EventLoop.Token?
  /// In nanoseconds; 0 where it is not set.
  private var due: UInt64 = 0

  init(_ server: ServerCore) throws(SystemCallError) {
    self.server = server
    token = try server.loop.addTimer { [unowned self] in fire() }
  }

  /// Before the loop waits: tells what has ended, and when to wake for the next.
  func beforeWaiting() {
    for event in server.tree.takeAnimationEvents() {
      let layer = server.sessions[event.layer.client]?.layers[event.layer]
      layer?.resource?.sendAnimationEnded(
        tokenHi: UInt32(truncatingIfNeeded: event.token >> 32), tokenLo: UInt32(truncatingIfNeeded: event.token),
        finished: event.isFinished ? 1 : 0)
    }
    let next = [server.tree.nextEnd, server.tree.nextDue].compactMap { $0 }.min().map { max(1, $0) } ?? 0
    guard next != due, let token else { return }
    due = next
    do {
      if due == 0 { try server.loop.clearTimer(token) } else { try server.loop.setTimer(token, atNanoseconds: due) }
    } catch {
      // Frames tell of ends too, a little later.
      Log.warning("server", "no timer for the ends of animations: \(error)")
    }
  }

  private func fire() {
    due = 0
    let now = ProcessClock.monotonicNanoseconds
    server.showDue(now)
    server.tree.advance(toNanoseconds: now)
    server.treeChanged()
  }
}
