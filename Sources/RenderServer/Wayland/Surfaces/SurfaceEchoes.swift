import WaylandProtocol

/// What a surface's client is to hear once a frame has shown what it committed.
struct SurfaceEchoes {
  /// `wl_surface.frame`, in the order in which they were asked for.
  private(set) var callbacks: [Resource<WlCallback>] = []
  /// Of the last commit that is not shown yet.
  private var feedbacks: [Resource<WpPresentationFeedback>] = []

  var isEmpty: Bool { callbacks.isEmpty && feedbacks.isEmpty }

  mutating func add(_ callback: Resource<WlCallback>) { callbacks.append(callback) }

  mutating func add(_ feedback: Resource<WpPresentationFeedback>) { feedbacks.append(feedback) }

  /// A later commit takes the place of this one: its feedbacks count.
  mutating func absorb(_ later: SurfaceEchoes) {
    discard()
    callbacks += later.callbacks
    feedbacks = later.feedbacks
    // Those that the client has ended by itself.
    callbacks.removeAll { !$0.isAlive }
  }

  /// What was committed is not shown, and never will be.
  mutating func discard() {
    for feedback in feedbacks {
      feedback.sendDiscarded()
      feedback.destroy()
    }
    feedbacks = []
  }

  /// A frame was shown.
  /// - Parameter output: of whose client the resources are; nil where it has bound none.
  func tell(_ stamp: FrameStamp, refresh: UInt64, isClocked: Bool, output: Resource<WlOutput>?) {
    for callback in callbacks {
      callback.sendDone(callbackData: UInt32(truncatingIfNeeded: stamp.time / 1_000_000))
      callback.destroy()
    }
    for feedback in feedbacks {
      if let output { feedback.sendSyncOutput(output: output) }
      feedback.sendPresented(
        tvSecHi: stamp.secondsHigh, tvSecLo: stamp.secondsLow, tvNsec: stamp.nanoseconds,
        refresh: UInt32(clamping: refresh), seqHi: stamp.sequenceHigh, seqLo: stamp.sequenceLow,
        flags: isClocked ? [.vsync] : [])
      feedback.destroy()
    }
  }
}

/// What hears the requests of a `wl_callback`: it has none.
final class CallbackHandler: WlCallback.RequestHandler {}

/// What hears the requests of a `wp_presentation_feedback`: it has none.
final class FeedbackHandler: WpPresentationFeedback.RequestHandler {}
