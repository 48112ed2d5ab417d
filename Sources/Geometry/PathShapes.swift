// Whole shapes as parts of a path. Angles are in radians and grow clockwise, since y points down.

extension Path {
  public init(_ rect: Rect) {
    self.init()
    addRect(rect)
  }

  public init(roundedRect rect: Rect, cornerRadius: Double) {
    self.init()
    addRoundedRect(in: rect, cornerRadius: cornerRadius)
  }

  public init(ellipseIn rect: Rect) {
    self.init()
    addEllipse(in: rect)
  }

  public mutating func addRect(_ rect: Rect) {
    let rect = rect.standardized
    move(to: rect.origin)
    addLine(to: Point(rect.maxX, rect.y))
    addLine(to: Point(rect.maxX, rect.maxY))
    addLine(to: Point(rect.x, rect.maxY))
    closeSubpath()
  }

  /// The radius is at most half of the shorter side.
  public mutating func addRoundedRect(in rect: Rect, cornerRadius: Double) {
    let rect = rect.standardized
    let radius = min(max(0, cornerRadius), rect.width / 2, rect.height / 2)
    guard radius > 0 else { return addRect(rect) }
    let (left, top) = (rect.x + radius, rect.y + radius)
    let (right, bottom) = (rect.maxX - radius, rect.maxY - radius)
    let quarter = Double.pi / 2
    move(to: Point(left, rect.y))
    addArcs(center: Point(right, top), radiusX: radius, radiusY: radius, from: -quarter, by: quarter)
    addArcs(center: Point(right, bottom), radiusX: radius, radiusY: radius, from: 0, by: quarter)
    addArcs(center: Point(left, bottom), radiusX: radius, radiusY: radius, from: quarter, by: quarter)
    addArcs(center: Point(left, top), radiusX: radius, radiusY: radius, from: 2 * quarter, by: quarter)
    closeSubpath()
  }

  /// Clockwise from the right.
  public mutating func addEllipse(in rect: Rect) {
    let rect = rect.standardized
    let center = rect.center
    move(to: Point(rect.maxX, center.y))
    addArcs(center: center, radiusX: rect.width / 2, radiusY: rect.height / 2, from: 0, by: 2 * .pi)
    closeSubpath()
  }

  /// Joined with the current point, if there is one, by a line. Angles that differ by more than a turn make one turn.
  public mutating func addArc(
    center: Point, radius: Double, startAngle: Double, endAngle: Double, clockwise: Bool = true
  ) {
    let turn = 2 * Double.pi
    var sweep = endAngle - startAngle
    guard sweep.isFinite, startAngle.isFinite else { return }
    if clockwise {
      if sweep < 0 { sweep = sweep.remainder(dividingBy: turn) }
      if sweep < 0 { sweep += turn }
      sweep = min(sweep, turn)
    } else {
      if sweep > 0 { sweep = sweep.remainder(dividingBy: turn) }
      if sweep > 0 { sweep -= turn }
      sweep = max(sweep, -turn)
    }
    addArcs(center: center, radiusX: radius, radiusY: radius, from: startAngle, by: sweep)
  }

  /// An arc of an ellipse whose axes are turned by `rotation`, as curves of an eighth of a turn at most, which are off by
  /// less than a hundred-thousandth of the radius. `end` is where it ends, where that is known better than by the angle.
  mutating func addArcs(
    center: Point, radiusX: Double, radiusY: Double, from start: Double, by sweep: Double, rotation: Double = 0,
    to end: Point? = nil
  ) {
    let (cosineR, sineR) = (cosine(rotation), sine(rotation))
    func map(_ x: Double, _ y: Double) -> Point {
      let (u, v) = (x * radiusX, y * radiusY)
      return Point(center.x + u * cosineR - v * sineR, center.y + u * sineR + v * cosineR)
    }
    let count = max(1, min(8, (sweep.magnitude / (.pi / 4) - 1e-9).rounded(.up)))
    let step = sweep / count
    // The tangents' length that has the curve's middle lie on the circle.
    let tangent = 4 / 3 * sine(step / 4) / cosine(step / 4)
    var angle = start
    var (c, s) = (cosine(angle), sine(angle))
    addLineUnlessThere(to: map(c, s))
    for index in 1...Int(count) {
      angle = start + step * Double(index)
      let (nextC, nextS) = (cosine(angle), sine(angle))
      addCurve(
        to: index == Int(count) ? end ?? map(nextC, nextS) : map(nextC, nextS),
        control1: map(c - tangent * s, s + tangent * c),
        control2: map(nextC + tangent * nextS, nextS - tangent * nextC))
      (c, s) = (nextC, nextS)
    }
  }

  private mutating func addLineUnlessThere(to point: Point) {
    guard let current = currentPoint else { return move(to: point) }
    let scale = max(1, point.x.magnitude, point.y.magnitude)
    if max((current.x - point.x).magnitude, (current.y - point.y).magnitude) > 1e-9 * scale { addLine(to: point) }
  }
}
