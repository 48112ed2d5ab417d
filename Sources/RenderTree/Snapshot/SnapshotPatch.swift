import Commit
import Geometry

/// What was changed since the last snapshot: where it is only where layers lie and how they look by themselves, that
/// snapshot is mended instead of made anew.
struct PendingChanges: Sendable {
  /// Layers came, went or moved in the tree, or something else changed that a mended snapshot would not show.
  var isStructural = true
  /// The layers that changed, some of them several times.
  var slots: [Int32] = []

  mutating func note(_ property: PropertyChange, of slot: Int32) {
    guard !isStructural else { return }
    switch property {
    case .position, .transform, .anchorPoint, .opacity, .bounds, .backgroundColor, .cornerRadius, .maskedCorners,
      .borderWidth, .borderColor:
      if slots.last != slot { slots.append(slot) }
    default: isStructural = true
    }
  }

  /// An animation has moved it.
  mutating func note(_ property: AnimationKeyPath.Property, of slot: Int32) {
    guard !isStructural else { return }
    switch property {
    case .position, .transform, .anchorPoint, .opacity, .bounds, .backgroundColor, .cornerRadius, .borderWidth,
      .borderColor:
      if slots.last != slot { slots.append(slot) }
    default: isStructural = true
    }
  }

  mutating func clear() {
    isStructural = false
    slots.removeAll(keepingCapacity: true)
  }
}

/// In what a snapshot differs from an earlier one of the same tree.
public struct SnapshotChanges: Sendable {
  /// The version of the earlier one.
  public internal(set) var since: UInt64 = 0
  /// The nodes that differ by themselves, in rising order; the windows of what stands in them differ too. All others, and the
  /// order of nodes, are the same.
  public internal(set) var nodes: [Int32] = []
  fileprivate var marks: [UInt64] = []
}

extension RenderTree {
  /// Mends the snapshot so that it shows the tree as it is.
  /// - Returns: false where it has to be made anew; then it is of no use any more.
  mutating func mend(_ snapshot: inout Snapshot) -> Bool {
    guard !pending.isStructural, scratch.canBeMended, pending.slots.count <= snapshot.nodes.count else { return false }
    snapshot.changes.since = snapshot.version
    snapshot.changes.nodes.removeAll(keepingCapacity: true)
    snapshot.hasChanges = true
    snapshot.version = version
    var movesOthers = false
    for slot in pending.slots {
      let index = scratch.nodeOfSlot[Int(slot)]
      guard index >= 0 else { continue }
      guard mend(index, of: slot, &snapshot, &movesOthers) else { return false }
      snapshot.changes.nodes.append(index)
    }
    if movesOthers {
      for index in scratch.matchingPortals { guard mendPlace(index, &snapshot) else { return false } }
    } else if !scratch.matchingPortals.isEmpty {
      for index in 0..<snapshot.changes.nodes.count {
        let portal = snapshot.nodes[Int(snapshot.changes.nodes[index])].portal
        if portal >= 0 { guard mendPlace(portal, &snapshot) else { return false } }
      }
    }
    snapshot.changes.settle(of: snapshot.nodes.count)
    return true
  }

  private func mend(_ index: Int32, of slot: Int32, _ snapshot: inout Snapshot, _ movesOthers: inout Bool) -> Bool {
    let (i, s) = (Int(index), Int(slot))
    let hasTurnedParent = records[s].parent >= 0 && records[Int(records[s].parent)].hasSublayerTransform
    guard records[s].transform.isAffine2D, !hasTurnedParent else { return false }
    let bounds = records[s].bounds
    if bounds != snapshot.nodes[i].bounds {
      // Where contents lie goes by the bounds, and whether there are any in the snapshot, as with a backdrop; and what shows
      // the layer goes by their origin.
      guard !records[s].hasContents, records[s].kind != .backdrop, bounds.origin == snapshot.nodes[i].bounds.origin
      else { return false }
    }
    if scratch.matchesOpacity, records[s].opacity != snapshot.nodes[i].opacity { return false }
    let space = records[s].localTransform
    let local = Homography(space)
    let parent = Int(snapshot.nodes[i].parent)
    let window = parent >= 0 ? local * snapshot.nodes[parent].window : local
    let anchor = records[s].anchor
    let isMoved = window != snapshot.nodes[i].window
    if isMoved || anchor != snapshot.nodes[i].anchor {
      movesOthers = movesOthers || scratch.isSource[i] || snapshot.nodes[i].end > index + 1
    }
    dress(&snapshot.nodes[i], s)
    snapshot.nodes[i].place(local: local, window: window, turnsBack: space.m33 <= 0 && space.showsBack)
    if isMoved {
      for inner in (i + 1)..<max(i + 1, Int(snapshot.nodes[i].end)) {
        snapshot.nodes[inner].window =
          snapshot.nodes[inner].local * snapshot.nodes[Int(snapshot.nodes[inner].parent)].window
      }
    }
    return true
  }

  /// Has a node look as its layer's record says.
  private func dress(_ node: inout SnapshotNode, _ s: Int) {
    node.opacity = records[s].opacity
    node.bounds = records[s].bounds
    node.anchor = records[s].anchor
    if records[s].cornerRadius != 0 || !node.radii.isZero {
      node.radii = CornerRadii(
        radius: records[s].cornerRadius, mask: records[s].maskedCorners, size: node.bounds.size)
    }
    node.backgroundColor = records[s].backgroundColor
    node.borderWidth = records[s].borderWidth
    node.borderColor = records[s].borderColor
  }

  /// Places a portal anew that goes by where it or its source lies in the window.
  private func mendPlace(_ index: Int32, _ snapshot: inout Snapshot) -> Bool {
    let i = Int(index)
    let old = snapshot.portals[i].matrix
    guard snapshot.portals[i].source >= 0, snapshot.place(i, self) else { return false }
    if snapshot.portals[i].matrix != old { snapshot.changes.nodes.append(snapshot.portals[i].node) }
    return true
  }
}

extension SnapshotNode {
  fileprivate mutating func place(local: Homography, window: Homography, turnsBack: Bool) {
    (self.local, self.window) = (local, window)
    if turnsBack { flags.insert(.turnsBack) } else { flags.remove(.turnsBack) }
  }
}

extension SnapshotChanges {
  /// Puts the nodes into rising order, each once: by a bit for each node of `count`, so that nothing is allocated for it.
  fileprivate mutating func settle(of count: Int) {
    var isRising = true
    for index in 1..<max(1, nodes.count) where nodes[index] <= nodes[index - 1] { isRising = false }
    if isRising { return }
    marks.removeAll(keepingCapacity: true)
    marks.append(contentsOf: repeatElement(0, count: count / 64 + 1))
    for node in nodes { marks[Int(node) / 64] |= 1 << UInt64(node % 64) }
    nodes.removeAll(keepingCapacity: true)
    for word in marks.indices {
      while marks[word] != 0 {
        nodes.append(Int32(word * 64 + marks[word].trailingZeroBitCount))
        marks[word] &= marks[word] - 1
      }
    }
  }
}
