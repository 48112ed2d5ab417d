import Geometry
import WaylandProtocol

/// The fingers that are down, each with the surface that it came down on (`wl_touch`).
final class TouchFocus {
  /// A finger, and when it came down.
  private struct Finger {
    var target: Seat.Target
    var serial: UInt32
    var place: Seat.Place
  }
  private var fingers: [Int32: Finger] = [:]
  private var resources = SeatDevices<WlTouch>()

  func add(_ id: consuming NewID<WlTouch>) throws(ProtocolViolation) {
    let resource = try id.create(TouchObject())
    resources.add(resource)
  }

  func target(of finger: Int32) -> Seat.Target? { fingers[finger]?.target }

  /// The finger that came down with a serial on a surface such as that, and where it is.
  func finger(serial: UInt32, on isWanted: (SurfaceObject) -> Bool) -> (finger: Int32, place: Seat.Place)? {
    fingers.first { $0.value.serial == serial && isWanted($0.value.target.surface) }.map { ($0.key, $0.value.place) }
  }

  /// The finger is another's from now on, and its client hears of it no more.
  func take(_ finger: Int32) { fingers[finger] = nil }

  func down(
    _ finger: Int32, _ target: Seat.Target, at place: Seat.Place, serial: UInt32,
    time: UInt32
  ) {
    guard fingers[finger] == nil, fingers.count < 32, let surface = target.surface.resource else { return }
    fingers[finger] = Finger(target: target, serial: serial, place: place)
    for touch in those(of: target.surface) {
      touch.sendDown(
        serial: serial, time: time, surface: surface, id: finger, x: WireFixed(target.point.x),
        y: WireFixed(target.point.y))
      touch.sendFrame()
    }
  }

  func move(
    _ finger: Int32, to target: Seat.Target, at place: Seat.Place, time: UInt32
  ) {
    fingers[finger]?.target = target
    fingers[finger]?.place = place
    for touch in those(of: target.surface) {
      touch.sendMotion(time: time, id: finger, x: WireFixed(target.point.x), y: WireFixed(target.point.y))
      touch.sendFrame()
    }
  }

  func up(_ finger: Int32, serial: UInt32, time: UInt32) {
    guard let target = fingers.removeValue(forKey: finger)?.target else { return }
    for touch in those(of: target.surface) {
      touch.sendUp(serial: serial, time: time, id: finger)
      touch.sendFrame()
    }
  }

  /// The surface shows nothing any more: its fingers are up, as far as its client is concerned.
  func forget(_ surface: SurfaceObject, serial: UInt32, time: UInt32) {
    for (finger, state) in fingers where state.target.surface === surface { up(finger, serial: serial, time: time) }
  }

  func forget(_ client: SurfaceClient) {
    for (finger, state) in fingers where state.target.surface.client === client { fingers[finger] = nil }
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
