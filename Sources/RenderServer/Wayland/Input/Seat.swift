import Commit
import Diagnostics
import Geometry
import LinuxIO
import RenderTree
import WaylandProtocol

/// The server's pointer, keyboard and fingers (`wl_seat`). What moves them is told to it; what lies under them is asked of
/// what outputs show, through portals that forward hit testing as well as directly.
final class Seat {
  private unowned let server: ServerCore
  private unowned let desk: Desk
  let pointer: PointerFocus
  let keyboard: KeyboardFocus
  let touch: TouchFocus
  let selection = Selection()
  let primarySelection = PrimarySelection()
  /// What is shown, or where, may be new since the pointer was looked for.
  var needsRefocus = false
  let grab = PopupGrab()
  /// The window that the pointer or a finger moves or resizes.
  private(set) var drag: WindowDrag?
  /// What the pointer or a finger carries from surface to surface.
  private(set) var dataDrag: DataDrag?
  /// The pointer's picture, as the client under it wants it; nil for none.
  private(set) var cursor: PointerPicture?
  /// The client under the pointer has said what it looks like: a picture of its own, or nothing.
  private(set) var saysCursor = false

  init(_ server: ServerCore, _ desk: Desk) throws(ServerError) {
    self.server = server
    self.desk = desk
    pointer = PointerFocus()
    keyboard = KeyboardFocus(try Keymap())
    touch = TouchFocus()
    keyboard.whenFocused = { [selection, primarySelection] client in
      selection.offer(to: client)
      primarySelection.offer(to: client)
    }
  }

  func bind(_ id: consuming NewID<WlSeat>) throws(ProtocolViolation) {
    let resource = try id.create(SeatObject(self))
    resource.sendCapabilities(capabilities: [.pointer, .keyboard, .touch])
    if resource.version >= 2 { resource.sendName(name: "seat0") }
  }

  var newSerial: UInt32 { server.compositor?.newSerial() ?? 0 }
  private var now: UInt32 { UInt32(truncatingIfNeeded: ProcessClock.monotonicNanoseconds / 1_000_000) }

  // MARK: What lies where

  /// A point of an output, in its own units.
  typealias Place = (output: OutputNumber, point: Point)

  /// A place in a surface.
  struct Target {
    var surface: SurfaceObject
    /// In the surface's own units.
    var point: Point
    /// From the output's space to that of the surface's picture.
    var map: Homography
  }

  /// The surface that takes input at a point of an output; `only` has no other asked.
  func target(at point: Point, on output: OutputObject, only: SurfaceObject? = nil) -> Target? {
    server.tree.advance(toNanoseconds: ProcessClock.monotonicNanoseconds)
    let snapshot = server.tree.snapshot(root: output.root, showsSecure: true)
    let steps = snapshot.hit(point) { layer, point in
      if let only { return layer == only.content }
      guard let client = server.sessions[layer.client]?.surfaces else { return true }
      // The layers about a surface take nothing themselves; its client's own, by `porthole_v1`, do.
      guard let surface = client.surfaces[layer] else { return !client.isFrame(layer) }
      guard surface.roleKind != .cursor, surface.roleKind != .dragIcon else { return false }
      return surface.state.takesInput(at: surface.point(inContent: point))
    }
    guard let step = steps.last,
      let surface = server.sessions[step.link.layer.client]?.surfaces?.surfaces[step.link.layer]
    else {
      return nil
    }
    return Target(surface: surface, point: surface.point(inContent: step.link.point), map: step.fromWindow)
  }

  /// Where a point of an output lies in a surface that holds on to what moves there, inside of it or not.
  func held(_ point: Point, on output: OutputObject, by last: Target) -> Target? {
    if let target = target(at: point, on: output, only: last.surface) { return target }
    guard let inPicture = last.map.apply(point) else { return nil }
    return Target(surface: last.surface, point: last.surface.point(inContent: inPicture), map: last.map)
  }

  // MARK: What happens

  /// The pointer is at a point of an output, in its own units.
  func movePointer(to point: Point, on output: OutputObject) {
    pointer.place = (output.number, point)
    defer { showPictures() }
    if let drag, drag.finger == nil { return move(drag, to: point, on: output) }
    if isCarrying { return carry(to: point, on: output) }
    let target =
      if pointer.isPressed, let last = pointer.target { held(point, on: output, by: last) } else {
        admitted(at: point, on: output)
      }
    movePointer(to: target)
  }

  private func movePointer(to target: Target?) {
    // Whoever is entered says what the pointer looks like there.
    if pointer.surface?.client !== target?.surface.client { (cursor, saysCursor) = (nil, false) }
    pointer.move(to: target, serial: newSerial, time: now)
  }

  /// What lies at a point and may hear of it, since no other client's popups hold the seat.
  private func admitted(at point: Point, on output: OutputObject) -> Target? {
    target(at: point, on: output).flatMap { grab.admits($0.surface) ? $0 : nil }
  }

  /// Looks again for what lies under the pointer: it may have moved itself.
  func refocus() {
    guard needsRefocus else { return }
    needsRefocus = false
    guard let (number, point) = pointer.place, !pointer.isPressed, !isDragging,
      let output = server.outputs[number]
    else { return }
    movePointer(to: admitted(at: point, on: output))
    showPictures()
  }

  /// - Parameter button: as Linux numbers them (`BTN_LEFT`, 0x110, …).
  func press(_ button: UInt32, isDown: Bool) {
    let serial = newSerial
    if isDown {
      refocus()
      guard grab.press(on: pointer.surface) else {
        needsRefocus = true
        return
      }
      if let window = pointer.surface?.window, window !== focusedWindow { focus(window) }
    } else if isDragging {
      if isCarrying { endDrag { $0.drop() } } else { endWindowDrag() }
      needsRefocus = true
    }
    pointer.press(button, isDown: isDown, serial: serial, time: now)
    guard !isDown, !pointer.isPressed else { return }
    grab.release()
    needsRefocus = true
  }

  /// The pointer, or a finger, takes hold of a window that it has pressed on the desk; of anything else it does not.
  /// - Parameters:
  ///   - edges: those that follow it; nil moves the window.
  ///   - serial: that of the finger's coming down, where it is one's.
  func drag(_ window: ToplevelObject, edges: XdgToplevel.ResizeEdge?, serial: UInt32) {
    let finger = touch.finger(serial: serial) { $0.window === window }
    let isPressed = pointer.isPressed && pointer.surface?.window === window
    guard drag == nil, dataDrag == nil, let place = finger?.place ?? (isPressed ? pointer.place : nil),
      place.output == desk.outputNumber, let frame = desk.frame(of: window)
    else { return }
    drag = WindowDrag(window, edges: edges, frame: frame, finger: finger?.finger, start: place.point)
    if let finger { touch.take(finger.finger) } else { movePointer(to: nil) }
  }

  /// Windows lie on the desk: what happens on other outputs moves none.
  private func move(_ drag: WindowDrag, to point: Point, on output: OutputObject) {
    if output.number == desk.outputNumber { drag.move(to: point, on: desk) }
  }

  private func endWindowDrag() {
    drag?.end()
    drag = nil
  }

  /// The pointer, not a finger, carries or moves something.
  private var isDragging: Bool { isCarrying || drag.map { $0.finger == nil } ?? false }

  /// The pointer, not a finger, carries something.
  private var isCarrying: Bool { dataDrag.map { $0.finger == nil } ?? false }

  /// The pointer, or a finger, takes something along from a surface that it has pressed; else nothing is dragged.
  /// - Parameters:
  ///   - source: nil for what is of use within its client alone.
  ///   - serial: that of the finger's coming down, where it is one's.
  func startDrag(
    of source: DataSourceObject?, from origin: SurfaceObject, icon: PointerPicture?, serial: UInt32
  ) {
    let finger = touch.finger(serial: serial) { $0 === origin }
    let isPressed = pointer.isPressed && pointer.surface === origin
    guard drag == nil, dataDrag == nil, let place = finger?.place ?? (isPressed ? pointer.place : nil),
      let output = server.outputs[place.output]
    else {
      source?.cancel()
      return
    }
    dataDrag = DataDrag(
      source, from: origin.client, finger: finger?.finger, at: place, icon: icon, selection
    ) { [weak self] in self?.dragEnded() }
    if let finger { touch.take(finger.finger) } else { movePointer(to: nil) }
    carry(to: place.point, on: output)
    showPictures()
  }

  private func carry(to point: Point, on output: OutputObject) {
    dataDrag?.place = (output.number, point)
    dataDrag?.move(to: target(at: point, on: output), serial: newSerial, time: now)
  }

  private func endDrag(_ body: (DataDrag) -> Void) {
    guard let ended = dataDrag else { return }
    dataDrag = nil
    body(ended)
  }

  /// The source is gone.
  private func dragEnded() {
    dataDrag = nil
    needsRefocus = true
  }

  /// - Parameter client: who wants the pointer to look so; it counts while the pointer is over one of its surfaces.
  func show(cursor new: PointerPicture?, of client: ServerClient?) {
    guard let client, pointer.surface?.client.session.wire === client else { return }
    (cursor, saysCursor) = (new, true)
    showPictures()
  }

  /// Puts the pointer's picture, and that of what is carried, where they are on the desk.
  func showPictures() {
    func onDesk(_ place: Place?) -> Point? { place.flatMap { $0.output == desk.outputNumber ? $0.point : nil } }
    dataDrag?.icon?.show(at: onDesk(dataDrag?.place))
    cursor?.show(at: onDesk(pointer.place))
    server.view?.tellPointer(isDrawn: saysCursor && onDesk(pointer.place) != nil)
  }

  func scroll(_ distance: Point) { pointer.scroll(distance, time: now) }

  func press(key: UInt32, isDown: Bool) { keyboard.press(key, isDown: isDown, serial: newSerial, time: now) }

  func touchDown(_ finger: Int32, at point: Point, on output: OutputObject) {
    let found = admitted(at: point, on: output)
    guard grab.press(on: found?.surface), let target = found else { return }
    if let window = target.surface.window, window !== focusedWindow { focus(window) }
    touch.down(finger, target, at: (output.number, point), serial: newSerial, time: now)
  }

  func touchMove(_ finger: Int32, to point: Point, on output: OutputObject) {
    if let drag, drag.finger == finger { return move(drag, to: point, on: output) }
    if let dataDrag, dataDrag.finger == finger {
      carry(to: point, on: output)
      return showPictures()
    }
    guard let last = touch.target(of: finger), let target = held(point, on: output, by: last) else { return }
    touch.move(finger, to: target, at: (output.number, point), time: now)
  }

  func touchUp(_ finger: Int32) {
    if let drag, drag.finger == finger { endWindowDrag() }
    if let dataDrag, dataDrag.finger == finger { endDrag { $0.drop() } }
    touch.up(finger, serial: newSerial, time: now)
    grab.release()
  }

  // MARK: Windows

  private var focusedWindow: ToplevelObject? { keyboard.surface?.window }

  private func focus(_ window: ToplevelObject) {
    for other in desk.windows { other.isActivated = other === window }
    desk.raise(window)
    if let surface = window.surface { focusKeyboard(surface) }
  }

  func focusKeyboard(_ surface: SurfaceObject?) { keyboard.focus(surface, serial: newSerial) }

  /// A new window gets the keyboard, which open menus had.
  func opened(_ window: ToplevelObject) {
    grab.end()
    focus(window)
  }

  func closed(_ window: ToplevelObject) {
    guard keyboard.surface == nil || keyboard.surface === window.surface else { return }
    if let next = desk.windows.last { focus(next) } else { focusKeyboard(nil) }
  }

  /// A surface shows nothing any more.
  func lost(_ surface: SurfaceObject) {
    if drag?.window == nil || drag?.window?.surface === surface { drag = nil }
    dataDrag?.forget(surface)
    if pointer.surface === surface { movePointer(to: nil) }
    if keyboard.surface === surface {
      // From a popup, back to its window.
      focusKeyboard(surface.window?.surface === surface ? nil : surface.window?.surface)
    }
    touch.forget(surface, serial: newSerial, time: now)
    needsRefocus = true
  }

  func forget(_ client: SurfaceClient) {
    pointer.forget(client)
    keyboard.forget(client)
    touch.forget(client)
    selection.forget(client)
    primarySelection.forget(client)
    grab.forget(client)
    if dataDrag?.isFrom(client) == true { endDrag { $0.cancel() } } else { dataDrag?.forget(client) }
    if cursor?.surface?.client === client { (cursor, saysCursor) = (nil, false) }
    if drag?.window == nil || drag?.window?.surface?.client === client { drag = nil }
    needsRefocus = true
  }
}
