import Commit
import Geometry
import RenderTree
import WaylandProtocol

/// The server's own output, and the windows on it, from back to front.
///
/// It is a client like any other, of the server's own process: with a layer, which windows are sublayers of, and an output
/// that can be captured.
final class Desk {
  private unowned let server: ServerCore
  private let session: ClientSession
  private let output: OutputObject
  let root: LayerID
  let options: DeskOptions
  private(set) var windows: [ToplevelObject] = []
  private var nextCascade = 0
  /// Of the pointer, in front of all windows.
  private var pictures: [LayerID] = []
  /// By client: what it knows the output as.
  private var bound: [Resource<WlOutput>] = []

  init(_ server: ServerCore, _ options: DeskOptions) throws(ServerError) {
    self.server = server
    self.options = options
    session = ClientSession(server: server, wire: nil, isTrusted: true)
    session.name = "desk"
    let period = 1_000_000_000_000 / UInt64(max(1, min(options.rate, server.options.highestRate)))
    output = OutputObject(session, OutputMode(size: options.size, scale: 1, period: period), isSecure: false)
    do throws(LimitViolation) {
      root = try server.tree.createLayer(session.member, .layer)
      try session.member.account.add(.outputs)
    } catch { throw ServerError(.system, "no desk: \(error)") }
    session.layers[root] = LayerObject(session, root, .layer, name: "desk")
    server.sessions[session.member.number] = session
    server.outputs[output.number] = output
    let size = Size(width: Double(options.size.width), height: Double(options.size.height))
    server.tree.applyOwn([
      .set(root, .name("desk")), .set(root, .anchorPoint(.zero)), .set(root, .bounds(Rect(origin: .zero, size: size))),
      .set(root, .masksToBounds(true)), .set(root, .backgroundColor(Self.color)),
    ])
    output.show(root)
  }

  /// A dark grey, so that what is black or transparent can be told from nothing.
  private static let color = Color(red: 0.11, green: 0.12, blue: 0.14, alpha: 1)

  var size: Size { Size(width: Double(options.size.width), height: Double(options.size.height)) }
  var outputNumber: OutputNumber { output.number }

  // MARK: Windows

  /// Says how large a window should be, before it has a picture.
  func suggest(_ window: ToplevelObject) {
    switch options.layout {
    case .none, .cascade: break
    case .full: window.wantedSize = size
    case .tile: window.wantedSize = tile(windows.count, of: windows.count + 1).size
    }
  }

  /// A window has its first picture.
  func add(_ window: ToplevelObject) {
    guard !windows.contains(where: { $0 === window }), let surface = window.surface else { return }
    windows.append(window)
    tell(surface, isOnOutput: true)
    if options.layout != .none {
      server.tree.applyOwn([.insert(surface.layer, into: root, at: .max)])
      bringPicturesForward()
    }
    if options.layout == .cascade, window.corner == nil {
      let step = 32 * Double(nextCascade % 8)
      nextCascade += 1
      window.corner = Point(32 + step, 32 + step)
    }
    for window in windows { arrange(window) }
    window.window.compositor.seat.opened(window)
  }

  func remove(_ window: ToplevelObject) {
    guard let index = windows.firstIndex(where: { $0 === window }) else { return }
    windows.remove(at: index)
    if let surface = window.surface, !surface.client.isEnded {
      tell(surface, isOnOutput: false)
      server.tree.applyOwn([.removeFromParent(surface.layer)])
    }
    for window in windows { arrange(window) }
    window.window.compositor.seat.closed(window)
    server.treeChanged()
  }

  /// Puts a window in front.
  func raise(_ window: ToplevelObject) {
    guard let index = windows.firstIndex(where: { $0 === window }), options.layout != .none,
      let surface = window.surface
    else { return }
    // Tiles have no front.
    guard options.layout != .tile else { return }
    windows.append(windows.remove(at: index))
    server.tree.applyOwn([.insert(surface.layer, into: root, at: .max)])
    bringPicturesForward()
    server.treeChanged()
  }

  /// Puts a window's corner on a place, where windows have places of their own.
  /// - Returns: false where they have none, or the window is not shown.
  func place(_ window: ToplevelObject, at corner: Point) -> Bool {
    guard options.layout == .cascade, windows.contains(where: { $0 === window }) else { return false }
    window.corner = corner
    arrange(window)
    return true
  }

  /// Where a window is; nil where windows have no places of their own, or it is not shown.
  func frame(of window: ToplevelObject) -> Rect? {
    guard options.layout == .cascade, !window.isMaximized, !window.isFullscreen, let corner = window.corner,
      windows.contains(where: { $0 === window })
    else { return nil }
    let geometry = window.window.geometry
    return Rect(x: corner.x, y: corner.y, width: geometry.width, height: geometry.height)
  }

  /// Gives a window its place; its shadow lies about it.
  func arrange(_ window: ToplevelObject) {
    guard let surface = window.surface, let index = windows.firstIndex(where: { $0 === window }) else { return }
    var corner = Point.zero
    if !window.isMaximized, !window.isFullscreen {
      switch options.layout {
      case .none: break
      case .cascade: corner = window.corner ?? .zero
      case .full: window.wantedSize = size
      case .tile:
        let tile = tile(index, of: windows.count)
        corner = Point(tile.x, tile.y)
        window.wantedSize = tile.size
      }
    }
    guard corner != window.shownCorner else { return }
    window.shownCorner = corner
    server.tree.applyOwn([.set(surface.layer, .position(corner))])
    server.treeChanged()
    window.window.shell.parentMoved()
  }

  /// One of so many tiles: as many columns as rows, or one more.
  private func tile(_ index: Int, of count: Int) -> Rect {
    let columns = max(1, Int(Double(count).squareRoot().rounded(.up)))
    let rows = (count + columns - 1) / columns
    let row = index / columns
    // The last row's tiles share its width.
    let inRow = row == rows - 1 ? count - row * columns : columns
    let (column, whole) = (index % columns, options.size)
    let (left, right) = (whole.width * column / inRow, whole.width * (column + 1) / inRow)
    let (top, bottom) = (whole.height * row / rows, whole.height * (row + 1) / rows)
    return Rect(minX: Double(left), minY: Double(top), maxX: Double(right), maxY: Double(bottom))
  }

  /// Where on the desk a surface's own origin lies, as it is placed without transforms.
  func origin(of surface: SurfaceObject) -> Point {
    server.tree.tree.origin(of: surface.layer, in: root)
  }

  /// The connection is gone.
  func forget(_ client: SurfaceClient) {
    windows.removeAll { $0.surface == nil || $0.surface?.client === client }
    bound.removeAll { !$0.isAlive || $0.client === client.session.wire }
    for window in windows { arrange(window) }
  }

  // MARK: The pointer's pictures

  /// Shows a layer in front of all windows.
  func show(picture: LayerID, at corner: Point, isNew: Bool) {
    server.tree.applyOwn([.set(picture, .position(corner))])
    if isNew {
      pictures.append(picture)
      bringPicturesForward()
    }
    server.treeChanged(isMoved: false)
  }

  /// - Parameter isThere: its client is, and so the layer.
  func takeAway(picture: LayerID, isThere: Bool) {
    pictures.removeAll { $0 == picture }
    if isThere { server.tree.applyOwn([.removeFromParent(picture)]) }
    server.treeChanged(isMoved: false)
  }

  private func bringPicturesForward() {
    for picture in pictures { server.tree.applyOwn([.insert(picture, into: root, at: .max)]) }
  }

  // MARK: The output, to clients

  func bind(_ id: consuming NewID<WlOutput>) throws(ProtocolViolation) {
    let resource = try id.create(OutputGlobal())
    bound.removeAll { !$0.isAlive }
    bound.append(resource)
    // A desk has no size in the world; that of a screen with 96 pixels an inch.
    let (width, height) = (options.size.width * 254 / 960, options.size.height * 254 / 960)
    resource.sendGeometry(
      x: 0, y: 0, physicalWidth: Int32(clamping: width), physicalHeight: Int32(clamping: height), subpixel: .unknown,
      make: "Porthole", model: "desk", transform: .normal)
    resource.sendMode(
      flags: [.current, .preferred], width: Int32(clamping: options.size.width),
      height: Int32(clamping: options.size.height), refresh: Int32(clamping: options.rate))
    if resource.version >= 2 { resource.sendScale(factor: 1) }
    if resource.version >= 4 {
      resource.sendName(name: "desk")
      resource.sendDescription(description: "the desk of a Porthole render server")
    }
    if resource.version >= 2 { resource.sendDone() }
  }

  /// What a client has bound the output as; nil for one that has not.
  func resource(for client: SurfaceClient) -> Resource<WlOutput>? {
    bound.first { $0.isAlive && $0.client === client.session.wire }
  }

  private func tell(_ surface: SurfaceObject, isOnOutput: Bool) {
    for output in bound where output.isAlive && output.client === surface.client.session.wire {
      if isOnOutput { surface.resource?.sendEnter(output: output) } else { surface.resource?.sendLeave(output: output) }
    }
  }
}

/// A client's `wl_output`.
private final class OutputGlobal: WlOutput.RequestHandler {
  func release(_ resource: Resource<WlOutput>) throws(ProtocolViolation) {}
}

/// A client's `zxdg_output_manager_v1`.
final class XdgOutputManagerObject: ZxdgOutputManagerV1.RequestHandler {
  private unowned let desk: Desk

  init(_ desk: Desk) { self.desk = desk }

  func destroy(_ resource: Resource<ZxdgOutputManagerV1>) throws(ProtocolViolation) {}

  func getXdgOutput(
    _ resource: Resource<ZxdgOutputManagerV1>, id: consuming NewID<ZxdgOutputV1>, output: Resource<WlOutput>
  ) throws(ProtocolViolation) {
    let made = try id.create(XdgOutputObject())
    made.sendLogicalPosition(x: 0, y: 0)
    made.sendLogicalSize(
      width: Int32(clamping: desk.options.size.width), height: Int32(clamping: desk.options.size.height))
    if made.version >= 2 {
      made.sendName(name: "desk")
      made.sendDescription(description: "the desk of a Porthole render server")
    }
    // From version 3 on, the output's own `done` ends the batch.
    if made.version < 3 { made.sendDone() } else if output.version >= 2 { output.sendDone() }
  }
}

/// A client's `zxdg_output_v1`.
private final class XdgOutputObject: ZxdgOutputV1.RequestHandler {
  func destroy(_ resource: Resource<ZxdgOutputV1>) throws(ProtocolViolation) {}
}
