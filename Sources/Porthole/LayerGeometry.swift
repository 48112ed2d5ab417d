import Geometry

extension Layer {
  /// The rectangle around the layer in its superlayer's space. Setting it sets `position` and the size of `bounds`, as
  /// if there were no transform.
  public final var frame: Rect {
    get {
      let anchor = Point(x: bounds.x + anchorPoint.x * bounds.width, y: bounds.y + anchorPoint.y * bounds.height)
      guard !transform.isIdentity else {
        return bounds.offsetBy(dx: position.x - anchor.x, dy: position.y - anchor.y)
      }
      let placed =
        Transform3D.translation(x: -anchor.x, y: -anchor.y, z: -anchorPointZ) * transform
        * .translation(x: position.x, y: position.y, z: zPosition)
      return Homography(placed).boundingBox(of: bounds)
    }
    set {
      let rect = newValue.standardized
      bounds = Rect(origin: bounds.origin, size: rect.size)
      position = Point(x: rect.x + anchorPoint.x * rect.width, y: rect.y + anchorPoint.y * rect.height)
    }
  }
}
