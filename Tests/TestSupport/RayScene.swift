import Commit
import Geometry

/// Opaque rectangles in space as a ray from the viewer meets them, without any sorting or cutting.
public struct RayScene: Sendable {
  public struct Plane: CustomStringConvertible, Sendable {
    public var id: UInt64
    var bounds: Rect
    /// Layer space to the viewer's space, before perspective divides.
    var space: Transform3D
    public var color: Color

    public var description: String { "layer \(id)" }

    /// How near the plane is where the ray through `point` meets it; nil where it does not.
    public func depth(at point: Point) -> Double? {
      let flat = Homography(space)
      guard let local = flat.inverse?.apply(point), bounds.contains(local) else { return nil }
      let w = local.x * space.m14 + local.y * space.m24 + space.m44
      guard w > 0 else { return nil }
      return (local.x * space.m13 + local.y * space.m23 + space.m43) / w
    }
  }

  private var planes: [Plane] = []

  /// Layers with their properties as `TestLayer.box` sets them, in transform layers or not.
  public init(_ layers: [TestLayer], under sublayerTransform: Transform3D = .identity, about anchor: Point = .zero) {
    let common =
      Transform3D.translation(x: -anchor.x, y: -anchor.y) * sublayerTransform
      * .translation(x: anchor.x, y: anchor.y)
    for layer in layers { add(layer, common) }
  }

  private mutating func add(_ layer: TestLayer, _ outer: Transform3D) {
    var (bounds, position, z, transform, color) = (Rect.zero, Point.zero, 0.0, Transform3D.identity, Color.clear)
    for property in layer.properties {
      switch property {
      case .bounds(let value): bounds = value
      case .position(let value): position = value
      case .zPosition(let value): z = value
      case .transform(let value): transform = value
      case .backgroundColor(let value): color = value
      default: break
      }
    }
    let space =
      Transform3D.translation(x: -bounds.center.x, y: -bounds.center.y) * transform
      * .translation(x: position.x, y: position.y, z: z) * outer
    if layer.kind == .transform {
      for sublayer in layer.sublayers { add(sublayer, space) }
    } else {
      planes.append(Plane(id: layer.id.rawValue, bounds: bounds, space: space, color: color))
    }
  }

  /// What a ray meets, the nearest first.
  public func planes(at point: Point) -> [Plane] {
    planes.compactMap { plane in plane.depth(at: point).map { (plane, $0) } }.sorted { $0.1 > $1.1 }.map(\.0)
  }

  /// What shows at a pixel, where no edge and no cut is near: rays all around meet the same plane first, and the next one
  /// well behind it, since where three planes almost meet each is cut by the others. Nil elsewhere, and where none is met.
  public func settled(_ x: Int, _ y: Int) -> Plane? {
    var found: Plane?
    for dy in [-1.5, -0.75, 0, 0.75, 1.5] {
      for dx in [-1.5, -0.75, 0, 0.75, 1.5] {
        let point = Point(Double(x) + 0.5 + dx, Double(y) + 0.5 + dy)
        let met = planes(at: point)
        guard let nearest = met.first, let depth = nearest.depth(at: point) else { return nil }
        if let found, found.id != nearest.id { return nil }
        if met.count > 1, let next = met[1].depth(at: point), depth - next < 8 { return nil }
        found = nearest
      }
    }
    return found
  }
}
