import Commit
import Geometry
import VectorGraphics

/// A layer that draws a path above its background (`CAShapeLayer`), antialiased, as sharp as it is shown anywhere.
///
/// The path is in layer space and not cut to the bounds. It takes the place of `contents`, which count for nothing here.
public final class ShapeLayer: Layer {
  private struct Values {
    var path: Path?
    var style = ShapeStyle()
  }

  private var shapeValues = Values()

  public var path: Path? {
    get { shapeValues.path }
    set { if changes(&shapeValues.path, to: newValue) { setNeedsDisplay() } }
  }
  /// All that follows, as one value.
  public var style: ShapeStyle {
    get { shapeValues.style }
    set { if changes(&shapeValues.style, to: newValue) { setNeedsDisplay() } }
  }

  /// Nil fills nothing.
  public var fillColor: Color? {
    get { style.fillColor }
    set { style.fillColor = newValue }
  }
  public var fillRule: FillRule {
    get { style.fillRule }
    set { style.fillRule = newValue }
  }
  /// Nil strokes nothing.
  public var strokeColor: Color? {
    get { style.strokeColor }
    set { style.strokeColor = newValue }
  }
  /// In points; half of it lies on either side of the path.
  public var lineWidth: Double {
    get { style.lineWidth }
    set { style.lineWidth = newValue }
  }
  public var lineCap: LineCap {
    get { style.lineCap }
    set { style.lineCap = newValue }
  }
  public var lineJoin: LineJoin {
    get { style.lineJoin }
    set { style.lineJoin = newValue }
  }
  /// How long a mitre may be, in line widths; one that would be longer is bevelled.
  public var miterLimit: Double {
    get { style.miterLimit }
    set { style.miterLimit = newValue }
  }
  /// Lengths of dashes and gaps in turn, in points; nil for an unbroken line.
  public var lineDashPattern: [Double]? {
    get { style.lineDashPattern.isEmpty ? nil : style.lineDashPattern }
    set { style.lineDashPattern = newValue ?? [] }
  }
  /// How far into the pattern the line begins, in points.
  public var lineDashPhase: Double {
    get { style.lineDashPhase }
    set { style.lineDashPhase = newValue }
  }
  /// Where the stroke begins, in shares of the path's length.
  public var strokeStart: Double {
    get { style.strokeStart }
    set { style.strokeStart = newValue }
  }
  /// Where it ends. Not past `strokeStart`, there is no stroke.
  public var strokeEnd: Double {
    get { style.strokeEnd }
    set { style.strokeEnd = newValue }
  }

  public override init() {
    super.init()
    setDrawing(LayerDrawing())
  }

  override var drawsByItself: Bool { true }

  override var drawnExtent: Rect? { path.flatMap { ShapeDrawing.extent(of: $0, style) } }

  override func drawContents(in frame: Rect, size: PixelSize, scale: Double) -> Image? {
    path.flatMap { ShapeDrawing.image(of: $0, style, in: frame, size: size, scale: scale) }
  }
}
