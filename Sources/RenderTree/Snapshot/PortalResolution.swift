import Commit
import Geometry

// Where a portal's picture lies, whether it has one, and what it hides: decided here and nowhere else.

extension SnapshotPortal {
  init(node: Int32, _ record: PortalRecord) {
    self.init(
      node: node, source: -1, matrix: .identity, usesSourceWindow: false, sourceRect: record.sourceRect,
      contentOpacity: 1, isContentOpacityGrouped: true,
      recursion: record.recursion, sampling: record.sampling, isRecursive: false,
      forwardsHitTesting: record.forwardsHitTestingToSource,
      isIsolated: !record.allowsBackdropGroups || record.sampling == .nearest)
  }
}

extension Snapshot {
  /// Finds every portal's source, matrix and opacity, and which layers portals hide.
  mutating func resolvePortals(_ tree: RenderTree) {
    guard !portals.isEmpty || !tree.scratch.secretlyHidden.isEmpty else { return }
    for index in portals.indices where !portals[index].isInstance { _ = place(index, tree) }
    resolveHiding(tree)
    resolveRecursion()
  }

  /// Finds a portal's source, and where and how opaque it shows; false where it shows nothing.
  mutating func place(_ index: Int, _ tree: RenderTree) -> Bool {
    let node = portals[index].node
    guard let record = tree.portalRecord(of: nodes[Int(node)].layer) else { return false }
    let slot = record.source.flatMap { tree.slots[$0] } ?? -1
    let source = slot >= 0 ? tree.scratch.nodeOfSlot[Int(slot)] : -1
    let apart = tree.scratch.sourceNodes.isEmpty ? nil : tree.scratch.sourceNodes[slot]
    let copy = tree.scratch.copyOfPortal.isEmpty ? nil : tree.scratch.copyOfPortal[Int32(index)]
    let shown = copy ?? apart ?? source
    guard source >= 0, shown >= 0, !nodes[Int(shown)].isHidden else { return false }
    // Only what lies in the window can be matched.
    let isPlaced = source < tree.scratch.placedEnd && node < tree.scratch.placedEnd
    guard
      let matrix = matrix(
        from: shown, to: node, sourceRect: portals[index].sourceRect,
        matchesPosition: record.matchesPosition && isPlaced, matchesTransform: record.matchesTransform && isPlaced)
    else { return false }
    portals[index].source = shown
    portals[index].matrix = matrix
    portals[index].usesSourceWindow =
      record.matchesPosition && record.matchesTransform && isPlaced && apart == nil
    if record.matchesOpacity {
      let opacity = nodes[Int(shown)].opacity * record.sourceLayerOpacityScale
      portals[index].contentOpacity = min(1, max(0, opacity))
      portals[index].isContentOpacityGrouped = nodes[Int(shown)].flags.contains(.groupOpacity)
    }
    return true
  }

  /// The map from the source's layer space to the portal's; nil where the portal is seen edge on, so shows nothing.
  private func matrix(
    from source: Int32, to portal: Int32, sourceRect: Rect?, matchesPosition: Bool, matchesTransform: Bool
  ) -> Homography? {
    let s = nodes[Int(source)]
    let origin = sourceRect?.origin ?? s.bounds.origin
    if !matchesPosition, !matchesTransform { return .translation(x: -origin.x, y: -origin.y) }
    guard let toPortal = nodes[Int(portal)].window.inverse else { return nil }
    if matchesPosition, !matchesTransform {
      // The portal's own orientation and scale, with the source's anchor where the window has it.
      guard let inWindow = s.window.apply(s.anchor), let inPortal = toPortal.apply(inWindow) else { return nil }
      return .translation(x: inPortal.x - s.anchor.x, y: inPortal.y - s.anchor.y)
    }
    let placement = s.window * toPortal
    if matchesPosition { return placement }
    // The linear part, taken at the anchor (which for an affine placement is the same anywhere).
    guard let anchor = placement.apply(s.anchor) else { return nil }
    let w = placement.project(s.anchor).w
    var linear = (Homography.translation(x: s.anchor.x, y: s.anchor.y) * placement).translated(
      x: -anchor.x, y: -anchor.y)
    if w != 1 { linear = linear * Homography(m11: 1 / w, m22: 1 / w, m44: 1 / w) }
    linear.m41 = 0
    linear.m42 = 0
    return Homography.translation(x: -s.anchor.x, y: -s.anchor.y) * linear
      * .translation(x: s.anchor.x - origin.x, y: s.anchor.y - origin.y)
  }

  // MARK: Hiding

  /// `hidesSourceLayer` and `hidesSourceLayerInOtherPortals`, of the portals that are drawn. What portals hide does not
  /// count in deciding which are drawn, so a portal inside the source that it hides still hides it.
  private mutating func resolveHiding(_ tree: RenderTree) {
    let drawn = drawnPortals()
    var claims: [Int32: (portal: LayerID, several: Bool)] = [:]
    /// The source itself, whichever copy of it a portal shows.
    func original(_ source: Int32) -> Int32 {
      tree.scratch.copies[source].map { tree.scratch.nodeOfSlot[Int($0)] } ?? source
    }
    for index in portals.indices where drawn[index] && portals[index].source >= 0 && !portals[index].isInstance {
      let layer = nodes[Int(portals[index].node)].layer
      guard let record = tree.portalRecord(of: layer) else { continue }
      let source = original(portals[index].source)
      if record.hidesSourceLayer { nodes[Int(source)].flags.insert(.hiddenByPortal) }
      if record.hidesSourceLayerInOtherPortals {
        let isOther = claims[source].map { $0.several || $0.portal != layer } ?? false
        claims[source] = (layer, isOther)
      }
    }
    for slot in tree.scratch.secretlyHidden where tree.scratch.nodeOfSlot[Int(slot)] >= 0 {
      nodes[Int(tree.scratch.nodeOfSlot[Int(slot)])].flags.insert(.hiddenByPortal)
    }
    for (copy, slot) in tree.scratch.copies {
      let original = tree.scratch.nodeOfSlot[Int(slot)]
      if original >= 0, nodes[Int(original)].flags.contains(.hiddenByPortal) {
        nodes[Int(copy)].flags.insert(.hiddenByPortal)
      }
    }
    for portal in portals where portal.isInstance && portal.source >= 0 {
      if nodes[Int(portal.source)].flags.contains(.hiddenByPortal) {
        nodes[Int(portal.node)].flags.insert(.hiddenByPortal)
      }
    }
    guard !claims.isEmpty else { return }
    for index in portals.indices where portals[index].source >= 0 && !portals[index].isInstance {
      guard let claim = claims[original(portals[index].source)] else { continue }
      // Two that each hide the source in the other leave neither.
      if claim.several || claim.portal != nodes[Int(portals[index].node)].layer { portals[index].source = -1 }
    }
  }

  /// Which portals are in a drawn tree: reached from the root, through portals too, past no hidden layer.
  private func drawnPortals() -> [Bool] {
    var drawn = [Bool](repeating: false, count: portals.count)
    guard hasRoot else { return drawn }
    var isEntered = [Bool](repeating: false, count: nodes.count)
    var roots: [Int32] = [0]
    isEntered[0] = true
    while let root = roots.popLast() {
      var index = root
      while index < nodes[Int(root)].end {
        let node = nodes[Int(index)]
        if node.isHidden {
          index = node.end
          continue
        }
        if node.effects >= 0 {
          let mask = effects[Int(node.effects)].mask
          if mask >= 0, !isEntered[Int(mask)] {
            isEntered[Int(mask)] = true
            roots.append(mask)
          }
        }
        if node.portal >= 0 {
          drawn[Int(node.portal)] = true
          let source = portals[Int(node.portal)].source
          if source >= 0, !isEntered[Int(source)] {
            isEntered[Int(source)] = true
            roots.append(source)
          }
        }
        index += 1
      }
    }
    return drawn
  }
}

extension RenderTree {
  func portalRecord(of layer: LayerID) -> PortalRecord? {
    guard let slot = slots[layer], records[Int(slot)].portal >= 0 else { return nil }
    return portals[Int(records[Int(slot)].portal)]
  }
}
