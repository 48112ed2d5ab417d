import Commit
import Geometry

/// A gradient's colours under a transform.
struct Ramp {
  private let map: Homography
  private let start: Point
  /// What a step of one point, each way, adds to the share of the way from start to end.
  private let direction: Point
  private let stops: [(location: Double, color: SIMD4<Float>)]

  /// Nil where there is nothing to draw. `transform` leads from layer space to pixels.
  init?(_ gradient: Gradient, bounds: Rect, transform: Homography) {
    guard !gradient.stops.isEmpty, let back = transform.inverse else { return nil }
    map = back
    start = Point(bounds.x + gradient.start.x * bounds.width, bounds.y + gradient.start.y * bounds.height)
    let end = Point(bounds.x + gradient.end.x * bounds.width, bounds.y + gradient.end.y * bounds.height)
    let way = end - start
    let square = way.x * way.x + way.y * way.y
    direction = square > 0 && square.isFinite ? Point(way.x / square, way.y / square) : .zero
    let all = gradient.stops.map { (location: $0.location, color: SIMD4($0.color.premultiplied)) }
    // A line of no length has its end everywhere.
    stops = direction == .zero ? Array(all.suffix(1)) : all
  }

  /// The premultiplied colour at the centre of a pixel. Colours are mixed premultiplied.
  func color(x: Int, y: Int) -> SIMD4<Float> {
    let p = map.project(Point(Double(x) + 0.5, Double(y) + 0.5))
    let place = Point(p.x / p.w, p.y / p.w) - start
    let share = Outline.snapped(place.x * direction.x + place.y * direction.y)
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
