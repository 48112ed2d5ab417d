import Diagnostics
import Geometry
import WaylandProtocol

/// A client's `xdg_wm_base`.
final class ShellObject: XdgWmBase.RequestHandler {
  let compositor: Compositor
  /// Surfaces of this object that are not gone.
  var surfaceCount = 0
  /// From the one that opened first to the topmost.
  var popups: [PopupObject] = []

  init(_ compositor: Compositor) { self.compositor = compositor }

  /// Windows of its client are elsewhere.
  func parentMoved() { for popup in popups { popup.parentMoved() } }

  func destroy(_ resource: Resource<XdgWmBase>) throws(ProtocolViolation) {
    guard surfaceCount == 0 else {
      throw ProtocolViolation(XdgWmBase.ErrorCode.defunctSurfaces, "\(surfaceCount) xdg_surfaces are left")
    }
  }

  func createPositioner(
    _ resource: Resource<XdgWmBase>, id: consuming NewID<XdgPositioner>
  ) throws(ProtocolViolation) {
    try id.create(PositionerObject())
  }

  func getXdgSurface(
    _ resource: Resource<XdgWmBase>, id: consuming NewID<XdgSurface>, surface: Resource<WlSurface>
  ) throws(ProtocolViolation) {
    guard let surface = surface.handler as? SurfaceObject else { return }
    guard surface.role == nil, surface.roleKind == nil || surface.roleKind == .toplevel || surface.roleKind == .popup
    else {
      throw ProtocolViolation(
        XdgWmBase.ErrorCode.role, "the surface is a \(surface.roleKind?.rawValue ?? "surface") already")
    }
    guard !surface.hasBuffer else {
      throw ProtocolViolation(XdgWmBase.ErrorCode.invalidSurfaceState, "the surface has a buffer already")
    }
    let object = WindowSurface(self, surface, resource)
    surface.role = object
    object.resource = try id.create(object)
    surfaceCount += 1
  }

  func pong(_ resource: Resource<XdgWmBase>, serial: UInt32) throws(ProtocolViolation) {}
}

/// What is done by the one object that a surface has beside its `xdg_surface`.
protocol WindowKind: AnyObject {
  var window: WindowSurface { get }
  /// Tells the client how it is to be, before the surface's own configure.
  func sendConfigure()
  /// The surface has a picture, or has none any more.
  func mapChanged() throws(ProtocolViolation)
  /// What is double-buffered with the surface, and its size, may be new.
  func surfaceChanged() throws(ProtocolViolation)
  /// It shows nothing any more: its surface has no picture or is gone, or the object is.
  func leave()
}

extension WindowKind {
  var surface: SurfaceObject? { window.surface }
}

/// A client's `xdg_surface`: a surface that is a window or a popup.
final class WindowSurface: XdgSurface.RequestHandler, SurfaceRole {
  let shell: ShellObject
  private(set) weak var surface: SurfaceObject?
  private weak var base: Resource<XdgWmBase>?
  var resource: Resource<XdgSurface>?
  /// The toplevel or popup; kept by its own resource.
  private(set) weak var kind: (any WindowKind)?
  private var isConfigured = false
  private var hasConfigure = false
  private var isMapped = false
  /// Serials of configures that were not acknowledged.
  private var sent: [UInt32] = []
  private var isConfigureDue = false

  init(_ shell: ShellObject, _ surface: SurfaceObject, _ base: Resource<XdgWmBase>) {
    (self.shell, self.surface, self.base) = (shell, surface, base)
  }

  var compositor: Compositor { shell.compositor }

  /// The window's rectangle in its surface.
  var geometry: Rect {
    guard let surface else { return .zero }
    let whole = Rect(origin: .zero, size: surface.size)
    guard let geometry = surface.state.geometry else { return whole }
    let inside = geometry.intersection(whole)
    return inside.width > 0 && inside.height > 0 ? inside : whole
  }

  // MARK: Configure

  /// Tells the client what it is to be, once before the loop waits.
  func configure() {
    guard hasConfigure || isConfigureDue, let resource else { return }
    isConfigureDue = false
    hasConfigure = true
    kind?.sendConfigure()
    let serial = compositor.newSerial()
    // A client that never acknowledges is asked no less, but remembered no longer.
    if sent.count >= 64 { sent.removeFirst() }
    sent.append(serial)
    resource.sendConfigure(serial: serial)
  }

  func ackConfigure(_ resource: Resource<XdgSurface>, serial: UInt32) throws(ProtocolViolation) {
    try checkConstructed()
    guard let place = sent.firstIndex(of: serial) else {
      throw ProtocolViolation(XdgSurface.ErrorCode.invalidSerial, "no configure of serial \(serial) waits")
    }
    sent.removeFirst(place + 1)
    isConfigured = true
  }

  // MARK: Requests

  func destroy(_ resource: Resource<XdgSurface>) throws(ProtocolViolation) {
    guard kind == nil else {
      throw ProtocolViolation(XdgSurface.ErrorCode.defunctRoleObject, "its toplevel or popup is not destroyed")
    }
  }

  func destroyed(_ resource: Resource<XdgSurface>) {
    self.resource = nil
    shell.surfaceCount -= 1
    if surface?.role === self { surface?.role = nil }
    surface = nil
  }

  func getToplevel(_ resource: Resource<XdgSurface>, id: consuming NewID<XdgToplevel>) throws(ProtocolViolation) {
    try adopt(.toplevel)
    let toplevel = ToplevelObject(self)
    kind = toplevel
    toplevel.resource = try id.create(toplevel)
  }

  func getPopup(
    _ resource: Resource<XdgSurface>, id: consuming NewID<XdgPopup>, parent: Resource<XdgSurface>?,
    positioner: Resource<XdgPositioner>
  ) throws(ProtocolViolation) {
    try adopt(.popup)
    guard let positioner = (positioner.handler as? PositionerObject)?.positioner, positioner.isComplete else {
      throw posted(.invalidPositioner, "a positioner without a size or an anchor rectangle")
    }
    guard let parent = parent?.handler as? WindowSurface, parent !== self else {
      throw posted(.invalidPopupParent, "a popup without a parent")
    }
    let popup = PopupObject(self, parent, positioner)
    kind = popup
    popup.resource = try id.create(popup)
    shell.popups.append(popup)
  }

  func setWindowGeometry(
    _ resource: Resource<XdgSurface>, x: Int32, y: Int32, width: Int32, height: Int32
  ) throws(ProtocolViolation) {
    try checkConstructed()
    guard width > 0, height > 0 else {
      throw ProtocolViolation(XdgSurface.ErrorCode.invalidSize, "a window of \(width) × \(height)")
    }
    surface?.setGeometry(Rect(x: Double(x), y: Double(y), width: Double(width), height: Double(height)))
  }

  private func adopt(_ kind: SurfaceRoleKind) throws(ProtocolViolation) {
    guard let surface, self.kind == nil else {
      throw ProtocolViolation(XdgSurface.ErrorCode.alreadyConstructed, "the xdg_surface has its object already")
    }
    surface.role = nil
    guard surface.take(kind, self) else {
      surface.role = self
      throw posted(.role, "the surface is a \(surface.roleKind?.rawValue ?? "surface") already")
    }
  }

  private func checkConstructed() throws(ProtocolViolation) {
    guard kind != nil else {
      throw ProtocolViolation(XdgSurface.ErrorCode.notConstructed, "there is no toplevel or popup yet")
    }
  }

  /// An error of the object that the surface was made by.
  func posted(_ code: XdgWmBase.ErrorCode, _ message: String) -> ProtocolViolation {
    let violation = ProtocolViolation(code, message)
    base?.post(violation)
    return violation
  }

  // MARK: The surface

  func check(_ changes: SurfaceChanges) throws(ProtocolViolation) {
    guard kind != nil else {
      // The commit is of the surface, the error of its xdg_surface.
      resource?.post(ProtocolViolation(XdgSurface.ErrorCode.notConstructed, "a commit before a toplevel or popup"))
      return
    }
    guard case .some(.some) = changes.picture, !isConfigured, !compositor.desk.options.toleratesEarlyBuffers else {
      return
    }
    resource?.post(
      ProtocolViolation(XdgSurface.ErrorCode.unconfiguredBuffer, "a buffer before a configure was acknowledged"))
  }

  func checkAttached() throws(ProtocolViolation) {
    guard !hasConfigure, !compositor.desk.options.toleratesEarlyBuffers else { return }
    resource?.post(ProtocolViolation(XdgSurface.ErrorCode.unconfiguredBuffer, "a buffer before the first configure"))
  }

  func surfaceChanged() throws(ProtocolViolation) {
    guard let surface else { return }
    if surface.isMapped != isMapped {
      isMapped = surface.isMapped
      try kind?.mapChanged()
      if !isMapped { (isConfigured, hasConfigure) = (false, false) }
    }
    try kind?.surfaceChanged()
    // The first commit asks how the window is to be.
    if !hasConfigure {
      isConfigureDue = true
      configure()
    }
  }

  func surfaceGone() {
    kind?.leave()
    surface = nil
  }

  /// Its toplevel or popup is gone.
  func end(_ kind: any WindowKind) {
    kind.leave()
    (isConfigured, hasConfigure, isMapped) = (false, false, false)
    sent = []
    surface?.client.commitLater()
  }
}
