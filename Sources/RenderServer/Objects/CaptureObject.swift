import Commit
import GLRenderer
import Geometry
import LinuxIO
import RenderTree
import WaylandProtocol

/// A client's `porthole_capture_v1`: a picture on its way into a buffer or a file.
final class CaptureObject: PortholeCaptureV1.RequestHandler {
  /// Where pictures go.
  enum Target {
    case none
    case buffer(BufferObject)
    case dmaBuffer(DmaBufferObject)
    case file(ByteSink, PictureFormat)

    /// Into a client's `porthole_buffer_v1`, by what handles it.
    init(_ handler: AnyObject?) {
      if let buffer = handler as? BufferObject {
        self = .buffer(buffer)
      } else if let buffer = handler as? DmaBufferObject {
        self = .dmaBuffer(buffer)
      } else {
        self = .none
      }
    }
  }

  private let session: ClientSession
  private var target: Target
  var resource: Resource<PortholeCaptureV1>?
  /// Nothing more comes.
  private(set) var isOver = false
  /// Pictures still to come; 0: until the object goes.
  private var remaining: UInt32 = 0
  private var isCounted = true
  private var holdsDescriptor = false
  /// Pictures that are being read, wait, or are being written.
  private var pending: UInt32 = 0
  private var queue: [(pixels: [UInt8], size: PixelSize, stamp: FrameStamp)] = []
  private var isWriting = false
  private var skipped: UInt32 = 0
  private var announced: PixelSize?
  private var layerSize = PixelSize(width: 0, height: 0)

  init(_ session: ClientSession, _ target: Target) {
    self.session = session
    self.target = target
  }

  deinit { if holdsDescriptor { session.member.account.remove(.descriptors) } }

  /// Makes a capture that writes `count` pictures, 0 for any number. One that can't be written to has failed already.
  static func toFile(
    _ session: ClientSession, _ id: consuming NewID<PortholeCaptureV1>, _ fd: consuming FileDescriptor,
    _ format: PictureFormat, count: UInt32
  ) throws(ProtocolViolation) -> CaptureObject {
    try session.ask()
    try session.limited { () throws(LimitViolation) in try session.member.account.add(.descriptors) }
    let sink = ByteSink(fd)
    let capture = CaptureObject(session, sink.map { .file($0, format) } ?? .none)
    capture.holdsDescriptor = true
    capture.remaining = count
    capture.resource = try id.create(capture)
    if sink == nil { capture.fail(.notWritable) }
    return capture
  }

  /// Makes a capture of a layer alone.
  static func captureLayer(
    _ session: ClientSession, _ id: consuming NewID<PortholeCaptureV1>, _ layer: LayerID?, scale: Double,
    _ fd: consuming FileDescriptor, _ format: PictureFormat
  ) throws(ProtocolViolation) {
    let capture = try toFile(session, id, fd, format, count: 1)
    guard !capture.isOver else { return }
    let server = session.server
    guard let layer, let lone = server.tree.lone(layer) else { return capture.fail(.gone) }
    let (width, height) = (lone.size.width * scale, lone.size.height * scale)
    let range = 1...Double(server.stage.longestSide)
    guard range.contains(width.rounded(.up)), range.contains(height.rounded(.up)) else { return capture.fail(.size) }
    capture.layerSize = PixelSize(width: Int(width.rounded(.up)), height: Int(height.rounded(.up)))
    let ticket = server.newNumber()
    server.layerCaptures[ticket] = capture
    server.stage.draw(
      LayerJob(ticket: ticket, snapshot: lone.snapshot, size: capture.layerSize, scale: scale))
  }

  func destroyed(_ resource: Resource<PortholeCaptureV1>) {
    self.resource = nil
    end()
  }

  /// Whether it can take a picture more: it wants one, and has not too many yet.
  var isReadyForPicture: Bool {
    !isOver && pending < UInt32(ReadbackRing.capacity) && (remaining == 0 || pending < remaining)
  }

  /// It wants one more picture, and none is on its way.
  var wantsOne: Bool { !isOver && remaining == 1 && pending == 0 }

  /// A picture is on its way to it.
  func expect() { pending += 1 }

  /// A frame went by.
  func skip() {
    guard !isOver else { return }
    skipped &+= 1
    session.server.counters.picturesSkipped += 1
  }

  /// A frame's premultiplied pixels; nil where they were lost. A stream has expected them.
  func take(_ pixels: [UInt8]?, size: PixelSize, _ stamp: FrameStamp) {
    guard !isOver else { return }
    switch target {
    case .none, .dmaBuffer: fail(.gone)
    case .buffer(let buffer):
      guard let pixels else { return fail(.failed) }
      guard buffer.size == size else { return fail(.size) }
      guard buffer.write(pixels) else { return fail(.notWritable) }
      announce(size)
      sendReady(stamp)
      end()
    case .file:
      guard let pixels else {
        pending -= min(1, pending)
        return skip()
      }
      queue.append((pixels, size, stamp))
      writeNext()
    }
  }

  /// Where it goes, if that is a dma-buf.
  var dmaBuffer: DmaBufferObject? {
    if case .dmaBuffer(let buffer) = target { buffer } else { nil }
  }

  /// The frame is in the dma-buf, or can't be.
  func copied(_ size: PixelSize, _ stamp: FrameStamp, isWhole: Bool) {
    guard !isOver else { return }
    guard isWhole else { return fail(.notWritable) }
    announce(size)
    sendReady(stamp)
    end()
  }

  private func writeNext() {
    guard !isWriting, case .file(let sink, let format) = target, !queue.isEmpty else { return }
    let (pixels, size, stamp) = queue.removeFirst()
    announce(size)
    isWriting = true
    session.server.writer.write(pixels, size: size, as: format, to: sink) { [self] in wrote($0, stamp) }
  }

  /// The layer was drawn, or could not be.
  func takeLayer(_ pixels: [UInt8]?) {
    guard let pixels else { return fail(.failed) }
    expect()
    take(pixels, size: layerSize, FrameStamp(sequence: 0, time: 0))
  }

  func fail(_ reason: PortholeCaptureV1.Failure) {
    guard !isOver else { return }
    resource?.sendFailed(reason: reason)
    end()
  }

  private func wrote(_ isWhole: Bool, _ stamp: FrameStamp) {
    isWriting = false
    pending -= min(1, pending)
    guard !isOver else { return }
    guard isWhole else { return fail(.notWritable) }
    session.server.counters.picturesWritten += 1
    if skipped > 0 { resource?.sendSkipped(count: skipped) }
    skipped = 0
    sendReady(stamp)
    if remaining > 0 {
      remaining -= 1
      if remaining == 0 { return end() }
    }
    writeNext()
  }

  private func announce(_ size: PixelSize) {
    guard announced != size else { return }
    announced = size
    resource?.sendSize(width: UInt32(clamping: size.width), height: UInt32(clamping: size.height))
  }

  private func sendReady(_ stamp: FrameStamp) {
    resource?.sendReady(
      sequenceHi: stamp.sequenceHigh, sequenceLo: stamp.sequenceLow, secondsHi: stamp.secondsHigh,
      secondsLo: stamp.secondsLow, nanoseconds: stamp.nanoseconds)
  }

  /// The descriptor closes when what is being written is written.
  private func end() {
    isOver = true
    target = .none
    queue = []
    if isCounted { session.answered() }
    isCounted = false
  }
}
