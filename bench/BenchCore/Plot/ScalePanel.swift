/// One suite's part of a `ScalePlot`.
struct ScalePanel {
  static let titleHeight = 60.0
  static let axisHeight = 46.0
  static let limitMilliseconds = 1000.0 / 60

  let result: BenchmarkResult
  let suite: Suite
  let left: Double
  let top: Double
  let width: Double
  let costs: (low: Double, high: Double)
  let counts: (low: Double, high: Double)

  private var plotLeft: Double { left + 46 }
  private var plotRight: Double { left + width - 84 }
  private var plotTop: Double { top + Self.titleHeight }
  private var plotBottom: Double { plotTop + ScalePlot.plotHeight }
  private var x: LogAxis { LogAxis(low: counts.low, high: counts.high, start: plotLeft, end: plotRight) }
  private var y: LogAxis { LogAxis(low: costs.low, high: costs.high, start: plotBottom, end: plotTop) }

  private var strategies: [Strategy] { result.strategies }

  func draw(on document: inout SVGDocument) {
    document.text(suite.rawValue, at: PlotPoint(left, top + 20), style: TextStyle(size: 16, isBold: true))
    document.text(description, at: PlotPoint(left, top + 38), style: TextStyle(size: 12, color: PlotPalette.faint))
    drawGrid(on: &document)
    drawLimit(on: &document)
    for strategy in strategies.reversed() { drawBand(strategy, on: &document) }
    for strategy in strategies.reversed() { drawLine(strategy, on: &document) }
    for strategy in strategies.reversed() { drawMarks(strategy, on: &document) }
    drawLabels(on: &document)
    drawTable(on: &document)
  }

  private var description: String {
    switch suite {
    case .portalGrid: "N portals of one animated source, each scaled to its cell"
    case .portalWindow: "N holes of 64 × 64 pt onto a hidden, full-window source"
    }
  }

  private func drawGrid(on document: inout SVGDocument) {
    for value in y.hairlines {
      let at = y.pixel(value)
      document.line(PlotPoint(plotLeft, at), PlotPoint(plotRight, at), stroke: Stroke(PlotPalette.hairline))
    }
    for value in y.ticks {
      let at = y.pixel(value)
      document.line(PlotPoint(plotLeft, at), PlotPoint(plotRight, at), stroke: Stroke(PlotPalette.grid))
      document.text(
        value >= 1000 ? NumberText.grouped(value) : NumberText.shortest(value), at: PlotPoint(plotLeft - 7, at + 4),
        style: TextStyle(size: 12, color: PlotPalette.faint, anchor: .end))
    }
    for n in Set(result.cells.filter { $0.key.suite == suite }.map(\.key.n)).sorted() {
      let at = x.pixel(Double(n))
      document.line(PlotPoint(at, plotTop), PlotPoint(at, plotBottom), stroke: Stroke(PlotPalette.grid))
      document.text(
        NumberText.grouped(n), at: PlotPoint(at, plotBottom + 17),
        style: TextStyle(size: 12, color: PlotPalette.faint, anchor: .middle))
    }
    document.line(PlotPoint(plotLeft, plotBottom), PlotPoint(plotRight, plotBottom), stroke: Stroke("#9aa3ad"))
    document.text(
      "N, log scale", at: PlotPoint(plotRight, plotBottom + 34),
      style: TextStyle(size: 12, color: PlotPalette.faint, anchor: .end))
    document.text(
      "ms", at: PlotPoint(plotLeft - 7, plotTop - 2),
      style: TextStyle(size: 12, color: PlotPalette.faint, anchor: .end))
  }

  private func drawLimit(on document: inout SVGDocument) {
    let at = y.pixel(Self.limitMilliseconds)
    document.line(
      PlotPoint(plotLeft, at), PlotPoint(plotRight, at),
      stroke: Stroke(PlotPalette.limit, width: 1.4, dashes: [2, 3]))
  }

  private func drawBand(_ strategy: Strategy, on document: inout SVGDocument) {
    guard let series = result.series(suite, strategy, .wall) else { return }
    let points = series.band.compactMap { point in point.interval.map { (point.n, $0) } }
    guard points.count > 1 else { return }
    let upper = points.map { PlotPoint(x.pixel($0.0), y.pixel($0.1.upper)) }
    let lower = points.reversed().map { PlotPoint(x.pixel($0.0), y.pixel($0.1.lower)) }
    document.polygon(upper + lower, fill: PlotPalette.color(strategy), opacity: 0.18)
  }

  /// The fitted line, dashed, and the measured medians joined.
  private func drawLine(_ strategy: Strategy, on document: inout SVGDocument) {
    let color = PlotPalette.color(strategy)
    let fitted = result.series(suite, strategy, .wall)?.band.filter { $0.cost > 0 } ?? []
    if fitted.count > 1 {
      document.polyline(
        fitted.map { PlotPoint(x.pixel($0.n), y.pixel($0.cost)) },
        stroke: Stroke(color, width: 1.1, dashes: [4, 3], opacity: 0.8))
    }
    let medians = measured(strategy).compactMap { cell in
      Quantile.median(cell.wallFrames).map { PlotPoint(x.pixel(Double(cell.key.n)), y.pixel($0)) }
    }
    if medians.count > 1 { document.polyline(medians, stroke: Stroke(color, width: 1.8)) }
  }

  private func drawMarks(_ strategy: Strategy, on document: inout SVGDocument) {
    for cell in measured(strategy) {
      let frames = cell.wallFrames
      guard let median = Quantile.median(frames), let p95 = Quantile.of(frames, 0.95) else { continue }
      let at = x.pixel(Double(cell.key.n))
      document.line(
        PlotPoint(at, y.pixel(median)), PlotPoint(at, y.pixel(p95)),
        stroke: Stroke(PlotPalette.color(strategy), width: 1.2, opacity: 0.7))
      PlotPalette.mark(strategy, at: PlotPoint(at, y.pixel(median)), on: &document)
    }
  }

  private func measured(_ strategy: Strategy) -> [Cell] {
    result.cells(suite, strategy).filter { $0.status == .ok }.sorted { $0.key.n < $1.key.n }
  }

  /// Beside the last mark, and beside the 60 Hz line; those at the right edge are moved apart.
  private func drawLabels(on document: inout SVGDocument) {
    let largest = result.cells.filter { $0.key.suite == suite }.map(\.key.n).max() ?? 0
    let limit = y.pixel(Self.limitMilliseconds)
    var column = [(text: "60 Hz", color: PlotPalette.limit, from: PlotPoint(plotRight, limit))]
    for strategy in strategies {
      guard let last = measured(strategy).last, let median = Quantile.median(last.wallFrames) else { continue }
      let at = PlotPoint(x.pixel(Double(last.key.n)), y.pixel(median))
      let color = PlotPalette.color(strategy)
      if last.key.n == largest {
        column.append((strategy.rawValue, color, PlotPoint(at.x + 7, at.y)))
      } else {
        document.text(strategy.rawValue, at: PlotPoint(at.x + 11, at.y + 4), style: labelStyle(color))
      }
    }
    let places = LabelColumn(wishes: column.map(\.from.y), height: 17, top: plotTop, bottom: plotBottom).places
    for (label, place) in zip(column, places) {
      if (place - label.from.y).magnitude > 3 {
        document.line(label.from, PlotPoint(plotRight + 5, place), stroke: Stroke(label.color, opacity: 0.6))
      }
      document.text(label.text, at: PlotPoint(plotRight + 8, place + 4), style: labelStyle(label.color))
    }
  }

  private func labelStyle(_ color: String) -> TextStyle {
    TextStyle(size: 13, color: color, isBold: true, hasHalo: true)
  }

  private func drawTable(on document: inout SVGDocument) {
    let columns = [left + 212, left + 330, left + 388, left + width]
    let first = plotBottom + Self.axisHeight + 12
    let head = TextStyle(size: 12, color: PlotPalette.faint, anchor: .end)
    for (title, at) in zip(["fixed, ms", "per portal, µs", "misfit", "holds 60 Hz (p99) up to N"], columns) {
      document.text(title, at: PlotPoint(at, first), style: head)
    }
    for (row, strategy) in strategies.enumerated() {
      let baseline = first + Double(row + 1) * ScalePlot.rowHeight
      document.line(
        PlotPoint(left, baseline - 16), PlotPoint(left + width, baseline - 16), stroke: Stroke(PlotPalette.grid))
      PlotPalette.mark(strategy, at: PlotPoint(left + 8, baseline - 4), on: &document)
      document.text(
        strategy.rawValue, at: PlotPoint(left + 22, baseline),
        style: TextStyle(size: 13, color: PlotPalette.color(strategy), isBold: true))
      let series = result.series(suite, strategy, .wall)
      let texts = [
        series.map { EstimateText.plusMinus($0.fixed) } ?? "–",
        series.map { EstimateText.plusMinus($0.slope, scale: 1000) } ?? "–",
        series.map { "\(EstimateText.percent($0.worstMiss.magnitude * 100)) %" } ?? "–",
        result.capacities.first { $0.suite == suite && $0.strategy == strategy }.map(EstimateText.capacity) ?? "–",
      ]
      for (text, at) in zip(texts, columns) {
        document.text(text, at: PlotPoint(at, baseline), style: TextStyle(size: 13, anchor: .end))
      }
    }
  }
}
