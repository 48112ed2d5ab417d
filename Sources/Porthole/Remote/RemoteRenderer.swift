import Commit
import FramePlan
import Geometry
import WaylandClient
import WaylandProtocol

/// An output of a render server: shows layer trees as `OffscreenRenderer` does, drawn by the server. Made by
/// `RenderServerConnection.output`, which it keeps alive.
public final class RemoteRenderer {
  public let connection: RenderServerConnection
  /// In points. It may be changed between frames, and so may `scale` and `background`.
  public var size: Size
  /// Pixels per point.
  public var scale: Double
  public var background: Color
  /// Frames a second; 0: on demand.
  public let rate: Double

  /// Of the last frame that the server told of; nil before the first.
  public private(set) var lastReport: FrameReport?

  private let proxy: Proxy<PortholeOutputV1>
  private let listener = FrameListener()
  /// What the server was told; nil after it refused a commit.
  private var sent: State?
  private var isClosed = false
  private var lastImage: Image?
  /// How many commits had been sent when `lastImage` was drawn.
  private var lastImageCommit: UInt64 = 0
  /// The ends of animations that had been heard of by then; nil where some were running.
  private var lastImageStamp: UInt64?
  /// Captures are written to it, one after another.
  private var pictureBuffer: SharedBuffer?
  private var pictureSize = PixelSize(width: 0, height: 0)

  private struct State: Equatable {
    var root: LayerID?
    var size: PixelSize
    var scale: Double
    var background: Color
  }

  init(
    _ connection: RenderServerConnection, size: Size, scale: Double, background: Color, rate: Double
  ) throws(OffscreenError) {
    self.connection = connection
    self.size = size
    self.scale = scale
    self.background = background
    self.rate = rate
    let pixels = try PixelSize.ofOutput(size, scale: scale, limit: connection.longestSide)
    guard scale <= 64, (0...1000).contains(rate) else {
      throw OffscreenError(.invalidSize, "a scale is at most 64 and a rate at most 1000 frames a second")
    }
    proxy = try connection.talk { (wire) throws(WireError) in
      try wire.makeRoom()
      return connection.global.createOutput(
        width: UInt32(clamping: pixels.width), height: UInt32(clamping: pixels.height),
        scale: [scale].span.bytes, rate: Self.wireRate(rate), flags: [])
    }
    proxy.handler = listener
    sent = State(root: nil, size: pixels, scale: scale, background: .clear)
    listener.whenDrawn = { [unowned self] result in frameCame(result) }
  }

  deinit { close() }

  // MARK: Frames

  /// Has the server draw a frame and copies it here: premultiplied RGBA, rows from the top. The very same image where
  /// nothing changed.
  /// - Throws: `invalidLayer` where the server refuses the commit; the last frame stays.
  public func render(_ root: Layer) throws(OffscreenError) -> Image {
    try connection.settled { () throws(OffscreenError) in try commit(root) }
    let stamp = connection.context.isServerAnimating ? nil : connection.context.animationStamp
    if let lastImage, lastImageCommit == connection.commitsSent, connection.tree.imports.isEmpty,
      stamp != nil, stamp == lastImageStamp
    {
      return lastImage
    }
    let image = try capture()
    lastImageStamp = stamp
    lastImage = image
    lastImageCommit = connection.commitsSent
    return image
  }

  /// Sends what changed, and waits for nothing. The report says `sent`, or `unchanged` where there was nothing to send; that
  /// of the frame is in `lastReport` when it comes.
  /// - Parameter presented: called when the server has shown what this sends, or never will (nil).
  /// - Throws: `invalidLayer` where the server has refused an earlier commit. What was in it has gone out again.
  @discardableResult
  public func update(
    _ root: Layer, presented: ((Presentation?) -> Void)? = nil
  ) throws(OffscreenError) -> FrameReport {
    let changes = try commit(root, presented: presented)
    if changes != nil, !listener.isAsked {
      listener.isAsked = true
      try connection.talk { [proxy] (wire) throws(WireError) in
        try wire.makeRoom()
        proxy.requestFrame()
        try wire.flush()
      }
    }
    try connection.throwRefusal()
    return FrameReport(
      result: changes == nil ? .unchanged : .sent, changesCommitted: changes ?? 0, counters: FrameCounters(),
      diagnostics: [])
  }

  /// Draws one layer alone, with its sublayers, as a portal of it shows it, on nothing: its bounds fill the picture.
  public func render(layer: Layer) throws(OffscreenError) -> Image {
    try require()
    connection.context.attach(layer)
    connection.context.show(Showing(root: layer.id, scale: scale, isAlone: true), for: listener)
    defer { connection.context.show(nil, for: listener) }
    try connection.settled { () throws(OffscreenError) in try connection.commit() }
    let pixels = try PixelSize.ofOutput(
      layer.bounds.standardized.size, scale: scale, limit: connection.longestSide)
    return try connection.capture(layer, scale: scale, size: pixels)
  }

  /// The frontmost layer at `point`, in points of the output: through a portal that forwards, the portal first and then the
  /// layer inside its source; inside another process's layer, nothing is told. Empty where nothing is hit.
  public func hitTest(_ point: Point, in root: Layer) throws(OffscreenError) -> [Hit] {
    try connection.settled { () throws(OffscreenError) in try commit(root) }
    let listener = HitListener()
    let hit = try connection.talk { [connection, proxy] (wire) throws(WireError) in
      try wire.makeRoom(96)
      let hit = connection.global.hitTest(output: proxy, point: [point.x, point.y].span.bytes)
      hit.handler = listener
      return hit
    }
    try connection.wait(for: .max) { listener.isDone }
    hit.destroy()
    return listener.hits.compactMap { found in
      connection.context.layer(found.layer).map { Hit(layer: $0, point: found.point, isPortal: found.isPortal) }
    }
  }

  /// Waits until the server has answered everything.
  public func finish() throws(OffscreenError) { try connection.finish() }

  /// Ends the output; the layers stay with the connection. Everything but `close` throws after it.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    lastImage = nil
    connection.context.show(nil, for: self)
    if let pictureBuffer { connection.tree.buffers.free(pictureBuffer) }
    pictureBuffer = nil
    if (try? connection.wire.makeRoom()) != nil {
      proxy.destroy()
      _ = try? connection.wire.flush()
    }
  }

  /// What the layer is called: its name, or its number in words.
  public func name(of layer: LayerID) -> String { connection.context.label(layer) }

  // MARK: Steps of a frame

  /// A refused commit changed nothing of the output either.
  func forgetWhatWasSent() { sent = nil }

  private func require() throws(OffscreenError) {
    guard !isClosed else { throw OffscreenError(.closed, "the renderer was closed; make a new one") }
  }

  @discardableResult
  private func commit(
    _ root: Layer, presented: ((Presentation?) -> Void)? = nil
  ) throws(OffscreenError) -> Int? {
    try require()
    try connection.check()
    let pixels = try PixelSize.ofOutput(size, scale: scale, limit: connection.longestSide)
    guard scale <= 64 else { throw OffscreenError(.invalidSize, "a server's scale is at most 64") }
    connection.context.attach(root)
    connection.context.show(Showing(root: root.id, scale: scale), for: self)
    return try connection.commit { (wire) throws(WireError) in
      let wanted = State(root: root.id, size: pixels, scale: scale, background: background)
      let hasChanged = try tell(wanted, wire)
      if let presented {
        try wire.makeRoom()
        let feedback = connection.global.feedback(output: proxy)
        feedback.handler = Presentation.Listener(presented)
        connection.keep(feedback)
      }
      return hasChanged || presented != nil
    }
  }

  /// Tells the server what is different about the output. False: nothing is.
  private func tell(_ wanted: State, _ wire: WireConnection) throws(WireError) -> Bool {
    guard wanted != sent else { return false }
    if sent?.root != wanted.root || sent == nil {
      try wire.makeRoom()
      proxy.setRoot(layer: wanted.root.flatMap { connection.tree.layers[$0] })
    }
    if sent?.size != wanted.size || sent?.scale != wanted.scale {
      try wire.makeRoom()
      proxy.setMode(
        width: UInt32(clamping: wanted.size.width), height: UInt32(clamping: wanted.size.height),
        scale: [wanted.scale].span.bytes, rate: Self.wireRate(rate))
    }
    if sent?.background != wanted.background {
      let color = wanted.background
      try wire.makeRoom(96)
      proxy.setBackground(
        color: [Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha)].span.bytes)
    }
    sent = wanted
    return true
  }

  private func capture() throws(OffscreenError) -> Image {
    guard let size = sent?.size else { throw OffscreenError(.failed, "the server refused the output's size") }
    let listener = CaptureListener()
    if pictureSize != size {
      if let pictureBuffer { connection.tree.buffers.free(pictureBuffer) }
      pictureBuffer = nil
    }
    let old = pictureBuffer
    let (buffer, capture) = try connection.talk { [proxy, connection] (wire) throws(WireError) in
      let buffer: SharedBuffer
      if let old {
        buffer = old
      } else {
        buffer = try connection.tree.buffers.allocate(
          width: size.width, height: size.height, alpha: .premultiplied)
      }
      try wire.makeRoom()
      let capture = proxy.capture(buffer: buffer.proxy)
      capture.handler = listener
      return (buffer, capture)
    }
    pictureBuffer = buffer
    pictureSize = size
    defer { capture.destroy() }
    try connection.wait(for: .max) { listener.isDone }
    if let failure = listener.failure { throw OffscreenError(.failed, "the frame was not captured: \(failure)") }
    let pixels = buffer.withBytes { Array($0) }
    guard let image = Image(size: size, alpha: .premultiplied, pixels: pixels) else {
      throw OffscreenError(.failed, "the server gave \(pixels.count) bytes for \(size.width) × \(size.height) pixels")
    }
    return image
  }

  private func frameCame(_ result: FrameReport.Result) {
    lastReport = FrameReport(result: result, changesCommitted: 0, counters: FrameCounters(), diagnostics: [])
  }

  /// In frames per 1000 seconds.
  private static func wireRate(_ rate: Double) -> UInt32 { UInt32(max(0, min(1e6, (rate * 1000).rounded()))) }
}
