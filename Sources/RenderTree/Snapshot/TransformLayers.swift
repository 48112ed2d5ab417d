import Commit
import Geometry

// Layers whose sublayers share one space: they lie in the plane of the layer that flattens them, as the pieces of a frame.

/// How a node lies whose layer's record says otherwise.
struct OwnSpace: Sendable {
  /// To the space that its siblings stand in.
  var space: Transform3D
  var opacity: Float
}

extension RenderTree {
  /// Appends a transform layer: nothing that draws, in the plane of what it stands in.
  mutating func emitTransform(_ record: LayerRecord, _ parent: Int32, into snapshot: inout Snapshot) {
    var flags: SnapshotFlags = [.doubleSided, .groupOpacity]
    if record.isHidden { flags.insert(.hidden) }
    if record.allowsHitTesting { flags.insert(.allowsHitTesting) }
    snapshot.nodes.append(
      SnapshotNode(
        layer: record.id, parent: parent, end: 0, flags: flags, opacity: 1,
        bounds: Rect(x: record.bounds.x, y: record.bounds.y, width: 0, height: 0), radii: .zero,
        local: .identity, window: parent >= 0 ? snapshot.nodes[Int(parent)].window : .identity, anchor: record.anchor,
        backgroundColor: .clear, borderWidth: 0, borderColor: .clear, image: -1, imageRect: .zero, imageCrop: .zero,
        gradient: -1, portal: -1))
  }

  /// Appends a copy of a transform layer for the portals that show it, in which its own place does not count.
  mutating func emitTransformSource(_ slot: Int32, into snapshot: inout Snapshot) {
    let place = scratch.nodeOfSlot[Int(slot)]
    let root = Int32(snapshot.nodes.count)
    scratch.sourceNodes[slot] = root
    // What stands in the tree is what everything else refers to.
    scratch.isCopying = place >= 0
    emitSourceTree(slot, into: &snapshot)
    scratch.isCopying = false
    placeSourceTree(root, at: place, in: &snapshot)
  }

  /// Appends the tree of a source: a transform layer's own place does not count in it.
  mutating func emitSourceTree(_ slot: Int32, under parent: Int32 = -1, into snapshot: inout Snapshot) {
    scratch.isSourceTree = records[Int(slot)].kind == .transform
    emitTree(slot, under: parent, into: &snapshot)
    scratch.isSourceTree = false
  }

  /// Has a tree of its own lie where the layer lies in the window.
  mutating func placeSourceTree(_ root: Int32, at place: Int32, in snapshot: inout Snapshot) {
    // Where it lies in the window says where portals that match its position do.
    if place >= 0, let space = scratch.spaces[place] {
      let parent = snapshot.nodes[Int(place)].parent
      snapshot.nodes[Int(root)].window =
        Homography(space) * (parent >= 0 ? snapshot.nodes[Int(parent)].window : .identity)
    }
  }

  /// Notes that the sublayers of `parent` must be sorted, where a layer among them is turned in space.
  mutating func noteDepth(of record: LayerRecord, in parent: Int32, _ snapshot: Snapshot) {
    let outer = record.parent >= 0 ? records[Int(record.parent)] : record
    let isTurned =
      record.kind == .transform || !record.transform.isAffine2D || record.anchorPointZ != 0
      || outer.hasSublayerTransform && !outer.sublayerTransform.isAffine2D
    guard isTurned, outer.kind != .transform, outer.sortsSublayersByDepth || record.kind == .transform,
      scratch.depthSorted.last != parent
    else { return }
    scratch.depthSorted.append(parent)
  }
}
