/// The convex polygon that a projected rectangle shows: up to five corners, since the eye's plane may cut one off.
public struct ProjectedPolygon: Sendable {
  /// The corners in order, in the target's units.
  public private(set) var points: [Point]

  /// How near to the eye's plane is still shown, as a share of the distance of the plane of the picture.
  public static let nearestW = 1e-4

  /// What `rect` shows under `transform`. A part in or behind the eye's plane is cut off, never wrapped.
  public init(_ rect: Rect, under transform: Homography) {
    self.init(rect.corners, under: transform)
  }

  /// What a convex polygon shows under `transform`.
  public init(_ corners: [Point], under transform: Homography) {
    points = []
    points.reserveCapacity(corners.count + 1)
    guard var previous = corners.last.map({ transform.project($0) }) else { return }
    for corner in corners {
      let current = transform.project(corner)
      if (current.w >= Self.nearestW) != (previous.w >= Self.nearestW) {
        let t = (Self.nearestW - previous.w) / (current.w - previous.w)
        points.append(
          Point(
            x: (previous.x + (current.x - previous.x) * t) / Self.nearestW,
            y: (previous.y + (current.y - previous.y) * t) / Self.nearestW))
      }
      if current.w >= Self.nearestW {
        points.append(
          current.w == 1 ? Point(x: current.x, y: current.y) : Point(x: current.x / current.w, y: current.y / current.w)
        )
      }
      previous = current
    }
  }

  /// The smallest upright rectangle around it; `Rect.zero` where nothing shows.
  public var boundingBox: Rect {
    guard let first = points.first else { return .zero }
    var (minX, minY, maxX, maxY) = (first.x, first.y, first.x, first.y)
    for point in points.dropFirst() {
      minX = min(minX, point.x)
      minY = min(minY, point.y)
      maxX = max(maxX, point.x)
      maxY = max(maxY, point.y)
    }
    return Rect(minX: minX, minY: minY, maxX: maxX, maxY: maxY)
  }

  /// The area it covers, in the target's square units.
  public var area: Double {
    guard points.count > 2 else { return 0 }
    var sum = 0.0
    var previous = points[points.count - 1]
    for point in points {
      sum += previous.x * point.y - point.x * previous.y
      previous = point
    }
    return (sum / 2).magnitude
  }
}

extension Homography {
  /// The smallest upright rectangle around the image of `rect`. No allocation.
  public func boundingBox(of rect: Rect) -> Rect {
    if isScaleAndTranslation {
      let (x0, x1) = (rect.minX * m11 + m41, rect.maxX * m11 + m41)
      let (y0, y1) = (rect.minY * m22 + m42, rect.maxY * m22 + m42)
      return Rect(minX: min(x0, x1), minY: min(y0, y1), maxX: max(x0, x1), maxY: max(y0, y1))
    }
    let a = project(Point(rect.minX, rect.minY))
    let b = project(Point(rect.maxX, rect.minY))
    let c = project(Point(rect.maxX, rect.maxY))
    let d = project(Point(rect.minX, rect.maxY))
    let near = ProjectedPolygon.nearestW
    guard a.w >= near, b.w >= near, c.w >= near, d.w >= near else {
      return ProjectedPolygon(rect, under: self).boundingBox
    }
    let (ax, bx, cx, dx) = (a.x / a.w, b.x / b.w, c.x / c.w, d.x / d.w)
    let (ay, by, cy, dy) = (a.y / a.w, b.y / b.w, c.y / c.w, d.y / d.w)
    return Rect(
      minX: min(min(ax, bx), min(cx, dx)), minY: min(min(ay, by), min(cy, dy)),
      maxX: max(max(ax, bx), max(cx, dx)), maxY: max(max(ay, by), max(cy, dy)))
  }
}
