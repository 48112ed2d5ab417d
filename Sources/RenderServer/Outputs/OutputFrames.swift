import Diagnostics
import GLRenderer
import Geometry
import LinuxIO
import LiveView
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
  /// When it was to be begun.
  var start: UInt64
  /// What surfaces that it shows are to hear.
  var echoes: [SurfaceEcho] = []
  /// By which its end on the GPU is known, where somebody wants to know.
  var mark: UInt64?
  /// By which its pixels are known, where somebody wants them.
  var reading: UInt64?
  /// Captures that it is copied into a dma-buf for, by ticket.
  var copies: [(ticket: UInt64, capture: CaptureObject)] = []
}

/// Who gets the pixels of a frame that is drawn, when they have come.
struct FrameReading {
  var captures: [CaptureObject]
  var streams: [CaptureObject]
  /// What viewers have not got yet, where they get it.
  var watched: DirtyRegion?
  var size: PixelSize
  var stamp: FrameStamp
  /// When it was to be begun.
  var start: UInt64
}

/// A capture whose dma-buf the GPU copies a frame into.
struct FrameCopy {
  var capture: CaptureObject
  var size: PixelSize
  var stamp: FrameStamp
}

extension OutputObject {
  /// Whether the picture may differ from the last one.
  private var isDirty: Bool {
    hasHadRoot && (needsDrawing || changesByItself || session.server.tree.hasChanged(lastSnapshot))
  }

  /// When something that it shows moves by itself: 0 for the next frame, nil for never.
  private var nextMove: UInt64? { hasHadRoot ? session.server.tree.nextWake(of: lastSnapshot) : nil }

  /// Begins a frame where one is due, or sees to it that one will be. Called after anything that may call for one.
  func consider() {
    guard !isEnded, frameInHand == nil else { return }
    if mode.period == 0 {
      if waiting.areUrgent { beginNow() }
      return
    }
    let now = ProcessClock.monotonicNanoseconds
    var earliest: UInt64 = 0
    if waiting.isEmpty, !isDirty, session.server.compositor?.waits(for: self) != true {
      guard let move = [nextMove, hasHadRoot ? session.server.tree.nextDue : nil].compactMap({ $0 }).min() else {
        return
      }
      earliest = move
    }
    let next = clock.due(after: now, notBefore: earliest)
    guard !isTimerSet || next < due else { return }
    do {
      let token: EventLoop.Token
      if let timer {
        token = timer
      } else {
        token = try session.server.loop.addTimer { [unowned self] in tick() }
      }
      timer = token
      let start = clock.start(of: next)
      try session.server.loop.setTimer(token, atNanoseconds: start)
      (isTimerSet, due, self.start) = (true, next, start)
    } catch {
      // Without a timer there is still the next change to draw at.
      Log.warning("server", "no timer for an output: \(error)")
      begin(at: now, from: now)
    }
  }

  private func tick() {
    isTimerSet = false
    guard frameInHand == nil else { return }
    guard mode.period > 0 else { return beginNow() }
    let now = ProcessClock.monotonicNanoseconds
    // One that comes too late for its frame is in time for the next.
    begin(at: now > due ? clock.due(after: now) : due, from: now > due ? now : start)
  }

  private func beginNow() {
    let now = ProcessClock.monotonicNanoseconds
    begin(at: now, from: now)
  }

  private func begin(at time: UInt64, from start: UInt64) {
    let server = session.server
    clock.begin(time)
    server.showDue(time)
    server.tree.advance(toNanoseconds: time)
    var questions = FrameQuestions()
    swap(&questions, &waiting)
    let isDirty = isDirty
    let ready = watch?.isReady == true || streams.contains { $0.isReadyForPicture }
    let copies = takeCopies(&questions)
    let wantsPixels = !questions.captures.isEmpty || ready && (isDirty || questions.wantsPicture)
    let reading = wantsPixels ? server.newNumber() : nil
    if isDirty || (wantsPixels || !copies.isEmpty) && lastSnapshot.version == 0 {
      let before = (version: lastSnapshot.version, root: lastSnapshot.nodes.first?.layer)
      lastSnapshot = server.tree.snapshot(root: root, showsSecure: isSecure)
      needsDrawing = false
      let after = (version: lastSnapshot.changes.since, root: lastSnapshot.nodes.first?.layer)
      if let compositor = server.compositor, !lastSnapshot.hasChanges || before != after {
        compositor.list(&surfaces, in: lastSnapshot)
      }
    }
    let echoes = server.compositor?.take(shownBy: surfaces) ?? []
    let mark = questions.feedbacks.isEmpty && echoes.isEmpty ? nil : server.newNumber()
    frameInHand = FrameInHand(
      questions: questions, time: time, start: start, echoes: echoes, mark: mark, reading: reading,
      copies: copies.map { ($0.ticket, $0.capture) })
    guard isDirty || wantsPixels || !copies.isEmpty else {
      server.counters.framesUnchanged += 1
      answer(.unchanged)
      return
    }
    server.stage.draw(
      FrameJob(
        output: number, snapshot: lastSnapshot, size: mode.size, scale: mode.scale,
        background: background.premultiplied, reading: reading, copies: copies.map { ($0.ticket, $0.target) },
        mark: mark, wantsPictures: server.compositor != nil))
  }

  /// Takes the captures that go into dma-bufs of the output's size; what has another size has failed.
  private func takeCopies(
    _ questions: inout FrameQuestions
  ) -> [(ticket: UInt64, capture: CaptureObject, target: DmaBufferContents)] {
    var copies: [(ticket: UInt64, capture: CaptureObject, target: DmaBufferContents)] = []
    questions.captures.removeAll { capture in
      guard let buffer = capture.dmaBuffer else { return false }
      if buffer.size == mode.size {
        copies.append((session.server.newNumber(), capture, buffer.take()))
      } else {
        capture.fail(.size)
      }
      return true
    }
    return copies
  }

  /// The GPU has copied a frame into a dma-buf, or could not.
  func copied(_ ticket: UInt64, isWhole: Bool) {
    guard !isEnded, let copy = copies.removeValue(forKey: ticket) else { return }
    copy.capture.copied(copy.size, copy.stamp, isWhole: isWhole)
  }

  /// The render thread has done with a frame.
  func finish(_ outcome: FrameOutcome) {
    guard !isEnded, frameInHand != nil else { return }
    changesByItself = outcome.changesByItself
    switch outcome.result {
    case .drawn:
      sequence += 1
      lastSources = outcome.sources
      shownPictures = outcome.pictures
      lastRedrawn = outcome.redrawn
      watch?.add(outcome.redrawn, of: outcome.size, outcome.counters)
      answer(.drawn, size: outcome.size)
      account(outcome.bytes)
    case .unchanged:
      session.server.counters.framesUnchanged += 1
      // The same pixels may be those of other pictures.
      shownPictures = outcome.pictures
      answer(.unchanged, size: outcome.size)
    case .failed:
      session.server.counters.framesFailed += 1
      answer(.failed)
    }
  }

  private func answer(_ result: PortholeOutputV1.Result, size: PixelSize = PixelSize(width: 0, height: 0)) {
    guard var frame = frameInHand else { return }
    frameInHand = nil
    // What lies beside the frame, or is covered there, is not asked to draw the next one.
    let hidden = frame.echoes.partition { !$0.isShown(in: shownPictures) }
    session.server.compositor?.putBack(Array(frame.echoes[hidden...]))
    frame.echoes.removeSubrange(hidden...)
    let stamp = FrameStamp(sequence: sequence, time: frame.time)
    for _ in 0..<frame.questions.frames {
      session.answered()
      resource?.sendFrame(
        sequenceHi: stamp.sequenceHigh, sequenceLo: stamp.sequenceLow, secondsHi: stamp.secondsHigh,
        secondsLo: stamp.secondsLow, nanoseconds: stamp.nanoseconds, result: result)
    }
    if result == .failed {
      frame.questions.fail(.failed)
      session.server.compositor?.putBack(frame.echoes)
      for (_, capture) in frame.copies { capture.fail(.failed) }
      // Whoever wants one picture shall not wait for the next change.
      for stream in streams where stream.wantsOne { stream.fail(.failed) }
      streams.removeAll { $0.isOver }
    } else {
      show(frame, result)
      var reading = FrameReading(
        captures: frame.questions.captures, streams: [], size: size, stamp: stamp, start: frame.start)
      if frame.reading != nil, let watch, watch.isBehind { reading.watched = watch.begin() }
      if result == .drawn || frame.questions.wantsPicture {
        for stream in streams {
          if frame.reading != nil, stream.isReadyForPicture {
            stream.expect()
            reading.streams.append(stream)
          } else {
            stream.skip()
          }
        }
      }
      if let number = frame.reading { readings[number] = reading }
      for (ticket, capture) in frame.copies { copies[ticket] = FrameCopy(capture: capture, size: size, stamp: stamp) }
    }
    session.server.consider(number)
  }

  /// The pixels of a frame have come, or were lost.
  func take(_ pixels: [UInt8]?, of number: UInt64) {
    guard !isEnded, let reading = readings.removeValue(forKey: number) else { return }
    for capture in reading.captures { capture.take(pixels, size: reading.size, reading.stamp) }
    for stream in reading.streams { stream.take(pixels, size: reading.size, reading.stamp) }
    if let watched = reading.watched, let watch {
      let now = ProcessClock.monotonicNanoseconds
      watch.take(
        pixels, of: self, size: reading.size, watched, reading.stamp, nanoseconds: now &- min(now, reading.start))
    }
    streams.removeAll { $0.isOver }
    // Whoever waits for a picture shall not wait for the next change.
    if pixels == nil, !streams.isEmpty || watch?.isBehind == true { waiting.wantsPicture = true }
    session.server.consider(self.number)
  }

  /// Viewers can take a picture: where they have not got the last one, they do not wait for a change.
  func catchUp() {
    guard watch?.isBehind == true, hasHadRoot || sequence > 0 else { return }
    waiting.wantsPicture = true
    session.server.consider(number)
  }

  /// Something is being drawn, or read.
  var isBusy: Bool { frameInHand != nil || !readings.isEmpty || !copies.isEmpty || !shown.isEmpty }

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
