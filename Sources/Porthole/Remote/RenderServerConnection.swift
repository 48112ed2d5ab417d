import Commit
import Diagnostics
import GLES
import Geometry
import LinuxIO
import WaylandClient
import WaylandProtocol

/// A connection to a render server, which draws this process's layers, and those of others that it was given handles of.
///
///     let connection = try RenderServerConnection()
///     let renderer = try connection.output(size: Size(width: 320, height: 240))
///     let picture = try renderer.render(root)
///
/// What changed in the layers is sent as one commit, and not waited for; the process works when something changes, never
/// because a frame is drawn. The connection belongs to the thread of its layers. When it is lost, everything throws
/// `connectionLost`; the layers stay as they are, and a new connection shows them.
public final class RenderServerConnection {
  let wire: WireConnection
  let global: Proxy<PortholeV1>
  let tree: RemoteTree
  let context: LayerContext
  private let answers = ServerAnswers()
  private var pacing = CommitPacing(limit: nil)
  private var outputs: [WeakOutput] = []
  private var exports: [LayerHandle: Proxy<PortholeExportV1>] = [:]
  /// Feedbacks that are not answered.
  private var feedbacks: [Proxy<PortholeFeedbackV1>] = []
  /// The refusal that nobody was told of yet.
  private var refusal: OffscreenError?
  /// Serials count up from 1; the server answers in order.
  private(set) var commitsSent: UInt64 = 0
  private(set) var commitsAnswered: UInt64 = 0
  /// How many commits were sent when the last refusal was heard.
  private var refusalHeardAfter: UInt64 = 0

  private struct WeakOutput {
    weak var output: RemoteRenderer?
  }

  /// - Parameters:
  ///   - name: the socket's path, or a name below `$XDG_RUNTIME_DIR/porthole/`; nil takes what `PORTHOLE_SOCKET` says or,
  ///     without it, `porthole-0`.
  ///   - patience: how long the server may take to answer, in seconds.
  /// - Throws: `noServer`.
  public convenience init(_ name: String? = nil, patience: Double = 5) throws(OffscreenError) {
    let wire: WireConnection
    do {
      wire = try WireConnection(try ServerAddress(name), patience: patience)
    } catch {
      throw OffscreenError(error)
    }
    try self.init(wire)
  }

  /// By a socket that is connected already.
  package convenience init(adopting socket: consuming FileDescriptor, patience: Double = 5) throws(OffscreenError) {
    let wire: WireConnection
    do { wire = try WireConnection(adopting: socket, patience: patience) } catch { throw OffscreenError(error) }
    try self.init(wire)
  }

  private init(_ wire: WireConnection) throws(OffscreenError) {
    self.wire = wire
    do { global = try wire.bind(PortholeV1.self) } catch { throw OffscreenError(error) }
    global.handler = answers
    tree = RemoteTree(wire, global)
    context = LayerContext(remote: tree)
    tree.whenFull = { [weak self] in _ = try? self?.commit() }
    tree.whenEnded = { [unowned context] layer, token, isFinished in
      context.ended(layer, token: token, isFinished: isFinished)
    }
    try talk { [answers] (wire) throws(WireError) in try wire.wait { answers.knowsLimits } }
    pacing = CommitPacing(limit: answers.limits[.commitsPerSecond])
    tree.dmaBuffers.support = answers.dmaBuffers
    tree.changesPerCommit = answers.limits[.changes].map { max(1, Int(clamping: $0)) } ?? .max
    tree.whenCommitIsFull = { [unowned self] () throws(WireError) in try sendPart() }
  }

  deinit { close() }

  // MARK: Outputs

  /// A picture that the server draws layers into.
  /// - Parameters:
  ///   - size: in points.
  ///   - scale: pixels per point.
  ///   - rate: frames a second, as long as something changes; 0 draws when `render` or `update` asks.
  public func output(
    size: Size, scale: Double = 1, background: Color = .clear, rate: Double = 0
  ) throws(OffscreenError) -> RemoteRenderer {
    try check()
    let output = try RemoteRenderer(self, size: size, scale: scale, background: background, rate: rate)
    outputs.removeAll { $0.output == nil }
    outputs.append(WeakOutput(output: output))
    return output
  }

  /// The longest side of an output, in pixels.
  public var longestSide: Int { answers.limits[.outputSide].map { Int(clamping: $0) } ?? 8192 }

  /// Which dma-bufs the server's display can draw. A layer whose contents are another's is refused, with why.
  public var dmaBuffers: DmaBufferSupport { answers.dmaBuffers }

  /// Says who this is, for logs and the operator's tool.
  public func setName(_ name: String) throws(OffscreenError) {
    try talk { [global] (wire) throws(WireError) in
      try wire.makeRoom(300)
      global.setName(name: String(decoding: name.utf8.prefix(240), as: UTF8.self))
      try wire.flush()
    }
  }

  /// Sends what changed in a tree that no output of this connection has to show, such as one that was exported. Waits for
  /// nothing.
  /// - Returns: How many changes there were.
  @discardableResult
  public func commit(_ root: Layer) throws(OffscreenError) -> Int {
    try check()
    context.attach(root)
    context.show(Showing(root: root.id), for: root)
    return try commit() ?? 0
  }

  // MARK: Other processes

  /// Lets whoever is given the handle show the layer. Export again for a handle of its own for each.
  /// - Parameter isSingleUse: the first client that redeems it is the only one.
  public func export(_ layer: Layer, isSingleUse: Bool = false) throws(OffscreenError) -> LayerHandle {
    context.attach(layer)
    let listener = ExportListener()
    context.show(Showing(root: layer.id, isAlone: true), for: listener)
    try commit()
    guard let proxy = tree.layers[layer.id] else {
      throw OffscreenError(.failed, "\(layer.label) is another client's, and can't be exported", layer: layer.id)
    }
    let export = try talk { [global] (wire) throws(WireError) in
      try wire.makeRoom()
      let export = global.exportLayer(layer: proxy, flags: isSingleUse ? .singleUse : [])
      export.handler = listener
      try wire.wait { listener.handle != nil }
      return export
    }
    guard let handle = listener.handle, let handle = LayerHandle(handle) else {
      throw OffscreenError(.failed, "the server gave a handle of \(listener.handle?.count ?? 0) bytes instead of 16")
    }
    exports[handle] = export
    return handle
  }

  private final class ExportListener: PortholeExportV1.EventHandler {
    var handle: [UInt8]?

    func handle(_ proxy: Proxy<PortholeExportV1>, handle: RawSpan) {
      self.handle = handle.withUnsafeBytes { Array($0) }
    }

    func redeemed(_ proxy: Proxy<PortholeExportV1>) {}
  }

  /// From the next frame on, nobody shows the layer by this handle. One that this connection didn't give does nothing.
  public func revoke(_ handle: LayerHandle) throws(OffscreenError) {
    guard let export = exports.removeValue(forKey: handle) else { return }
    if let listener = export.handler { context.show(nil, for: listener) }
    try talk { (wire) throws(WireError) in
      try wire.makeRoom()
      export.destroy()
      try wire.flush()
    }
  }

  /// Another process's layer, as a source for portals. Waits until the server has said whether there is one; portals of one
  /// that is not are empty.
  public func `import`(_ handle: LayerHandle) throws(OffscreenError) -> ImportedLayer {
    let layer = ImportedLayer(handle)
    try talk { [global, tree] (wire) throws(WireError) in
      try wire.makeRoom()
      let proxy = global.importLayer(handle: handle.bytes.span.bytes)
      proxy.handler = ImportedLayer.Listener(layer)
      tree.adopt(proxy, as: layer.id)
      try wire.wait { layer.availability != .unknown }
    }
    context.attach(layer)
    return layer
  }

  // MARK: The connection

  /// Readable when the server has said something: to be waited for along with others.
  public var pollDescriptor: Int32 { wire.pollDescriptor }

  /// Hears what the server has said, without waiting.
  public func dispatch() throws(OffscreenError) {
    try talk { (wire) throws(WireError) in try wire.read() }
    settle()
    context.tellEnds()
  }

  /// How much of the animations that are added from now on moves.
  public var motion: MotionPolicy {
    get { context.motion }
    set { context.motion = newValue }
  }

  /// Waits until the server has answered every commit.
  /// - Throws: `invalidLayer` where it refused one; what was in it goes out with the next.
  public func finish() throws(OffscreenError) {
    try wait(for: commitsSent)
    try throwRefusal()
  }

  /// Ends the connection; the server forgets the layers. Everything but `close` throws after it.
  public func close() {
    wire.close()
    context.close()
    tree.close()
    exports = [:]
    feedbacks = []
    global.handler = nil
  }

  public var counters: ConnectionCounters { tree.counters }

  /// What contents and captures hold by now.
  public var bytesOfSharedMemory: Int { tree.buffers.byteCount }

  /// How many layers the server has of this process.
  public var layerCount: Int { tree.layers.count }

  // MARK: Commits

  /// Sends what changed, as one, if anything did.
  /// - Parameter alongside: sends what else takes effect with it, and says whether there was anything.
  /// - Returns: How many changes of layers there were; nil where nothing was sent.
  @discardableResult
  func commit(
    _ alongside: (WireConnection) throws(WireError) -> Bool = { _ in false }
  ) throws(OffscreenError) -> Int? {
    try dispatch()
    // By the server's clock, which is the system's.
    context.showSurfaces(at: Double(ProcessClock.monotonicNanoseconds) / 1e9)
    try keepPace()
    let changes: Int
    do {
      changes = try context.flush(as: UInt32(truncatingIfNeeded: commitsSent + 1))
    } catch {
      throw OffscreenError(error, label: context.label(error.layer))
    }
    if let failure = tree.wireFailure { throw lose(failure) }
    let hasMore = try talk { [context, tree] (wire) throws(WireError) in
      let isAhead = try context.sendAhead(to: tree)
      return try alongside(wire) || isAhead
    }
    guard changes > 0 || hasMore else { return nil }
    let number = commitsSent + 1
    let serial = UInt32(truncatingIfNeeded: number)
    try talk { [global] (wire) throws(WireError) in
      try wire.makeRoom()
      global.commit(serial: serial)
      try wire.flush()
    }
    commitsSent = number
    tree.count { $0.commits += 1 }
    pacing.committed(at: ProcessClock.monotonicNanoseconds)
    return changes
  }

  /// Sends what the server takes at once of more than that.
  private func sendPart() throws(WireError) {
    let earliest = pacing.earliest
    if earliest > ProcessClock.monotonicNanoseconds { try wire.rest(until: earliest) }
    commitsSent += 1
    try wire.makeRoom()
    global.commit(serial: UInt32(truncatingIfNeeded: commitsSent))
    try wire.flush()
    tree.count { $0.commits += 1 }
    pacing.committed(at: ProcessClock.monotonicNanoseconds)
  }

  /// Waits until the server has answered so many commits.
  func wait(for number: UInt64, or isDone: () -> Bool = { false }) throws(OffscreenError) {
    try talk { (wire) throws(WireError) in
      try wire.wait {
        settle()
        return isDone() || commitsAnswered >= number
      }
    }
    settle()
  }

  /// Tells of a refused commit, once.
  func throwRefusal() throws(OffscreenError) {
    guard let refusal else { return }
    self.refusal = nil
    throw refusal
  }

  /// Commits, and waits until the server has taken all of it.
  ///
  /// What is on its way is answered first: so nothing stands in the commit's way but what is in it.
  func settled(_ commit: () throws(OffscreenError) -> Int?) throws(OffscreenError) {
    try wait(for: commitsSent)
    guard try commit() != nil else { return }
    try wait(for: commitsSent)
    try throwRefusal()
  }

  /// Keeps a feedback until it is answered.
  func keep(_ feedback: Proxy<PortholeFeedbackV1>) {
    feedbacks.removeAll { !$0.isAlive }
    feedbacks.append(feedback)
  }

  private func keepPace() throws(OffscreenError) {
    if commitsSent - commitsAnswered >= CommitPacing.unanswered {
      try wait(for: commitsSent - CommitPacing.unanswered / 2)
    }
    let earliest = pacing.earliest
    if earliest > ProcessClock.monotonicNanoseconds {
      try talk { (wire) throws(WireError) in try wire.rest(until: earliest) }
      settle()
    }
  }

  /// Deals with what the server has answered.
  private func settle() {
    guard !answers.waiting.isEmpty else { return }
    let waiting = answers.waiting
    answers.waiting = []
    for answer in waiting {
      commitsAnswered += 1
      switch answer {
      case .committed(let serial):
        context.answered(serial, isAccepted: true)
        // What was refused went out again with the first commit after that was heard.
        if commitsAnswered > refusalHeardAfter { refusal = nil }
      case .refused(let serial, let layer, let property, let message):
        context.answered(serial, isAccepted: false)
        refusalHeardAfter = commitsSent
        tree.count { $0.commitsRefused += 1 }
        for entry in outputs { entry.output?.forgetWhatWasSent() }
        let label = layer.map { context.label($0) } ?? "a layer that is no more"
        refusal = OffscreenError(
          .invalidLayer, "the frame was refused because of \(label): \(message)", layer: layer, property: property)
      }
    }
  }

  // MARK: Failures

  func check() throws(OffscreenError) {
    do { try wire.check() } catch { throw OffscreenError(error) }
  }

  /// Does something with the wire, in the library's terms.
  func talk<Result>(
    _ body: (WireConnection) throws(WireError) -> Result
  ) throws(OffscreenError) -> Result {
    do throws(WireError) {
      try wire.check()
      return try body(wire)
    } catch {
      throw lose(error)
    }
  }

  private func lose(_ error: WireError) -> OffscreenError { OffscreenError(error) }
}

extension OffscreenError {
  init(_ error: WireError) {
    let code: Code =
      switch error {
      case .noAddress, .noServer, .missing: .noServer
      case .violation, .lost: .connectionLost
      case .closed: .closed
      case .timedOut, .noMemory: .failed
      }
    self.init(code, error.description)
  }
}
