import Commit
import Geometry

/// What the snapshot needs while it is made, kept from frame to frame so that nothing is allocated anew.
struct SnapshotScratch: Sendable {
  /// Node index by slot; -1 for layers that are in no tree of this frame. Copies for overrides don't count.
  var nodeOfSlot: [Int32] = []
  var stack: [Int32] = []
  /// The nodes whose sublayers are being emitted.
  var open: [Int32] = []
  var imageIndex: [UInt64: Int32] = [:]
  /// Nodes of transform layers, with the space that their sublayers stand in: to that of the layer in whose plane all of
  /// them lie.
  var spaces: [Int32: Transform3D] = [:]
  /// Nodes whose space is not what the layer's own record says: copies, and instances turned in space.
  var ownSpaces: [Int32: OwnSpace] = [:]
  /// Nodes with sublayers that must be sorted by depth.
  var depthSorted: [Int32] = []
  /// By slot, of transform layers that are sources: the node of a copy that stands in a place of its own.
  var sourceNodes: [Int32: Int32] = [:]
  /// What is emitted is the copy of a transform layer that is a source.
  var isSourceTree = false
  var backdropGroups: [String: Int32] = [:]
  /// Where secure layers are placeholders.
  var hidesSecure = false
  /// The slot of each node of a tree that is a copy, by node; nil while originals are emitted.
  var copies: [Int32: Int32] = [:]
  var isCopying = false
  /// What the copy in hand has from the portal that shows it.
  var overridden: Set<OverriddenProperty> = []
  /// Sublayers of replicators that still need trees of their own.
  var replicas: [Replica] = []
  /// Of replicators whose instances run one after the other: what the first one shows of a sublayer.
  var firstInstances: [Int32: Int32] = [:]
  /// What the tree in hand shows earlier than the tree's time, and by how much.
  var moved: [MovedLayer] = []
  var delay = 0.0
  var instanceCount = 0
  /// The root of the copy of its source that a portal with overrides shows, by portal.
  var copyOfPortal: [Int32: Int32] = [:]
  var copyOfOverrides: [OverriddenSource: Int32] = [:]
  var copiedNodeCount = 0
  /// The slots of sources that portals in secure layers hide.
  var secretlyHidden: [Int32] = []
  /// The end of the nodes that lie in the window.
  var placedEnd: Int32 = 0

  // What tells whether the last snapshot may be mended.
  var canBeMended = false
  /// Portals that go by where they and their sources lie.
  var matchingPortals: [Int32] = []
  var matchesOpacity = false
  /// By node.
  var isSource: [Bool] = []

  mutating func begin(slots: Int, hidesSecure: Bool) {
    nodeOfSlot.removeAll(keepingCapacity: true)
    nodeOfSlot.append(contentsOf: repeatElement(-1, count: slots))
    imageIndex.removeAll(keepingCapacity: true)
    spaces.removeAll(keepingCapacity: true)
    ownSpaces.removeAll(keepingCapacity: true)
    depthSorted.removeAll(keepingCapacity: true)
    sourceNodes.removeAll(keepingCapacity: true)
    backdropGroups.removeAll(keepingCapacity: true)
    self.hidesSecure = hidesSecure
    (instanceCount, copiedNodeCount, isCopying) = (0, 0, false)
    copies.removeAll(keepingCapacity: true)
    replicas.removeAll(keepingCapacity: true)
    copyOfPortal.removeAll(keepingCapacity: true)
    copyOfOverrides.removeAll(keepingCapacity: true)
    secretlyHidden.removeAll(keepingCapacity: true)
    overridden.removeAll(keepingCapacity: true)
    firstInstances.removeAll(keepingCapacity: true)
    (moved, delay) = ([], 0)
  }
}

extension RenderTree {
  /// What a frame with `root` as its drawn root shows. Equal trees give equal snapshots.
  /// - Parameter showsSecure: for an output that is secure, and for hit tests; else placeholders stand for secure layers,
  ///   and nothing of what they draw is in the snapshot.
  /// - Complexity: O(layers), and O(1) where nothing was committed since the last one.
  public mutating func snapshot(root: LayerID?, showsSecure: Bool = false) -> Snapshot {
    let hidesSecure = !showsSecure && rare.secureCount > 0
    if let last = lastSnapshot, last.root == root, last.snapshot.version == version,
      last.snapshot.hidesSecure == hidesSecure
    {
      return last.snapshot
    }
    // Let go of the old one first, so that only one frame's worth is alive and nothing is copied.
    var snapshot = lastSnapshot?.snapshot ?? Snapshot()
    let isOfThis = lastSnapshot.map { $0.root == root && $0.snapshot.hidesSecure == hidesSecure } ?? false
    lastSnapshot = nil
    if isOfThis, mend(&snapshot) {
      pending.clear()
      lastSnapshot = (root, snapshot)
      return snapshot
    }
    let capacity = snapshot.nodes.count
    snapshot = Snapshot()
    snapshot.version = version
    snapshot.hidesSecure = hidesSecure
    snapshot.secureVersion = rare.secureVersion
    snapshot.nodes.reserveCapacity(max(capacity, slots.count))
    scratch.begin(slots: records.count, hidesSecure: hidesSecure)
    if let root, let slot = slots[root] {
      emitTree(slot, into: &snapshot)
      snapshot.hasRoot = true
    }
    scratch.placedEnd = Int32(snapshot.nodes.count)
    emitOtherTrees(into: &snapshot)
    snapshot.resolvePortals(self)
    snapshot.noteReaders()
    sortByDepth(&snapshot)
    noteWhatCanBeMended(snapshot)
    pending.clear()
    lastSnapshot = (root, snapshot)
    return snapshot
  }

  /// Notes whether the next snapshot can be this one, mended. Not where a layer has a part in more than its own node.
  private mutating func noteWhatCanBeMended(_ snapshot: Snapshot) {
    scratch.canBeMended =
      !snapshot.hidesSecure && snapshot.backdrops.isEmpty && scratch.spaces.isEmpty && scratch.ownSpaces.isEmpty
      && scratch.depthSorted.isEmpty && scratch.sourceNodes.isEmpty && scratch.copies.isEmpty
      && scratch.instanceCount == 0 && rare.replications.isEmpty
      && snapshot.effects.allSatisfy { $0.blendMode == .normal }
    scratch.matchingPortals.removeAll(keepingCapacity: true)
    scratch.matchesOpacity = false
    scratch.isSource.removeAll(keepingCapacity: true)
    guard scratch.canBeMended else { return }
    scratch.isSource.append(contentsOf: repeatElement(false, count: snapshot.nodes.count))
    for (index, portal) in snapshot.portals.enumerated() {
      guard let record = portalRecord(of: snapshot.nodes[Int(portal.node)].layer) else { continue }
      if portal.source >= 0 { scratch.isSource[Int(portal.source)] = true }
      if record.matchesOpacity { scratch.matchesOpacity = true }
      if record.matchesPosition || record.matchesTransform {
        scratch.matchingPortals.append(Int32(index))
        // Seen edge on: once it is turned, it shows, and may hide its source.
        if portal.source < 0, record.source != nil { scratch.canBeMended = false }
      }
    }
  }

  /// The trees of masks, those of sources that stand in no tree emitted so far, and of the masks and sources that these
  /// show in turn.
  private mutating func emitOtherTrees(into snapshot: inout Snapshot) {
    var (next, nextEffects) = (0, 0)
    while true {
      if nextEffects < snapshot.effects.count {
        emitMask(of: nextEffects, into: &snapshot)
        nextEffects += 1
        continue
      }
      guard next < snapshot.portals.count else { return }
      emitSource(of: next, into: &snapshot)
      next += 1
    }
  }

  private mutating func emitMask(of index: Int, into snapshot: inout Snapshot) {
    let node = snapshot.nodes[Int(snapshot.effects[index].node)]
    // What an instance has besides its portal's picture is no mask.
    if node.portal >= 0, snapshot.portals[Int(node.portal)].isInstance { return }
    let mask = slots[node.layer].map { records[Int($0)].mask } ?? -1
    guard mask >= 0, snapshot.effects[index].mask < 0 else { return }
    if scratch.nodeOfSlot[Int(mask)] < 0 { emitTree(mask, into: &snapshot) }
    snapshot.effects[index].mask = scratch.nodeOfSlot[Int(mask)]
  }

  private mutating func emitSource(of index: Int, into snapshot: inout Snapshot) {
    guard !snapshot.portals[index].isInstance else { return }
    let layer = snapshot.nodes[Int(snapshot.portals[index].node)].layer
    guard let portal = slots[layer], records[Int(portal)].portal >= 0,
      let source = portals[Int(records[Int(portal)].portal)].source, let slot = slots[source]
    else { return }
    if records[Int(slot)].kind == .transform, scratch.sourceNodes[slot] == nil {
      emitTransformSource(slot, into: &snapshot)
    }
    if scratch.nodeOfSlot[Int(slot)] < 0, !isInSecret(slot) {
      var top = slot
      while records[Int(top)].parent >= 0 { top = records[Int(top)].parent }
      if scratch.nodeOfSlot[Int(top)] < 0 { emitTree(top, into: &snapshot) }
    }
    // What its tree leaves out, of what a secure layer holds or a replicator of no instances, is a tree of its own.
    if scratch.nodeOfSlot[Int(slot)] < 0 { emitTree(slot, into: &snapshot) }
    if !rare.overrides.isEmpty, let overrides = rare.overrides[portal] {
      emitCopy(of: slot, with: overrides, for: Int32(index), into: &snapshot)
    }
  }

  /// Appends the tree under `root` in painter's order, and then those that its replicators show. An explicit stack: depth is
  /// the client's to choose.
  /// - Parameter parent: the node that the root stands in, though not in its tree.
  mutating func emitTree(_ root: Int32, under parent: Int32 = -1, into snapshot: inout Snapshot) {
    let firstReplica = scratch.replicas.count
    emitOneTree(root, under: parent, into: &snapshot)
    while scratch.replicas.count > firstReplica, let replica = scratch.replicas.popLast() {
      emit(replica, into: &snapshot)
    }
  }

  mutating func emitOneTree(_ root: Int32, under parent: Int32, into snapshot: inout Snapshot) {
    scratch.stack.removeAll(keepingCapacity: true)
    scratch.stack.append(root)
    scratch.open.removeAll(keepingCapacity: true)
    while let entry = scratch.stack.popLast() {
      if entry < 0 {
        // A node's subtree is complete.
        snapshot.nodes[Int(~entry)].end = Int32(snapshot.nodes.count)
        scratch.open.removeLast()
        continue
      }
      let index = Int32(snapshot.nodes.count)
      let parent = scratch.open.last ?? parent
      if scratch.isCopying { scratch.copies[index] = entry } else { scratch.nodeOfSlot[Int(entry)] = index }
      scratch.stack.append(~index)
      scratch.open.append(index)
      if scratch.hidesSecure, records[Int(entry)].isSecure || entry == root && isInSecret(entry) {
        emitPlaceholder(entry, under: parent, into: &snapshot)
        continue
      }
      emitNode(entry, under: parent, isRoot: entry == root, into: &snapshot)
      if records[Int(entry)].kind == .replicator, emitInstances(of: entry, node: index, into: &snapshot) { continue }
      pushChildren(of: entry)
    }
  }

  /// Pushes the sublayers so that they pop back to front: by `zPosition`, then by order.
  mutating func pushChildren(of slot: Int32) {
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

  /// A node of what the layer is by itself: where it lies, its shape, and nothing drawn.
  func plainNode(_ slot: Int32, in space: Transform3D, under parent: Int32, _ snapshot: Snapshot) -> SnapshotNode {
    let record = records[Int(slot)]
    let local = Homography(space)
    var flags = record.flags
    if !space.isAffine2D || space.m33 <= 0, space.showsBack { flags.insert(.turnsBack) }
    return SnapshotNode(
      layer: record.id, parent: parent, end: 0, flags: flags, opacity: record.opacity, bounds: record.bounds,
      radii: CornerRadii(radius: record.cornerRadius, mask: record.maskedCorners, size: record.bounds.size),
      local: local,
      window: parent >= 0 ? local * snapshot.nodes[Int(parent)].window : local,
      anchor: record.anchor, backgroundColor: .clear, borderWidth: 0,
      borderColor: record.borderColor, image: -1, imageRect: .zero, imageCrop: .zero, gradient: -1, portal: -1)
  }

  /// From the layer's own space to that which its siblings stand in.
  func space(of record: LayerRecord) -> Transform3D {
    guard record.parent >= 0, records[Int(record.parent)].hasSublayerTransform else { return record.localTransform }
    return record.localTransform * records[Int(record.parent)].sublayerTransformAboutAnchor
  }

  private mutating func emitNode(_ slot: Int32, under parent: Int32, isRoot: Bool, into snapshot: inout Snapshot) {
    let record = records[Int(slot)]
    var space = space(of: record)
    if scratch.isCopying {
      scratch.ownSpaces[Int32(snapshot.nodes.count)] = OwnSpace(space: space, opacity: record.opacity)
    }
    if parent >= 0 {
      if !isRoot { noteDepth(of: record, in: parent, snapshot) }
      if let outer = scratch.spaces[parent] { space = space * outer }
    }
    if record.kind == .transform {
      scratch.spaces[Int32(snapshot.nodes.count)] = isRoot && scratch.isSourceTree ? .identity : space
      if isRoot { scratch.depthSorted.append(Int32(snapshot.nodes.count)) }
      return emitTransform(record, parent, into: &snapshot)
    }
    var node = plainNode(slot, in: space, under: parent, snapshot)
    node.backgroundColor = record.backgroundColor
    node.borderWidth = record.borderWidth
    if record.snapsToPixels || !node.flags.hardEdges.isEmpty { snapshot.dependsOnPixels = true }
    if record.portal >= 0 {
      node.portal = Int32(snapshot.portals.count)
      let portal = portals[Int(record.portal)]
      snapshot.portals.append(SnapshotPortal(node: Int32(snapshot.nodes.count), portal))
      if portal.sampling == .nearest { (snapshot.dependsOnPixels, snapshot.showsSourcePixels) = (true, true) }
    } else if record.hasContents, let image = contents[Int(slot)] {
      place(image, record, frame: record.hasContentsFrame ? rare.contentsFrames[slot] : nil, in: &node, &snapshot)
      if record.hasContentsCenter, !record.hasContentsFrame, node.image >= 0, let center = rare.contentsCenters[slot] {
        divide(center, record, in: &node, &snapshot)
      }
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
          node: Int32(snapshot.nodes.count), shadow: effects.visibleShadow, filters: effects.effectiveFilters,
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
        node: Int32(snapshot.nodes.count), filters: effects.effectiveBackdropFilters, group: group,
        lens: lensOfContent == nil ? effects.lens : nil))
  }
}

extension LayerRecord {
  var flags: SnapshotFlags {
    var flags: SnapshotFlags = []
    if isHidden { flags.insert(.hidden) }
    if masksToBounds { flags.insert(.masksToBounds) }
    if isDoubleSided { flags.insert(.doubleSided) }
    if allowsGroupOpacity { flags.insert(.groupOpacity) }
    if allowsHitTesting { flags.insert(.allowsHitTesting) }
    if magnificationFilter == .nearest { flags.insert(.magnifiesNearest) }
    switch minificationFilter {
    case .linear: break
    case .nearest: flags.insert(.minifiesNearest)
    case .trilinear: flags.insert(.minifiesTrilinear)
    }
    if snapsToPixels { flags.insert(.snapsToPixels) }
    flags.hardEdges = allowsEdgeAntialiasing ? EdgeMask.all.subtracting(edgeAntialiasingMask) : .all
    return flags
  }
}
