import Geometry
import WaylandProtocol

/// The fingers that are down, each with the surface that it came down on (`wl_touch`).
final class TouchFocus {
  private var targets: [Int32: Seat.Target] = [:]
  private var resources = SeatDevices<WlTouch>()

  func add(_ id: consuming NewID<WlTouch>) throws(ProtocolViolation) {
    let resource = try id.create(TouchObject())
    resources.add(resource)
  }

  func target(of finger: Int32) -> Seat.Target? { targets[finger] }

  func down(_ finger: Int32, _ target: Seat.Target, serial: UInt32, time: UInt32) {
    guard targets[finger] == nil, targets.count < 32, let surface = target.surface.resource else { return }
    targets[finger] = target
    for touch in those(of: target.surface) {
      touch.sendDown(
        serial: serial, time: time, surface: surface, id: finger, x: WireFixed(target.point.x),
        y: WireFixed(target.point.y))
      touch.sendFrame()
    }
  }

  func move(_ finger: Int32, to target: Seat.Target, time: UInt32) {
    targets[finger] = target
    for touch in those(of: target.surface) {
      touch.sendMotion(time: time, id: finger, x: WireFixed(target.point.x), y: WireFixed(target.point.y))
      touch.sendFrame()
    }
  }

  func up(_ finger: Int32, serial: UInt32, time: UInt32) {
    guard let target = targets.removeValue(forKey: finger) else { return }
    for touch in those(of: target.surface) {
      touch.sendUp(serial: serial, time: time, id: finger)
      touch.sendFrame()
    }
  }

  /// The surface shows nothing any more: its fingers are up, as far as its client is concerned.
  func forget(_ surface: SurfaceObject, serial: UInt32, time: UInt32) {
    for (finger, target) in targets where target.surface === surface { up(finger, serial: serial, time: time) }
  }

  func forget(_ client: SurfaceClient) {
    for (finger, target) in targets where target.surface.client === client { targets[finger] = nil }
    resources.forget(client)
  }

  private func those(of surface: SurfaceObject) -> [Resource<WlTouch>] {
    resources.of(surface.client)
  }
}

/// A client's `wl_touch`.
private final class TouchObject: WlTouch.RequestHandler {
  func release(_ resource: Resource<WlTouch>) throws(ProtocolViolation) {}
}

/// A client's `wl_seat`.
final class SeatObject: WlSeat.RequestHandler {
  private unowned let seat: Seat

  init(_ seat: Seat) { self.seat = seat }

  func getPointer(_ resource: Resource<WlSeat>, id: consuming NewID<WlPointer>) throws(ProtocolViolation) {
    try seat.pointer.add(id, seat)
  }

  func getKeyboard(_ resource: Resource<WlSeat>, id: consuming NewID<WlKeyboard>) throws(ProtocolViolation) {
    try seat.keyboard.add(id, seat)
  }

  func getTouch(_ resource: Resource<WlSeat>, id: consuming NewID<WlTouch>) throws(ProtocolViolation) {
    try seat.touch.add(id)
  }

  func release(_ resource: Resource<WlSeat>) throws(ProtocolViolation) {}
}
