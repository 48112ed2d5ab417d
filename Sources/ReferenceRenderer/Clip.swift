import Geometry
import RenderTree

/// What drawing is cut to.
enum Clip {
  case shape(RoundedRect, Homography)
  /// Half planes of a layer's space; what is drawn lies in all of them.
  case cuts(ArraySlice<SnapshotCut>, Homography)

  /// What of it shows in `area`.
  func outline(within area: PixelRect) -> Outline {
    switch self {
    case .shape(let shape, let matrix): Outline(shape, under: matrix, within: area)
    case .cuts(let cuts, let matrix): Outline(cuts, under: matrix, within: area)
    }
  }

  /// Whether it cuts `area` at whole pixels, or not at all, so that it needs no coverage.
  func isWhole(within area: PixelRect) -> Bool {
    switch self {
    case .shape(let shape, let matrix): Outline.isOnPixelGrid(shape, under: matrix)
    case .cuts(let cuts, let matrix):
      cuts.allSatisfy { cut in
        let line = Line(cut, under: matrix)
        return area.rect.corners.allSatisfy { line.height($0) >= 0 }
      }
    }
  }
}

/// A line in pixels; one side of it is drawn.
struct Line {
  private var a: Double
  private var b: Double
  private var c: Double

  /// What of a layer shows under `transform` on the side of `cut` that is drawn. Its hidden edge lies a pixel further out.
  init(_ cut: SnapshotCut, under transform: Homography) {
    (a, b, c) = (0, 0, 1)
    // A point's height over the line, times a w that is positive for all that is before the eye.
    guard let back = transform.inverse else { return }
    let x = back.m11 * cut.a + back.m12 * cut.b + back.m14 * cut.c
    let y = back.m21 * cut.a + back.m22 * cut.b + back.m24 * cut.c
    let constant = back.m41 * cut.a + back.m42 * cut.b + back.m44 * cut.c
    let length = length(x, y)
    guard length > 0, (x / length).isFinite, (constant / length).isFinite else {
      // Edge on or infinitely far away: all of one side.
      c = constant >= 0 ? 1 : -1
      return
    }
    (a, b, c) = (x / length, y / length, constant / length + (cut.isHidden ? 1 : 0))
  }

  /// How far `point` lies on the side that is drawn, in pixels.
  func height(_ point: Point) -> Double { a * point.x + b * point.y + c }
}

extension Outline {
  /// The part of `area` on the drawn sides of all `cuts`.
  init(_ cuts: ArraySlice<SnapshotCut>, under transform: Homography, within area: PixelRect) {
    var visible = area.isEmpty ? [] : area.rect.corners
    for cut in cuts {
      let line = Line(cut, under: transform)
      guard var previous = visible.last else { break }
      var result: [Point] = []
      for point in visible {
        let (from, to) = (line.height(previous), line.height(point))
        if (from >= 0) != (to >= 0) {
          let t = from / (from - to)
          result.append(Point(previous.x + (point.x - previous.x) * t, previous.y + (point.y - previous.y) * t))
        }
        if to >= 0 { result.append(point) }
        previous = point
      }
      visible = result
    }
    self.init(settled: visible)
  }
}
