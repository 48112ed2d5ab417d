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
  /// What is shown, or where, may be new since the pointer was looked for.
  var needsRefocus = false
  let grab = PopupGrab()
  /// The window that the pointer moves or resizes.
  private(set) var drag: WindowDrag?
  /// What the pointer carries from surface to surface.
  private(set) var dataDrag: DataDrag?
  /// The pointer's picture, as the client under it wants it; nil for none.
  private(set) var cursor: PointerPicture?

  init(_ server: ServerCore, _ desk: Desk) throws(ServerError) {
    self.server = server
    self.desk = desk
    pointer = PointerFocus()
    keyboard = KeyboardFocus(try Keymap())
    touch = TouchFocus()
    keyboard.selection = selection
  }

  func bind(_ id: consuming NewID<WlSeat>) throws(ProtocolViolation) {
    let resource = try id.create(SeatObject(self))
    resource.sendCapabilities(capabilities: [.pointer, .keyboard, .touch])
    if resource.version >= 2 { resource.sendName(name: "seat0") }
  }

  var newSerial: UInt32 { server.compositor?.newSerial() ?? 0 }
  private var now: UInt32 { UInt32(truncatingIfNeeded: ProcessClock.monotonicNanoseconds / 1_000_000) }

  // MARK: What lies where

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
    if let drag { return drag.move(to: point, on: desk) }
    if let dataDrag { return dataDrag.move(to: target(at: point, on: output), serial: newSerial, time: now) }
    let target =
      if pointer.isPressed, let last = pointer.target { held(point, on: output, by: last) } else {
        admitted(at: point, on: output)
      }
    movePointer(to: target)
  }

  private func movePointer(to target: Target?) {
    // Whoever is entered says what the pointer looks like there.
    if pointer.surface?.client !== target?.surface.client { cursor = nil }
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
    guard let (number, point) = pointer.place, !pointer.isPressed, drag == nil, dataDrag == nil,
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
    } else if drag != nil || dataDrag != nil {
      drag?.end()
      endDrag { $0.drop() }
      drag = nil
      needsRefocus = true
    }
    pointer.press(button, isDown: isDown, serial: serial, time: now)
    guard !isDown, !pointer.isPressed else { return }
    grab.release()
    needsRefocus = true
  }

  /// The pointer takes hold of a window that it has pressed on the desk; of anything else it does not.
  /// - Parameter edges: those that follow it; nil moves the window.
  func drag(_ window: ToplevelObject, edges: XdgToplevel.ResizeEdge?) {
    guard drag == nil, dataDrag == nil, pointer.isPressed, pointer.surface?.window === window,
      let place = pointer.place,
      place.output == desk.outputNumber, let frame = desk.frame(of: window)
    else { return }
    drag = WindowDrag(window, edges: edges, frame: frame, start: place.point)
    movePointer(to: nil)
  }

  /// The pointer takes something along from a surface that it has pressed; else nothing is dragged.
  /// - Parameter source: nil for what is of use within its client alone.
  func startDrag(of source: DataSourceObject?, from origin: SurfaceObject, icon: PointerPicture?) {
    guard drag == nil, dataDrag == nil, pointer.isPressed, pointer.surface === origin, let place = pointer.place,
      let output = server.outputs[place.output]
    else {
      source?.cancel()
      return
    }
    let carried = DataDrag(source, from: origin.client, icon: icon, selection) { [weak self] in self?.dragEnded() }
    dataDrag = carried
    movePointer(to: nil)
    carried.move(to: target(at: place.point, on: output), serial: newSerial, time: now)
    showPictures()
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
    cursor = new
    showPictures()
  }

  /// Puts the pointer's picture, and that of what it carries, where the pointer is on the desk.
  func showPictures() {
    let place = pointer.place.flatMap { $0.output == desk.outputNumber ? $0.point : nil }
    dataDrag?.icon?.show(at: place)
    cursor?.show(at: place)
  }

  func scroll(_ distance: Point) { pointer.scroll(distance, time: now) }

  func press(key: UInt32, isDown: Bool) { keyboard.press(key, isDown: isDown, serial: newSerial, time: now) }

  /// Strikes the keys that make a text.
  /// - Returns: the first character that the layout has no keys for; what comes before it was struck.
  func type(_ text: String) -> Unicode.Scalar? {
    for character in text.unicodeScalars {
      guard let keys = keyboard.keymap.keys(for: character) else { return character }
      strike(keys)
    }
    return nil
  }

  /// Strikes keys by their names, with + between.
  /// - Returns: the first name that the layout has no key for, in which case nothing was struck; nil for none.
  func strike(named names: String) -> String? {
    var keys: [UInt32] = []
    for name in names.split(separator: "+").map(String.init) {
      guard let found = keyboard.keymap.keys(named: name) else { return name }
      keys += found.filter { !keys.contains($0) }
    }
    strike(keys)
    return nil
  }

  /// Presses keys in order and lets go of them in the opposite one.
  func strike(_ keys: [UInt32]) {
    for key in keys { press(key: key, isDown: true) }
    for key in keys.reversed() { press(key: key, isDown: false) }
  }

  func touchDown(_ finger: Int32, at point: Point, on output: OutputObject) {
    let found = admitted(at: point, on: output)
    guard grab.press(on: found?.surface), let target = found else { return }
    if let window = target.surface.window, window !== focusedWindow { focus(window) }
    touch.down(finger, target, serial: newSerial, time: now)
  }

  func touchMove(_ finger: Int32, to point: Point, on output: OutputObject) {
    guard let last = touch.target(of: finger), let target = held(point, on: output, by: last) else { return }
    touch.move(finger, to: target, time: now)
  }

  func touchUp(_ finger: Int32) {
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
    grab.forget(client)
    if dataDrag?.isFrom(client) == true { endDrag { $0.cancel() } } else { dataDrag?.forget(client) }
    if cursor?.surface?.client === client { cursor = nil }
    if drag?.window == nil || drag?.window?.surface?.client === client { drag = nil }
    needsRefocus = true
  }
}
