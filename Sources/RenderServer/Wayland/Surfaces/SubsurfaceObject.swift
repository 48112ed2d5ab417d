import Commit
import Geometry
import WaylandProtocol

/// Order and places of a surface and its subsurfaces, from back to front: as asked for, and as shown.
struct SurfaceStack {
  /// The surface itself is nil.
  private var order: [SubsurfaceObject?] = [nil]
  private var isChanged = false
  /// The order as of the parent's last commit, where that is not shown yet.
  private var scheduled: [SubsurfaceObject?]?

  mutating func add(_ child: SubsurfaceObject) {
    order.append(child)
    isChanged = true
  }

  mutating func remove(_ child: SubsurfaceObject) {
    order.removeAll { $0 === child }
    scheduled?.removeAll { $0 === child }
  }

  /// Puts a child beside another one, or beside the surface itself.
  mutating func move(_ child: SubsurfaceObject, beside sibling: SubsurfaceObject?, isAbove: Bool) {
    order.removeAll { $0 === child }
    guard let place = order.firstIndex(where: { $0 === sibling }) else { return }
    order.insert(child, at: isAbove ? place + 1 : place)
    isChanged = true
  }

  /// The surface is gone: its subsurfaces show nothing any more.
  mutating func letGo() {
    for child in order { child?.parentGone() }
    (order, scheduled) = ([nil], nil)
  }

  /// The parent has committed: order and places as they were asked for until now are shown with what it has committed.
  mutating func schedule() {
    if isChanged {
      isChanged = false
      scheduled = order
    }
    for child in order { child?.schedule() }
  }

  /// Shows order and places as of the parent's last commit, and what synchronised subsurfaces have committed.
  mutating func apply(in parent: SurfaceObject) throws(ProtocolViolation) {
    if let scheduled {
      self.scheduled = nil
      parent.client.compositor.seat.needsRefocus = true
      for (index, child) in scheduled.enumerated() {
        try parent.client.insert(child?.surface?.layer ?? parent.content, into: parent.layer, at: index)
      }
    }
    let order = order
    for child in order { try child?.parentCommitted() }
  }
}

/// A client's `wl_subsurface`.
final class SubsurfaceObject: WlSubsurface.RequestHandler, SurfaceRole {
  private(set) weak var surface: SurfaceObject?
  private(set) weak var parent: SurfaceObject?
  private var wantsSynchronized = true
  private var position: Point?
  /// As of the parent's last commit, where that is not shown yet.
  private var scheduled: Point?

  init(_ surface: SurfaceObject, of parent: SurfaceObject) { (self.surface, self.parent) = (surface, parent) }

  /// Its commits wait for its parent's: by its own mode, or since its parent's do.
  var isSynchronized: Bool {
    var current: SubsurfaceObject? = self
    while let subsurface = current {
      if subsurface.wantsSynchronized { return true }
      current = subsurface.parent?.role as? SubsurfaceObject
    }
    return false
  }

  func check(_ changes: SurfaceChanges) throws(ProtocolViolation) {}

  func surfaceChanged() throws(ProtocolViolation) {}

  func surfaceGone() { leave() }

  func parentGone() {
    if let surface { surface.client.takeOut(surface.layer) }
    parent = nil
  }

  func schedule() {
    scheduled = position ?? scheduled
    position = nil
  }

  func parentCommitted() throws(ProtocolViolation) {
    guard let surface else { return }
    if let scheduled {
      surface.client.compositor.seat.needsRefocus = true
      try surface.client.set(surface.layer, .position(scheduled))
    }
    scheduled = nil
    if isSynchronized { try surface.applyCached() }
  }

  private func leave() {
    parent?.children.remove(self)
    if let surface { surface.client.takeOut(surface.layer) }
    (parent, surface) = (nil, nil)
  }

  // MARK: Requests

  func destroy(_ resource: Resource<WlSubsurface>) throws(ProtocolViolation) {}

  func destroyed(_ resource: Resource<WlSubsurface>) {
    guard let surface else { return }
    surface.role = nil
    leave()
    surface.client.commitLater()
  }

  func setPosition(_ resource: Resource<WlSubsurface>, x: Int32, y: Int32) throws(ProtocolViolation) {
    position = Point(Double(x), Double(y))
  }

  func placeAbove(_ resource: Resource<WlSubsurface>, sibling: Resource<WlSurface>) throws(ProtocolViolation) {
    try move(beside: sibling, isAbove: true)
  }

  func placeBelow(_ resource: Resource<WlSubsurface>, sibling: Resource<WlSurface>) throws(ProtocolViolation) {
    try move(beside: sibling, isAbove: false)
  }

  private func move(beside sibling: Resource<WlSurface>, isAbove: Bool) throws(ProtocolViolation) {
    guard let parent, let sibling = sibling.handler as? SurfaceObject else { return }
    let other = sibling.role as? SubsurfaceObject
    guard sibling === parent || other?.parent === parent && other !== self else {
      throw ProtocolViolation(WlSubsurface.ErrorCode.badSurface, "the surface is neither a sibling nor the parent")
    }
    parent.children.move(self, beside: sibling === parent ? nil : other, isAbove: isAbove)
  }

  func setSync(_ resource: Resource<WlSubsurface>) throws(ProtocolViolation) { wantsSynchronized = true }

  func setDesync(_ resource: Resource<WlSubsurface>) throws(ProtocolViolation) {
    let wasSynchronized = isSynchronized
    wantsSynchronized = false
    // What it has committed before counts now.
    guard wasSynchronized, !isSynchronized, let surface else { return }
    try surface.applyCached()
    try surface.client.commit()
  }
}

/// A client's `wl_subcompositor`.
final class SubcompositorObject: WlSubcompositor.RequestHandler {
  func destroy(_ resource: Resource<WlSubcompositor>) throws(ProtocolViolation) {}

  func getSubsurface(
    _ resource: Resource<WlSubcompositor>, id: consuming NewID<WlSubsurface>, surface: Resource<WlSurface>,
    parent: Resource<WlSurface>
  ) throws(ProtocolViolation) {
    guard let surface = surface.handler as? SurfaceObject, let parent = parent.handler as? SurfaceObject else { return }
    var ancestor: SurfaceObject? = parent
    while let current = ancestor {
      guard current !== surface else {
        throw ProtocolViolation(WlSubcompositor.ErrorCode.badSurface, "a surface can't be its own ancestor")
      }
      ancestor = (current.role as? SubsurfaceObject)?.parent
    }
    let object = SubsurfaceObject(surface, of: parent)
    guard surface.take(.subsurface, object) else {
      throw ProtocolViolation(
        WlSubcompositor.ErrorCode.badSurface, "the surface is a \(surface.roleKind?.rawValue ?? "surface") already")
    }
    try id.create(object)
    parent.children.add(object)
  }
}
