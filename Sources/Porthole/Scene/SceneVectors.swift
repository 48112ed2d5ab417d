import Commit
import Geometry
import JSON
import VectorGraphics

// The shapes and texts of a scene file.

extension SceneReader {
  func setShape(_ node: Int32, of layer: ShapeLayer) throws(SceneError) {
    var style = ShapeStyle()
    var hasPath = false
    try each(node, "a shape") { (key, value) throws(SceneError) in
      switch key {
      case "path":
        hasPath = true
        layer.path = try path(value)
      case "fillColor": style.fillColor = try optionalColor(value)
      case "fillRule": style.fillRule = try word(value)
      case "strokeColor": style.strokeColor = try optionalColor(value)
      case "lineWidth": style.lineWidth = try notNegative(value)
      case "lineCap": style.lineCap = try word(value)
      case "lineJoin": style.lineJoin = try word(value)
      case "miterLimit":
        style.miterLimit = try number(value, 1...Double.greatestFiniteMagnitude, "a number of 1 or more")
      case "lineDashPattern":
        for element in try array(value, "a list of lengths") { style.lineDashPattern.append(try notNegative(element)) }
      case "lineDashPhase": style.lineDashPhase = try number(value)
      case "strokeStart": style.strokeStart = Double(try fraction(value))
      case "strokeEnd": style.strokeEnd = Double(try fraction(value))
      default:
        throw failure(
          .unknownKey, value,
          "unknown key; expected one of path, fillColor, fillRule, strokeColor, lineWidth, lineCap, lineJoin, "
            + "miterLimit, lineDashPattern, lineDashPhase, strokeStart, strokeEnd")
      }
    }
    guard hasPath else { throw failure(.missing, node, "expected path") }
    layer.style = style
  }

  private func path(_ node: Int32) throws(SceneError) -> Path {
    let expected = "path data as SVG has it, {rect, radius} or {ellipse}"
    if case .string(let text) = document[node].value {
      do {
        return try Path(svg: text)
      } catch {
        throw failure(.outOfRange, node, "no path data at character \(error.position): expected \(error.expected)")
      }
    }
    var (box, radius, ellipse): (Rect?, Double?, Rect?) = (nil, nil, nil)
    for (key, value) in try object(node, expected) {
      switch key {
      case "rect": box = try rect(value)
      case "radius": radius = try notNegative(value)
      case "ellipse": ellipse = try rect(value)
      default: throw failure(.unknownKey, value, "unknown key; expected one of rect, radius, ellipse")
      }
    }
    switch (box, ellipse) {
    case (let box?, nil): return Path(roundedRect: box, cornerRadius: radius ?? 0)
    case (nil, let ellipse?) where radius == nil: return Path(ellipseIn: ellipse)
    default: throw failure(.missing, node, "expected rect, with or without radius, or ellipse alone")
    }
  }

  private func optionalColor(_ node: Int32) throws(SceneError) -> Color? {
    document[node].value == .null ? nil : try color(node)
  }

  func setText(_ node: Int32, of layer: TextLayer) throws(SceneError) {
    var style = TextStyle()
    var runs: [TextRun]?
    try each(node, "a text") { (key, value) throws(SceneError) in
      switch key {
      case "string", "runs":
        guard runs == nil else { throw failure(.duplicate, value, "expected either string or runs") }
        runs = []
        runs = key == "string" ? [TextRun(try string(value))] : try self.runs(value)
      case "foregroundColor": style.color = try color(value)
      case "fontFamily": style.fontFamily = try string(value)
      case "fontSize": style.fontSize = try fontSize(value)
      case "fontWeight": style.fontWeight = try fontWeight(value)
      case "isItalic": style.isItalic = try bool(value)
      case "alignmentMode": style.alignment = try word(value)
      case "isWrapped": style.isWrapped = try bool(value)
      case "truncationMode": style.truncation = try word(value)
      default:
        throw failure(
          .unknownKey, value,
          "unknown key; expected one of string, runs, foregroundColor, fontFamily, fontSize, fontWeight, isItalic, "
            + "alignmentMode, isWrapped, truncationMode")
      }
    }
    guard let runs else { throw failure(.missing, node, "expected string or runs") }
    layer.runs = runs
    layer.style = style
  }

  private func runs(_ node: Int32) throws(SceneError) -> [TextRun] {
    var runs: [TextRun] = []
    for element in try array(node, "a list of runs") {
      var run = TextRun("")
      var hasText = false
      try each(element, "a run") { (key, value) throws(SceneError) in
        switch key {
        case "string":
          hasText = true
          run.string = try string(value)
        case "foregroundColor": run.color = try color(value)
        case "fontFamily": run.fontFamily = try string(value)
        case "fontSize": run.fontSize = try fontSize(value)
        case "fontWeight": run.fontWeight = try fontWeight(value)
        case "isItalic": run.isItalic = try bool(value)
        case "isUnderlined": run.isUnderlined = try bool(value)
        default:
          throw failure(
            .unknownKey, value,
            "unknown key; expected one of string, foregroundColor, fontFamily, fontSize, fontWeight, isItalic, "
              + "isUnderlined")
        }
      }
      guard hasText else { throw failure(.missing, element, "expected string") }
      runs.append(run)
    }
    return runs
  }

  private func fontSize(_ node: Int32) throws(SceneError) -> Double {
    try number(node, 0.01...10_000, "a number of points from 0.01 to 10000")
  }

  private func fontWeight(_ node: Int32) throws(SceneError) -> Int {
    try whole(node, 100...1000, "a whole number from 100 to 1000")
  }
}
