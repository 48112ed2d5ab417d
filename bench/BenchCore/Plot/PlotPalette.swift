/// Colours and marks of the strategies. The colours are apart for every kind of colour vision (Okabe and Ito's, and
/// Tol's purple); the marks say the same without colour.
enum PlotPalette {
  static let ink = "#1b1f24"
  static let faint = "#5c6670"
  static let grid = "#e3e7eb"
  static let hairline = "#f1f3f5"
  static let paper = "#ffffff"
  static let limit = "#8a6d00"

  static func color(_ strategy: Strategy) -> String {
    switch strategy {
    case .portal: "#0072b2"
    case .duplicate: "#d55e00"
    case .snapshot: "#aa4499"
    case .floor: "#4d5560"
    }
  }

  static func mark(_ strategy: Strategy, at p: PlotPoint, on document: inout SVGDocument) {
    let color = color(strategy)
    let edge = Stroke(paper, width: 1)
    switch strategy {
    case .portal: document.circle(p, radius: 4.6, fill: color, stroke: edge)
    case .duplicate:
      document.polygon(square(p, 4), fill: color, stroke: edge)
    case .snapshot:
      document.polygon(
        [PlotPoint(p.x, p.y - 5.2), PlotPoint(p.x + 4.9, p.y + 3.8), PlotPoint(p.x - 4.9, p.y + 3.8)], fill: color,
        stroke: edge)
    case .floor:
      document.polygon(
        [PlotPoint(p.x, p.y - 4.8), PlotPoint(p.x + 4.8, p.y), PlotPoint(p.x, p.y + 4.8), PlotPoint(p.x - 4.8, p.y)],
        fill: paper, stroke: Stroke(color, width: 1.6))
    }
  }

  private static func square(_ p: PlotPoint, _ r: Double) -> [PlotPoint] {
    [
      PlotPoint(p.x - r, p.y - r), PlotPoint(p.x + r, p.y - r), PlotPoint(p.x + r, p.y + r),
      PlotPoint(p.x - r, p.y + r),
    ]
  }
}
