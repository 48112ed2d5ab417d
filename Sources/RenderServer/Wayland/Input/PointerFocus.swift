import Geometry
import WaylandProtocol

/// Where the pointer is, and whose it is (`wl_pointer`).
final class PointerFocus {
  /// The output that it was last moved over, and the point in it.
  var place: Seat.Place?
  private(set) var target: Seat.Target?
  private var pressed: Set<UInt32> = []
  private var resources = SeatDevices<WlPointer>()

  var surface: SurfaceObject? { target?.surface }
  /// As long as a button is down, what was under the pointer then hears of it.
  var isPressed: Bool { !pressed.isEmpty }

  func add(_ id: consuming NewID<WlPointer>, _ seat: Seat) throws(ProtocolViolation) {
    let resource = try id.create(PointerObject(seat))
    resources.add(resource)
    if let target, target.surface.client.session.wire === resource.client { enter([resource], target, seat.newSerial) }
  }

  func move(to new: Seat.Target?, serial: UInt32, time: UInt32) {
    if let old = target, old.surface !== new?.surface {
      if let surface = old.surface.resource {
        for pointer in those(of: old.surface) { pointer.sendLeave(serial: serial, surface: surface) }
        end(those(of: old.surface))
      }
      pressed = []
    }
    let isNew = new.map { $0.surface !== target?.surface } ?? false
    let hasMoved = new.map { $0.point != target?.point } ?? false
    target = new
    guard let new else { return }
    if isNew {
      enter(those(of: new.surface), new, serial)
    } else if hasMoved {
      for pointer in those(of: new.surface) {
        pointer.sendMotion(time: time, surfaceX: WireFixed(new.point.x), surfaceY: WireFixed(new.point.y))
      }
      end(those(of: new.surface))
    }
  }

  func press(_ button: UInt32, isDown: Bool, serial: UInt32, time: UInt32) {
    guard let surface else { return }
    guard pressed.contains(button) != isDown else { return }
    if isDown { pressed.insert(button) } else { pressed.remove(button) }
    for pointer in those(of: surface) {
      pointer.sendButton(serial: serial, time: time, button: button, state: isDown ? .pressed : .released)
    }
    end(those(of: surface))
  }

  /// - Parameter distance: in the surface's own units, as a wheel would scroll: down and to the right.
  func scroll(_ distance: Point, time: UInt32) {
    guard let surface else { return }
    for pointer in those(of: surface) {
      if pointer.version >= 5 { pointer.sendAxisSource(axisSource: .wheel) }
      for (axis, value) in [(WlPointer.Axis.verticalScroll, distance.y), (.horizontalScroll, distance.x)]
      where value != 0 {
        // A wheel's click is ten of these units.
        if pointer.version >= 5, pointer.version < 8 {
          pointer.sendAxisDiscrete(axis: axis, discrete: Int32(clamping: Int((value / 10).rounded())))
        }
        pointer.sendAxis(time: time, axis: axis, value: WireFixed(value))
      }
    }
    end(those(of: surface))
  }

  func forget(_ client: SurfaceClient) {
    if target?.surface.client === client { (target, pressed) = (nil, []) }
    resources.forget(client)
  }

  private func those(of surface: SurfaceObject) -> [Resource<WlPointer>] {
    resources.of(surface.client)
  }

  private func enter(_ pointers: [Resource<WlPointer>], _ target: Seat.Target, _ serial: UInt32) {
    guard let surface = target.surface.resource else { return }
    for pointer in pointers {
      pointer.sendEnter(
        serial: serial, surface: surface, surfaceX: WireFixed(target.point.x), surfaceY: WireFixed(target.point.y))
    }
    end(pointers)
  }

  /// What was said belongs together.
  private func end(_ pointers: [Resource<WlPointer>]) {
    for pointer in pointers where pointer.version >= 5 { pointer.sendFrame() }
  }
}

/// A client's `wl_pointer`.
final class PointerObject: WlPointer.RequestHandler {
  private unowned let seat: Seat

  init(_ seat: Seat) { self.seat = seat }

  func setCursor(
    _ resource: Resource<WlPointer>, serial: UInt32, surface: Resource<WlSurface>?, hotspotX: Int32, hotspotY: Int32
  ) throws(ProtocolViolation) {
    guard let surface = surface?.handler as? SurfaceObject else { return seat.show(cursor: nil, of: resource.client) }
    let offset = Point(-Double(hotspotX), -Double(hotspotY))
    if let known = surface.role as? PointerPicture, surface.roleKind == .cursor, seat.cursor === known {
      known.setOffset(offset)
      return seat.showPictures()
    }
    guard surface.role == nil || surface.roleKind == .cursor, surface.roleKind == nil || surface.roleKind == .cursor
    else {
      throw ProtocolViolation(
        WlPointer.ErrorCode.role, "the surface is a \(surface.roleKind?.rawValue ?? "surface") already")
    }
    surface.role = nil
    let picture = PointerPicture(surface, offset: offset)
    _ = surface.take(.cursor, picture)
    seat.show(cursor: picture, of: resource.client)
  }

  func release(_ resource: Resource<WlPointer>) throws(ProtocolViolation) {}
}
