import Commit
import Geometry

// Portals with overrides: each shows a copy of its source in which the overridden values stand. The copy is a tree of its
// own behind the others, so whoever draws it needs to know nothing of overrides. Portals of one source with equal overrides
// share a copy.

/// What a copy is made of.
struct OverriddenSource: Hashable {
  var slot: Int32
  var overrides: [PortalOverride]
}

/// What is set aside of a layer while a copy of it is emitted. Whatever an override may set, or an animation move, has to be
/// in here.
struct SetAside {
  var slot: Int32
  var record: LayerRecord
  var gradient: Gradient?
  var effects: LayerEffects?
  var contentsCenter: Rect?
  var replication: Replication?
  var portal: PortalRecord?
}

extension RenderTree {
  /// Nodes of copies in a frame at most: portals whose copy would be more show nothing.
  static let copiedNodeLimit = 1 << 17

  /// Has the portal show a copy of its source.
  mutating func emitCopy(
    of source: Int32, with overrides: [PortalOverride], for portal: Int32, into snapshot: inout Snapshot
  ) {
    let key = OverriddenSource(slot: source, overrides: overrides)
    if let known = scratch.copyOfOverrides[key] {
      scratch.copyOfPortal[portal] = known
      return
    }
    let original = scratch.nodeOfSlot[Int(source)]
    let copy = Int32(snapshot.nodes.count)
    let size = layerCount(under: source)
    scratch.copiedNodeCount += size
    guard scratch.copiedNodeCount <= Self.copiedNodeLimit else {
      scratch.copiedNodeCount -= size
      scratch.copyOfPortal[portal] = -1
      snapshot.diagnostics.append(
        "portals with overrides would make more than \(Self.copiedNodeLimit) copies of layers; some show nothing")
      return
    }
    let parent = snapshot.nodes[Int(original)].parent
    var aside: [SetAside] = []
    var masks: [(masked: Int32, mask: Int32)] = []
    for override in overrides {
      guard let slot = follow(override.path, from: source, &masks) else { continue }
      if !aside.contains(where: { $0.slot == slot }) { aside.append(setAside(slot)) }
      put(override.property, into: slot)
      if rare.delayCount > 0 {
        scratch.overridden.insert(OverriddenProperty(slot: slot, name: override.property.name))
      }
    }
    scratch.isCopying = true
    emitSourceTree(source, under: parent, into: &snapshot)
    placeSourceTree(copy, at: original, in: &snapshot)
    emitCopiesOfMasks(from: copy, into: &snapshot) { slot in masks.first { $0.masked == slot }?.mask }
    scratch.isCopying = false
    scratch.overridden.removeAll(keepingCapacity: true)
    for layer in aside.reversed() { restore(layer) }
    scratch.copyOfOverrides[key] = copy
    scratch.copyOfPortal[portal] = copy
  }

  /// Masks that differ in what was copied from the node `start` on are copied too: those that `mask` names, by the slot of
  /// the layer that they mask.
  mutating func emitCopiesOfMasks(
    from start: Int32, into snapshot: inout Snapshot, _ mask: (_ masked: Int32) -> Int32?
  ) {
    var done: [Int32: Int32] = [:]
    var index = 0
    // Effects are in the order of nodes, and a mask's copy may itself be masked: so to the end of what grows.
    while index < snapshot.effects.count {
      defer { index += 1 }
      guard snapshot.effects[index].node >= start, let slot = scratch.copies[snapshot.effects[index].node],
        snapshot.effects[index].mask < 0, let mask = mask(slot)
      else { continue }
      if done[mask] == nil {
        done[mask] = Int32(snapshot.nodes.count)
        emitTree(mask, into: &snapshot)
      }
      snapshot.effects[index].mask = done[mask] ?? -1
    }
  }

  /// The layer that a path leads to; notes the masks on the way.
  private func follow(
    _ path: [PortalOverride.Step], from source: Int32, _ masks: inout [(masked: Int32, mask: Int32)]
  ) -> Int32? {
    var slot = source
    for step in path {
      switch step {
      case .sublayer(let name):
        var child = records[Int(slot)].firstChild
        while child >= 0, rare.names[child] != name { child = records[Int(child)].nextSibling }
        slot = child
      case .mask:
        let mask = records[Int(slot)].mask
        if mask >= 0 { masks.append((slot, mask)) }
        slot = mask
      }
      if slot < 0 { return nil }
    }
    return slot
  }

  func layerCount(under root: Int32) -> Int {
    var count = 0
    var stack = [root]
    while let slot = stack.popLast() {
      count += 1
      var child = records[Int(slot)].firstChild
      while child >= 0 {
        stack.append(child)
        child = records[Int(child)].nextSibling
      }
    }
    return count
  }

  func setAside(_ slot: Int32) -> SetAside {
    SetAside(
      slot: slot, record: records[Int(slot)], gradient: gradients[Int(slot)], effects: effects[slot],
      contentsCenter: rare.contentsCenters[slot], replication: rare.replications[slot],
      portal: portalRecord(at: slot))
  }

  mutating func restore(_ layer: SetAside) {
    records[Int(layer.slot)] = layer.record
    gradients[Int(layer.slot)] = layer.gradient
    effects[layer.slot] = layer.effects
    rare.contentsCenters[layer.slot] = layer.contentsCenter
    rare.replications[layer.slot] = layer.replication
    if let portal = layer.portal { portals[Int(layer.record.portal)] = portal }
  }
}
