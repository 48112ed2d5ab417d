import Commit
import Geometry
import JSON

// The effects that a scene file gives to layers.

extension SceneReader {
  private static let filterTypes = [
    "gaussianBlur", "saturate", "brightness", "contrast", "grayscale", "invert", "sepia", "opacity", "hueRotate",
    "colorMatrix",
  ]

  func filters(_ node: Int32) throws(SceneError) -> [Filter] {
    if document[node].value == .null { return [] }
    var filters: [Filter] = []
    for element in try array(node, "a list of filters") {
      try faults.attempt { () throws(SceneError) in filters.append(try filter(element)) }
    }
    return filters
  }

  private func filter(_ node: Int32) throws(SceneError) -> Filter {
    let members = try object(node, "a filter")
    let expected = "one of \(Self.filterTypes.joined(separator: ", "))"
    guard let typeNode = members.first(where: { $0.key == "type" })?.node else {
      throw failure(.missing, node, "expected type, \(expected)")
    }
    let type = try string(typeNode, expected)
    guard Self.filterTypes.contains(type) else { throw unexpected(.outOfRange, typeNode, expected) }
    let key =
      switch type {
      case "gaussianBlur": "radius"
      case "hueRotate": "degrees"
      case "colorMatrix": "values"
      default: "amount"
      }
    for member in members where member.key != "type" && member.key != key {
      throw failure(.unknownKey, member.node, "unknown key; expected type and \(key)")
    }
    guard let value = members.first(where: { $0.key == key })?.node else {
      throw failure(.missing, node, "expected \(key)")
    }
    switch type {
    case "gaussianBlur": return .gaussianBlur(radius: try amount(value))
    case "saturate": return .saturate(try amount(value))
    case "brightness": return .brightness(try amount(value))
    case "contrast": return .contrast(try amount(value))
    case "grayscale": return .grayscale(try amount(value))
    case "invert": return .invert(try amount(value))
    case "sepia": return .sepia(try amount(value))
    case "opacity": return .opacity(try amount(value))
    case "hueRotate": return .hueRotate(degrees: try float(value))
    default: return .colorMatrix(try colorMatrix(value))
    }
  }

  func shadow(_ node: Int32) throws(SceneError) -> Shadow? {
    if document[node].value == .null { return nil }
    var shadow = Shadow()
    try each(node, "a shadow") { (key, value) throws(SceneError) in
      switch key {
      case "color": shadow.color = try color(value)
      case "opacity": shadow.opacity = try fraction(value)
      case "radius": shadow.radius = try notNegative(value)
      case "offset": shadow.offset = try point(value)
      case "path": shadow.path = document[value].value == .null ? nil : try shadowPath(value)
      default: throw failure(.unknownKey, value, "unknown key; expected one of color, opacity, radius, offset, path")
      }
    }
    return shadow
  }

  private func shadowPath(_ node: Int32) throws(SceneError) -> Shadow.Path {
    var path: Shadow.Path?
    var radius = 0.0
    for (key, value) in try object(node, "a path of rect and radius") {
      switch key {
      case "rect": path = Shadow.Path(rect: try rect(value))
      case "radius": radius = try notNegative(value)
      default: throw failure(.unknownKey, value, "unknown key; expected one of rect, radius")
      }
    }
    guard var path else { throw failure(.missing, node, "expected rect") }
    path.radius = radius
    return path
  }

  /// A number that is kept in single precision.
  private func float(_ node: Int32) throws(SceneError) -> Double {
    let most = Double(Float.greatestFiniteMagnitude)
    return try number(node, -most...most, "a number within a float's range")
  }

  private func amount(_ node: Int32) throws(SceneError) -> Double {
    try number(node, 0...Double(Float.greatestFiniteMagnitude), "a number of 0 or more")
  }

  private func colorMatrix(_ node: Int32) throws(SceneError) -> ColorMatrix {
    let expected = "20 numbers, four rows of five"
    var values: [Double] = []
    for element in try array(node, expected) { values.append(try float(element)) }
    guard let matrix = ColorMatrix(rows: values) else { throw unexpected(.wrongType, node, expected) }
    return matrix
  }
}
