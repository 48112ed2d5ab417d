import Geometry

// Where a layer lies in what holds it, as the model has it.

extension Layer {
  /// The point that `position` places, in layer space.
  final var anchor: Point {
    Point(x: bounds.x + anchorPoint.x * bounds.width, y: bounds.y + anchorPoint.y * bounds.height)
  }

  /// Layer space to the container's, without what that does to all of its sublayers.
  final var placement: Transform3D {
    let a = anchor
    return .translation(x: -a.x, y: -a.y, z: -anchorPointZ) * transform
      * .translation(x: position.x, y: position.y, z: zPosition)
  }

  /// What `sublayerTransform` does to every sublayer, about this layer's anchor.
  final var sublayerPlacement: Transform3D {
    if sublayerTransform.isIdentity { return .identity }
    let a = anchor
    return .translation(x: -a.x, y: -a.y, z: -anchorPointZ) * sublayerTransform
      * .translation(x: a.x, y: a.y, z: anchorPointZ)
  }
}
