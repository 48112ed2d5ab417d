/// The picture of a `scale` run: one log-log panel a suite, frame time against N, with the fitted lines, their bands
/// and the 60 Hz line, and the same as a table beneath. A pure function of the result.
public struct ScalePlot: Sendable {
  public static let width = 1200.0
  static let margin = 28.0
  static let gap = 36.0
  static let headHeight = 74.0
  static let plotHeight = 372.0
  static let rowHeight = 23.0

  private let result: BenchmarkResult

  public init(_ result: BenchmarkResult) { self.result = result }

  public func document() -> SVGDocument {
    let suites = result.suites
    let rows = result.strategies.count
    let height =
      Self.headHeight + ScalePanel.titleHeight + Self.plotHeight + ScalePanel.axisHeight
      + Self.rowHeight * Double(rows + 1) + 52
    var document = SVGDocument(
      width: Self.width, height: height, title: "What N portals cost: frame time against N", summary: summary)
    document.rect(x: 0, y: 0, width: Self.width, height: height, fill: PlotPalette.paper)
    document.text(
      "What N portals cost", at: PlotPoint(Self.margin, 38), style: TextStyle(size: 23, isBold: true))
    document.text(
      subtitle, at: PlotPoint(Self.margin, 60), style: TextStyle(size: 13, color: PlotPalette.faint))

    let count = Double(max(1, suites.count))
    let panelWidth = (Self.width - 2 * Self.margin - Self.gap * (count - 1)) / count
    let range = costRange
    for (index, suite) in suites.enumerated() {
      let panel = ScalePanel(
        result: result, suite: suite, left: Self.margin + Double(index) * (panelWidth + Self.gap),
        top: Self.headHeight, width: panelWidth, costs: range, counts: countRange)
      panel.draw(on: &document)
    }
    document.text(
      "Marks and lines: median frame, whisker to the 95th percentile. Dashed: fixed + slope · N, weighted by 1/T², "
        + "with its 95 % band; misfit: its largest miss.",
      at: PlotPoint(Self.margin, height - 18), style: TextStyle(size: 12, color: PlotPalette.faint))
    return document
  }

  public var svg: String { document().text }

  private var subtitle: String {
    let shape = result.shape
    let pixels = "\(shape.width) × \(shape.height) pt at \(NumberText.shortest(shape.scale))×"
    let build = result.tool.build == "release" ? "" : " · \(result.tool.build) build"
    let renderer = result.environment.renderer
    let name = renderer.count > 74 ? renderer.prefix(73) + "…" : renderer
    return "Wall time of a frame, ms · \(pixels) · \(name) · \(result.environment.cores) CPU cores\(build)"
  }

  private var summary: String {
    Summary(result).sentences.joined(separator: " ")
  }

  private var okCells: [Cell] { result.cells.filter { $0.status == .ok } }

  /// Of all panels, so that they can be compared; always with the 60 Hz line in it.
  private var costRange: (low: Double, high: Double) {
    var (low, high) = (5.0, 25.0)
    for cell in okCells {
      for p in [0.5, 0.95] {
        guard let value = Quantile.of(cell.wallFrames, p), value > 0 else { continue }
        low = min(low, value / 1.3)
        high = max(high, value * 1.3)
      }
    }
    return (low, high)
  }

  private var countRange: (low: Double, high: Double) {
    let counts = result.cells.map(\.key.n)
    let low = Double(max(1, counts.min() ?? 1))
    let high = Double(max(2, counts.max() ?? 2))
    // A little air on both sides, so that no mark sits on the frame.
    let air = exponential(naturalLogarithm(high / low) * 0.03)
    return (low / air, high * air)
  }
}
