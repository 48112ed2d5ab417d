import Commit
import Geometry
import JSON

extension SceneReader {
  /// Sets the property of that key in a scene file.
  mutating func setProperty(_ key: String, _ node: Int32, of layer: Layer) throws(SceneError) {
    switch key {
    case "kind": break
    case "depthSort": layer.sortsSublayersByDepth = try bool(node)
    case "id": try setID(node, of: layer)
    case "bounds": layer.bounds = try rect(node)
    case "position": layer.position = try point(node)
    case "zPosition": layer.zPosition = try number(node)
    case "anchorPoint": layer.anchorPoint = try point(node)
    case "anchorPointZ": layer.anchorPointZ = try number(node)
    case "transform": layer.transform = try matrix(node)
    case "sublayerTransform": layer.sublayerTransform = try matrix(node)
    case "isDoubleSided": layer.isDoubleSided = try bool(node)
    case "isHidden": layer.isHidden = try bool(node)
    case "opacity": layer.opacity = try fraction(node)
    case "allowsGroupOpacity": layer.allowsGroupOpacity = try bool(node)
    case "masksToBounds": layer.masksToBounds = try bool(node)
    case "snapsToPixels": layer.snapsToPixels = try bool(node)
    case "allowsEdgeAntialiasing": layer.allowsEdgeAntialiasing = try bool(node)
    case "edgeAntialiasingMask": layer.edgeAntialiasingMask = try edges(node)
    case "isSecure": layer.isSecure = try bool(node)
    case "backgroundColor": layer.backgroundColor = try color(node)
    case "cornerRadius": layer.cornerRadius = try notNegative(node)
    case "maskedCorners": layer.maskedCorners = try corners(node)
    case "borderWidth": layer.borderWidth = try notNegative(node)
    case "borderColor": layer.borderColor = try color(node)
    case "contents":
      layer.contents = try image(node)
      guard layer.contents == nil || !layer.drawsByItself else {
        throw failure(.unknownKey, node, "expected not in a layer of kind shape or text, which makes its own")
      }
    case "contentsRect": layer.contentsRect = try rect(node)
    case "contentsCenter": layer.contentsCenter = try unitRect(node)
    case "contentsGravity": layer.contentsGravity = try word(node)
    case "contentsScale":
      let least = Double.leastNormalMagnitude
      layer.contentsScale = try number(node, least...Double.greatestFiniteMagnitude, "a number above 0")
    case "minificationFilter": layer.minificationFilter = try word(node)
    case "magnificationFilter": layer.magnificationFilter = try word(node)
    case "shadow": layer.shadow = try shadow(node)
    case "filters": layer.filters = try filters(node)
    case "compositing": layer.blendMode = try blendMode(node)
    case "lens": layer.lens = try lens(node)
    case "backdropFilters", "group":
      guard let layer = layer as? BackdropLayer else {
        throw failure(.unknownKey, node, "expected only in a layer of kind backdrop or lens")
      }
      if key == "group" {
        layer.groupName = document[node].value == .null ? nil : try groupName(node)
      } else {
        layer.backdropFilters = try filters(node)
      }
    case "animations": try setAnimations(node, of: layer)
    case "allowsHitTesting": layer.allowsHitTesting = try bool(node)
    case "gradient":
      guard let layer = layer as? GradientLayer else {
        throw failure(.unknownKey, node, "expected only in a layer of kind gradient")
      }
      try setGradient(node, of: layer)
    case "shape":
      guard let layer = layer as? ShapeLayer else {
        throw failure(.unknownKey, node, "expected only in a layer of kind shape")
      }
      try setShape(node, of: layer)
    case "text":
      guard let layer = layer as? TextLayer else {
        throw failure(.unknownKey, node, "expected only in a layer of kind text")
      }
      try setText(node, of: layer)
    case "video":
      guard let layer = layer as? SurfaceLayer else {
        throw failure(.unknownKey, node, "expected only in a layer of kind surface")
      }
      try setVideo(node, of: layer)
    default:
      if Self.replicatorKeys.contains(key) {
        guard let replicator = layer as? ReplicatorLayer else {
          throw failure(.unknownKey, node, "expected only in a layer of kind replicator")
        }
        try setReplicatorProperty(key, node, of: replicator)
      } else if Self.portalKeys.contains(key) {
        guard let portal = layer as? PortalLayer else {
          throw failure(.unknownKey, node, "expected only in a layer of kind portal")
        }
        try setPortalProperty(key, node, of: portal)
      } else {
        try skipUnknown(node)
      }
    }
  }

  private static let portalKeys: Set<String> = [
    "sourceLayer", "hidesSourceLayer", "hidesSourceLayerInOtherPortals", "matchesPosition", "matchesTransform",
    "matchesOpacity", "sourceLayerOpacityScale", "sourceRect", "recursion", "sampling", "sourceLifetime",
    "forwardsHitTestingToSource", "allowsBackdropGroups", "overrides",
  ]

  private mutating func setID(_ node: Int32, of layer: Layer) throws(SceneError) {
    let id = try string(node)
    guard layers.updateValue(layer, forKey: id) == nil else {
      throw failure(.duplicate, node, "expected an id of its own; another layer is called “\(id)” too")
    }
    layer.name = id
  }

  private func image(_ node: Int32) throws(SceneError) -> Image? {
    if document[node].value == .null { return nil }
    let name = try string(node, "the name of an image")
    guard let image = images[name] else {
      throw failure(
        .unknownReference, node, "expected the name of one of this scene's images; none is called “\(name)”")
    }
    return image
  }

  private mutating func setPortalProperty(_ key: String, _ node: Int32, of portal: PortalLayer) throws(SceneError) {
    switch key {
    case "sourceLayer":
      if document[node].value != .null { sources.append((portal, node, try string(node, "the id of a layer"))) }
    case "hidesSourceLayer": portal.hidesSourceLayer = try bool(node)
    case "hidesSourceLayerInOtherPortals": portal.hidesSourceLayerInOtherPortals = try bool(node)
    case "matchesPosition": portal.matchesPosition = try bool(node)
    case "matchesTransform": portal.matchesTransform = try bool(node)
    case "matchesOpacity": portal.matchesOpacity = try bool(node)
    case "sourceLayerOpacityScale":
      // Beyond a float's range is no scale; what it is multiplied with is at most 1.
      portal.sourceLayerOpacityScale = Float(try number(node, 0...1e6, "a number from 0 to 1000000"))
    case "sourceRect": portal.sourceRect = document[node].value == .null ? nil : try rect(node)
    case "recursion": portal.recursion = try recursion(node)
    case "sampling": portal.sampling = try word(node)
    case "sourceLifetime": portal.sourceLifetime = try word(node)
    case "allowsBackdropGroups": portal.allowsBackdropGroups = try bool(node)
    case "overrides": portal.overrides = try overrides(node)
    default: portal.forwardsHitTestingToSource = try bool(node)
    }
  }

  private func setGradient(_ node: Int32, of layer: GradientLayer) throws(SceneError) {
    var locationsNode: Int32?
    var hasColors = false
    try each(node, "a gradient") { (key, value) throws(SceneError) in
      switch key {
      case "type": layer.type = try word(value)
      case "start": layer.startPoint = try point(value)
      case "end": layer.endPoint = try point(value)
      case "colors":
        hasColors = true
        let elements = try array(value, "a list of colours")
        guard !elements.isEmpty else { throw unexpected(.outOfRange, value, "at least one colour") }
        var colors: [Color] = []
        for element in elements { colors.append(try color(element)) }
        layer.colors = colors
      case "locations": if document[value].value != .null { locationsNode = value }
      default: throw failure(.unknownKey, value, "unknown key; expected one of type, start, end, colors, locations")
      }
    }
    guard hasColors else { throw failure(.missing, node, "expected colors") }
    guard let locationsNode, !layer.colors.isEmpty else { return }
    var locations: [Double] = []
    for element in try array(locationsNode, "a list of numbers") {
      let location = try number(element, 0...1, "a number from 0 to 1")
      if let last = locations.last, location < last {
        throw unexpected(.outOfRange, element, "a number not below the one before it")
      }
      locations.append(location)
    }
    guard locations.count == layer.colors.count else {
      throw unexpected(.wrongType, locationsNode, "as many numbers as colours, \(layer.colors.count)")
    }
    layer.locations = locations
  }
}
