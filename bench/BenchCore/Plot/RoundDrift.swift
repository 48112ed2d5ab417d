/// Each strategy's cost round by round, at the largest N that all have, in terms of its own median: what the machine did
/// meanwhile. A slow spell shows as a step that all share.
struct RoundDrift {
  private static let width = 1200.0
  private static let panelHeight = 170.0
  private static let left = 70.0
  private static let right = 1180.0

  private struct Panel {
    var suite: Suite
    var n: Int
    var curves: [(strategy: Strategy, values: [Double])]
  }

  private let result: BenchmarkResult
  private let panels: [Panel]

  init(_ result: BenchmarkResult) {
    self.result = result
    panels = result.suites.compactMap { suite in
      let cells = result.cells.filter { $0.key.suite == suite && $0.status == .ok && $0.rounds.count > 2 }
      let strategies = Set(cells.map(\.key.strategy))
      let counts = Set(cells.map(\.key.n)).filter { n in
        strategies.allSatisfy { strategy in cells.contains { $0.key.n == n && $0.key.strategy == strategy } }
      }
      guard let n = counts.max() else { return nil }
      let curves = cells.filter { $0.key.n == n }.compactMap { cell -> (strategy: Strategy, values: [Double])? in
        let values = cell.values(result.leadingMetric)
        guard let median = Quantile.median(values), median > 0 else { return nil }
        return (cell.key.strategy, values.map { $0 / median })
      }
      return curves.isEmpty ? nil : Panel(suite: suite, n: n, curves: curves)
    }
  }

  var isEmpty: Bool { panels.isEmpty }

  var caption: String {
    "\(Summary.name(result.leadingMetric)) round by round, each in terms of its own median. What all strategies share is "
      + "the machine's; ratios of the same round do not see it."
  }

  func document() -> SVGDocument {
    let height = Double(panels.count) * (Self.panelHeight + 54) + 16
    var document = SVGDocument(width: Self.width, height: height, title: "Cost round by round", summary: caption)
    document.rect(x: 0, y: 0, width: Self.width, height: height, fill: PlotPalette.paper)
    for (index, panel) in panels.enumerated() {
      draw(panel, top: 40 + Double(index) * (Self.panelHeight + 54), on: &document)
    }
    return document
  }

  private func draw(_ panel: Panel, top: Double, on document: inout SVGDocument) {
    let values = panel.curves.flatMap(\.values).filter { $0.isFinite && $0 > 0 }
    let y = LogAxis(
      low: min(0.8, values.min() ?? 0.8), high: max(1.25, values.max() ?? 1.25), start: top + Self.panelHeight, end: top
    )
    let rounds = panel.curves.map(\.values.count).max() ?? 1
    document.text(
      "\(panel.suite.rawValue), N = \(NumberText.grouped(panel.n))", at: PlotPoint(20, top - 12),
      style: TextStyle(size: 13, isBold: true))
    for tick in [0.5, 0.8, 1, 1.25, 2, 4] where tick >= y.low && tick <= y.high {
      let at = y.pixel(tick)
      document.line(PlotPoint(Self.left, at), PlotPoint(Self.right, at), stroke: Stroke(PlotPalette.grid))
      document.text(
        NumberText.shortest(tick), at: PlotPoint(Self.left - 8, at + 4),
        style: TextStyle(size: 12, color: PlotPalette.faint, anchor: .end))
    }
    for curve in panel.curves {
      let points = curve.values.enumerated().map { index, value in
        PlotPoint(Self.left + (Self.right - Self.left) * Double(index) / Double(max(1, rounds - 1)), y.pixel(value))
      }
      document.polyline(
        points, stroke: Stroke(PlotPalette.color(curve.strategy), width: curve.strategy == .portal ? 2 : 1.2))
      if rounds <= 60 { for point in points { PlotPalette.mark(curve.strategy, at: point, on: &document) } }
    }
    var x = Self.right
    for curve in panel.curves.reversed() {
      let name = curve.strategy.rawValue
      document.text(
        name, at: PlotPoint(x, top - 12),
        style: TextStyle(size: 12, color: PlotPalette.color(curve.strategy), isBold: true, anchor: .end))
      x -= Double(name.count) * 7.6 + 18
    }
  }
}
