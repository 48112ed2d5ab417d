/// One line or curve of a path, as a cubic Bézier curve.
private struct Piece {
  var p0: Point, p1: Point, p2: Point, p3: Point
  var isLine: Bool
  /// A subpath begins with it.
  var begins: Bool
  /// From the start to each of its parts' ends.
  var lengths: [Double] = []

  static let parts = 32

  var length: Double { lengths.last ?? 0 }

  mutating func measure() {
    let count = isLine ? 1 : Self.parts
    var last = p0
    var sum = 0.0
    for index in 1...count {
      let next = point(Double(index) / Double(count))
      sum += Geometry.length(next.x - last.x, next.y - last.y)
      lengths.append(sum)
      last = next
    }
  }

  func point(_ t: Double) -> Point { split(t).p3 }

  /// The parameter at which this much of the length is behind.
  func parameter(_ wanted: Double) -> Double {
    guard length > 0, let index = lengths.firstIndex(where: { $0 >= wanted }) else { return 1 }
    let before = index == 0 ? 0 : lengths[index - 1]
    let share = lengths[index] > before ? (wanted - before) / (lengths[index] - before) : 0
    return (Double(index) + max(0, min(1, share))) / Double(lengths.count)
  }

  /// The part up to `t`.
  func split(_ t: Double) -> Piece {
    func mix(_ a: Point, _ b: Point) -> Point { Point(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t) }
    let (a, b, c) = (mix(p0, p1), mix(p1, p2), mix(p2, p3))
    let (d, e) = (mix(a, b), mix(b, c))
    return Piece(p0: p0, p1: a, p2: d, p3: mix(d, e), isLine: isLine, begins: begins)
  }

  var reversed: Piece { Piece(p0: p3, p1: p2, p2: p1, p3: p0, isLine: isLine, begins: begins) }

  func part(from low: Double, to high: Double) -> Piece {
    let end = high < 1 ? split(high) : self
    guard low > 0, high > 0 else { return end }
    return end.reversed.split(1 - low / high).reversed
  }
}

extension Path {
  /// The part between two shares of its length, all subpaths together, as a stroke that is drawn bit by bit has it. From
  /// 0 to 1 it is the path itself; where `end` is not past `start` it is empty.
  public func trimmed(from start: Double, to end: Double) -> Path {
    let (start, end) = (max(0, min(1, start)), max(0, min(1, end)))
    if start == 0, end == 1 { return self }
    guard end > start else { return Path() }
    let pieces = pieces
    let total = pieces.reduce(0) { $0 + $1.length }
    guard total > 0, total.isFinite else { return Path() }
    let (low, high) = (start * total, end * total)
    var result = Path()
    var behind = 0.0
    var isDrawing = false
    for piece in pieces {
      let after = behind + piece.length
      defer { behind = after }
      if piece.begins { isDrawing = false }
      guard after > low, behind < high, piece.length > 0 else { continue }
      let first = low > behind ? piece.parameter(low - behind) : 0
      let last = high < after ? piece.parameter(high - behind) : 1
      let part = piece.part(from: first, to: last)
      if !isDrawing { result.move(to: part.p0) }
      isDrawing = true
      if part.isLine {
        result.addLine(to: part.p3)
      } else {
        result.addCurve(to: part.p3, control1: part.p1, control2: part.p2)
      }
    }
    return result
  }

  private var pieces: [Piece] {
    var pieces: [Piece] = []
    var (first, current) = (Point.zero, Point.zero)
    var begins = true
    func add(_ p1: Point, _ p2: Point, _ p3: Point, isLine: Bool) {
      var piece = Piece(p0: current, p1: p1, p2: p2, p3: p3, isLine: isLine, begins: begins)
      piece.measure()
      pieces.append(piece)
      current = p3
      begins = false
    }
    func addLine(to point: Point) {
      // A third of the way each, so that the parameter is the share of the length.
      let (dx, dy) = ((point.x - current.x) / 3, (point.y - current.y) / 3)
      add(
        Point(current.x + dx, current.y + dy), Point(point.x - dx, point.y - dy), point, isLine: true)
    }
    for element in elements {
      switch element {
      case .move(let point):
        (first, current) = (point, point)
        begins = true
      case .line(let point): addLine(to: point)
      case .quad(let control, let point):
        func toward(_ end: Point) -> Point {
          Point(end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3)
        }
        add(toward(current), toward(point), point, isLine: false)
      case .cubic(let control1, let control2, let point): add(control1, control2, point, isLine: false)
      case .close: addLine(to: first)
      }
    }
    return pieces
  }
}
