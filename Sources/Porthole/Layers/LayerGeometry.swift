import Geometry

// Computed over `Layer.values`: an initialiser that an application adds in an extension stores into what is stored, past every
// observer; what it sets here is noted like anything else.

extension Layer {
  /// The layer's own space: its origin is what shows at the layer's top left corner.
  public final var bounds: Rect {
    get { values.bounds }
    set { if changes(&values.bounds, to: newValue) { note(.bounds) } }
  }

  /// Where the anchor point lies, in the superlayer's space.
  public final var position: Point {
    get { values.position }
    set { if changes(&values.position, to: newValue) { note(.position) } }
  }

  /// Siblings are drawn by rising `zPosition`, then in their order.
  public final var zPosition: Double {
    get { values.zPosition }
    set { if changes(&values.zPosition, to: newValue) { note(.zPosition) } }
  }

  /// The point that `position` places and `transform` turns about, in fractions of the bounds.
  public final var anchorPoint: Point {
    get { values.anchorPoint }
    set { if changes(&values.anchorPoint, to: newValue) { note(.anchorPoint) } }
  }

  /// The anchor point's distance from the layer's plane, in points.
  public final var anchorPointZ: Double {
    get { values.anchorPointZ }
    set { if changes(&values.anchorPointZ, to: newValue) { note(.anchorPointZ) } }
  }

  /// Applied about the anchor point.
  public final var transform: Transform3D {
    get { values.transform }
    set { if changes(&values.transform, to: newValue) { note(.transform) } }
  }

  /// Applied to every sublayer about this layer's anchor point; the place for perspective.
  public final var sublayerTransform: Transform3D {
    get { values.sublayerTransform }
    set { if changes(&values.sublayerTransform, to: newValue) { note(.sublayerTransform) } }
  }

  /// On: sublayers, once one of them is turned in space, are drawn from the furthest to the nearest and cut each other where
  /// they cross. Off: by `zPosition` and order alone.
  public final var sortsSublayersByDepth: Bool {
    get { values.sortsSublayersByDepth }
    set { if changes(&values.sortsSublayersByDepth, to: newValue) { note(.sortsSublayersByDepth) } }
  }

  /// Off: the layer is not drawn where it shows its back.
  public final var isDoubleSided: Bool {
    get { values.isDoubleSided }
    set { if changes(&values.isDoubleSided, to: newValue) { note(.isDoubleSided) } }
  }

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
