import Geometry

/// The outline of a shape as the target shows it: a closed polygon in pixels, cut to what is visible. Corners are
/// flattened as finely as the target can tell.
struct Outline {
  private(set) var points: [Point] = []

  /// How far, in pixels, a chord may lie within the arc that it stands for.
  private static let tolerance = 1.0 / 2048
  /// Halvings of a quarter circle: enough for a radius of 10⁹ pixels.
  private static let deepest = 24

  /// What of `shape` shows in `clip` under `transform`, which leads to pixels. No points where nothing does.
  init(_ shape: RoundedRect, under transform: Homography, within clip: PixelRect) {
    guard !shape.rect.isEmpty, shape.rect.isFinite, !clip.isEmpty else { return }
    let corners =
      shape.radii.isZero ? shape.rect.corners : Self.flattened(shape, under: transform, within: clip.outset(by: 1).rect)
    var visible = ProjectedPolygon(corners, under: transform).points
    guard visible.allSatisfy(\.isFinite) else { return }
    Self.cut(&visible, at: Double(clip.minX), keepingAbove: true, \.x, \.y) { Point($0, $1) }
    Self.cut(&visible, at: Double(clip.maxX), keepingAbove: false, \.x, \.y) { Point($0, $1) }
    Self.cut(&visible, at: Double(clip.minY), keepingAbove: true, \.y, \.x) { Point($1, $0) }
    Self.cut(&visible, at: Double(clip.maxY), keepingAbove: false, \.y, \.x) { Point($1, $0) }
    points = Self.settled(visible)
  }

  /// A polygon in pixels that needs no cutting.
  init(settled visible: [Point]) { points = Self.settled(visible) }

  private static func settled(_ points: [Point]) -> [Point] { points.map { Point(snapped($0.x), snapped($0.y)) } }

  /// Takes away the rounding that a chain of transforms leaves behind, so that an edge meant for the pixel grid lies on
  /// it and one way to the same place draws the same bytes as another.
  static func snapped(_ coordinate: Double) -> Double { (coordinate * 0x1p24).rounded() * 0x1p-24 }

  /// The smallest rectangle of pixels around it.
  var pixelBounds: PixelRect {
    guard let first = points.first else { return .empty }
    var (low, high) = (first, first)
    for point in points {
      low = Point(min(low.x, point.x), min(low.y, point.y))
      high = Point(max(high.x, point.x), max(high.y, point.y))
    }
    return PixelRect(enclosing: Rect(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y))
  }

  /// Whether `shape` covers whole pixels only, so that a clip to it needs no coverage.
  static func isOnPixelGrid(_ shape: RoundedRect, under transform: Homography) -> Bool {
    guard shape.radii.isZero, transform.isScaleAndTranslation else { return false }
    let box = transform.boundingBox(of: shape.rect)
    return [box.minX, box.minY, box.maxX, box.maxY].allSatisfy { snapped($0) == $0.rounded() }
  }

  // MARK: Cutting

  /// Keeps what lies on one side of a line on which the coordinate `along` is `limit`.
  private static func cut(
    _ points: inout [Point], at limit: Double, keepingAbove: Bool, _ along: KeyPath<Point, Double>,
    _ across: KeyPath<Point, Double>, _ make: (Double, Double) -> Point
  ) {
    func isInside(_ point: Point) -> Bool {
      keepingAbove ? point[keyPath: along] >= limit : point[keyPath: along] <= limit
    }
    guard var previous = points.last, !points.allSatisfy(isInside) else { return }
    var result: [Point] = []
    result.reserveCapacity(points.count + 2)
    for point in points {
      if isInside(point) != isInside(previous) {
        let (a0, a1) = (previous[keyPath: along], point[keyPath: along])
        let (b0, b1) = (previous[keyPath: across], point[keyPath: across])
        result.append(make(limit, b0 + (b1 - b0) * ((limit - a0) / (a1 - a0))))
      }
      if isInside(point) { result.append(point) }
      previous = point
    }
    points = result
  }

  // MARK: Corners

  /// The corners of a polygon, in layer space, that the target cannot tell from `shape`.
  private static func flattened(_ shape: RoundedRect, under transform: Homography, within clip: Rect) -> [Point] {
    let rect = shape.rect
    let most = min(rect.width, rect.height) / 2
    let corners: [(radius: Double, corner: Point, inward: Point, from: Point, to: Point)] = [
      (shape.radii.topLeft, Point(rect.minX, rect.minY), Point(1, 1), Point(-1, 0), Point(0, -1)),
      (shape.radii.topRight, Point(rect.maxX, rect.minY), Point(-1, 1), Point(0, -1), Point(1, 0)),
      (shape.radii.bottomRight, Point(rect.maxX, rect.maxY), Point(-1, -1), Point(1, 0), Point(0, 1)),
      (shape.radii.bottomLeft, Point(rect.minX, rect.maxY), Point(1, -1), Point(0, 1), Point(-1, 0)),
    ]
    var points: [Point] = []
    for corner in corners {
      let radius = min(corner.radius, most)
      guard radius > 0 else {
        points.append(corner.corner)
        continue
      }
      let center = Point(corner.corner.x + corner.inward.x * radius, corner.corner.y + corner.inward.y * radius)
      let arc = Arc(center: center, radius: radius, transform: transform, clip: clip)
      points.append(arc.point(at: corner.from))
      arc.flatten(from: corner.from, to: corner.to, level: 0, into: &points)
    }
    return points
  }

  /// A part of a circle in layer space, given by directions of length one.
  private struct Arc {
    var center: Point
    var radius: Double
    var transform: Homography
    var clip: Rect

    func point(at direction: Point) -> Point {
      Point(center.x + direction.x * radius, center.y + direction.y * radius)
    }

    /// Appends chords that end at `to`. The level, not the size of the circle, bounds how deep this goes.
    func flatten(from: Point, to: Point, level: Int, into points: inout [Point]) {
      let sum = from + to
      let end = point(at: to)
      if level < Outline.deepest, !isFlat(from: from, to: to, sum: sum) {
        let length = Geometry.length(sum.x, sum.y)
        let middle = Point(sum.x / length, sum.y / length)
        flatten(from: from, to: middle, level: level + 1, into: &points)
        flatten(from: middle, to: to, level: level + 1, into: &points)
      } else {
        points.append(end)
      }
    }

    /// Whether a chord does: it is near enough to the arc, or the triangle around the arc is out of sight.
    private func isFlat(from: Point, to: Point, sum: Point) -> Bool {
      let reach = radius / (1 + from.x * to.x + from.y * to.y)
      let tip = transform.project(Point(center.x + sum.x * reach, center.y + sum.y * reach))
      let (start, end) = (transform.project(point(at: from)), transform.project(point(at: to)))
      let near = ProjectedPolygon.nearestW
      let inFront = (start.w >= near ? 1 : 0) + (end.w >= near ? 1 : 0) + (tip.w >= near ? 1 : 0)
      guard inFront == 3 else { return inFront == 0 }
      let (ax, ay) = (start.x / start.w, start.y / start.w)
      let (bx, by) = (end.x / end.w, end.y / end.w)
      let (tx, ty) = (tip.x / tip.w, tip.y / tip.w)
      if max(ax, bx, tx) < clip.minX || min(ax, bx, tx) > clip.maxX { return true }
      if max(ay, by, ty) < clip.minY || min(ay, by, ty) > clip.maxY { return true }
      // The arc's crown halves the way from the chord's middle to the tip.
      return Geometry.length(tx - (ax + bx) / 2, ty - (ay + by) / 2) / 2 <= Outline.tolerance
    }
  }
}
