import Geometry

extension SurfaceObject {
  /// From the space of the layer with the picture, in which the buffer lies as it was drawn, to the surface's own.
  func point(inContent point: Point) -> Point {
    let size = state.size
    let drawn = state.transform.apply(size)
    let (x, y) = (point.x - drawn.width / 2, point.y - drawn.height / 2)
    let undone = state.transform.undone
    return Point(
      x * undone.m11 + y * undone.m21 + size.width / 2, x * undone.m12 + y * undone.m22 + size.height / 2)
  }

  /// The window that it belongs to, by way of parents.
  var window: ToplevelObject? {
    var current: SurfaceObject? = self
    for _ in 0..<256 {
      guard let surface = current else { return nil }
      if let subsurface = surface.role as? SubsurfaceObject {
        current = subsurface.parent
      } else if let window = surface.role as? WindowSurface {
        if let toplevel = window.kind as? ToplevelObject { return toplevel }
        current = (window.kind as? PopupObject)?.parent?.surface
      } else {
        return nil
      }
    }
    return nil
  }

  /// Whether it is a subsurface of another one, at any depth.
  func isBelow(_ other: SurfaceObject) -> Bool {
    var current = (role as? SubsurfaceObject)?.parent
    while let surface = current {
      if surface === other { return true }
      current = (surface.role as? SubsurfaceObject)?.parent
    }
    return false
  }
}
