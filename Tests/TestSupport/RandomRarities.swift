import Commit
import Geometry

// What few layers have, in random trees. Its numbers come from a generator of its own, so that what is added here leaves
// everything else of the trees of all seeds as it was.

extension RandomTree {
  /// Properties for a layer of these bounds with so many sublayers, and the kind that they ask for.
  mutating func rarities(bounds: Rect, sublayers: Int) -> (kind: LayerKind?, properties: [PropertyChange]) {
    var properties: [PropertyChange] = []
    if rareRandom.oneIn(3) {
      let (x, y) = (rareRandom.whole(0...3) / 8, rareRandom.whole(0...3) / 8)
      properties.append(
        .contentsCenter(
          Rect(x: x, y: y, width: rareRandom.whole(1...4) / 8, height: rareRandom.whole(1...4) / 8)))
      properties.append(.contentsScale([1, 2, 0.5].randomElement(using: &rareRandom) ?? 1))
    }
    if rareRandom.oneIn(3) {
      properties.append(.minificationFilter(MinificationFilter.allCases.randomElement(using: &rareRandom) ?? .linear))
    }
    if rareRandom.oneIn(12) { properties.append(.snapsToPixels(true)) }
    if rareRandom.oneIn(12) { properties.append(.allowsEdgeAntialiasing(false)) }
    if rareRandom.oneIn(12) {
      properties.append(.edgeAntialiasingMask(EdgeMask(rawValue: .random(in: 0...15, using: &rareRandom))))
    }
    if sublayers == 0, rareRandom.oneIn(15) { properties.append(.isSecure(true)) }
    guard sublayers > 0, rareRandom.oneIn(5) else { return (nil, properties) }
    let transforms: [Transform3D] = [
      .translation(x: rareRandom.eighth(-12...12), y: rareRandom.eighth(-12...12)),
      .scale(x: 0.5, y: 0.5) * .translation(x: 4, y: 6), Transform3D(m11: 0, m12: 1, m21: -1, m22: 0),
      isExact ? .identity : .rotation(angle: rareRandom.real(-1...1)),
    ]
    let hasColor = rareRandom.oneIn(3)
    properties.append(
      .replication(
        Replication(
          instanceCount: .random(in: 0...4, using: &rareRandom),
          instanceTransform: isUpright ? transforms[0] : transforms.randomElement(using: &rareRandom) ?? .identity,
          instanceColor: hasColor ? Color(red: 1, green: 0.75, blue: 0.5) : .white,
          instanceBlueOffset: hasColor ? -0.25 : 0, instanceAlphaOffset: hasColor ? -0.125 : 0)))
    return (.replicator, properties)
  }

  /// The source with names for its sublayers, and values for some portal to override.
  mutating func overriding(_ source: TestLayer) -> (source: TestLayer, overrides: [PortalOverride]) {
    var source = source
    var paths: [[PortalOverride.Step]] = [[]]
    for index in source.sublayers.indices {
      let name = "layer \(index)"
      source.sublayers[index].properties.append(.name(name))
      paths.append([.sublayer(name)])
    }
    guard rareRandom.oneIn(3) else { return (source, []) }
    let overrides = (0..<Int.random(in: 1...3, using: &rareRandom)).map { _ -> PortalOverride in
      let path = paths.randomElement(using: &rareRandom) ?? []
      let values: [PropertyChange] = [
        .backgroundColor(Color(red: 0.25, green: 0.5, blue: 0, alpha: 0.75)), .cornerRadius(6), .borderWidth(2),
        path.isEmpty ? .masksToBounds(true) : .isHidden(rareRandom.oneIn(2)),
        path.isEmpty ? .filters([.invert(0.5)]) : .opacity(0.5),
      ]
      return PortalOverride(path: path, values.randomElement(using: &rareRandom) ?? .cornerRadius(1))
    }
    return (source, overrides)
  }
}

extension TestLayer {
  /// With the values of the overrides in the layers that they lead to.
  public func with(_ overrides: [PortalOverride]) -> TestLayer {
    overrides.reduce(self) { layer, override in layer.with(override.property, at: override.path[...]) }
  }

  private func with(_ property: PropertyChange, at path: ArraySlice<PortalOverride.Step>) -> TestLayer {
    var copy = self
    guard let step = path.first else {
      copy.properties.append(property)
      return copy
    }
    switch step {
    case .mask: copy.masks = masks.map { $0.with(property, at: path.dropFirst()) }
    case .sublayer(let name):
      guard let index = sublayers.firstIndex(where: { $0.name == name }) else { return self }
      copy.sublayers[index] = sublayers[index].with(property, at: path.dropFirst())
    }
    return copy
  }

  /// As set last.
  public var name: String? {
    properties.reduce(nil) { result, property in
      if case .name(let name) = property { return name }
      return result
    }
  }
}
