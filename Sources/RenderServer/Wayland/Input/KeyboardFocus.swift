import LinuxIO
import WaylandProtocol

/// The keys that are down, and who hears of them (`wl_keyboard`).
final class KeyboardFocus {
  let keymap: Keymap
  private(set) weak var surface: SurfaceObject?
  private var pressed: [UInt32] = []
  private var resources = SeatDevices<WlKeyboard>()
  /// Told whose turn it is, before its client is.
  var whenFocused: ((SurfaceClient) -> Void)?

  init(_ keymap: Keymap) { self.keymap = keymap }

  func add(_ id: consuming NewID<WlKeyboard>, _ seat: Seat) throws(ProtocolViolation) {
    let resource = try id.create(KeyboardObject())
    resources.add(resource)
    // A copy for each, so that nobody can change what another reads.
    do {
      let memory = try SharedMemory(byteCount: keymap.text.count)
      memory.withBytes { target in keymap.text.withUnsafeBytes { target.copyMemory(from: $0) } }
      resource.sendKeymap(format: .xkbV1, fd: memory.descriptor, size: UInt32(clamping: keymap.text.count))
    } catch {
      throw .noMemory
    }
    if resource.version >= 4 { resource.sendRepeatInfo(rate: 25, delay: 400) }
    if let surface, surface.client.session.wire === resource.client { enter([resource], surface, seat.newSerial) }
  }

  func focus(_ new: SurfaceObject?, serial: UInt32) {
    guard new !== surface else { return }
    if let old = surface, let resource = old.resource {
      for keyboard in those(of: old) { keyboard.sendLeave(serial: serial, surface: resource) }
    }
    surface = new
    guard let new else { return }
    whenFocused?(new.client)
    enter(those(of: new), new, serial)
  }

  func press(_ key: UInt32, isDown: Bool, serial: UInt32, time: UInt32) {
    guard pressed.contains(key) != isDown else { return }
    if isDown { pressed.append(key) } else { pressed.removeAll { $0 == key } }
    let before = keymap.modifiers
    keymap.update(key: key, isDown: isDown)
    guard let surface else { return }
    for keyboard in those(of: surface) {
      keyboard.sendKey(serial: serial, time: time, key: key, state: isDown ? .pressed : .released)
      if keymap.modifiers != before { send(keymap.modifiers, keyboard, serial) }
    }
  }

  func forget(_ client: SurfaceClient) {
    if surface?.client === client { surface = nil }
    resources.forget(client)
  }

  private func those(of surface: SurfaceObject) -> [Resource<WlKeyboard>] {
    resources.of(surface.client)
  }

  private func enter(_ keyboards: [Resource<WlKeyboard>], _ surface: SurfaceObject, _ serial: UInt32) {
    guard let resource = surface.resource else { return }
    for keyboard in keyboards {
      keyboard.sendEnter(serial: serial, surface: resource, keys: pressed.span.bytes)
      send(keymap.modifiers, keyboard, serial)
    }
  }

  private func send(_ modifiers: Keymap.Modifiers, _ keyboard: Resource<WlKeyboard>, _ serial: UInt32) {
    keyboard.sendModifiers(
      serial: serial, modsDepressed: modifiers.depressed, modsLatched: modifiers.latched, modsLocked: modifiers.locked,
      group: modifiers.group)
  }
}

/// A client's `wl_keyboard`.
private final class KeyboardObject: WlKeyboard.RequestHandler {
  func release(_ resource: Resource<WlKeyboard>) throws(ProtocolViolation) {}
}
