import Geometry

extension Layer {
  /// The rectangle around the layer in its superlayer's space. Setting it sets `position` and the size of `bounds`, as
  /// if there were no transform.
  public final var frame: Rect {
    get {
      guard !transform.isIdentity else {
        return bounds.offsetBy(dx: position.x - anchor.x, dy: position.y - anchor.y)
      }
      return Homography(placement).boundingBox(of: bounds)
    }
    set {
      let rect = newValue.standardized
      bounds = Rect(origin: bounds.origin, size: rect.size)
      position = Point(x: rect.x + anchorPoint.x * rect.width, y: rect.y + anchorPoint.y * rect.height)
    }
  }
}
