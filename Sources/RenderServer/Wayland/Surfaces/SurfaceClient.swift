import Commit
import Diagnostics
import Geometry
import RenderTree
import WaylandProtocol

/// What a program that knows nothing of portals has: its surfaces, in its part of the tree.
final class SurfaceClient {
  unowned let session: ClientSession
  let member: TreeClient
  /// By their layers: those that have the pictures.
  private(set) var surfaces: [LayerID: SurfaceObject] = [:]
  /// Those that hold one each, with its subsurfaces.
  private var frames: Set<LayerID> = []
  /// What surfaces have said since their last commit, apart from what the same connection says by `porthole_v1`, which
  /// commits for itself.
  private var pending = PendingChanges()
  private var isDirty = false
  /// Buffers whose pictures the tree shows no more from its next commit on.
  private var spent: [BufferHold] = []
  private(set) var isEnded = false

  var server: ServerCore { session.server }
  /// Gone only with the server.
  let compositor: Compositor

  init(_ session: ClientSession, _ compositor: Compositor) {
    self.session = session
    self.compositor = compositor
    member = session.member
  }

  /// Whose the object is, with a part of the tree from the first time on.
  static func of(_ resource: AnyResource) throws(ProtocolViolation) -> SurfaceClient {
    let session = try ClientSession.of(resource)
    if let client = session.surfaces { return client }
    guard let compositor = session.server.compositor else { throw .noMemory }
    let client = SurfaceClient(session, compositor)
    session.surfaces = client
    return client
  }

  /// The connection is gone; its objects go after this.
  func end() {
    guard !isEnded else { return }
    isEnded = true
    compositor.forget(self)
    surfaces = [:]
    spent = []
  }

  func add(_ surface: SurfaceObject) {
    surfaces[surface.content] = surface
    frames.insert(surface.layer)
  }

  func remove(_ surface: SurfaceObject) {
    surfaces[surface.content] = nil
    frames.remove(surface.layer)
    compositor.forget(surface)
  }

  func isFrame(_ layer: LayerID) -> Bool { frames.contains(layer) }

  // MARK: Limits

  func violation(_ error: LimitViolation) -> ProtocolViolation {
    server.counters.violations += 1
    Log.info("server", "\(session.label) is ended: \(error)")
    return .exhausted(error.description)
  }

  func limited<Result>(_ body: () throws(LimitViolation) -> Result) throws(ProtocolViolation) -> Result {
    do { return try body() } catch { throw violation(error) }
  }

  // MARK: The tree

  /// Has the tree told something with the next commit of surfaces.
  private func say(_ body: () throws(LimitViolation) -> Void) throws(ProtocolViolation) {
    isDirty = true
    swap(&pending, &member.pending)
    defer { swap(&pending, &member.pending) }
    try limited(body)
  }

  func createLayer(named name: String? = nil) throws(ProtocolViolation) -> LayerID {
    let layer = try limited { () throws(LimitViolation) in try server.tree.createLayer(member, .layer) }
    session.layers[layer] = LayerObject(session, layer, .layer, name: name)
    try set(layer, .anchorPoint(.zero))
    if let name { try set(layer, .name(name)) }
    return layer
  }

  func rename(_ layer: LayerID, _ name: String) throws(ProtocolViolation) {
    session.layers[layer]?.name = name
    try set(layer, .name(name))
  }

  func set(_ layer: LayerID, _ property: PropertyChange) throws(ProtocolViolation) {
    try say { () throws(LimitViolation) in try member.set(layer, property) }
  }

  func show(_ image: Image?, in layer: LayerID) throws(ProtocolViolation) {
    let source = image.map { HeldPicture($0) }
    try say { () throws(LimitViolation) in try member.setContents(layer, source) }
  }

  func insert(_ child: LayerID, into parent: LayerID, at index: Int) throws(ProtocolViolation) {
    try say { () throws(LimitViolation) in try member.insert(child, into: parent, at: index) }
  }

  func takeOut(_ layer: LayerID) {
    guard !isEnded else { return }
    do { try say { () throws(LimitViolation) in try member.removeFromParent(layer) } } catch {
      Log.warning("server", "\(session.label): \(error)")
    }
  }

  func release(_ layer: LayerID) {
    guard !isEnded else { return }
    isDirty = true
    session.layers[layer] = nil
    swap(&pending, &member.pending)
    member.release(layer)
    swap(&pending, &member.pending)
  }

  /// The tree's next commit shows something else.
  func letGo(of hold: BufferHold?) { if let hold, !isEnded { spent.append(hold) } }

  /// Has the tree show it before the loop waits: where there is no request that an error could be the answer to.
  func commitLater() { if !isEnded { compositor.commitLater(self) } }

  /// Has the tree show what was said since the last time.
  func commit() throws(ProtocolViolation) {
    guard isDirty, !isEnded else { return }
    isDirty = false
    var losses = Losses()
    let refusal: CommitRefusal?
    swap(&pending, &member.pending)
    defer { swap(&pending, &member.pending) }
    do {
      // A program may commit as often as it likes, such as one that measures how often it can.
      refusal = try server.tree.commit(
        member, atNanoseconds: ProcessClock.monotonicNanoseconds, losses: &losses, isCounted: false)
    } catch {
      isDirty = true
      switch error {
      case .limit(let error): throw violation(error)
      case .contents(let error): throw .exhausted(error.description)
      }
    }
    spent = []
    server.counters.commits += 1
    // What surfaces say is made of whole numbers that were looked at, so that the tree has nothing to refuse.
    if let refusal { Log.error("server", "a surface of \(session.label) is not shown: \(refusal)") }
    server.tell(losses)
    server.treeChanged(isMoved: false)
    // At once, so that a client which asks whether its commit has arrived hears of the pointer before the answer.
    compositor.seat.refocus()
  }
}

/// A picture that was read already.
private final class HeldPicture: PixelSource {
  private let image: Image

  init(_ image: Image) { self.image = image }

  var byteCount: UInt64 { UInt64(clamping: image.size.area) * 4 }

  var form: ImageRevision.Form { ImageRevision.Form(image) }

  /// It says already which one it takes the place of.
  func read(as revision: ImageRevision?) throws(ContentsError) -> Image { image }
}
