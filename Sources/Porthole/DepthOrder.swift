import Geometry

/// Whether siblings in space can be drawn in their order, by `zPosition` and index: so it is where none that comes later
/// reaches behind one that it overlaps. Space here is the parent's, after perspective: the viewer looks along z, from its
/// positive end.
///
/// What a layer draws beyond its bounds is not looked at; one without an area is taken to be in the way of all.
enum DepthOrder {
  /// More siblings than this, of which one leaves the plane, are not looked at.
  private static let siblingLimit = 512

  private struct Plane {
    var index: Int
    var corners: [(x: Double, y: Double, z: Double)] = []
    var normal = (x: 0.0, y: 0.0, z: 0.0)
    var box = Rect.zero

    /// How far a point is on the viewer's side.
    func height(_ p: (x: Double, y: Double, z: Double)) -> Double {
      normal.x * (p.x - corners[0].x) + normal.y * (p.y - corners[0].y) + normal.z * (p.z - corners[0].z)
    }
  }

  /// The index of a sublayer of `parent` that its place in the order does not fit; nil where order is enough.
  static func misplacedSublayer(of parent: Layer) -> Int? {
    let sublayers = parent.sublayers
    guard sublayers.count > 1 else { return nil }
    let common = about(parent.sublayerTransform, parent)
    let placements = sublayers.map { placement(of: $0) * common }
    // In planes that are all the parent's own or parallel to it, `zPosition` is the depth.
    guard let turned = placements.firstIndex(where: { $0.m13 != 0 || $0.m23 != 0 || $0.m14 != 0 || $0.m24 != 0 })
    else { return nil }
    if !placements.contains(where: { $0.m13 != 0 || $0.m23 != 0 || $0.m43 != 0 }) { return nil }
    guard sublayers.count <= siblingLimit else { return turned }

    var planes: [Plane] = []
    let order = sublayers.indices.sorted { (sublayers[$0].zPosition, $0) < (sublayers[$1].zPosition, $1) }
    for index in order where !sublayers[index].isHidden {
      guard let plane = plane(index, sublayers[index].bounds, placements[index]) else { return index }
      // Seen edge on, or from behind where that shows nothing, it is not seen.
      if plane.normal.z == 0 || !sublayers[index].isDoubleSided && placements[index].showsBack { continue }
      for lower in planes where overlaps(lower, plane) && !isInFront(plane, of: lower) { return index }
      planes.append(plane)
    }
    return nil
  }

  private static func about(_ transform: Transform3D, _ layer: Layer) -> Transform3D {
    if transform.isIdentity { return .identity }
    let a = anchor(layer)
    return .translation(x: -a.x, y: -a.y, z: -layer.anchorPointZ) * transform
      * .translation(x: a.x, y: a.y, z: layer.anchorPointZ)
  }

  private static func placement(of layer: Layer) -> Transform3D {
    let a = anchor(layer)
    return .translation(x: -a.x, y: -a.y, z: -layer.anchorPointZ) * layer.transform
      * .translation(x: layer.position.x, y: layer.position.y, z: layer.zPosition)
  }

  private static func anchor(_ layer: Layer) -> Point {
    Point(
      x: layer.bounds.x + layer.anchorPoint.x * layer.bounds.width,
      y: layer.bounds.y + layer.anchorPoint.y * layer.bounds.height)
  }

  /// Nil where it can't be told: without an area, or behind the eye.
  private static func plane(_ index: Int, _ bounds: Rect, _ m: Transform3D) -> Plane? {
    guard !bounds.standardized.isEmpty else { return nil }
    var plane = Plane(index: index)
    for corner in bounds.standardized.corners {
      let w = corner.x * m.m14 + corner.y * m.m24 + m.m44
      guard w > 0 else { return nil }
      plane.corners.append(
        (
          (corner.x * m.m11 + corner.y * m.m21 + m.m41) / w, (corner.x * m.m12 + corner.y * m.m22 + m.m42) / w,
          (corner.x * m.m13 + corner.y * m.m23 + m.m43) / w
        ))
    }
    let (a, b, c) = (plane.corners[0], plane.corners[1], plane.corners[3])
    let (u, v) = ((x: b.x - a.x, y: b.y - a.y, z: b.z - a.z), (x: c.x - a.x, y: c.y - a.y, z: c.z - a.z))
    var n = (x: u.y * v.z - u.z * v.y, y: u.z * v.x - u.x * v.z, z: u.x * v.y - u.y * v.x)
    let length = (n.x * n.x + n.y * n.y + n.z * n.z).squareRoot()
    guard length.isFinite else { return nil }
    guard length > 0, n.z.magnitude > length * 1e-9 else { return plane }
    let k = n.z < 0 ? -1 / length : 1 / length
    n = (n.x * k, n.y * k, n.z * k)
    plane.normal = n
    let (xs, ys) = (plane.corners.map(\.x), plane.corners.map(\.y))
    plane.box = Rect(
      minX: xs.min() ?? 0, minY: ys.min() ?? 0, maxX: xs.max() ?? 0, maxY: ys.max() ?? 0)
    return plane
  }

  private static func overlaps(_ a: Plane, _ b: Plane) -> Bool {
    let common = a.box.intersection(b.box)
    return common.width > tolerance && common.height > tolerance
  }

  private static func isInFront(_ upper: Plane, of lower: Plane) -> Bool {
    upper.corners.allSatisfy { lower.height($0) >= -tolerance }
      || lower.corners.allSatisfy { upper.height($0) <= tolerance }
  }

  /// In points: what edges that meet may be apart by rounding.
  private static let tolerance = 1e-3
}
