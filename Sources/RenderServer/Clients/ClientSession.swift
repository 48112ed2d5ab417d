import Commit
import Diagnostics
import LinuxIO
import RenderTree
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One connection: its part of the tree, and the objects that stand for it on the wire.
final class ClientSession {
  unowned let server: ServerCore
  /// Nil for the server's own.
  let wire: ServerClient?
  let member: TreeClient
  /// Of the server's own user: may see everything.
  let isTrusted: Bool
  let connectedAt = ProcessClock.monotonicNanoseconds
  var name: String?
  private(set) var isEnded = false

  var layers: [LayerID: LayerObject] = [:]
  /// Outputs with pending changes.
  var changedOutputs: [OutputObject] = []
  /// Buffers that became contents since the last commit, each once.
  var usedBuffers: [any PictureBuffer] = []
  /// Dma-bufs that layers show.
  var lent = LentBuffers()
  /// Questions about the next commit.
  var feedbacks: [(feedback: FeedbackObject, output: OutputObject)] = []

  /// What it shows by Wayland's own protocols, once it does.
  var surfaces: SurfaceClient?

  init(server: ServerCore, wire: ServerClient?, isTrusted: Bool) {
    self.server = server
    self.wire = wire
    self.isTrusted = isTrusted
    member = server.tree.join(limits: server.options.limits)
  }

  /// Whose the object is.
  static func of(_ resource: AnyResource) throws(ProtocolViolation) -> ClientSession {
    guard let session = resource.client?.state as? ClientSession, !session.isEnded else { throw .noMemory }
    return session
  }

  var process: Int32 { wire?.process ?? getpid() }
  var user: UInt32 { wire?.user ?? geteuid() }

  var label: String { name.map { "“\($0)”" } ?? "process \(process)" }

  /// The connection is gone; its objects go after this.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    server.sessions[member.number] = nil
    if server.recorder?.session === self { server.stopRecording() }
    for output in server.outputs.values where output.session === self { output.end() }
    (changedOutputs, usedBuffers, feedbacks, layers) = ([], [], [], [:])
    lent = LentBuffers()
    surfaces?.end()
    surfaces = nil
    server.tell(server.tree.leave(member))
    server.treeChanged()
  }

  // MARK: Limits

  /// Does what a limit may forbid; where it does, the connection ends with the limit's own error.
  func limited<Result>(_ body: () throws(LimitViolation) -> Result) throws(ProtocolViolation) -> Result {
    do { return try body() } catch { throw violation(error) }
  }

  func violation(_ error: LimitViolation) -> ProtocolViolation {
    server.counters.violations += 1
    Log.info("server", "\(label) is ended: \(error)")
    return ProtocolViolation(PortholeV1.ErrorCode(rawValue: 32 + error.kind.rawValue), error.description)
  }

  func violation(_ error: SharedPoolError) -> ProtocolViolation {
    switch error {
    case .limit(let error): violation(error)
    case .memory(let error): violation(.badPool, error.description)
    }
  }

  func violation(_ code: PortholeV1.ErrorCode, _ message: String) -> ProtocolViolation {
    server.counters.violations += 1
    Log.info("server", "\(label) is ended: \(message)")
    return ProtocolViolation(code, message)
  }

  /// Counts a question that is not answered yet.
  func ask() throws(ProtocolViolation) {
    try limited { () throws(LimitViolation) in try member.account.add(.questions) }
  }

  func answered() { member.account.remove(.questions) }

  /// Reads an array of doubles of exactly this count.
  func doubles(_ array: RawSpan, _ count: Int, _ what: String) throws(ProtocolViolation) -> [Double] {
    guard array.byteCount == count * 8 else {
      throw violation(.badArray, "\(what): \(array.byteCount) bytes instead of \(count * 8)")
    }
    return array.withUnsafeBytes { bytes in
      (0..<count).map {
        Double(bitPattern: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: $0 * 8, as: UInt64.self)))
      }
    }
  }

  // MARK: Commits

  /// Applies what is pending, and answers.
  func commit(_ serial: UInt32, answerTo global: Resource<PortholeV1>) throws(ProtocolViolation) {
    // What is due by now comes before what the commit shows.
    if member.pending.concernsContents { server.showDue(ProcessClock.monotonicNanoseconds) }
    var losses = Losses()
    let refusal: CommitRefusal?
    do {
      refusal = try server.tree.commit(member, atNanoseconds: ProcessClock.monotonicNanoseconds, losses: &losses)
    } catch {
      switch error {
      case .limit(let error): throw violation(error)
      case .contents(let error): throw violation(.badPool, error.description)
      }
    }
    server.counters.commits += 1
    for buffer in usedBuffers { buffer.answered(serial, isAccepted: refusal == nil) }
    giveBack(member.takeUnusedPictures())
    usedBuffers.removeAll(keepingCapacity: true)
    let (changed, asked) = (changedOutputs, feedbacks)
    changedOutputs.removeAll(keepingCapacity: true)
    feedbacks.removeAll(keepingCapacity: true)
    if let refusal {
      server.counters.commitsRefused += 1
      for output in changed { output.dropPending() }
      for (feedback, _) in asked { feedback.discard() }
      global.sendRefused(
        serial: serial, reason: PortholeV1.Refusal(refusal.code), layer: layers[refusal.layer]?.resource,
        property: refusal.property, message: String(refusal.description.prefix(256)))
      return
    }
    for output in changed { output.adoptPending() }
    if !changed.isEmpty { try limited { () throws(LimitViolation) in try member.checkTextures() } }
    for (feedback, output) in asked { output.await(feedback) }
    global.sendCommitted(serial: serial)
    server.tell(losses)
    server.treeChanged()
  }
}

extension PortholeV1.Refusal {
  init(_ code: CommitError.Code) {
    switch code {
    case .unknownLayer: self = .unknownLayer
    case .layerExists: self = .layerExists
    case .cycle: self = .cycle
    case .notFinite: self = .notFinite
    case .outOfRange: self = .outOfRange
    case .notAPortal: self = .notAPortal
    }
  }
}
