import Commit
import Geometry
import WaylandProtocol

/// A surface that goes where the pointer is, on the desk: its picture (`wl_pointer.set_cursor`), or what it carries.
final class PointerPicture: SurfaceRole {
  private(set) weak var surface: SurfaceObject?
  private let layer: LayerID
  /// Where the surface's corner is from the pointer.
  private var offset: Point
  private var isOnDesk = false
  private unowned let desk: Desk

  init(_ surface: SurfaceObject, offset: Point) {
    (self.surface, self.offset) = (surface, offset)
    layer = surface.layer
    desk = surface.client.compositor.desk
  }

  deinit { takeAway() }

  /// - Parameter place: the pointer's on the desk; nil where it is elsewhere.
  func show(at place: Point?) {
    guard let surface, !surface.client.isEnded, let place else { return takeAway() }
    desk.show(picture: layer, at: Point(place.x + offset.x, place.y + offset.y), isNew: !isOnDesk)
    isOnDesk = true
  }

  /// Another place of the picture is to be where the pointer is.
  func setOffset(_ new: Point) { offset = new }

  private func takeAway() {
    guard isOnDesk else { return }
    isOnDesk = false
    desk.takeAway(picture: layer, isThere: surface?.client.isEnded == false)
  }

  // MARK: The surface

  func check(_ changes: SurfaceChanges) throws(ProtocolViolation) {}

  func moved(by step: Point) {
    offset = Point(offset.x + step.x, offset.y + step.y)
    surface?.client.compositor.seat.showPictures()
  }

  func surfaceChanged() throws(ProtocolViolation) {}

  func surfaceGone() {
    takeAway()
    surface = nil
  }
}
