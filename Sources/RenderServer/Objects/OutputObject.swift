import Commit
import Diagnostics
import FramePlan
import Geometry
import LinuxIO
import RenderTree
import WaylandProtocol

/// A client's `porthole_output_v1`, and what is known of its frames. How they come about stands in `OutputFrames.swift`.
final class OutputObject: PortholeOutputV1.RequestHandler {
  let session: ClientSession
  let number: OutputNumber
  let isSecure: Bool
  var resource: Resource<PortholeOutputV1>?
  private(set) var isEnded = false

  // What it shows, as of the last commit.
  private(set) var mode: OutputMode
  private(set) var root: LayerID?
  private(set) var background = Color.clear
  private(set) var hasHadRoot = false

  private struct Pending {
    var mode: OutputMode?
    var root: LayerID??
    var background: Color?
  }
  private var pending: Pending?

  // Frames.
  /// Of the last drawn frame.
  var sequence: UInt64 = 0
  /// The output itself has changed, or what it showed is lost.
  var needsDrawing = false
  var changesByItself = false
  var lastSnapshot = Snapshot()
  var lastSources: [SourceReport] = []
  /// The layers in the last snapshot that show surfaces' pictures.
  var surfaces: Set<LayerID> = []
  /// The pictures that the last frame shows, where any program's surfaces are served.
  var shownPictures: Set<UInt64> = []
  /// What the last drawn frame drew anew.
  var lastRedrawn: [RedrawnPart] = []
  var clock: OutputClock
  var timer: EventLoop.Token?
  var isTimerSet = false
  /// When the frame is due that the timer is set for, and when it goes off.
  var due: UInt64 = 0
  var start: UInt64 = 0
  /// Frames whose showing is to be told: until the GPU has done them, and until they are due. By number.
  var shown: [UInt64: ShownFrame] = [:]
  var waiting = FrameQuestions()
  var frameInHand: FrameInHand?
  /// Frames whose pixels are on their way, by the number of the reading.
  var readings: [UInt64: FrameReading] = [:]
  /// Captures into dma-bufs that the GPU is at, by ticket.
  var copies: [UInt64: FrameCopy] = [:]
  /// Captures that take frame after frame.
  var streams: [CaptureObject] = []
  /// That somebody looks at it by the view.
  var watch: OutputWatch?

  init(_ session: ClientSession, _ mode: OutputMode, isSecure: Bool) {
    self.session = session
    self.mode = mode
    self.isSecure = isSecure
    number = OutputNumber(rawValue: session.server.newNumber())
    session.member.setTexture(of: number, bytes: mode.bytes)
    clock = OutputClock(period: mode.period, at: ProcessClock.monotonicNanoseconds)
  }

  /// Nothing more is drawn. What was asked is answered, as far as there is somebody to hear it.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    if let timer { session.server.loop.remove(timer) }
    timer = nil
    session.server.outputs[number] = nil
    session.server.recorder?.appendEnd(of: self)
    session.server.stage.remove(number)
    session.member.account.remove(.outputs)
    let questions = [waiting, frameInHand?.questions ?? FrameQuestions()]
    for (_, capture) in frameInHand?.copies ?? [] { capture.fail(.gone) }
    session.server.compositor?.putBack(frameInHand?.echoes ?? [])
    waiting = FrameQuestions()
    frameInHand = nil
    for question in questions { question.fail(.gone) }
    for frame in shown.values {
      for feedback in frame.feedbacks { feedback.discard() }
      session.server.compositor?.putBack(frame.echoes)
    }
    shown = [:]
    for reading in readings.values { for capture in reading.captures { capture.fail(.gone) } }
    readings = [:]
    for copy in copies.values { copy.capture.fail(.gone) }
    copies = [:]
    for stream in streams { stream.fail(.gone) }
    streams = []
    watch?.end(number)
    watch = nil
    session.member.setTexture(of: number, bytes: 0)
  }

  func destroyed(_ resource: Resource<PortholeOutputV1>) {
    self.resource = nil
    guard !session.isEnded else { return }
    session.changedOutputs.removeAll { $0 === self }
    for (feedback, output) in session.feedbacks where output === self { feedback.discard() }
    session.feedbacks.removeAll { $0.output === self }
    end()
  }

  // MARK: Requests

  func setRoot(
    _ resource: Resource<PortholeOutputV1>, layer: Resource<PortholeLayerV1>?
  ) throws(ProtocolViolation) {
    try change { $0.root = .some((layer?.handler as? LayerObject)?.id) }
  }

  func setMode(
    _ resource: Resource<PortholeOutputV1>, width: UInt32, height: UInt32, scale: RawSpan, rate: UInt32
  ) throws(ProtocolViolation) {
    let mode = try OutputMode(session, width: width, height: height, scale: scale, rate: rate)
    try change { $0.mode = mode }
  }

  func setBackground(_ resource: Resource<PortholeOutputV1>, color: RawSpan) throws(ProtocolViolation) {
    let numbers = try session.doubles(color, 4, "a background")
    guard numbers.allSatisfy(\.isFinite), numbers.allSatisfy({ Float($0).isFinite }) else {
      throw session.violation(.badArray, "a colour is four finite numbers")
    }
    let color = Color(
      red: Float(numbers[0]), green: Float(numbers[1]), blue: Float(numbers[2]), alpha: Float(numbers[3]))
    try change { $0.background = color }
  }

  func requestFrame(_ resource: Resource<PortholeOutputV1>) throws(ProtocolViolation) {
    try session.ask()
    waiting.frames += 1
    session.server.consider(number)
  }

  func capture(
    _ resource: Resource<PortholeOutputV1>, id: consuming NewID<PortholeCaptureV1>, buffer: Resource<PortholeBufferV1>
  ) throws(ProtocolViolation) {
    try session.ask()
    let capture = CaptureObject(session, CaptureObject.Target(buffer.handler))
    capture.resource = try id.create(capture)
    if isSecure { return capture.fail(.secure) }
    waiting.captures.append(capture)
    session.server.consider(number)
  }

  func captureToFile(
    _ resource: Resource<PortholeOutputV1>, id: consuming NewID<PortholeCaptureV1>, fd: consuming FileDescriptor,
    format: PortholeCaptureV1.Format, count: UInt32
  ) throws(ProtocolViolation) {
    guard let format = PictureFormat(format) else { throw session.violation(.badFormat, "unknown file format") }
    let capture = try CaptureObject.toFile(session, id, fd, format, count: count)
    guard !capture.isOver else { return }
    addStream(capture)
  }

  /// Has a capture take frame after frame, from the next one on.
  func addStream(_ capture: CaptureObject) {
    if isSecure { return capture.fail(.secure) }
    streams.append(capture)
    waiting.wantsPicture = true
    session.server.consider(number)
  }

  // MARK: Commits

  private func change(_ body: (inout Pending) -> Void) throws(ProtocolViolation) {
    if pending == nil { session.changedOutputs.append(self) }
    var changed = pending ?? Pending()
    body(&changed)
    pending = changed
  }

  func dropPending() { pending = nil }

  /// Shows a layer, without a commit.
  func show(_ root: LayerID) {
    self.root = root
    (hasHadRoot, needsDrawing) = (true, true)
    session.server.consider(number)
  }

  func adoptPending() {
    guard let pending else { return }
    self.pending = nil
    if let mode = pending.mode, mode != self.mode {
      if mode.period != self.mode.period {
        clock = OutputClock(period: mode.period, at: ProcessClock.monotonicNanoseconds)
      }
      self.mode = mode
      session.member.setTexture(of: number, bytes: mode.bytes)
      isTimerSet = false
      needsDrawing = true
      watch?.invalidate(mode.size)
    }
    if let root = pending.root {
      if root != self.root { needsDrawing = true }
      self.root = root
      if root != nil, !hasHadRoot { (hasHadRoot, needsDrawing) = (true, true) }
    }
    if let color = pending.background, color != background {
      background = color
      needsDrawing = true
    }
    if hasHadRoot { session.server.recorder?.append(self) }
  }

  /// Holds what the output takes of the GPU's memory against its client's limit. What it needs for others' layers is not its
  /// own: nobody shall be ended for what another has committed.
  func account(_ bytes: Int) {
    let own = session.member.number
    let isOwn = lastSnapshot.nodes.allSatisfy { $0.layer.client == own }
    session.member.setTexture(of: number, bytes: isOwn ? UInt64(clamping: bytes) : mode.bytes)
    do { try session.member.checkTextures() } catch { resource?.post(session.violation(error)) }
  }

  // MARK: Hits

  func hitTest(_ point: Point, answerTo hit: Resource<PortholeHitV1>) {
    session.server.tree.advance(toNanoseconds: ProcessClock.monotonicNanoseconds)
    session.server.treeChanged()
    for link in session.server.tree.snapshot(root: root, showsSecure: true).hitTest(point) {
      // What lies inside another client's layer is none of this one's business.
      guard link.layer.client == session.member.number else { return }
      hit.sendLayer(
        layer: session.layers[link.layer]?.resource, point: [link.point.x, link.point.y].span.bytes,
        isPortal: link.isPortal ? 1 : 0)
    }
  }
}
