import Commit
import Geometry

/// What the snapshot needs while it is made, kept from frame to frame so that nothing is allocated anew.
struct SnapshotScratch: Sendable {
  /// Node index by slot; -1 for layers that are in no tree of this frame.
  var nodeOfSlot: [Int32] = []
  var stack: [Int32] = []
  var siblings: [Int32] = []
  var imageIndex: [UInt64: Int32] = [:]
  /// Nodes of transform layers, with the space that their sublayers stand in: to that of the layer in whose plane all of
  /// them lie.
  var spaces: [Int32: Transform3D] = [:]
  /// Nodes with sublayers that must be sorted by depth.
  var depthSorted: [Int32] = []
  /// By slot, of transform layers that are sources: the node of a copy that stands in a place of its own.
  var sourceNodes: [Int32: Int32] = [:]
  /// What is emitted is the copy of a transform layer that is a source.
  var isSourceTree = false
  var backdropGroups: [String: Int32] = [:]
}

extension RenderTree {
  /// What a frame with `root` as its drawn root shows. Equal trees give equal snapshots.
  /// - Complexity: O(layers), and O(1) where nothing was committed since the last one.
  public mutating func snapshot(root: LayerID?) -> Snapshot {
    if let last = lastSnapshot, last.root == root, last.snapshot.version == version { return last.snapshot }
    // Let go of the old arrays first, so that only one frame's worth is alive.
    let capacity = lastSnapshot?.snapshot.nodes.count ?? 0
    lastSnapshot = nil
    var snapshot = Snapshot()
    snapshot.version = version
    snapshot.nodes.reserveCapacity(max(capacity, slots.count))
    scratch.nodeOfSlot.removeAll(keepingCapacity: true)
    scratch.nodeOfSlot.append(contentsOf: repeatElement(-1, count: records.count))
    scratch.imageIndex.removeAll(keepingCapacity: true)
    scratch.spaces.removeAll(keepingCapacity: true)
    scratch.depthSorted.removeAll(keepingCapacity: true)
    scratch.sourceNodes.removeAll(keepingCapacity: true)
    scratch.backdropGroups.removeAll(keepingCapacity: true)
    if let root, let slot = slots[root] {
      emitTree(slot, into: &snapshot)
      snapshot.hasRoot = true
    }
    emitOtherTrees(into: &snapshot)
    snapshot.resolvePortals(self)
    snapshot.noteReaders()
    sortByDepth(&snapshot)
    lastSnapshot = (root, snapshot)
    return snapshot
  }

  /// The trees of masks, those of sources that stand in no tree emitted so far, and of the masks and sources that these
  /// show in turn.
  private mutating func emitOtherTrees(into snapshot: inout Snapshot) {
    var (next, nextEffects) = (0, 0)
    while true {
      if nextEffects < snapshot.effects.count {
        let layer = snapshot.nodes[Int(snapshot.effects[nextEffects].node)].layer
        let mask = slots[layer].map { records[Int($0)].mask } ?? -1
        if mask >= 0 {
          if scratch.nodeOfSlot[Int(mask)] < 0 { emitTree(mask, into: &snapshot) }
          snapshot.effects[nextEffects].mask = scratch.nodeOfSlot[Int(mask)]
        }
        nextEffects += 1
        continue
      }
      guard next < snapshot.portals.count else { return }
      let record = portals[Int(records[Int(slots[snapshot.nodes[Int(snapshot.portals[next].node)].layer] ?? 0)].portal)]
      next += 1
      guard let source = record.source, var slot = slots[source] else { continue }
      if records[Int(slot)].kind == .transform, scratch.sourceNodes[slot] == nil {
        emitTransformSource(slot, into: &snapshot)
      }
      guard scratch.nodeOfSlot[Int(slot)] < 0 else { continue }
      while records[Int(slot)].parent >= 0 { slot = records[Int(slot)].parent }
      emitTree(slot, into: &snapshot)
    }
  }

  /// Appends the tree under `root` in painter's order. An explicit stack: depth is the client's to choose.
  mutating func emitTree(_ root: Int32, into snapshot: inout Snapshot) {
    scratch.stack.removeAll(keepingCapacity: true)
    scratch.stack.append(root)
    while let entry = scratch.stack.popLast() {
      if entry < 0 {
        // A node's subtree is complete.
        snapshot.nodes[Int(~entry)].end = Int32(snapshot.nodes.count)
        continue
      }
      let index = Int32(snapshot.nodes.count)
      emitNode(entry, isRoot: entry == root, into: &snapshot)
      scratch.nodeOfSlot[Int(entry)] = index
      scratch.stack.append(~index)
      pushChildren(of: entry)
    }
  }

  /// Pushes the sublayers so that they pop back to front: by `zPosition`, then by order.
  private mutating func pushChildren(of slot: Int32) {
    var child = records[Int(slot)].lastChild
    guard child >= 0 else { return }
    let start = scratch.stack.count
    var isSorted = true
    var last = Double.infinity
    while child >= 0 {
      let z = records[Int(child)].zPosition
      if z > last { isSorted = false }
      last = z
      scratch.stack.append(child)
      child = records[Int(child)].previousSibling
    }
    if isSorted { return }
    // Front to back in the stack; ties keep their order, since each comes with its place.
    let pushed = scratch.stack[start...].enumerated().sorted { a, b in
      let (za, zb) = (records[Int(a.element)].zPosition, records[Int(b.element)].zPosition)
      return za == zb ? a.offset < b.offset : za > zb
    }
    for (offset, entry) in pushed.enumerated() { scratch.stack[start + offset] = entry.element }
  }

  private mutating func emitNode(_ slot: Int32, isRoot: Bool, into snapshot: inout Snapshot) {
    let record = records[Int(slot)]
    let parentIndex: Int32 = record.parent >= 0 && !isRoot ? scratch.nodeOfSlot[Int(record.parent)] : -1
    var space = space(of: record)
    if parentIndex >= 0 { noteDepth(of: record, in: parentIndex, snapshot) }
    if parentIndex >= 0, let outer = scratch.spaces[parentIndex] { space = space * outer }
    if record.kind == .transform {
      scratch.spaces[Int32(snapshot.nodes.count)] = isRoot && scratch.isSourceTree ? .identity : space
      if isRoot { scratch.depthSorted.append(Int32(snapshot.nodes.count)) }
      return emitTransform(record, parentIndex, into: &snapshot)
    }
    let local = Homography(space)
    var flags = record.flags
    if !space.isAffine2D || space.m33 <= 0, space.showsBack { flags.insert(.turnsBack) }
    var node = SnapshotNode(
      layer: record.id, parent: parentIndex, end: 0, flags: flags, opacity: record.opacity, bounds: record.bounds,
      radii: CornerRadii(radius: record.cornerRadius, mask: record.maskedCorners, size: record.bounds.size),
      local: local,
      window: parentIndex >= 0 ? local * snapshot.nodes[Int(parentIndex)].window : local,
      anchor: record.anchor, backgroundColor: record.backgroundColor, borderWidth: record.borderWidth,
      borderColor: record.borderColor, image: -1, imageRect: .zero, imageCrop: .zero, gradient: -1, portal: -1)
    if record.portal >= 0 {
      node.portal = Int32(snapshot.portals.count)
      snapshot.portals.append(SnapshotPortal(node: Int32(snapshot.nodes.count), portals[Int(record.portal)]))
    } else if record.hasContents, let image = contents[Int(slot)] {
      place(image, record, in: &node, &snapshot)
    }
    if record.hasGradient, record.kind == .gradient, let gradient = gradients[Int(slot)] {
      node.gradient = Int32(snapshot.gradients.count)
      snapshot.gradients.append(gradient)
    }
    if record.hasEffects || record.kind == .backdrop { emitEffects(slot, in: &node, &snapshot) }
    snapshot.nodes.append(node)
  }

  private mutating func emitEffects(_ slot: Int32, in node: inout SnapshotNode, _ snapshot: inout Snapshot) {
    let record = records[Int(slot)]
    let effects = effects[slot] ?? LayerEffects()
    let lensOfContent = effects.lens?.subject == .content ? effects.lens : nil
    if record.mask >= 0 || effects.changesPicture || lensOfContent != nil {
      node.effects = Int32(snapshot.effects.count)
      snapshot.effects.append(
        SnapshotEffects(
          node: Int32(snapshot.nodes.count), shadow: effects.shadow, filters: effects.filters,
          blendMode: effects.blendMode, lens: lensOfContent))
    }
    guard record.kind == .backdrop, !record.bounds.isEmpty else { return }
    var group: Int32 = -1
    if let name = effects.backdropGroup {
      group = scratch.backdropGroups[name] ?? Int32(scratch.backdropGroups.count)
      scratch.backdropGroups[name] = group
    }
    node.backdrop = Int32(snapshot.backdrops.count)
    snapshot.backdrops.append(
      SnapshotBackdrop(
        node: Int32(snapshot.nodes.count), filters: effects.backdropFilters, group: group,
        lens: lensOfContent == nil ? effects.lens : nil))
  }

  /// From the layer's own space to that which its siblings stand in.
  func space(of record: LayerRecord) -> Transform3D {
    guard record.parent >= 0, records[Int(record.parent)].hasSublayerTransform else { return record.localTransform }
    return record.localTransform * records[Int(record.parent)].sublayerTransformAboutAnchor
  }

  private mutating func place(
    _ image: Image, _ record: LayerRecord, in node: inout SnapshotNode, _ snapshot: inout Snapshot
  ) {
    let whole = Rect(x: 0, y: 0, width: Double(image.width), height: Double(image.height))
    let crop = Rect(
      x: record.contentsRect.x * whole.width, y: record.contentsRect.y * whole.height,
      width: record.contentsRect.width * whole.width, height: record.contentsRect.height * whole.height
    ).standardized
    let place = record.contentsGravity.place(
      Size(width: crop.width / record.contentsScale, height: crop.height / record.contentsScale), in: record.bounds)
    guard !crop.isEmpty, !place.isEmpty, place.isFinite else { return }
    if let known = scratch.imageIndex[image.identity] {
      node.image = known
    } else {
      node.image = Int32(snapshot.images.count)
      scratch.imageIndex[image.identity] = node.image
      snapshot.images.append(image)
    }
    node.imageRect = place
    node.imageCrop = crop
  }
}

extension LayerRecord {
  fileprivate var flags: SnapshotFlags {
    var flags: SnapshotFlags = []
    if isHidden { flags.insert(.hidden) }
    if masksToBounds { flags.insert(.masksToBounds) }
    if isDoubleSided { flags.insert(.doubleSided) }
    if allowsGroupOpacity { flags.insert(.groupOpacity) }
    if allowsHitTesting { flags.insert(.allowsHitTesting) }
    if magnificationFilter == .nearest { flags.insert(.magnifiesNearest) }
    return flags
  }
}

extension ContentsGravity {
  /// Where a picture of `size` points lies in `bounds`. A centred one begins on a whole point from the bounds' origin, so
  /// that a picture of an odd number of pixels less than its place is not blurred by half a pixel.
  func place(_ size: Size, in bounds: Rect) -> Rect {
    var size = size
    switch self {
    case .resize: return bounds
    case .resizeAspect, .resizeAspectFill:
      let (kx, ky) = (bounds.width / size.width, bounds.height / size.height)
      let k = self == .resizeAspect ? min(kx, ky) : max(kx, ky)
      size = Size(width: size.width * k, height: size.height * k)
    default: break
    }
    let (dx, dy) = (bounds.width - size.width, bounds.height - size.height)
    let x: Double =
      switch self {
      case .left, .topLeft, .bottomLeft: 0
      case .right, .topRight, .bottomRight: dx
      default: (dx / 2 + 0.5).rounded(.down)
      }
    let y: Double =
      switch self {
      case .top, .topLeft, .topRight: 0
      case .bottom, .bottomLeft, .bottomRight: dy
      default: (dy / 2 + 0.5).rounded(.down)
      }
    return Rect(x: bounds.x + x, y: bounds.y + y, width: size.width, height: size.height)
  }
}
