import Geometry
import TestSupport
import Testing

@Suite("Paths")
struct PathTests {
  /// Points along a path, many to a curve.
  private func samples(_ path: Path) -> [Point] {
    var points: [Point] = []
    var current = Point.zero
    for element in path.elements {
      switch element {
      case .move(let point): current = point
      case .line(let point):
        for step in 1...32 {
          let t = Double(step) / 32
          points.append(Point(current.x + (point.x - current.x) * t, current.y + (point.y - current.y) * t))
        }
        current = point
      case .cubic(let a, let b, let point):
        for step in 1...32 {
          let t = Double(step) / 32
          let u = 1 - t
          func mix(_ p: Double, _ q: Double, _ r: Double, _ s: Double) -> Double {
            let ends = u * u * u * p + t * t * t * s
            return ends + 3 * u * u * t * q + 3 * u * t * t * r
          }
          points.append(Point(mix(current.x, a.x, b.x, point.x), mix(current.y, a.y, b.y, point.y)))
        }
        current = point
      case .quad, .close: break
      }
    }
    return points
  }

  @Test("a circle is round to a hundred-thousandth, and an ellipse touches its rectangle")
  func circle() throws {
    let path = Path(ellipseIn: Rect(x: -50, y: -50, width: 100, height: 100))
    for point in samples(path) {
      #expect(abs((point.x * point.x + point.y * point.y).squareRoot() - 50) < 50e-5)
    }
    let ellipse = Path(ellipseIn: Rect(x: 10, y: 20, width: 60, height: 30))
    let (xs, ys) = (samples(ellipse).map(\.x), samples(ellipse).map(\.y))
    #expect(abs((xs.min() ?? 0) - 10) < 1e-9 && abs((xs.max() ?? 0) - 70) < 1e-9)
    #expect(abs((ys.min() ?? 0) - 20) < 1e-9 && abs((ys.max() ?? 0) - 50) < 1e-9)
  }

  @Test("an arc goes the way it is told, and no further than a turn")
  func arcs() {
    var path = Path()
    path.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: true)
    #expect(samples(path).allSatisfy { $0.x > -1e-9 && $0.y > -1e-9 })
    path = Path()
    path.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: .pi / 2, clockwise: false)
    #expect(samples(path).contains { $0.x < -9.99 } && samples(path).contains { $0.y < -9.99 })
    path = Path()
    path.addArc(center: .zero, radius: 10, startAngle: 0, endAngle: 100, clockwise: true)
    #expect(path.elements.count == 9)
    path.addArc(center: .zero, radius: 10, startAngle: .nan, endAngle: 1)
    #expect(path.elements.count == 9)
  }

  @Test("a subpath goes on from where the last was closed")
  func closing() {
    var path = Path()
    path.addLine(to: Point(1, 1))
    path.addLine(to: Point(2, 1))
    path.closeSubpath()
    path.closeSubpath()
    path.addLine(to: Point(5, 5))
    #expect(
      path.elements == [
        .move(Point(1, 1)), .line(Point(2, 1)), .close, .move(Point(1, 1)), .line(Point(5, 5)),
      ])
    #expect(path.boundingBox == Rect(x: 1, y: 1, width: 4, height: 4))
    #expect(Path().boundingBox == nil)
  }

  @Test("a trimmed path is as long as its share, wherever it is cut", arguments: [1, 2, 3])
  func trimming(seed: UInt64) {
    var random = SeededGenerator(seed: seed)
    for round in 0..<60 {
      var path = Path()
      for _ in 0..<Int.random(in: 1...4, using: &random) {
        func point() -> Point { Point(random.real(-50...50), random.real(-50...50)) }
        switch Int.random(in: 0..<4, using: &random) {
        case 0: path.addRect(Rect(x: random.real(-9...9), y: 0, width: random.real(1...40), height: 12))
        case 1: path.addEllipse(in: Rect(x: random.real(-9...9), y: 3, width: random.real(1...40), height: 20))
        case 2:
          path.move(to: point())
          path.addLine(to: point())
          path.addCurve(to: point(), control1: point(), control2: point())
        default:
          path.move(to: point())
          path.addLine(to: point())
        }
      }
      let whole = length(path.trimmed(from: 0, to: 0.999_999_9))
      let (start, end) = (random.real(0...0.5), random.real(0.5...1))
      let part = length(path.trimmed(from: start, to: end))
      #expect(abs(part - whole * (end - start)) < 0.01 * whole, "seed \(seed), round \(round)")
    }
  }

  private func length(_ path: Path) -> Double {
    var sum = 0.0
    var current = Point.zero
    for element in path.elements {
      guard let last = element.points.last else { continue }
      if case .move = element {
        current = last
        continue
      }
      var part = Path()
      part.move(to: current)
      switch element {
      case .line: part.addLine(to: last)
      case .cubic(let a, let b, _): part.addCurve(to: last, control1: a, control2: b)
      default: break
      }
      var before = current
      for point in samples(part) {
        sum += Geometry.length(point.x - before.x, point.y - before.y)
        before = point
      }
      current = last
    }
    return sum
  }

  @Test("nothing is trimmed from 0 to 1, and nothing is left where the end is not past the start")
  func trimmingEnds() {
    let path = Path(Rect(x: 0, y: 0, width: 10, height: 10))
    #expect(path.trimmed(from: 0, to: 1) == path)
    #expect(path.trimmed(from: -1, to: 2) == path)
    #expect(path.trimmed(from: 0.5, to: 0.5).isEmpty && path.trimmed(from: 0.7, to: 0.2).isEmpty)
    #expect(
      path.trimmed(from: 0, to: 0.5).elements == [.move(.zero), .line(Point(10, 0)), .line(Point(10, 10))])
    #expect(path.trimmed(from: .nan, to: 1).elements.count >= 0)
  }
}
