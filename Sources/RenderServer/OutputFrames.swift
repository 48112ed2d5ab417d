import Diagnostics
import Geometry
import LinuxIO
import RenderTree
import WaylandProtocol

/// Who wants to know of the next frame.
struct FrameQuestions {
  /// `request_frame`, so many times.
  var frames = 0
  var captures: [CaptureObject] = []
  var feedbacks: [FeedbackObject] = []
  /// A capture that takes frame after frame has begun, and wants one to begin with.
  var wantsPicture = false

  /// Whether an output on demand is to draw.
  var areUrgent: Bool { frames > 0 || !captures.isEmpty || wantsPicture }
  var isEmpty: Bool { !areUrgent && feedbacks.isEmpty }

  func fail(_ reason: PortholeCaptureV1.Failure) {
    for capture in captures { capture.fail(reason) }
    for feedback in feedbacks { feedback.discard() }
  }
}

/// A frame that is being drawn, or that turned out to need no drawing.
struct FrameInHand {
  var questions: FrameQuestions
  /// What it is for, in nanoseconds of the monotonic clock.
  var time: UInt64
}

extension OutputObject {
  /// Whether the picture may differ from the last one.
  private var isDirty: Bool {
    hasHadRoot && (needsDrawing || changesByItself || session.server.tree.hasChanged(lastSnapshot))
  }

  /// Begins a frame where one is due, or sees to it that one will be. Called after anything that may call for one.
  func consider() {
    guard !isEnded, frameInHand == nil else { return }
    if mode.period == 0 {
      if waiting.areUrgent { begin(at: ProcessClock.monotonicNanoseconds) }
      return
    }
    guard !isTimerSet, !waiting.isEmpty || isDirty else { return }
    let now = ProcessClock.monotonicNanoseconds
    let next = phase &+ ((now &- phase) / mode.period &+ 1) &* mode.period
    do {
      let token: EventLoop.Token
      if let timer {
        token = timer
      } else {
        token = try session.server.loop.addTimer { [unowned self] in tick() }
      }
      timer = token
      try session.server.loop.setTimer(token, atNanoseconds: next)
      isTimerSet = true
    } catch {
      // Without a timer there is still the next change to draw at.
      Log.warning("server", "no timer for an output: \(error)")
      begin(at: now)
    }
  }

  private func tick() {
    isTimerSet = false
    guard frameInHand == nil else { return }
    let now = ProcessClock.monotonicNanoseconds
    begin(at: mode.period == 0 ? now : phase &+ (now &- phase) / mode.period &* mode.period)
  }

  private func begin(at time: UInt64) {
    let server = session.server
    var questions = FrameQuestions()
    swap(&questions, &waiting)
    let isDirty = isDirty
    let ready = streams.contains { $0.isReadyForPicture }
    let wantsPixels = !questions.captures.isEmpty || ready && (isDirty || questions.wantsPicture)
    frameInHand = FrameInHand(questions: questions, time: time)
    guard isDirty || wantsPixels else {
      server.counters.framesUnchanged += 1
      answer(.unchanged, pixels: nil)
      return
    }
    if isDirty || lastSnapshot.version == 0 {
      lastSnapshot = server.tree.snapshot(root: root, showsSecure: isSecure)
      needsDrawing = false
    }
    server.stage.draw(
      FrameJob(
        output: number, snapshot: lastSnapshot, size: mode.size, scale: mode.scale,
        background: background.premultiplied, wantsPixels: wantsPixels))
  }

  /// The render thread has done with a frame.
  func finish(_ outcome: FrameOutcome) {
    guard !isEnded, frameInHand != nil else { return }
    changesByItself = outcome.changesByItself
    switch outcome.result {
    case .drawn:
      sequence += 1
      lastSources = outcome.sources
      answer(.drawn, pixels: outcome.pixels, size: outcome.size)
    case .unchanged:
      session.server.counters.framesUnchanged += 1
      answer(.unchanged, pixels: outcome.pixels, size: outcome.size)
    case .failed:
      session.server.counters.framesFailed += 1
      answer(.failed, pixels: nil)
    }
  }

  private func answer(
    _ result: PortholeOutputV1.Result, pixels: [UInt8]?, size: PixelSize = PixelSize(width: 0, height: 0)
  ) {
    guard let frame = frameInHand else { return }
    frameInHand = nil
    let stamp = FrameStamp(sequence: sequence, time: frame.time)
    for _ in 0..<frame.questions.frames {
      session.answered()
      resource?.sendFrame(
        sequenceHi: stamp.sequenceHigh, sequenceLo: stamp.sequenceLow, secondsHi: stamp.secondsHigh,
        secondsLo: stamp.secondsLow, nanoseconds: stamp.nanoseconds, result: result)
    }
    if result == .failed {
      frame.questions.fail(.failed)
    } else {
      for feedback in frame.questions.feedbacks {
        feedback.present(stamp, refresh: mode.period, isClocked: mode.period > 0)
      }
      for capture in frame.questions.captures { capture.take(pixels, size: size, stamp) }
      if result == .drawn || frame.questions.wantsPicture {
        for stream in streams { stream.take(pixels, size: size, stamp) }
        streams.removeAll { $0.isOver }
      }
    }
    session.server.consider(number)
  }

  /// Tells when the commit just accepted is shown. What an earlier one asked and no frame has begun to show is over.
  func await(_ feedback: FeedbackObject) {
    guard !isEnded else { return feedback.discard() }
    for earlier in waiting.feedbacks where earlier.commit != feedback.commit { earlier.discard() }
    waiting.feedbacks.removeAll { $0.isAnswered }
    waiting.feedbacks.append(feedback)
    session.server.consider(number)
  }
}

/// A frame's number and time, as the wire has them.
struct FrameStamp {
  var sequence: UInt64
  /// In nanoseconds of the monotonic clock.
  var time: UInt64

  var sequenceHigh: UInt32 { UInt32(truncatingIfNeeded: sequence >> 32) }
  var sequenceLow: UInt32 { UInt32(truncatingIfNeeded: sequence) }
  var secondsHigh: UInt32 { UInt32(truncatingIfNeeded: (time / 1_000_000_000) >> 32) }
  var secondsLow: UInt32 { UInt32(truncatingIfNeeded: time / 1_000_000_000) }
  var nanoseconds: UInt32 { UInt32(time % 1_000_000_000) }
}
