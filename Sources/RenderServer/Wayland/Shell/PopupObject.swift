import Commit
import Geometry
import WaylandProtocol

/// A client's `xdg_popup`: a surface in front of its parent's, beside what it belongs to.
final class PopupObject: XdgPopup.RequestHandler, WindowKind {
  let window: WindowSurface
  private(set) weak var parent: WindowSurface?
  var resource: Resource<XdgPopup>?
  private var positioner: Positioner
  private var isShown = false
  private(set) var hasGrab = false
  /// Where its client was told that it is.
  private var toldPlace: Rect?

  init(_ window: WindowSurface, _ parent: WindowSurface, _ positioner: Positioner) {
    (self.window, self.parent, self.positioner) = (window, parent, positioner)
  }

  /// The popup's rectangle, in its parent's window.
  private var place: Rect {
    guard let parent, let surface = parent.surface else { return Rect(origin: .zero, size: positioner.size) }
    let corner = window.compositor.desk.origin(of: surface)
    let desk = window.compositor.desk.size
    let geometry = parent.geometry
    return positioner.place(
      within: Rect(
        x: -corner.x - geometry.x, y: -corner.y - geometry.y, width: desk.width, height: desk.height))
  }

  func destroy(_ resource: Resource<XdgPopup>) throws(ProtocolViolation) {
    guard window.shell.popups.last === self || !window.shell.popups.contains(where: { $0.parent === window }) else {
      throw window.posted(.notTheTopmostPopup, "a popup above it is not destroyed")
    }
  }

  func destroyed(_ resource: Resource<XdgPopup>) {
    self.resource = nil
    window.end(self)
  }

  func leave() {
    window.shell.popups.removeAll { $0 === self }
    window.compositor.seat.grab.remove(self)
    guard let surface else { return }
    surface.client.takeOut(surface.layer)
    window.compositor.seat.lost(surface)
    isShown = false
  }

  func grab(_ resource: Resource<XdgPopup>, seat: Resource<WlSeat>, serial: UInt32) throws(ProtocolViolation) {
    guard !isShown else {
      throw ProtocolViolation(XdgPopup.ErrorCode.invalidGrab, "a grab after the popup was shown")
    }
    let above = parent?.kind as? PopupObject
    guard above?.hasGrab ?? true else {
      throw ProtocolViolation(XdgPopup.ErrorCode.invalidGrab, "a grab above a popup that has none")
    }
    let grab = window.compositor.seat.grab
    if let top = grab.top, top !== above, top.surface?.client === surface?.client {
      throw window.posted(.notTheTopmostPopup, "a grab beside the topmost popup, and not above it")
    }
    hasGrab = true
    grab.add(self)
  }

  func reposition(
    _ resource: Resource<XdgPopup>, positioner: Resource<XdgPositioner>, token: UInt32
  ) throws(ProtocolViolation) {
    guard let wanted = (positioner.handler as? PositionerObject)?.positioner, wanted.isComplete else {
      throw window.posted(.invalidPositioner, "a positioner without a size or an anchor rectangle")
    }
    self.positioner = wanted
    resource.sendRepositioned(token: token)
    window.configure()
    try move()
    try surface?.client.commit()
  }

  /// What it belongs to is elsewhere on the desk: one that wants to is placed anew.
  func parentMoved() {
    guard positioner.isReactive, isShown, place != toldPlace else { return }
    window.configure()
    do { try move() } catch { return }
    surface?.client.commitLater()
  }

  /// A press outside of the popups of a grab ends them.
  func dismiss() { resource?.sendPopupDone() }

  // MARK: The window

  func sendConfigure() {
    let place = place
    toldPlace = place
    resource?.sendConfigure(
      x: Int32(clamping: Int(place.x)), y: Int32(clamping: Int(place.y)), width: Int32(clamping: Int(place.width)),
      height: Int32(clamping: Int(place.height)))
  }

  func mapChanged() throws(ProtocolViolation) {
    guard let surface else { return }
    guard surface.isMapped, let parent = parent?.surface else { return leave() }
    isShown = true
    try surface.client.insert(surface.layer, into: parent.layer, at: .max)
    if hasGrab { window.compositor.seat.focusKeyboard(surface) }
  }

  func surfaceChanged() throws(ProtocolViolation) { try move() }

  private func move() throws(ProtocolViolation) {
    guard let surface, let parent, isShown else { return }
    let (place, corner) = (toldPlace ?? place, parent.geometry)
    try surface.client.set(surface.layer, .position(Point(corner.x + place.x, corner.y + place.y)))
  }
}
