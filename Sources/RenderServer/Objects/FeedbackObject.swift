import WaylandProtocol

/// A client's `porthole_feedback_v1`: says once when a commit was shown, or that it never was.
final class FeedbackObject: PortholeFeedbackV1.RequestHandler {
  private let session: ClientSession
  /// Which of the client's commits it is about.
  let commit: UInt64
  var resource: Resource<PortholeFeedbackV1>?
  private(set) var isAnswered = false

  init(_ session: ClientSession) {
    self.session = session
    commit = session.member.account.commits
  }

  func destroyed(_ resource: Resource<PortholeFeedbackV1>) {
    self.resource = nil
    answer()
  }

  func discard() {
    guard !isAnswered else { return }
    resource?.sendDiscarded()
    answer()
  }

  /// - Parameters:
  ///   - refresh: nanoseconds to the next frame; 0 for an output on demand.
  ///   - isClocked: the time is a frame clock's.
  func present(_ stamp: FrameStamp, refresh: UInt64, isClocked: Bool) {
    guard !isAnswered else { return }
    resource?.sendPresented(
      secondsHi: stamp.secondsHigh, secondsLo: stamp.secondsLow, nanoseconds: stamp.nanoseconds,
      refresh: UInt32(clamping: refresh), sequenceHi: stamp.sequenceHigh, sequenceLo: stamp.sequenceLow,
      flags: isClocked ? .vsync : [])
    answer()
  }

  private func answer() {
    if !isAnswered { session.answered() }
    isAnswered = true
  }
}
