import Commit
import Geometry
import RenderTree
import TestSupport

extension RandomTree.PortalScene {
  /// The same scene without its portal: in the portal's place stands a plain layer of the same properties, and in it
  /// a copy of the source's subtree under the matrix that the portal had.
  ///
  /// The copy's layers are new ones; the source's own place, opacity and hiding do not come with it.
  func replacingPortalByCopy(_ snapshot: Snapshot) -> [TestLayer] {
    guard let portal = snapshot.portal(self.portal.rawValue) else { return roots }
    let overrides = roots.lazy.compactMap { $0.find(self.portal) }.first?.overrides ?? []
    let hidden = snapshot.node(source.rawValue)?.flags.contains(.hiddenByPortal) == true
    var content: [TestLayer] = []
    if portal.source >= 0, let original = roots.lazy.compactMap({ $0.find(source) }).first {
      content = [copy(of: original.with(overrides), under: portal)]
    }
    return roots.map { root in
      root.mapping { layer in
        var layer = layer
        if layer.id == self.portal {
          layer.kind = .layer
          layer.properties.removeAll { $0.isOfPortal || $0.isContents }
          layer.sublayers = content + layer.sublayers
        } else if layer.id == source, hidden {
          layer.properties.append(.isHidden(true))
        }
        return layer
      }
    }
  }

  private func copy(of original: TestLayer, under portal: SnapshotPortal) -> TestLayer {
    var copy = original.mapping { layer in
      var layer = layer
      layer.id = LayerID(rawValue: layer.id.rawValue + 1_000_000)
      return layer
    }
    let bounds = original.bounds
    let anchor = Point(
      x: bounds.x + original.anchorPoint.x * bounds.width, y: bounds.y + original.anchorPoint.y * bounds.height)
    copy.properties += [.transform(.identity), .position(anchor), .zPosition(0), .opacity(portal.contentOpacity)]
    let m = portal.matrix
    let matrix = Transform3D(
      m11: m.m11, m12: m.m12, m14: m.m14, m21: m.m21, m22: m.m22, m24: m.m24, m41: m.m41, m42: m.m42, m44: m.m44)
    var inside = copy
    if let part = portal.sourceRect {
      inside = TestLayer(
        2_000_001, .layer,
        [.bounds(part), .position(part.center), .masksToBounds(true)], [copy])
      if part.isEmpty { inside.sublayers = [] }
    }
    // Lowest of the sublayers, whatever their zPosition: the content comes before all of them. In a layer of its own, whose
    // plane is theirs: what a portal shows is no layer that could be sorted among them.
    let placed = TestLayer(2_000_002, .layer, [.transform(matrix)], [inside])
    return TestLayer(2_000_000, .layer, [.zPosition(-1000)], [placed])
  }
}

extension TestLayer {
  var bounds: Rect {
    properties.reduce(.zero) { result, property in
      if case .bounds(let rect) = property { return rect }
      return result
    }
  }

  var overrides: [PortalOverride] {
    properties.reduce([]) { result, property in
      if case .overrides(let overrides) = property { return overrides }
      return result
    }
  }

  var anchorPoint: Point {
    properties.reduce(Point(0.5, 0.5)) { result, property in
      if case .anchorPoint(let point) = property { return point }
      return result
    }
  }
}

extension PropertyChange {
  var isOfPortal: Bool {
    switch self {
    case .sourceLayer, .hidesSourceLayer, .hidesSourceLayerInOtherPortals, .matchesPosition, .matchesTransform,
      .matchesOpacity, .sourceLayerOpacityScale, .sourceRect, .recursion, .sampling, .sourceLifetime,
      .forwardsHitTestingToSource, .allowsBackdropGroups, .overrides:
      true
    default: false
    }
  }

  var isContents: Bool {
    if case .contents = self { return true }
    return false
  }
}
