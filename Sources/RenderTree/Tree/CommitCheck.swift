import Commit
import Geometry

/// The state that a commit would make, as far as its own checks need it: laid over the tree, which stays untouched.
private struct Overlay {
  var kinds: [LayerID: LayerKind?] = [:]
  /// What each stands in: its parent, or the layer that it masks.
  var parents: [LayerID: LayerID?] = [:]
  var masks: [LayerID: LayerID?] = [:]
  /// The keys of layers that are given animations.
  var animations: [LayerID: Set<String>] = [:]
  /// Layers that were given sublayers or a mask.
  var layersWithSublayers: Set<LayerID> = []
}

extension RenderTree {
  /// Looks whether every change of `commit` can be applied, in order; throws for the first that cannot.
  /// - Returns: whether some of them are of animations.
  func check(_ commit: Commit) throws(CommitError) -> Bool {
    var overlay = Overlay()
    var concernsAnimations = false
    for change in commit.changes {
      switch change {
      case .create(let id, let kind):
        guard kindOf(id, overlay) == nil else {
          throw CommitError(.layerExists, layer: id, "\(id) exists already; every new layer needs a name of its own")
        }
        overlay.kinds[id] = .some(kind)
        overlay.parents[id] = .some(nil)
      case .release(let id):
        try requireLayer(id, overlay)
        overlay.kinds[id] = .some(nil)
      case .set(let id, let property):
        let kind = try requireLayer(id, overlay)
        try checkProperty(property, of: id, kind: kind, overlay)
        if case .mask(let mask) = property { try setMask(mask, of: id, &overlay) }
      case .insert(let child, let parent, _):
        try requireLayer(child, overlay)
        try requireLayer(parent, overlay)
        try checkCycle(child, into: parent, overlay, property: "sublayers")
        overlay.parents[child] = .some(parent)
        overlay.layersWithSublayers.insert(parent)
      case .removeFromParent(let id):
        try requireLayer(id, overlay)
        overlay.parents[id] = .some(nil)
      case .addAnimation(let id, let key, let animation):
        concernsAnimations = true
        let kind = try requireLayer(id, overlay)
        try AnimationCheck(layer: id, kind: kind, key: key).check(animation)
        if overlay.animations[id] == nil { overlay.animations[id] = Set(animationKeys(of: id)) }
        overlay.animations[id]?.insert(key)
        guard overlay.animations[id]?.count ?? 0 <= AnimationCheck.mostOfOneLayer else {
          throw CommitError(
            .outOfRange, layer: id, property: "animations",
            "\(id) can't have more than \(AnimationCheck.mostOfOneLayer) animations at a time; remove some, or use their keys again"
          )
        }
      case .removeAnimation(let id, _):
        concernsAnimations = true
        try requireLayer(id, overlay)
      }
    }
    return concernsAnimations
  }

  private func kindOf(_ id: LayerID, _ overlay: Overlay) -> LayerKind? {
    if let kind = overlay.kinds[id] { return kind }
    guard let slot = slots[id], !records[Int(slot)].isReleased else { return nil }
    return records[Int(slot)].kind
  }

  @discardableResult
  private func requireLayer(_ id: LayerID, _ overlay: Overlay) throws(CommitError) -> LayerKind {
    guard let kind = kindOf(id, overlay) else {
      throw CommitError(
        .unknownLayer, layer: id, "there is no \(id); create it before it is used, in this commit or before")
    }
    return kind
  }

  private func setMask(_ mask: LayerID?, of id: LayerID, _ overlay: inout Overlay) throws(CommitError) {
    var old: LayerID?
    if let replaced = overlay.masks[id] {
      old = replaced
    } else if let slot = slots[id], records[Int(slot)].mask >= 0 {
      old = records[Int(records[Int(slot)].mask)].id
    }
    if let old, container(of: old, overlay) == id { overlay.parents[old] = .some(nil) }
    overlay.masks[id] = .some(mask)
    guard let mask else { return }
    guard kindOf(mask, overlay) != nil else {
      throw CommitError(
        .unknownLayer, layer: id, property: "mask", "\(id) can't be masked by \(mask): there is no such layer")
    }
    try checkCycle(mask, into: id, overlay, property: "mask")
    overlay.parents[mask] = .some(id)
    overlay.layersWithSublayers.insert(id)
  }

  /// What a layer stands in.
  private func container(of id: LayerID, _ overlay: Overlay) -> LayerID? {
    if let moved = overlay.parents[id] { return moved }
    guard let slot = slots[id] else { return nil }
    let container = records[Int(slot)].container
    return container >= 0 ? records[Int(container)].id : nil
  }

  private func checkCycle(
    _ child: LayerID, into parent: LayerID, _ overlay: Overlay, property: String
  ) throws(CommitError) {
    // What has no sublayers can't contain anything but itself: no need to climb, however deep the tree.
    let hasSublayers =
      overlay.layersWithSublayers.contains(child)
      || slots[child].map { records[Int($0)].firstChild >= 0 || records[Int($0)].mask >= 0 } ?? false
    var ancestor: LayerID? = hasSublayers || child == parent ? parent : nil
    while let id = ancestor {
      guard id != child else {
        if property == "mask" {
          throw CommitError(
            .cycle, layer: parent, property: property,
            "\(parent) can't be masked by \(child), which is itself or holds it")
        }
        throw CommitError(
          .cycle, layer: child, property: property, "\(child) can't go into \(parent): it would contain itself")
      }
      ancestor = container(of: id, overlay)
    }
  }

  private func checkProperty(
    _ property: PropertyChange, of id: LayerID, kind: LayerKind, _ overlay: Overlay
  ) throws(CommitError) {
    guard property.isFinite else {
      throw CommitError(
        .notFinite, layer: id, property: property.name, "\(property.name) of \(id) must be finite numbers")
    }
    if property.isPortalOnly, kind != .portal {
      throw CommitError(
        .notAPortal, layer: id, property: property.name, "\(id) is no portal, so it has no \(property.name)")
    }
    if let wanted = property.violatedRange {
      throw CommitError(
        .outOfRange, layer: id, property: property.name, "\(property.name) of \(id) must be \(wanted)")
    }
    if case .sourceLayer(let source?) = property, kindOf(source, overlay) == nil {
      throw CommitError(
        .unknownLayer, layer: id, property: property.name, "\(id) can't show \(source): there is no such layer")
    }
  }
}

extension PropertyChange {
  /// The most bytes of a name.
  public static var maxNameBytes: Int { 256 }

  fileprivate var isFinite: Bool {
    switch self {
    case .bounds(let value), .contentsRect(let value), .contentsCenter(let value): value.isFinite
    case .sourceRect(let value), .contentsFrame(let value): value?.isFinite ?? true
    case .position(let value), .anchorPoint(let value): value.isFinite
    case .zPosition(let value), .anchorPointZ(let value), .cornerRadius(let value), .borderWidth(let value),
      .contentsScale(let value):
      value.isFinite
    case .transform(let value), .sublayerTransform(let value): value.isFinite
    case .opacity(let value), .sourceLayerOpacityScale(let value): value.isFinite
    case .backgroundColor(let value), .borderColor(let value): value.isFinite
    case .gradient(let value):
      value.map { gradient in
        gradient.start.isFinite && gradient.end.isFinite
          && gradient.stops.allSatisfy { $0.location.isFinite && $0.color.isFinite }
      } ?? true
    case .shadow(let value): value?.isFinite ?? true
    case .filters(let value), .backdropFilters(let value): value.allSatisfy(\.isFinite)
    case .lens(let value): value?.isFinite ?? true
    case .replication(let value): value.isFinite
    case .overrides(let value): value.allSatisfy { $0.property.isFinite }
    default: true
    }
  }

  /// What the value should have been, where it is out of range.
  fileprivate var violatedRange: String? {
    switch self {
    case .cornerRadius(let value), .borderWidth(let value): value < 0 ? "0 or more" : nil
    case .contentsScale(let value): value <= 0 ? "more than 0" : nil
    case .recursion(.depth(let levels)): levels < 1 ? "a depth of 1 or more" : nil
    case .shadow(let value?): value.radius < 0 || (value.path?.radius ?? 0) < 0 ? "without a negative radius" : nil
    case .filters(let value), .backdropFilters(let value):
      value.allSatisfy(\.isInRange) ? nil : "without a negative radius or amount"
    case .lens(let value?): value.fault
    case .backdropGroup(let value?):
      value.utf8.count > Self.maxNameBytes ? "a name of at most \(Self.maxNameBytes) bytes" : nil
    case .gradient(let value?): value.stops.isEmpty ? "a gradient with at least one stop" : nil
    case .contentsCenter(let value):
      Rect(x: 0, y: 0, width: 1, height: 1).contains(value.standardized) ? nil : "within 0…1 each way"
    case .replication(let value):
      (0...Replication.instanceLimit).contains(value.instanceCount)
        ? nil : "of 0 to \(Replication.instanceLimit) instances"
    case .overrides(let value): value.violatedRange
    default: nil
    }
  }

  fileprivate var isPortalOnly: Bool {
    switch self {
    case .sourceLayer, .hidesSourceLayer, .hidesSourceLayerInOtherPortals, .matchesPosition, .matchesTransform,
      .matchesOpacity, .sourceLayerOpacityScale, .sourceRect, .recursion, .sampling, .sourceLifetime,
      .forwardsHitTestingToSource, .allowsBackdropGroups, .overrides:
      true
    default: false
    }
  }
}

extension [PortalOverride] {
  /// What a portal's overrides should have been.
  fileprivate var violatedRange: String? {
    if count > PortalOverride.countLimit { return "no more than \(PortalOverride.countLimit)" }
    for override in self {
      if override.path.count > PortalOverride.depthLimit {
        return "of layers no more than \(PortalOverride.depthLimit) levels deep"
      }
      if !override.isAllowed { return "of how layers look and lie, which \(override.property.name) is not" }
      if let wanted = override.property.violatedRange { return "values that fit: \(override.property.name) \(wanted)" }
    }
    return nil
  }
}
