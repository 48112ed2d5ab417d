import CCairo
import Commit
import Geometry

/// A path and its style, as pixels.
public enum ShapeDrawing {
  /// What the drawing may cover, in the path's space; nil where it draws nothing.
  public static func extent(of path: Path, _ style: ShapeStyle) -> Rect? {
    guard path.isFinite, style.isFinite, let box = path.boundingBox else { return nil }
    let draws = (style.fillColor?.alpha ?? 0) > 0 || (style.strokeColor?.alpha ?? 0) > 0 && style.lineWidth > 0
    let extent = box.insetBy(dx: -style.reach, dy: -style.reach)
    return draws && !extent.isEmpty ? extent : nil
  }

  /// The pixels of `frame` of the path's space, premultiplied; nil without memory.
  public static func image(
    of path: Path, _ style: ShapeStyle, in frame: Rect, size: PixelSize, scale: Double
  ) -> Image? {
    guard path.isFinite, style.isFinite, let canvas = Canvas(frame, size: size, scale: scale) else { return nil }
    let cairo = canvas.cairo
    // A twentieth of a pixel, where a curve is drawn as lines.
    cairo_set_tolerance(cairo, 0.05)
    if let color = style.fillColor {
      add(path, to: cairo)
      cairo_set_fill_rule(cairo, style.fillRule == .nonZero ? 0 : 1)
      canvas.setColor(color)
      cairo_fill(cairo)
    }
    if let color = style.strokeColor, style.lineWidth > 0 {
      add(path.trimmed(from: style.strokeStart, to: style.strokeEnd), to: cairo)
      cairo_set_line_width(cairo, style.lineWidth)
      cairo_set_line_cap(cairo, style.lineCap.number)
      cairo_set_line_join(cairo, style.lineJoin.number)
      cairo_set_miter_limit(cairo, max(1, style.miterLimit))
      let dashes = dashes(style, scale)
      cairo_set_dash(cairo, dashes, Int32(clamping: dashes.count), style.lineDashPhase)
      canvas.setColor(color)
      cairo_stroke(cairo)
    }
    return canvas.image()
  }

  /// Dashes that are far smaller than a pixel would be a million lines; together they are as good as none.
  private static func dashes(_ style: ShapeStyle, _ scale: Double) -> [Double] {
    let dashes = style.dashes
    return dashes.reduce(0, +) * scale < 0.01 ? [] : dashes
  }

  private static func add(_ path: Path, to cairo: OpaquePointer) {
    cairo_new_path(cairo)
    var current = Point.zero
    for element in path.elements {
      switch element {
      case .move(let point): cairo_move_to(cairo, point.x, point.y)
      case .line(let point): cairo_line_to(cairo, point.x, point.y)
      case .quad(let control, let point):
        func toward(_ end: Point) -> Point {
          Point(end.x + (control.x - end.x) * 2 / 3, end.y + (control.y - end.y) * 2 / 3)
        }
        let (first, second) = (toward(current), toward(point))
        cairo_curve_to(cairo, first.x, first.y, second.x, second.y, point.x, point.y)
      case .cubic(let first, let second, let point):
        cairo_curve_to(cairo, first.x, first.y, second.x, second.y, point.x, point.y)
      case .close: cairo_close_path(cairo)
      }
      current = element.points.last ?? current
    }
  }
}

extension LineCap {
  fileprivate var number: Int32 {
    switch self {
    case .butt: 0
    case .round: 1
    case .square: 2
    }
  }
}

extension LineJoin {
  fileprivate var number: Int32 {
    switch self {
    case .miter: 0
    case .round: 1
    case .bevel: 2
    }
  }
}
