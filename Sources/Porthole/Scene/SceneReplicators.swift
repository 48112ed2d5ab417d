import Commit
import Geometry
import JSON

// The replicators of a scene file, and the values that portals override.

extension SceneReader {
  static let replicatorKeys: Set<String> = [
    "instanceCount", "instanceTransform", "instanceColor", "instanceRedOffset", "instanceGreenOffset",
    "instanceBlueOffset", "instanceAlphaOffset", "instanceDelay",
  ]

  func setReplicatorProperty(_ key: String, _ node: Int32, of layer: ReplicatorLayer) throws(SceneError) {
    switch key {
    case "instanceCount":
      let most = Replication.instanceLimit
      layer.instanceCount = try whole(node, 0...most, "a whole number from 0 to \(most)")
    case "instanceTransform": layer.instanceTransform = try matrix(node)
    case "instanceColor": layer.instanceColor = try color(node)
    case "instanceRedOffset": layer.instanceRedOffset = try offset(node)
    case "instanceGreenOffset": layer.instanceGreenOffset = try offset(node)
    case "instanceBlueOffset": layer.instanceBlueOffset = try offset(node)
    case "instanceAlphaOffset": layer.instanceAlphaOffset = try offset(node)
    default: layer.instanceDelay = try number(node)
    }
  }

  private func offset(_ node: Int32) throws(SceneError) -> Float {
    Float(try number(node, -1...1, "a number from -1 to 1"))
  }

  /// Values by key paths: a property of the source, or `sublayers`, a layer's id and so on, or `mask`, and a property.
  mutating func overrides(_ node: Int32) throws(SceneError) -> [PortalOverride] {
    if document[node].value == .null { return [] }
    var overrides: [PortalOverride] = []
    for (keyPath, value) in try object(node, "values by key paths") {
      let expected =
        "a key path such as opacity, sublayers.ID.isHidden or mask.opacity, ending in a property that can be overridden"
      let dot = keyPath.lastIndex(of: ".")
      let key = String(dot.map { keyPath[keyPath.index(after: $0)...] } ?? keyPath[...])
      guard let path = PortalOverride.steps(String(dot.map { keyPath[..<$0] } ?? "")),
        let property = LayerProperty.allCases.first(where: { "\($0)" == key && $0 != .mask })
      else { throw failure(.unknownKey, value, "expected \(expected)") }
      // Whatever reads the property of a layer reads it of one that is thrown away.
      let layer: Layer = property == .gradient ? GradientLayer() : Layer()
      guard property != .mask else { throw failure(.unknownKey, value, "expected \(expected)") }
      try setProperty(key, value, of: layer)
      guard let change = layer.change(property) else { throw failure(.unknownKey, value, "expected \(expected)") }
      let override = PortalOverride(path: path, change)
      guard override.isAllowed else { throw failure(.unknownKey, value, "expected \(expected)") }
      overrides.append(override)
    }
    guard overrides.count <= PortalOverride.countLimit else {
      throw failure(.outOfRange, node, "expected no more than \(PortalOverride.countLimit) values")
    }
    return overrides
  }

  func unitRect(_ node: Int32) throws(SceneError) -> Rect {
    let value = try rect(node)
    guard Rect(x: 0, y: 0, width: 1, height: 1).contains(value.standardized) else {
      throw unexpected(.outOfRange, node, "[x, y, width, height] within 0…1")
    }
    return value
  }

  func edges(_ node: Int32) throws(SceneError) -> EdgeMask {
    let expected = "a list of left, right, top, bottom"
    var mask: EdgeMask = []
    for element in try array(node, expected) {
      switch try string(element, expected) {
      case "left": mask.insert(.left)
      case "right": mask.insert(.right)
      case "top": mask.insert(.top)
      case "bottom": mask.insert(.bottom)
      default: throw unexpected(.outOfRange, element, "one of left, right, top, bottom")
      }
    }
    return mask
  }
}
