import Diagnostics
import WaylandProtocol

/// A frame that was drawn, and whose showing is to be told.
struct ShownFrame {
  var feedbacks: [FeedbackObject]
  var echoes: [SurfaceEcho]
  var sequence: UInt64
  /// In nanoseconds of the monotonic clock.
  var due: UInt64
  var start: UInt64
}

extension OutputObject {
  /// Sees to it that whoever asked is told when the frame is shown: when it is due, or later where it was not there by then.
  func show(_ frame: FrameInHand, _ result: PortholeOutputV1.Result) {
    guard let mark = frame.mark else { return }
    shown[mark] = ShownFrame(
      feedbacks: frame.questions.feedbacks, echoes: frame.echoes, sequence: sequence, due: frame.time,
      start: frame.start)
    if result == .drawn {
      session.server.whenDone[mark] = { [weak self] in self?.isThere(mark) }
    } else {
      tell(mark, at: frame.time)
    }
  }

  /// The GPU has done the frame.
  private func isThere(_ mark: UInt64) {
    guard let frame = shown[mark] else { return }
    let now = ProcessClock.monotonicNanoseconds
    if mode.period > 0 { clock.took(now &- min(now, frame.start)) }
    tell(mark, at: max(frame.due, now))
  }

  private func tell(_ mark: UInt64, at time: UInt64) {
    session.server.alarm.at(time) { [weak self] in
      guard let self, let frame = shown.removeValue(forKey: mark) else { return }
      let stamp = FrameStamp(sequence: frame.sequence, time: time)
      let isClocked = mode.period > 0 && time == frame.due
      for feedback in frame.feedbacks { feedback.present(stamp, refresh: mode.period, isClocked: isClocked) }
      for echo in frame.echoes {
        let output = (echo.surface?.client).flatMap { session.server.compositor?.desk.resource(for: $0) }
        echo.echoes.tell(stamp, refresh: mode.period, isClocked: isClocked, output: output)
      }
    }
  }
}
