import Commit
import Geometry

/// A gradient's colours under a transform.
struct Ramp {
  private let map: Homography
  private let start: Point
  private let type: GradientType
  /// From start to end, in points.
  private let way: Point
  private let stops: [(location: Double, color: SIMD4<Float>)]

  /// Nil where there is nothing to draw. `transform` leads from layer space to pixels.
  init?(_ gradient: Gradient, bounds: Rect, transform: Homography, in space: WorkingSpace) {
    guard !gradient.stops.isEmpty, let back = transform.inverse else { return nil }
    map = back
    type = gradient.type
    start = Point(bounds.x + gradient.start.x * bounds.width, bounds.y + gradient.start.y * bounds.height)
    let end = Point(bounds.x + gradient.end.x * bounds.width, bounds.y + gradient.end.y * bounds.height)
    way = end - start
    let square = way.x * way.x + way.y * way.y
    let hasLength = type == .radial ? way.x != 0 && way.y != 0 : square > 0
    let all = gradient.stops.map { (location: $0.location, color: SIMD4(space.color($0.color).premultiplied)) }
    // A line of no length has its end everywhere.
    stops = hasLength && square.isFinite ? all : Array(all.suffix(1))
  }

  /// How far along the gradient a place is, as seen from its start.
  private func share(_ place: Point) -> Double {
    switch type {
    case .axial: return (place.x * way.x + place.y * way.y) / (way.x * way.x + way.y * way.y)
    case .radial: return length(place.x / way.x, place.y / way.y)
    case .conic:
      // The angle from the direction of the end, clockwise since y runs down.
      let turn = angle(x: place.x * way.x + place.y * way.y, y: place.y * way.x - place.x * way.y) / (2 * .pi)
      // What lies on the line where the turn begins is its beginning, whatever rounding says.
      return turn < -1e-6 ? turn + 1 : turn
    }
  }

  /// The premultiplied colour at the centre of a pixel. Colours are mixed premultiplied.
  func color(x: Int, y: Int) -> SIMD4<Float> {
    if stops.count == 1 { return stops[0].color }
    let p = map.project(Point(Double(x) + 0.5, Double(y) + 0.5))
    let share = Outline.snapped(share(Point(p.x / p.w, p.y / p.w) - start))
    var before = stops[0]
    for stop in stops {
      if share < stop.location {
        let length = stop.location - before.location
        guard length > 0 else { return stop.color }
        let t = Float(max(0, (share - before.location) / length))
        return before.color + (stop.color - before.color) * t
      }
      before = stop
    }
    return before.color
  }
}
