import Diagnostics
import GLES
import LinuxIO
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// What a server is made of: an event loop that clients commit to, and a render thread that draws what they committed.
///
/// It belongs to the thread that runs it. Snapshots are made there, and planned and drawn on the render thread; neither
/// waits for the other. Sessions, objects and callbacks of the loop refer to it without keeping it: whoever makes it calls
/// `close` before letting go of it, as `RenderServer` does.
final class ServerCore {
  let options: ServerOptions
  let tree = ClientTree()
  let loop: EventLoop
  let display: ServerDisplay
  let alarm: Alarm
  let stage: RenderStage
  let writer: PictureWriter
  var sessions: [ClientNumber: ClientSession] = [:]
  var outputs: [OutputNumber: OutputObject] = [:]
  var exports: [ExportID: ExportObject] = [:]
  var imports: [ImportID: ImportObject] = [:]
  /// Layers that are being drawn alone, by ticket.
  var layerCaptures: [UInt64: CaptureObject] = [:]
  /// What waits until the driver has tried to import a dma-buf, by ticket; called with why it can't.
  var attempts: [UInt64: (String?) -> Void] = [:]
  /// What waits until the render thread has done what it was given, by ticket.
  var whenDone: [UInt64: () -> Void] = [:]
  var counters = ServerCounters()
  /// The trace that is being written.
  var recorder: TraceRecorder?
  /// For programs that know nothing of portals; nil where the server is none to them.
  private(set) var compositor: Compositor?
  /// For people who look at outputs in a browser; nil where nobody may.
  private(set) var view: ViewHost?
  private var animationTimer: AnimationTimer?
  private var listeners: [ListeningSocket] = []
  private var nextNumber: UInt64 = 1
  private var stageMessages: [StageMessage] = []
  private var outputsToConsider: Set<OutputNumber> = []
  private var isDraining = false
  private var listening: [EventLoop.Token] = []
  /// Called on the loop for each of the signals that the server was made with.
  var whenSignalled: ((Int32) -> Void)?

  /// Opens the display and starts the threads; nobody can connect yet.
  /// - Parameter signals: those that `whenSignalled` is called for, instead of what they would do.
  init(_ options: ServerOptions, signals: [Int32]) throws(ServerError) {
    self.options = options
    WaylandLog.install()
    signal(SIGPIPE, SIG_IGN)
    do {
      loop = try EventLoop()
      display = try ServerDisplay()
      alarm = try Alarm(loop)
    } catch {
      throw ServerError(error)
    }
    // Before the threads, which take over that the signals are blocked.
    let box = SignalBox()
    if !signals.isEmpty {
      do { try loop.watchSignals(signals) { box.server?.whenSignalled?($0) } } catch { throw ServerError(error) }
    }
    stage = try RenderStage(options.display)
    writer = try PictureWriter(loop: loop)
    do throws(SystemCallError) { try start() } catch { throw ServerError(error) }
    box.server = self
    if let desk = options.desk { compositor = try Compositor(self, desk) }
    if let place = options.view { view = try ViewHost(self, place) }
  }

  private final class SignalBox { weak var server: ServerCore? }

  private func start() throws(SystemCallError) {
    try display.offer(PortholeV1.self) { [unowned self] id throws(ProtocolViolation) in try bind(id) }
    try display.offer(PortholeInspectorV1.self) { [unowned self] id throws(ProtocolViolation) in try inspect(id) }
    display.isVisible = { client, name in
      guard name == PortholeInspectorV1.name else { return true }
      return (client.state as? ClientSession)?.isTrusted ?? false
    }
    animationTimer = try AnimationTimer(self)
    try loop.watch(display.pollDescriptor, for: .read) { [unowned self] _ in display.dispatch() }
    try loop.watch(stage.results) { [unowned self] in takeResults() }
    loop.beforeWaiting = { [unowned self] in
      compositor?.beforeWaiting()
      considerOutputs()
      animationTimer?.beforeWaiting()
      display.flush()
    }
  }

  // MARK: Life

  /// The device that draws.
  var device: DeviceReport { stage.report }

  /// Lets clients connect to a socket of the server's own.
  /// - Returns: its path.
  func listen(runtimeFolder: String?) throws(ServerError) -> String {
    let socket = try ListeningSocket(options.socket, runtimeFolder: runtimeFolder)
    do { try watch(socket.descriptor.rawValue) } catch { throw ServerError(error) }
    listeners.append(socket)
    return socket.path
  }

  /// Lets clients connect to a socket that somebody else has bound and listens on, and that stays open.
  func listen(onActivated descriptor: Int32) throws(ServerError) {
    let flags = fcntl(descriptor, F_GETFL)
    guard flags >= 0, fcntl(descriptor, F_SETFL, flags | O_NONBLOCK) == 0,
      fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0
    else { throw ServerError(.system, "descriptor \(descriptor) is not open") }
    do { try watch(descriptor) } catch { throw ServerError(error) }
  }

  private func watch(_ descriptor: Int32) throws(SystemCallError) {
    let token = try loop.watch(descriptor, for: .read) { [unowned self] _ in
      // A few at a time, so that a flood of connections does not hold up who is connected.
      for _ in 0..<8 {
        let fd = accept(descriptor, nil, nil)
        guard fd >= 0 else { return }
        let socket = FileDescriptor(adopting: fd)
        _ = fcntl(fd, F_SETFD, FD_CLOEXEC)
        do { try serve(socket) } catch { Log.warning("server", "a client could not be served: \(error)") }
      }
    }
    listening.append(token)
  }

  /// Serves a connected socket, unless its user may not connect or there are too many connections.
  /// - Returns: the client; nil for one that was refused.
  @discardableResult
  func serve(_ socket: consuming FileDescriptor) throws(ServerError) -> ClientNumber? {
    let client: ServerClient
    do { client = try display.serve(socket) } catch { throw ServerError(error) }
    let own = geteuid()
    guard client.user == own || options.allowedUsers.contains(client.user) else {
      Log.warning("server", "user \(client.user), process \(client.process), may not connect; see --allow-uid")
      client.disconnect()
      return nil
    }
    guard sessions.count < options.connectionLimit, !isDraining else {
      Log.warning("server", "process \(client.process) may not connect: there are \(sessions.count) connections")
      client.disconnect()
      return nil
    }
    let session = ClientSession(server: self, wire: client, isTrusted: client.user == own)
    sessions[session.member.number] = session
    client.state = session
    client.whenEnded = { [unowned session] _ in session.end() }
    counters.connections += 1
    return session.member.number
  }

  /// Serves until `stop`.
  func run() throws(ServerError) {
    do { try loop.run() } catch { throw ServerError(error) }
  }

  /// Waits for something to happen once, no longer than the milliseconds given, and does what is to be done.
  func runOnce(timeoutMilliseconds: Int32) throws(ServerError) {
    do { try loop.runOnce(timeoutMilliseconds: timeoutMilliseconds) } catch { throw ServerError(error) }
  }

  func stop() { loop.stop() }

  /// Takes no more connections, and does what is in hand: frames that are being drawn and pictures that are being written,
  /// for as long as it is given.
  func drain(milliseconds: Int) throws(ServerError) {
    isDraining = true
    for token in listening { loop.remove(token) }
    listening.removeAll()
    let end = ProcessClock.monotonicNanoseconds &+ UInt64(clamping: milliseconds) &* 1_000_000
    while isBusy, ProcessClock.monotonicNanoseconds < end { try runOnce(timeoutMilliseconds: 20) }
    display.flush()
  }

  private var isBusy: Bool {
    writer.isBusy || !layerCaptures.isEmpty || outputs.values.contains(where: \.isBusy)
  }

  /// Ends every connection and the threads, after the frames in hand. A second call does nothing.
  func close() {
    isDraining = true
    for token in listening { loop.remove(token) }
    listening.removeAll()
    listeners.removeAll()
    view?.close()
    display.close()
    stage.close()
    writer.close()
  }

  /// A test's way to lose the device.
  func loseDevice() { stage.loseDevice() }

  // MARK: What happens in a turn

  func newNumber() -> UInt64 {
    defer { nextNumber += 1 }
    return nextNumber
  }

  /// Something was committed, or somebody has left: outputs that show it are due.
  /// - Parameter isMoved: something else may lie under the pointer.
  func treeChanged(isMoved: Bool = true) {
    outputsToConsider.formUnion(outputs.keys)
    if isMoved { compositor?.seat.needsRefocus = true }
  }

  /// Looks after an output before the loop waits.
  func consider(_ output: OutputNumber) { outputsToConsider.insert(output) }

  private func considerOutputs() {
    guard !outputsToConsider.isEmpty else { return }
    let due = outputsToConsider
    outputsToConsider.removeAll(keepingCapacity: true)
    for number in due { outputs[number]?.consider() }
  }

  /// Has the driver try to import a dma-buf.
  /// - Parameter whenTried: called on the loop, with why it can't; nil where it can.
  func attempt(_ buffer: DmaBuffer, whenTried: @escaping (String?) -> Void) {
    let ticket = newNumber()
    attempts[ticket] = whenTried
    stage.attempt(buffer, ticket: ticket)
  }

  /// Has something done once everything that the render thread was given so far is done, by the GPU too.
  func afterFrames(_ body: @escaping () -> Void) {
    let ticket = newNumber()
    whenDone[ticket] = body
    stage.sayWhenDone(ticket)
  }

  /// Tells importers that there is nothing to show any more.
  func tell(_ losses: Losses) {
    for id in losses.imports { imports.removeValue(forKey: id)?.becomeUnavailable() }
    if !losses.imports.isEmpty { treeChanged() }
  }

  private func takeResults() {
    stage.results.take(into: &stageMessages)
    for message in stageMessages {
      switch message {
      case .frame(let outcome):
        if outcome.lostDevice {
          counters.devicesLost += 1
          for output in outputs.values where output.number != outcome.output {
            output.needsDrawing = true
            consider(output.number)
          }
        }
        if outcome.result == .drawn {
          counters.framesDrawn += 1
          counters.lastFrame = outcome.counters
          counters.pictureBytes &+= UInt64(clamping: outcome.pictureBytes)
          counters.copiedPixels &+= UInt64(clamping: outcome.copiedPixels)
        }
        outputs[outcome.output]?.finish(outcome)
      case .pixels(let output, let reading, let pixels): outputs[output]?.take(pixels, of: reading)
      case .layer(let ticket, let pixels):
        layerCaptures.removeValue(forKey: ticket)?.takeLayer(pixels)
      case .copied(let output, let ticket, let isWhole): outputs[output]?.copied(ticket, isWhole: isWhole)
      case .tried(let ticket, let fault): attempts.removeValue(forKey: ticket)?(fault)
      case .done(let ticket): whenDone.removeValue(forKey: ticket)?()
      }
    }
    stageMessages.removeAll(keepingCapacity: true)
  }
}
