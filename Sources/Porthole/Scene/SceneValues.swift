import Commit
import Geometry
import JSON

// Values of a scene file, each read with its type and range.

extension SceneReader {
  func failure(_ code: SceneError.Code, _ node: Int32, _ message: String) -> SceneError {
    SceneError(code: code, file: file, path: document.path(of: node), message: message)
  }

  /// The error of a value that is not what it should be.
  func unexpected(_ code: SceneError.Code, _ node: Int32, _ expected: String) -> SceneError {
    failure(code, node, "expected \(expected), got \(document.describe(node))")
  }

  func number(
    _ node: Int32, _ range: ClosedRange<Double>? = nil, _ expected: String = "a number"
  ) throws(SceneError)
    -> Double
  {
    guard case .number(let value) = document[node].value else { throw unexpected(.wrongType, node, expected) }
    guard value.isFinite else { throw failure(.outOfRange, node, "expected \(expected), got one beyond all range") }
    if let range, !range.contains(value) { throw unexpected(.outOfRange, node, expected) }
    return value
  }

  func whole(_ node: Int32, _ range: ClosedRange<Int>, _ expected: String) throws(SceneError) -> Int {
    let value = try number(node, nil, expected)
    guard let whole = Int(exactly: value), range.contains(whole) else { throw unexpected(.outOfRange, node, expected) }
    return whole
  }

  func notNegative(_ node: Int32) throws(SceneError) -> Double {
    try number(node, 0...Double.greatestFiniteMagnitude, "a number of 0 or more")
  }

  func fraction(_ node: Int32) throws(SceneError) -> Float {
    Float(try number(node, 0...1, "a number from 0 to 1"))
  }

  func bool(_ node: Int32) throws(SceneError) -> Bool {
    guard case .bool(let value) = document[node].value else { throw unexpected(.wrongType, node, "true or false") }
    return value
  }

  func string(_ node: Int32, _ expected: String = "a text") throws(SceneError) -> String {
    guard case .string(let value) = document[node].value else { throw unexpected(.wrongType, node, expected) }
    return value
  }

  /// The elements of an array.
  func array(_ node: Int32, _ expected: String) throws(SceneError) -> [Int32] {
    guard case .array = document[node].value else { throw unexpected(.wrongType, node, expected) }
    return document.children(of: node)
  }

  /// The members of an object, each key once.
  func object(_ node: Int32, _ expected: String = "an object") throws(SceneError) -> [(key: String, node: Int32)] {
    guard case .object = document[node].value else { throw unexpected(.wrongType, node, expected) }
    var seen: Set<String> = []
    var members: [(key: String, node: Int32)] = []
    for child in document.children(of: node) {
      let key = document[child].key ?? ""
      try faults.attempt { () throws(SceneError) in
        guard seen.insert(key).inserted else { throw failure(.duplicate, child, "expected each key once") }
        members.append((key, child))
      }
    }
    return members
  }

  /// Reads each member of an object; what is wrong with one is no reason not to look at the next, where all faults are
  /// wanted.
  func each(
    _ node: Int32, _ expected: String, _ read: (_ key: String, _ node: Int32) throws(SceneError) -> Void
  ) throws(SceneError) {
    for (key, value) in try object(node, expected) {
      try faults.attempt { () throws(SceneError) in try read(key, value) }
    }
  }

  func numbers(_ node: Int32, count: Int, _ expected: String) throws(SceneError) -> [Double] {
    let elements = try array(node, expected)
    guard elements.count == count else { throw unexpected(.wrongType, node, expected) }
    var values: [Double] = []
    for element in elements { values.append(try number(element)) }
    return values
  }

  func point(_ node: Int32) throws(SceneError) -> Point {
    let values = try numbers(node, count: 2, "[x, y]")
    return Point(values[0], values[1])
  }

  func rect(_ node: Int32) throws(SceneError) -> Rect {
    let values = try numbers(node, count: 4, "[x, y, width, height]")
    let rect = Rect(x: values[0], y: values[1], width: values[2], height: values[3])
    guard (rect.x + rect.width).isFinite, (rect.y + rect.height).isFinite else {
      throw failure(.outOfRange, node, "expected a rectangle within the range of numbers")
    }
    return rect
  }

  func matrix(_ node: Int32) throws(SceneError) -> Transform3D {
    let expected = "16 numbers m11 m12 … m44"
    guard let matrix = Transform3D(try numbers(node, count: 16, expected)) else {
      throw unexpected(.wrongType, node, expected)
    }
    return matrix
  }

  func color(_ node: Int32) throws(SceneError) -> Color {
    if document[node].value == .null { return .clear }
    let expected = "a colour as #rrggbb, #rrggbbaa, [red, green, blue] or [red, green, blue, alpha]"
    if case .array = document[node].value {
      let elements = document.children(of: node)
      guard 3...4 ~= elements.count else { throw unexpected(.outOfRange, node, expected) }
      let limit = Double(WorkingSpace.largestComponent)
      func component(_ index: Int) throws(SceneError) -> Float {
        Float(try number(elements[index], -limit...limit, "a number from \(Int(-limit)) to \(Int(limit))"))
      }
      return Color(
        red: try component(0), green: try component(1), blue: try component(2),
        alpha: elements.count > 3 ? try fraction(elements[3]) : 1)
    }
    guard let color = Color(hex: try string(node, expected)) else { throw unexpected(.outOfRange, node, expected) }
    return color
  }

  /// One of an enumeration's words.
  func word<Value: RawRepresentable & CaseIterable>(
    _ node: Int32, _: Value.Type = Value.self
  ) throws(SceneError)
    -> Value where Value.RawValue == String
  {
    let expected = "one of \(Value.allCases.map(\.rawValue).joined(separator: ", "))"
    guard let value = Value(rawValue: try string(node, expected)) else { throw unexpected(.outOfRange, node, expected) }
    return value
  }

  func corners(_ node: Int32) throws(SceneError) -> CornerMask {
    let expected = "a list of tl, tr, bl, br"
    var mask: CornerMask = []
    for element in try array(node, expected) {
      switch try string(element, expected) {
      case "tl": mask.insert(.topLeft)
      case "tr": mask.insert(.topRight)
      case "bl": mask.insert(.bottomLeft)
      case "br": mask.insert(.bottomRight)
      default: throw unexpected(.outOfRange, element, "one of tl, tr, bl, br")
      }
    }
    return mask
  }

  func recursion(_ node: Int32) throws(SceneError) -> PortalRecursion {
    let expected = "\"none\", {\"depth\": levels} or \"previousFrame\""
    if case .object = document[node].value {
      let members = try object(node)
      guard members.count == 1, members[0].key == "depth" else { throw unexpected(.wrongType, node, expected) }
      return .depth(try whole(members[0].node, 1...1_000_000, "a whole number of levels from 1"))
    }
    switch try string(node, expected) {
    case "none": return .none
    case "previousFrame": return .previousFrame
    default: throw unexpected(.outOfRange, node, expected)
    }
  }
}
