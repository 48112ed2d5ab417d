/// Lines and curves, in subpaths: Core Graphics' `CGPath`, as a value.
public struct Path: Sendable, Hashable {
  public enum Element: Sendable, Hashable {
    /// Begins a subpath.
    case move(Point)
    case line(Point)
    case quad(control: Point, to: Point)
    case cubic(control1: Point, control2: Point, to: Point)
    /// Back to where the subpath began.
    case close
  }

  public private(set) var elements: [Element] = []

  public init() {}

  public var isEmpty: Bool { elements.isEmpty }

  /// Where the next element begins; nil before the first.
  public private(set) var currentPoint: Point?
  private var start = Point.zero

  // MARK: Elements

  public mutating func move(to point: Point) {
    elements.append(.move(point))
    start = point
    currentPoint = point
  }

  /// The first element of a path without a current point moves there.
  public mutating func addLine(to point: Point) {
    guard begins(at: point) else { return }
    elements.append(.line(point))
    currentPoint = point
  }

  /// A quadratic Bézier curve.
  public mutating func addQuadCurve(to point: Point, control: Point) {
    guard begins(at: point) else { return }
    elements.append(.quad(control: control, to: point))
    currentPoint = point
  }

  /// A cubic Bézier curve.
  public mutating func addCurve(to point: Point, control1: Point, control2: Point) {
    guard begins(at: point) else { return }
    elements.append(.cubic(control1: control1, control2: control2, to: point))
    currentPoint = point
  }

  public mutating func closeSubpath() {
    guard currentPoint != nil, elements.last != .close else { return }
    elements.append(.close)
    currentPoint = start
  }

  /// After a subpath was closed, the next begins where it did, whether or not it says so.
  private mutating func begins(at point: Point) -> Bool {
    guard let current = currentPoint else {
      move(to: point)
      return false
    }
    if elements.last == .close { move(to: current) }
    return true
  }

  public mutating func append(_ other: Path) {
    for element in other.elements {
      switch element {
      case .move(let point): move(to: point)
      case .line(let point): addLine(to: point)
      case .quad(let control, let point): addQuadCurve(to: point, control: control)
      case .cubic(let control1, let control2, let point): addCurve(to: point, control1: control1, control2: control2)
      case .close: closeSubpath()
      }
    }
  }

  // MARK: What it covers

  /// The smallest rectangle around all of its points, the curves' controls too; nil for an empty path.
  public var boundingBox: Rect? {
    var (low, high): (Point?, Point?) = (nil, nil)
    func take(_ point: Point) {
      low = Point(min(low?.x ?? point.x, point.x), min(low?.y ?? point.y, point.y))
      high = Point(max(high?.x ?? point.x, point.x), max(high?.y ?? point.y, point.y))
    }
    for element in elements { element.points.forEach(take) }
    guard let low, let high else { return nil }
    return Rect(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
  }

  public var isFinite: Bool { elements.allSatisfy { $0.points.allSatisfy(\.isFinite) } }
}

extension Path.Element {
  /// In order; the last is where it leads.
  public var points: [Point] {
    switch self {
    case .move(let point), .line(let point): [point]
    case .quad(let control, let point): [control, point]
    case .cubic(let control1, let control2, let point): [control1, control2, point]
    case .close: []
    }
  }
}
