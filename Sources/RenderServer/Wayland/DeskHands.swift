import Geometry
import LinuxIO
import WaylandProtocol

/// For tests in the server's own process: hands that move windows, a pointer and a finger on the desk.
extension RenderServer {
  /// Names a connection.
  package struct Guest: Sendable, Hashable { fileprivate var number: ClientNumber }

  package enum TouchPhase: Sendable { case down, moved, up }

  /// Serves a connected socket; nil where it is refused.
  package func serveGuest(_ socket: consuming FileDescriptor) throws(ServerError) -> Guest? {
    try core.serve(socket).map { Guest(number: $0) }
  }

  /// Puts a window's corner on a place of the desk.
  /// - Parameter number: that of the window's `wl_surface` on the wire.
  /// - Returns: whether there is such a window, and it is shown.
  package func place(surface number: UInt32, of guest: Guest, at corner: Point) -> Bool {
    guard
      let surface = core.sessions[guest.number]?.surfaces?.surfaces.values.first(where: {
        $0.resource?.number == number
      }), let window = surface.window
    else { return false }
    return core.compositor?.desk.place(window, at: corner) ?? false
  }

  package func movePointer(to point: Point) { with { $0.movePointer(to: point, on: $1) } }

  /// - Parameter button: as Linux numbers them.
  package func press(_ button: UInt32, isDown: Bool) { with { seat, _ in seat.press(button, isDown: isDown) } }

  package func touch(_ phase: TouchPhase, at point: Point) {
    with { seat, output in
      switch phase {
      case .down: seat.touchDown(0, at: point, on: output)
      case .moved: seat.touchMove(0, to: point, on: output)
      case .up: seat.touchUp(0)
      }
    }
  }

  private func with(_ body: (Seat, OutputObject) -> Void) {
    guard let compositor = core.compositor, let output = core.outputs[compositor.desk.outputNumber] else { return }
    body(compositor.seat, output)
  }
}
