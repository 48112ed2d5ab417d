import Commit
import Geometry

extension RenderTree {
  /// A commit that makes everything in this tree in an empty one of the same time: the same pictures from then on, and the
  /// same answers to the same commits. A spring has lost the speed that it found
  /// when it was added; in a group, what began at what was shown then begins at what is shown now.
  /// - Complexity: O(layers).
  public var listing: Commit {
    // What moves is listed with its own values; its animations follow.
    var still = self
    for layer in animations.layers { still.undressAnimated(layer.slot) }
    return Commit(still.structure + animationChanges)
  }

  private var structure: [Change] {
    let all = slots.sorted { $0.key.rawValue < $1.key.rawValue }
    var (changes, links, released): ([Change], [Change], [Change]) = ([], [], [])
    for (id, slot) in all {
      let record = records[Int(slot)]
      changes.append(.create(id, record.kind))
      for property in properties(of: slot) {
        switch property {
        case .sourceLayer, .mask: links.append(.set(id, property))
        default: changes.append(.set(id, property))
        }
      }
      if record.isReleased { released.append(.release(id)) }
    }
    // Parents first or last is all one: each layer takes its sublayers in their order.
    for (id, slot) in all {
      var child = records[Int(slot)].firstChild
      while child >= 0 {
        links.append(.insert(records[Int(child)].id, into: id, at: .max))
        child = records[Int(child)].nextSibling
      }
    }
    return changes + links + released
  }

  /// They begin at the very times at which they began here; those that have ended without a trace are gone.
  private var animationChanges: [Change] {
    animations.layers.flatMap { layer in
      layer.animations.map { Change.addAnimation(records[Int(layer.slot)].id, key: $0.key, $0.resolved) }
    }
  }

  /// Every property of `layer` that is not as a new layer has it; empty for a layer that does not exist. What draws
  /// nothing may be left out, and values may be in the form in which they are drawn, such as an opacity within its range;
  /// the layer's own, whatever animations show.
  public func properties(of layer: LayerID) -> [PropertyChange] {
    guard let slot = slots[layer] else { return [] }
    guard records[Int(slot)].animations >= 0 else { return properties(of: slot) }
    var still = self
    still.undressAnimated(slot)
    return still.properties(of: slot)
  }

  /// The layer's own space; zero for a layer that does not exist.
  public func bounds(of layer: LayerID) -> Rect { slots[layer].map { records[Int($0)].bounds } ?? .zero }

  /// The layer's own picture; nil for none.
  public func contents(of layer: LayerID) -> Image? { slots[layer].flatMap { contents[Int($0)] } }

  /// Where a layer's own origin lies in an ancestor's space, by places and anchor points alone, whatever transforms do to it.
  public func origin(of layer: LayerID, in ancestor: LayerID) -> Point {
    var origin = Point.zero
    var next = slots[layer]
    while let slot = next, records[Int(slot)].id != ancestor {
      let record = records[Int(slot)]
      origin.x += record.position.x - record.bounds.x - record.anchorPoint.x * record.bounds.width
      origin.y += record.position.y - record.bounds.y - record.anchorPoint.y * record.bounds.height
      next = record.parent >= 0 ? record.parent : nil
    }
    return origin
  }

  private func properties(of slot: Int32) -> [PropertyChange] {
    let record = records[Int(slot)]
    var list = record.properties(unlike: LayerRecord(id: record.id, kind: record.kind))
    if record.hasContents, let image = contents[Int(slot)] { list.append(.contents(image)) }
    if record.hasGradient, let gradient = gradients[Int(slot)] { list.append(.gradient(gradient)) }
    if let name = rare.names[slot] { list.append(.name(name)) }
    if let center = rare.contentsCenters[slot] { list.append(.contentsCenter(center)) }
    if let frame = rare.contentsFrames[slot] { list.append(.contentsFrame(frame)) }
    if let replication = rare.replications[slot] { list.append(.replication(replication)) }
    if let effects = effects[slot] { list += effects.properties }
    if record.mask >= 0 { list.append(.mask(records[Int(record.mask)].id)) }
    if record.portal >= 0 {
      let portal = portals[Int(record.portal)]
      list += portal.properties(unlike: PortalRecord(slot: slot))
      if let overrides = rare.overrides[slot] { list.append(.overrides(overrides)) }
      // One that is gone can't be named.
      if let source = portal.source, slots[source] != nil { list.append(.sourceLayer(source)) }
    }
    return list
  }
}

extension LayerRecord {
  fileprivate func properties(unlike other: LayerRecord) -> [PropertyChange] {
    var list: [PropertyChange] = []
    if bounds != other.bounds { list.append(.bounds(bounds)) }
    if position != other.position { list.append(.position(position)) }
    if zPosition != other.zPosition { list.append(.zPosition(zPosition)) }
    if anchorPoint != other.anchorPoint { list.append(.anchorPoint(anchorPoint)) }
    if anchorPointZ != other.anchorPointZ { list.append(.anchorPointZ(anchorPointZ)) }
    if transform != other.transform { list.append(.transform(transform)) }
    if sublayerTransform != other.sublayerTransform { list.append(.sublayerTransform(sublayerTransform)) }
    if isDoubleSided != other.isDoubleSided { list.append(.isDoubleSided(isDoubleSided)) }
    if isHidden != other.isHidden { list.append(.isHidden(isHidden)) }
    if opacity != other.opacity { list.append(.opacity(opacity)) }
    if allowsGroupOpacity != other.allowsGroupOpacity { list.append(.allowsGroupOpacity(allowsGroupOpacity)) }
    if masksToBounds != other.masksToBounds { list.append(.masksToBounds(masksToBounds)) }
    if snapsToPixels != other.snapsToPixels { list.append(.snapsToPixels(snapsToPixels)) }
    if allowsEdgeAntialiasing != other.allowsEdgeAntialiasing {
      list.append(.allowsEdgeAntialiasing(allowsEdgeAntialiasing))
    }
    if edgeAntialiasingMask != other.edgeAntialiasingMask { list.append(.edgeAntialiasingMask(edgeAntialiasingMask)) }
    if isSecure != other.isSecure { list.append(.isSecure(isSecure)) }
    if backgroundColor != other.backgroundColor {
      list.append(.backgroundColor(Color(premultipliedAs: backgroundColor)))
    }
    if cornerRadius != other.cornerRadius { list.append(.cornerRadius(cornerRadius)) }
    if maskedCorners != other.maskedCorners { list.append(.maskedCorners(maskedCorners)) }
    if borderWidth != other.borderWidth { list.append(.borderWidth(borderWidth)) }
    if borderColor != other.borderColor { list.append(.borderColor(Color(premultipliedAs: borderColor))) }
    if contentsRect != other.contentsRect { list.append(.contentsRect(contentsRect)) }
    if contentsGravity != other.contentsGravity { list.append(.contentsGravity(contentsGravity)) }
    if contentsScale != other.contentsScale { list.append(.contentsScale(contentsScale)) }
    if magnificationFilter != other.magnificationFilter { list.append(.magnificationFilter(magnificationFilter)) }
    if minificationFilter != other.minificationFilter { list.append(.minificationFilter(minificationFilter)) }
    if sortsSublayersByDepth != other.sortsSublayersByDepth {
      list.append(.sortsSublayersByDepth(sortsSublayersByDepth))
    }
    if allowsHitTesting != other.allowsHitTesting { list.append(.allowsHitTesting(allowsHitTesting)) }
    return list
  }
}

extension LayerEffects {
  fileprivate var properties: [PropertyChange] {
    var list: [PropertyChange] = []
    if let shadow { list.append(.shadow(shadow)) }
    if !filters.isEmpty { list.append(.filters(filters)) }
    if blendMode != .normal { list.append(.blendMode(blendMode)) }
    if let lens { list.append(.lens(lens)) }
    if !backdropFilters.isEmpty { list.append(.backdropFilters(backdropFilters)) }
    if let backdropGroup { list.append(.backdropGroup(backdropGroup)) }
    return list
  }
}

extension PortalRecord {
  /// All but the source.
  fileprivate func properties(unlike other: PortalRecord) -> [PropertyChange] {
    var list: [PropertyChange] = []
    if hidesSourceLayer != other.hidesSourceLayer { list.append(.hidesSourceLayer(hidesSourceLayer)) }
    if hidesSourceLayerInOtherPortals != other.hidesSourceLayerInOtherPortals {
      list.append(.hidesSourceLayerInOtherPortals(hidesSourceLayerInOtherPortals))
    }
    if matchesPosition != other.matchesPosition { list.append(.matchesPosition(matchesPosition)) }
    if matchesTransform != other.matchesTransform { list.append(.matchesTransform(matchesTransform)) }
    if matchesOpacity != other.matchesOpacity { list.append(.matchesOpacity(matchesOpacity)) }
    if sourceLayerOpacityScale != other.sourceLayerOpacityScale {
      list.append(.sourceLayerOpacityScale(sourceLayerOpacityScale))
    }
    if sourceRect != other.sourceRect { list.append(.sourceRect(sourceRect)) }
    if recursion != other.recursion { list.append(.recursion(recursion)) }
    if sampling != other.sampling { list.append(.sampling(sampling)) }
    if sourceLifetime != other.sourceLifetime { list.append(.sourceLifetime(sourceLifetime)) }
    if forwardsHitTestingToSource != other.forwardsHitTestingToSource {
      list.append(.forwardsHitTestingToSource(forwardsHitTestingToSource))
    }
    if allowsBackdropGroups != other.allowsBackdropGroups { list.append(.allowsBackdropGroups(allowsBackdropGroups)) }
    return list
  }
}

extension Color {
  /// A colour that gives exactly this one when it is premultiplied, as long as any does.
  init(premultipliedAs color: PremultipliedColor) {
    func straight(_ value: Float) -> Float {
      guard color.alpha != 0 else { return 0 }
      let quotient = value / color.alpha
      return [quotient, quotient.nextUp, quotient.nextDown].first { $0 * color.alpha == value } ?? quotient
    }
    self.init(
      red: straight(color.red), green: straight(color.green), blue: straight(color.blue), alpha: color.alpha)
  }
}
