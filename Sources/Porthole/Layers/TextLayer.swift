import Commit
import Geometry
import VectorGraphics

/// A layer that shows text (`CATextLayer`), in any script, from the top of its bounds, as sharp as it is shown anywhere.
///
/// What does not fit in the bounds is cut off, or left out for an ellipsis. The text takes the place of `contents`, which
/// count for nothing here. The same text has the same pixels where the same fonts are installed.
public final class TextLayer: Layer {
  private struct Values {
    var runs: [TextRun] = []
    var style = TextStyle()
  }

  private var textValues = Values()

  /// Stretches of text that follow each other, each with what is different about it.
  public var runs: [TextRun] {
    get { textValues.runs }
    set { if changes(&textValues.runs, to: newValue) { setNeedsDisplay() } }
  }
  /// All that follows, as one value.
  public var style: TextStyle {
    get { textValues.style }
    set { if changes(&textValues.style, to: newValue) { setNeedsDisplay() } }
  }

  /// The text alone. Setting it makes it one run without differences.
  public var string: String {
    get { runs.reduce(into: "") { $0 += $1.string } }
    set { runs = newValue.isEmpty ? [] : [TextRun(newValue)] }
  }
  /// As fontconfig knows it: a font's own, or `sans-serif`, `serif`, `monospace`.
  public var fontFamily: String {
    get { style.fontFamily }
    set { style.fontFamily = newValue }
  }
  /// In points: of the letter's square. Not above 0, nothing is drawn.
  public var fontSize: Double {
    get { style.fontSize }
    set { style.fontSize = newValue }
  }
  /// From 100 to 1000; 400 is regular, 700 bold.
  public var fontWeight: Int {
    get { style.fontWeight }
    set { style.fontWeight = newValue }
  }
  public var isItalic: Bool {
    get { style.isItalic }
    set { style.isItalic = newValue }
  }
  public var foregroundColor: Color {
    get { style.color }
    set { style.color = newValue }
  }
  public var alignmentMode: TextAlignment {
    get { style.alignment }
    set { style.alignment = newValue }
  }
  /// Lines that are too long for the bounds are broken.
  public var isWrapped: Bool {
    get { style.isWrapped }
    set { style.isWrapped = newValue }
  }
  public var truncationMode: TextTruncation {
    get { style.truncation }
    set { style.truncation = newValue }
  }

  /// How the text lies in the bounds; nil for a font size that is none.
  public var metrics: TextMetrics? { TextLayout(runs, style, in: bounds.standardized.size)?.metrics }

  /// The size that the text needs, rounded up to whole points; wrapped, where it is, at `width`.
  public func preferredSize(width: Double? = nil) -> Size {
    var style = style
    style.truncation = .none
    let room = width.map { Size(width: $0, height: 0) }
    let size = TextLayout(runs, style, in: room)?.metrics.size ?? .zero
    return Size(width: size.width.rounded(.up), height: size.height.rounded(.up))
  }

  public override init() {
    super.init()
    setDrawing(LayerDrawing())
  }

  override var drawsByItself: Bool { true }

  override var drawnExtent: Rect? { runs.isEmpty ? nil : bounds.standardized }

  override func drawContents(in frame: Rect, size: PixelSize, scale: Double) -> Image? {
    let bounds = bounds.standardized
    return TextLayout(runs, style, in: bounds.size)?
      .image(in: frame, origin: bounds.origin, size: size, scale: scale)
  }
}
