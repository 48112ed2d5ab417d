/// A picture in SVG, written shape by shape, back to front: lengths in pixels with at most two decimals, attributes in a
/// fixed order, so that the same calls give the same bytes.
public struct SVGDocument: Sendable {
  public let width: Double
  public let height: Double
  private var body = ""
  private let title: String
  private let summary: String

  /// `title` and `summary` are what a screen reader says.
  public init(width: Double, height: Double, title: String, summary: String) {
    self.width = width
    self.height = height
    self.title = title
    self.summary = summary
  }

  /// The whole file.
  public var text: String {
    let (w, h) = (Self.number(width), Self.number(height))
    return """
      <svg xmlns="http://www.w3.org/2000/svg" width="\(w)" height="\(h)" viewBox="0 0 \(w) \(h)" role="img" \
      font-family="'DejaVu Sans', 'Helvetica Neue', Helvetica, Arial, sans-serif">
      <title>\(Self.escaped(title))</title>
      <desc>\(Self.escaped(summary))</desc>
      \(body)</svg>

      """
  }

  public mutating func rect(x: Double, y: Double, width: Double, height: Double, fill: String, radius: Double = 0) {
    var attributes = [
      ("x", Self.number(x)), ("y", Self.number(y)), ("width", Self.number(width)), ("height", Self.number(height)),
    ]
    if radius > 0 { attributes.append(("rx", Self.number(radius))) }
    element("rect", attributes + [("fill", fill)])
  }

  public mutating func line(_ from: PlotPoint, _ to: PlotPoint, stroke: Stroke) {
    element(
      "line",
      [
        ("x1", Self.number(from.x)), ("y1", Self.number(from.y)), ("x2", Self.number(to.x)), ("y2", Self.number(to.y)),
      ] + stroke.attributes)
  }

  public mutating func polyline(_ points: [PlotPoint], stroke: Stroke) {
    element("polyline", [("points", Self.list(points)), ("fill", "none")] + stroke.attributes)
  }

  public mutating func polygon(_ points: [PlotPoint], fill: String, opacity: Double = 1, stroke: Stroke? = nil) {
    var attributes = [("points", Self.list(points)), ("fill", fill)]
    if opacity < 1 { attributes.append(("fill-opacity", Self.number(opacity))) }
    element("polygon", attributes + (stroke?.attributes ?? []))
  }

  public mutating func circle(_ center: PlotPoint, radius: Double, fill: String, stroke: Stroke? = nil) {
    element(
      "circle",
      [
        ("cx", Self.number(center.x)), ("cy", Self.number(center.y)), ("r", Self.number(radius)), ("fill", fill),
      ] + (stroke?.attributes ?? []))
  }

  /// `at` is the end of the baseline that `anchor` names.
  public mutating func text(_ string: String, at point: PlotPoint, style: TextStyle) {
    var attributes = [
      ("x", Self.number(point.x)), ("y", Self.number(point.y)), ("font-size", Self.number(style.size)),
      ("fill", style.color),
    ]
    if style.isBold { attributes.append(("font-weight", "bold")) }
    if style.anchor != .start { attributes.append(("text-anchor", style.anchor.rawValue)) }
    if style.hasHalo {
      // Painted under the letters, so that a grid line or a curve behind them doesn't cut them up.
      attributes += [("stroke", "#ffffff"), ("stroke-width", "3"), ("stroke-linejoin", "round")]
      attributes.append(("paint-order", "stroke"))
    }
    body += "<text\(Self.joined(attributes))>\(Self.escaped(string))</text>\n"
  }

  private mutating func element(_ name: String, _ attributes: [(String, String)]) {
    body += "<\(name)\(Self.joined(attributes))/>\n"
  }

  private static func joined(_ attributes: [(String, String)]) -> String {
    attributes.map { " \($0)=\"\(escaped($1))\"" }.joined()
  }

  private static func list(_ points: [PlotPoint]) -> String {
    points.map { "\(number($0.x)),\(number($0.y))" }.joined(separator: " ")
  }

  /// At most two decimals, none of them a needless zero; 0 for what is no number, so that the file stays readable.
  static func number(_ value: Double) -> String {
    guard value.isFinite else { return "0" }
    var text = NumberText.fixed(value, 2)
    while text.hasSuffix("0") { text.removeLast() }
    if text.hasSuffix(".") { text.removeLast() }
    return text.isEmpty || text == "-" ? "0" : text
  }

  static func escaped(_ string: String) -> String {
    var output = ""
    for scalar in string.unicodeScalars {
      switch scalar {
      case "&": output += "&amp;"
      case "<": output += "&lt;"
      case ">": output += "&gt;"
      case "\"": output += "&quot;"
      // Control characters are not allowed in XML at all.
      case _ where scalar.value < 0x20 && scalar != "\n" && scalar != "\t": output += "\u{FFFD}"
      default: output.unicodeScalars.append(scalar)
      }
    }
    return output
  }
}

/// A place in the picture, in pixels, y down.
public struct PlotPoint: Sendable, Hashable {
  public var x: Double
  public var y: Double

  public init(_ x: Double, _ y: Double) {
    self.x = x
    self.y = y
  }
}

public struct Stroke: Sendable, Hashable {
  public var color: String
  public var width: Double
  /// Lengths of strokes and gaps in turn; empty for a whole line.
  public var dashes: [Double]
  public var opacity: Double

  public init(_ color: String, width: Double = 1, dashes: [Double] = [], opacity: Double = 1) {
    self.color = color
    self.width = width
    self.dashes = dashes
    self.opacity = opacity
  }

  var attributes: [(String, String)] {
    var attributes = [("stroke", color), ("stroke-width", SVGDocument.number(width))]
    if !dashes.isEmpty {
      attributes.append(("stroke-dasharray", dashes.map(SVGDocument.number).joined(separator: " ")))
    }
    if opacity < 1 { attributes.append(("stroke-opacity", SVGDocument.number(opacity))) }
    return attributes
  }
}

public struct TextStyle: Sendable, Hashable {
  public enum Anchor: String, Sendable {
    case start, middle, end
  }

  public var size: Double
  public var color: String
  public var isBold: Bool
  public var anchor: Anchor
  public var hasHalo: Bool

  public init(
    size: Double, color: String = "#1b1f24", isBold: Bool = false, anchor: Anchor = .start, hasHalo: Bool = false
  ) {
    self.size = size
    self.color = color
    self.isBold = isBold
    self.anchor = anchor
    self.hasHalo = hasHalo
  }
}
