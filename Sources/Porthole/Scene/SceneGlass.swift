import Commit
import Geometry
import JSON

// How a scene file says what a layer makes of what lies behind it: blend modes, backdrops, lenses.

extension SceneReader {
  /// One of CSS's words.
  func blendMode(_ node: Int32) throws(SceneError) -> BlendMode {
    if document[node].value == .null { return .normal }
    let expected = "one of \(BlendMode.allCases.map(\.cssName).joined(separator: ", "))"
    let name = try string(node, expected)
    guard let mode = BlendMode.allCases.first(where: { $0.cssName == name }) else {
      throw unexpected(.outOfRange, node, expected)
    }
    return mode
  }

  func groupName(_ node: Int32) throws(SceneError) -> String {
    let expected = "a name of 1 to 256 bytes"
    let name = try string(node, expected)
    guard (1...256).contains(name.utf8.count) else { throw unexpected(.outOfRange, node, expected) }
    return name
  }

  func lens(_ node: Int32) throws(SceneError) -> Lens? {
    if document[node].value == .null { return nil }
    var lens = Lens()
    try each(node, "a lens") { (key, value) throws(SceneError) in
      switch key {
      case "subject": lens.subject = try word(value)
      case "shapes":
        let expected = "a list of at most \(Lens.maxShapes) shapes"
        let elements = try array(value, expected)
        guard elements.count <= Lens.maxShapes else { throw unexpected(.outOfRange, value, expected) }
        for element in elements {
          try faults.attempt { () throws(SceneError) in lens.shapes.append(try lensShape(element)) }
        }
      case "smoothing": lens.smoothing = try notNegative(value)
      case "rim": lens.rim = try notNegative(value)
      case "thickness": lens.thickness = try notNegative(value)
      case "refractiveIndex": lens.refractiveIndex = try number(value, 1...4, "a number from 1 to 4")
      case "chromaticSpread": lens.chromaticSpread = try number(value, 0...1, "a number from 0 to 1")
      case "highlight": lens.highlight = try color(value)
      case "highlightWidth": lens.highlightWidth = try notNegative(value)
      case "lightDegrees": lens.lightAngle = try number(value) * .pi / 180
      default:
        throw failure(
          .unknownKey, value,
          "unknown key; expected one of subject, shapes, smoothing, rim, thickness, refractiveIndex, chromaticSpread, "
            + "highlight, highlightWidth, lightDegrees")
      }
    }
    return lens
  }

  private func lensShape(_ node: Int32) throws(SceneError) -> Lens.Shape {
    var shape: Lens.Shape?
    var radius = 0.0
    for (key, value) in try object(node, "a shape of rect and radius") {
      switch key {
      case "rect": shape = Lens.Shape(rect: try rect(value))
      case "radius": radius = try notNegative(value)
      default: throw failure(.unknownKey, value, "unknown key; expected one of rect, radius")
      }
    }
    guard var shape else { throw failure(.missing, node, "expected rect") }
    shape.radius = radius
    return shape
  }
}

extension BlendMode {
  /// `colorDodge` is `color-dodge`.
  var cssName: String {
    rawValue.reduce(into: "") { name, letter in
      if letter.isUppercase { name += "-" }
      name += letter.lowercased()
    }
  }
}
