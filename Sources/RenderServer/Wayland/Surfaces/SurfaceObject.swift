import Commit
import Diagnostics
import Geometry
import WaylandProtocol

/// What a surface is for. It never becomes another's kind.
enum SurfaceRoleKind: String {
  case subsurface, toplevel, popup, cursor
  case dragIcon = "drag icon"
}

/// What gives a surface its place, and hears of its commits.
protocol SurfaceRole: AnyObject {
  /// A buffer was attached, which does not count yet.
  func checkAttached() throws(ProtocolViolation)
  /// Before anything of a commit counts.
  func check(_ changes: SurfaceChanges) throws(ProtocolViolation)
  /// The surface's state is new, and its layers have it with the tree's next commit.
  func surfaceChanged() throws(ProtocolViolation)
  /// With a commit, another place of the picture is to be where the surface's corner was.
  func moved(by step: Point)
  /// The surface is gone before its role's object.
  func surfaceGone()
}

extension SurfaceRole {
  func checkAttached() throws(ProtocolViolation) {}
  /// Places are the layout's and the positioners' to say, so that a window never moves itself.
  func moved(by step: Point) {}
}

/// A client's `wl_surface`: a layer that holds another with the picture, and those of subsurfaces below and above it.
final class SurfaceObject: WlSurface.RequestHandler {
  let client: SurfaceClient
  /// In the surface's own units. Its bounds are the surface's or, of a window, the window's rectangle without its shadow.
  let layer: LayerID
  /// Shows the picture.
  let content: LayerID
  private(set) var resource: Resource<WlSurface>?

  private(set) var state = SurfaceState()
  private var pending = SurfaceChanges()
  /// Of a synchronised subsurface: what waits for its parent's commit.
  private var cached: SurfaceChanges?
  /// The buffer that was attached since the last commit.
  private var attached: (any SurfaceBuffer)??
  private var damage: [PixelRect] = []
  /// Damage in the surface's own units, where it is not known yet what these are in the buffer.
  private var surfaceDamage: [Rect] = []
  private var lastBox = Rect.zero
  /// The last picture that was read, shown or not.
  private var lastRead: Image?
  private let stream = ImageRevision.newStream()

  private(set) var roleKind: SurfaceRoleKind?
  weak var role: (any SurfaceRole)?
  weak var viewport: ViewportObject?
  var children = SurfaceStack()
  /// Waits for a frame that shows it.
  var echoes = SurfaceEchoes()
  private static let damageLimit = 16

  init(_ client: SurfaceClient) throws(ProtocolViolation) {
    self.client = client
    layer = try client.createLayer(named: "surface")
    content = try client.createLayer()
    try client.set(content, .contentsGravity(.resize))
    try client.set(content, .anchorPoint(Point(0.5, 0.5)))
    try client.set(layer, .isHidden(true))
    try client.insert(content, into: layer, at: 0)
  }

  func create(_ id: consuming NewID<WlSurface>) throws(ProtocolViolation) {
    resource = try id.create(self)
    client.add(self)
  }

  func destroyed(_ resource: Resource<WlSurface>) {
    self.resource = nil
    role?.surfaceGone()
    role = nil
    if !client.isEnded { client.compositor.seat.lost(self) }
    echoes.discard()
    pending.echoes.discard()
    cached?.echoes.discard()
    viewport?.surfaceGone()
    children.letGo()
    client.letGo(of: state.hold)
    (state, pending, cached) = (SurfaceState(), SurfaceChanges(), nil)
    client.remove(self)
    client.release(content)
    client.release(layer)
    client.commitLater()
  }

  var isMapped: Bool { state.picture != nil }
  var size: Size { state.size }

  // MARK: Roles

  /// Gives the surface a role, unless it has had another kind of one.
  /// - Returns: false where it has.
  func take(_ kind: SurfaceRoleKind, _ role: any SurfaceRole) -> Bool {
    guard roleKind == nil || roleKind == kind, self.role == nil else { return false }
    roleKind = kind
    self.role = role
    return true
  }

  /// Whether something is attached, or shown.
  var hasBuffer: Bool { isMapped || attached.flatMap { $0 } != nil }

  // MARK: Requests

  func destroy(_ resource: Resource<WlSurface>) throws(ProtocolViolation) {}

  func attach(
    _ resource: Resource<WlSurface>, buffer: Resource<WlBuffer>?, x: Int32, y: Int32
  ) throws(ProtocolViolation) {
    if resource.version >= 5, x != 0 || y != 0 {
      throw ProtocolViolation(WlSurface.ErrorCode.invalidOffset, "attach with an offset; use wl_surface.offset")
    }
    if buffer != nil { try role?.checkAttached() }
    if x != 0 || y != 0 { move(by: Point(Double(x), Double(y))) }
    attached = .some(buffer?.handler as? any SurfaceBuffer)
  }

  func offset(_ resource: Resource<WlSurface>, x: Int32, y: Int32) throws(ProtocolViolation) {
    move(by: Point(Double(x), Double(y)))
  }

  private func move(by step: Point) { pending.step = step }

  func damage(
    _ resource: Resource<WlSurface>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    guard surfaceDamage.count < Self.damageLimit else {
      surfaceDamage[0] = Rect(x: -1e9, y: -1e9, width: 2e9, height: 2e9)
      return
    }
    surfaceDamage.append(Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height)))
  }

  func damageBuffer(
    _ resource: Resource<WlSurface>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    let rect = PixelRect(
      minX: max(0, x), minY: max(0, y), maxX: Int32(clamping: Int64(x) + Int64(width)),
      maxY: Int32(clamping: Int64(y) + Int64(height)))
    guard rect.minX < rect.maxX, rect.minY < rect.maxY else { return }
    if damage.count < Self.damageLimit { damage.append(rect) } else { damage[0] = damage[0].union(rect) }
  }

  func frame(_ resource: Resource<WlSurface>, callback: consuming NewID<WlCallback>) throws(ProtocolViolation) {
    try client.limited { () throws(LimitViolation) in
      let limit = client.member.account.limits[.questions]
      guard UInt64(pending.echoes.callbacks.count + echoes.callbacks.count) < limit else {
        throw LimitViolation(kind: .questions, limit: limit)
      }
    }
    pending.echoes.add(try callback.create(CallbackHandler()))
  }

  func ask(_ feedback: consuming NewID<WpPresentationFeedback>) throws(ProtocolViolation) {
    pending.echoes.add(try feedback.create(FeedbackHandler()))
  }

  /// What is opaque is known from the pixels' format; where a client says more of it, wrongly at times, nothing is drawn by it.
  func setOpaqueRegion(_ resource: Resource<WlSurface>, region: Resource<WlRegion>?) throws(ProtocolViolation) {}

  func setInputRegion(_ resource: Resource<WlSurface>, region: Resource<WlRegion>?) throws(ProtocolViolation) {
    pending.input = .some((region?.handler as? RegionObject)?.region)
  }

  func setBufferTransform(
    _ resource: Resource<WlSurface>, transform: WlOutput.Transform
  ) throws(ProtocolViolation) {
    guard let transform = BufferTransform(transform) else {
      throw ProtocolViolation(WlSurface.ErrorCode.invalidTransform, "there is no transform \(transform.rawValue)")
    }
    pending.transform = transform
  }

  func setBufferScale(_ resource: Resource<WlSurface>, scale: Int32) throws(ProtocolViolation) {
    guard scale > 0 else { throw ProtocolViolation(WlSurface.ErrorCode.invalidScale, "a scale of \(scale)") }
    pending.scale = Int(scale)
  }

  /// Said by a viewport.
  func setSource(_ source: Rect?) { pending.source = .some(source) }
  func setDestination(_ size: Size?) { pending.destination = .some(size) }

  /// Said by an `xdg_surface`.
  func setGeometry(_ geometry: Rect) { pending.geometry = geometry }

  func commit(_ resource: Resource<WlSurface>) throws(ProtocolViolation) {
    try readAttached()
    var changes = SurfaceChanges()
    swap(&changes, &pending)
    try role?.check(changes)
    children.schedule()
    if let subsurface = role as? SubsurfaceObject, subsurface.isSynchronized {
      if cached == nil { cached = changes } else { cached?.absorb(changes) }
      return
    }
    if var earlier = cached {
      cached = nil
      earlier.absorb(changes)
      changes = earlier
    }
    try apply(changes)
    try client.commit()
  }

  // MARK: Commits

  /// Takes the picture that was attached; a buffer that it is copied from goes back at once.
  private func readAttached() throws(ProtocolViolation) {
    defer { (attached, damage, surfaceDamage) = (nil, [], []) }
    guard case .some(let attached) = attached else { return }
    guard let buffer = attached else {
      pending.picture = .some(nil)
      lastRead = nil
      return
    }
    let picture = try buffer.take(stream: stream, after: lastRead, damage: damageInBuffer(of: buffer.size))
    lastRead = picture.image
    pending.picture = .some(picture)
  }

  /// What is to be read anew; nil for everything.
  private func damageInBuffer(of size: PixelSize) -> [PixelRect]? {
    let whole = PixelRect(size: size)
    var rects = damage
    if !surfaceDamage.isEmpty {
      let scale = Double(pending.scale ?? cached?.scale ?? state.scale)
      let isPlain =
        (pending.transform ?? cached?.transform ?? state.transform) == .normal
        && (pending.source ?? cached?.source ?? state.source) == nil
        && (pending.destination ?? cached?.destination ?? state.destination) == nil
      guard isPlain else { return nil }
      rects += surfaceDamage.map { rect in
        PixelRect(
          enclosing: Rect(
            x: rect.x * scale, y: rect.y * scale, width: rect.width * scale, height: rect.height * scale))
      }
    }
    // One that says nothing of damage has changed nothing; what of it is read stays what it was.
    return rects.map { $0.intersection(whole) }.filter { $0.minX < $0.maxX && $0.minY < $0.maxY }
  }

  /// Shows the changes: they are in the tree with its next commit.
  func apply(_ changes: SurfaceChanges) throws(ProtocolViolation) {
    let last = state
    state.apply(changes)
    echoes.absorb(changes.echoes)
    try checkSizes()
    if changes.input != nil || changes.geometry != nil || size != last.size || state.transform != last.transform
      || isMapped != (last.picture != nil)
    {
      client.compositor.seat.needsRefocus = true
    }
    if case .some(let picture) = changes.picture {
      try client.show(picture?.image, in: content)
      client.letGo(of: last.hold)
    }
    try place(after: last)
    try children.apply(in: self)
    if let step = changes.step { role?.moved(by: step) }
    try role?.surfaceChanged()
    client.compositor.surfaceCommitted(self)
  }

  /// A synchronised subsurface's parent has committed.
  func applyCached() throws(ProtocolViolation) {
    if let changes = cached {
      cached = nil
      try apply(changes)
    } else {
      try children.apply(in: self)
    }
  }

  private func checkSizes() throws(ProtocolViolation) {
    guard let picture = state.picture, let whole = state.bufferSize else { return }
    if state.scale > 1, picture.width % state.scale != 0 || picture.height % state.scale != 0 {
      throw ProtocolViolation(
        WlSurface.ErrorCode.invalidSize,
        "a buffer of \(picture.width) × \(picture.height) pixels is no multiple of its scale \(state.scale)")
    }
    try viewport?.check(state.source, state.destination, whole)
  }

  private func place(after last: SurfaceState) throws(ProtocolViolation) {
    let size = state.size
    guard isMapped else {
      if last.picture != nil { try client.set(layer, .isHidden(true)) }
      return
    }
    if last.picture == nil { try client.set(layer, .isHidden(false)) }
    let box = (role as? WindowSurface)?.geometry ?? Rect(origin: .zero, size: size)
    if box != lastBox { try client.set(layer, .bounds(box)) }
    lastBox = box
    if size != last.size || state.transform != last.transform {
      try client.set(content, .bounds(Rect(origin: .zero, size: state.transform.apply(size))))
      try client.set(content, .position(Point(size.width / 2, size.height / 2)))
      try client.set(content, .transform(state.transform.undone))
    }
    if state.shownPart != last.shownPart { try client.set(content, .contentsRect(state.shownPart)) }
  }
}
