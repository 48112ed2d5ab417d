import Commit
import Geometry
import WaylandProtocol

/// A client's `xdg_toplevel`: a window, which the desk places.
final class ToplevelObject: XdgToplevel.RequestHandler, WindowKind {
  let window: WindowSurface
  var resource: Resource<XdgToplevel>?
  private(set) var title = ""
  private(set) var program = ""
  private(set) weak var parent: ToplevelObject?
  weak var decoration: DecorationObject?
  /// So that the operator can show the window elsewhere.
  private var export: ExportID?

  // How it is to be; the desk says the size.
  private(set) var isMaximized = false
  private(set) var isFullscreen = false
  var isActivated = false {
    didSet { if isActivated != oldValue { window.configure() } }
  }
  /// Nil lets the client choose.
  var wantedSize: Size? {
    didSet { if wantedSize != oldValue { window.configure() } }
  }
  /// Its edges are dragged.
  var isResizing = false {
    didSet { if isResizing != oldValue { window.configure() } }
  }
  private var hasSize = false
  /// Where on the desk it stands, in layouts in which windows have places of their own; kept while it shows nothing.
  var corner: Point?
  /// Where it was put last.
  var shownCorner: Point?

  init(_ window: WindowSurface) { self.window = window }

  private var desk: Desk { window.compositor.desk }

  func destroy(_ resource: Resource<XdgToplevel>) throws(ProtocolViolation) {
    // An error of what is left behind, and not of this object.
    decoration?.resource?.post(
      ProtocolViolation(ZxdgToplevelDecorationV1.ErrorCode.orphaned, "the window goes before its decoration object"))
  }

  func destroyed(_ resource: Resource<XdgToplevel>) {
    self.resource = nil
    window.end(self)
  }

  func leave() {
    desk.remove(self)
    if let surface, let export, !surface.client.isEnded {
      surface.client.server.tell(surface.client.server.tree.revoke(export, of: surface.client.member))
    }
    export = nil
    if let surface { surface.client.compositor.seat.lost(surface) }
  }

  // MARK: The window

  func sendConfigure() {
    guard let resource else { return }
    if !hasSize {
      hasSize = true
      desk.suggest(self)
    }
    decoration?.sendConfigure()
    var states: [UInt32] = []
    if isActivated { states.append(XdgToplevel.State.activated.rawValue) }
    if isMaximized { states.append(XdgToplevel.State.maximized.rawValue) }
    if isFullscreen { states.append(XdgToplevel.State.fullscreen.rawValue) }
    if isResizing { states.append(XdgToplevel.State.resizing.rawValue) }
    let size = isFullscreen || isMaximized ? desk.size : wantedSize
    resource.sendConfigure(
      width: Int32(clamping: Int(size?.width ?? 0)), height: Int32(clamping: Int(size?.height ?? 0)),
      states: states.span.bytes)
  }

  func mapChanged() throws(ProtocolViolation) {
    guard let surface else { return }
    guard surface.isMapped else { return leave() }
    let client = surface.client
    export = try client.limited { () throws(LimitViolation) in
      try client.server.tree.export(surface.layer, of: client.member, isSingleUse: false).id
    }
    desk.add(self)
  }

  func surfaceChanged() throws(ProtocolViolation) {
    let seat = window.compositor.seat
    if isResizing, seat.drag?.window === self {
      seat.drag?.resized(to: Size(width: window.geometry.width, height: window.geometry.height), on: desk)
    } else {
      desk.arrange(self)
    }
  }

  // MARK: Requests

  func setParent(_ resource: Resource<XdgToplevel>, parent: Resource<XdgToplevel>?) throws(ProtocolViolation) {
    let wanted = parent?.handler as? ToplevelObject
    var ancestor = wanted
    while let current = ancestor {
      guard current !== self else {
        throw ProtocolViolation(XdgToplevel.ErrorCode.invalidParent, "a window can't be its own ancestor")
      }
      ancestor = current.parent
    }
    self.parent = wanted
  }

  func setTitle(_ resource: Resource<XdgToplevel>, title: String) throws(ProtocolViolation) {
    self.title = title
    try name()
  }

  func setAppId(_ resource: Resource<XdgToplevel>, appId: String) throws(ProtocolViolation) {
    program = appId
    try name()
  }

  /// So that the operator's lists say which window a layer is.
  private func name() throws(ProtocolViolation) {
    guard let surface else { return }
    let words = [program, title].filter { !$0.isEmpty }.joined(separator: ": ")
    try surface.client.rename(surface.layer, String(words.prefix(120)))
    surface.client.commitLater()
  }

  func setMaximized(_ resource: Resource<XdgToplevel>) throws(ProtocolViolation) {
    isMaximized = true
    desk.arrange(self)
    window.configure()
  }

  func unsetMaximized(_ resource: Resource<XdgToplevel>) throws(ProtocolViolation) {
    isMaximized = false
    desk.arrange(self)
    window.configure()
  }

  func setFullscreen(_ resource: Resource<XdgToplevel>, output: Resource<WlOutput>?) throws(ProtocolViolation) {
    isFullscreen = true
    desk.arrange(self)
    window.configure()
  }

  func unsetFullscreen(_ resource: Resource<XdgToplevel>) throws(ProtocolViolation) {
    isFullscreen = false
    desk.arrange(self)
    window.configure()
  }

  func setMaxSize(_ resource: Resource<XdgToplevel>, width: Int32, height: Int32) throws(ProtocolViolation) {
    try checkLimit(width, height)
  }

  func setMinSize(_ resource: Resource<XdgToplevel>, width: Int32, height: Int32) throws(ProtocolViolation) {
    try checkLimit(width, height)
  }

  private func checkLimit(_ width: Int32, _ height: Int32) throws(ProtocolViolation) {
    guard width >= 0, height >= 0 else {
      throw ProtocolViolation(XdgToplevel.ErrorCode.invalidSize, "a limit of \(width) × \(height)")
    }
  }

  func resize(
    _ resource: Resource<XdgToplevel>, seat: Resource<WlSeat>, serial: UInt32, edges: XdgToplevel.ResizeEdge
  ) throws(ProtocolViolation) {
    guard XdgToplevel.ResizeEdge.known.contains(edges) else {
      throw ProtocolViolation(XdgToplevel.ErrorCode.invalidResizeEdge, "there is no edge \(edges.rawValue)")
    }
    window.compositor.seat.drag(self, edges: edges, serial: serial)
  }

  func move(_ resource: Resource<XdgToplevel>, seat: Resource<WlSeat>, serial: UInt32) throws(ProtocolViolation) {
    window.compositor.seat.drag(self, edges: nil, serial: serial)
  }

  // There are no menus of windows, and no place to put those that are not wanted now.
  func showWindowMenu(
    _ resource: Resource<XdgToplevel>, seat: Resource<WlSeat>, serial: UInt32, x: Int32, y: Int32
  ) throws(ProtocolViolation) {}
  func setMinimized(_ resource: Resource<XdgToplevel>) throws(ProtocolViolation) {}
}
