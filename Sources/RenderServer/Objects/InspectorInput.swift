import Geometry
import WaylandProtocol

/// What the operator does in the place of a pointer, a keyboard and fingers.
extension InspectorObject {
  private func seat(_ resource: AnyResource) throws(ProtocolViolation) -> Seat? {
    try ClientSession.of(resource).server.compositor?.seat
  }

  /// The output of a number, or the desk's for 0.
  private func output(_ resource: AnyResource, _ high: UInt32, _ low: UInt32) throws(ProtocolViolation) -> OutputObject?
  {
    let server = try ClientSession.of(resource).server
    let number = UInt64(high) << 32 | UInt64(low)
    return server.outputs[number == 0 ? server.compositor?.desk.outputNumber ?? .none : OutputNumber(rawValue: number)]
  }

  private func point(_ resource: AnyResource, _ array: RawSpan) throws(ProtocolViolation) -> Point {
    let session = try ClientSession.of(resource)
    let numbers = try session.doubles(array, 2, "a point")
    guard numbers.allSatisfy({ $0.isFinite && abs($0) < 1e6 }) else {
      throw session.violation(.badArray, "a point is two finite numbers")
    }
    return Point(numbers[0], numbers[1])
  }

  func movePointer(
    _ resource: Resource<PortholeInspectorV1>, outputHi: UInt32, outputLo: UInt32, point: RawSpan
  ) throws(ProtocolViolation) {
    let place = try self.point(resource, point)
    guard let seat = try seat(resource), let output = try output(resource, outputHi, outputLo) else { return }
    seat.movePointer(to: place, on: output)
  }

  func pressButton(
    _ resource: Resource<PortholeInspectorV1>, button: UInt32, state: PortholeInspectorV1.State
  ) throws(ProtocolViolation) {
    try seat(resource)?.press(button, isDown: state == .down)
  }

  func scroll(_ resource: Resource<PortholeInspectorV1>, distance: RawSpan) throws(ProtocolViolation) {
    let distance = try point(resource, distance)
    try seat(resource)?.scroll(distance)
  }

  func pressKey(
    _ resource: Resource<PortholeInspectorV1>, key: UInt32, state: PortholeInspectorV1.State
  ) throws(ProtocolViolation) {
    try seat(resource)?.press(key: key, isDown: state == .down)
  }

  func typeText(_ resource: Resource<PortholeInspectorV1>, text: String) throws(ProtocolViolation) {
    let rejected = try seat(resource)?.type(text)
    resource.sendTyped(rejected: rejected.map { String($0) })
  }

  func strikeKeys(_ resource: Resource<PortholeInspectorV1>, names: String) throws(ProtocolViolation) {
    let rejected = try seat(resource)?.strike(named: names)
    resource.sendTyped(rejected: rejected)
  }

  func touch(
    _ resource: Resource<PortholeInspectorV1>, finger: Int32, state: PortholeInspectorV1.State, outputHi: UInt32,
    outputLo: UInt32, point: RawSpan
  ) throws(ProtocolViolation) {
    let place = try self.point(resource, point)
    guard let seat = try seat(resource), let output = try output(resource, outputHi, outputLo) else { return }
    switch state {
    case .down: seat.touchDown(finger, at: place, on: output)
    case .moved: seat.touchMove(finger, to: place, on: output)
    default: seat.touchUp(finger)
    }
  }
}
