/// What portals cost in terms of each other strategy, at each N: a point and its interval on a log axis, with the line
/// at 1 where both cost the same.
struct RatioForest {
  private static let width = 1200.0
  private static let rowHeight = 22.0
  private static let left = 190.0
  private static let right = 1010.0

  private struct Row {
    var cell: RatioCell
    var isFirstOfGroup: Bool
  }

  private let result: BenchmarkResult
  private let rows: [Row]

  init(_ result: BenchmarkResult) {
    self.result = result
    var rows: [Row] = []
    for suite in result.suites {
      for other in Strategy.allCases {
        let cells = result.ratios.filter {
          $0.suite == suite && $0.numerator == .portal && $0.denominator == other && $0.metric == result.leadingMetric
            && $0.ratio.value > 0
        }
        for (index, cell) in cells.sorted(by: { $0.n < $1.n }).enumerated() {
          rows.append(Row(cell: cell, isFirstOfGroup: index == 0))
        }
      }
    }
    self.rows = rows
  }

  var isEmpty: Bool { rows.isEmpty }

  var caption: String {
    "\(Summary.name(result.leadingMetric)) of portals in terms of the other, with 95 % intervals; left of 1, portals are "
      + "cheaper."
  }

  func document() -> SVGDocument {
    let height = 84 + Double(rows.count) * Self.rowHeight + Double(rows.count { $0.isFirstOfGroup }) * 14
    var document = SVGDocument(
      width: Self.width, height: height, title: "Portals against the other strategies", summary: caption)
    document.rect(x: 0, y: 0, width: Self.width, height: height, fill: PlotPalette.paper)
    let ends = rows.flatMap { [$0.cell.ratio.value] + ($0.cell.ratio.interval.map { [$0.lower, $0.upper] } ?? []) }
    let x = LogAxis(
      low: min(0.8, (ends.filter { $0 > 0 }.min() ?? 0.1) * 0.9), high: max(1.25, (ends.max() ?? 1) * 1.1),
      start: Self.left, end: Self.right)
    let bottom = height - 40
    for tick in x.ticks {
      let at = x.pixel(tick)
      document.line(PlotPoint(at, 20), PlotPoint(at, bottom), stroke: Stroke(PlotPalette.grid))
      document.text(
        NumberText.shortest(tick), at: PlotPoint(at, bottom + 18),
        style: TextStyle(size: 12, color: PlotPalette.faint, anchor: .middle))
    }
    document.line(
      PlotPoint(x.pixel(1), 20), PlotPoint(x.pixel(1), bottom), stroke: Stroke(PlotPalette.faint, width: 1.4))
    var baseline = 26.0
    for row in rows {
      if row.isFirstOfGroup { baseline += 14 }
      draw(row, x, baseline, on: &document)
      baseline += Self.rowHeight
    }
    return document
  }

  private func draw(_ row: Row, _ x: LogAxis, _ baseline: Double, on document: inout SVGDocument) {
    let cell = row.cell
    let color = PlotPalette.color(cell.denominator)
    if row.isFirstOfGroup {
      document.text(
        cell.suite.rawValue, at: PlotPoint(20, baseline - 5), style: TextStyle(size: 11, color: PlotPalette.faint))
      document.text(
        "to \(cell.denominator.rawValue)", at: PlotPoint(20, baseline + 10),
        style: TextStyle(size: 13, color: color, isBold: true))
    }
    document.text(
      "N = \(NumberText.grouped(cell.n))", at: PlotPoint(Self.left - 14, baseline + 10),
      style: TextStyle(size: 12, anchor: .end))
    if let interval = cell.ratio.interval {
      document.line(
        PlotPoint(x.pixel(interval.lower), baseline + 6), PlotPoint(x.pixel(interval.upper), baseline + 6),
        stroke: Stroke(color, width: 2))
    }
    PlotPalette.mark(
      cell.denominator, at: PlotPoint(x.pixel(cell.ratio.value), baseline + 6), on: &document)
    document.text(
      EstimateText.ratio(cell.ratio), at: PlotPoint(Self.width - 20, baseline + 10),
      style: TextStyle(size: 12, anchor: .end))
  }
}
