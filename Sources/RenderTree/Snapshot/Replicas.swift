import Commit
import Geometry

/// A sublayer of a replicator: a tree of its own, which each instance shows as a portal would.
struct Replica: Sendable {
  var slot: Int32
  /// The replicator's node.
  var node: Int32
  /// The portals of its instances: the first one's index, and how far apart they are.
  var firstPortal: Int
  var stride: Int
  var count: Int
  /// It is a copy: who asks for the layer's node means another one.
  var isCopy: Bool
  /// Of a replicator whose instances run one after the other: which of them it is; -1 for all.
  var instance = -1
  /// What stands in it that it shows so much earlier than the tree's time.
  var moved: [MovedLayer] = []
  var delay = 0.0
}

extension RenderTree {
  /// Instances in a frame at most: replicators that would bring them above it have none.
  static let instanceLimit = 1 << 16

  /// Appends the instances of a replicator's sublayers, back to front. False where they are just the sublayers.
  mutating func emitInstances(of slot: Int32, node: Int32, into snapshot: inout Snapshot) -> Bool {
    guard let replication = rare.replications[slot] else { return false }
    if replication.instanceCount == 1, replication.color(ofInstance: 0) == .white { return false }
    let start = scratch.stack.count
    pushChildren(of: slot)
    let sublayers = Array(scratch.stack[start...].reversed())
    scratch.stack.removeLast(sublayers.count)
    let (total, overflow) = sublayers.count.multipliedReportingOverflow(by: replication.instanceCount)
    let moved = movedLayers(in: slot, replication)
    guard !overflow, scratch.instanceCount + total <= Self.instanceLimit else {
      let layer = records[Int(slot)].id
      snapshot.diagnostics.append(
        "\(layer) would bring the instances of replicators above \(Self.instanceLimit) in a frame; it shows none")
      return true
    }
    scratch.instanceCount += total
    if !moved.isEmpty {
      emitInstances(replication, of: slot, node: node, moved, into: &snapshot)
      return true
    }
    let isTurned = records[Int(slot)].hasTurned(sublayers.map { records[Int($0)] }, replication)
    if isTurned { scratch.depthSorted.append(node) }
    let firstPortal = snapshot.portals.count
    var power = Transform3D.identity
    for instance in 0..<replication.instanceCount {
      let place = records[Int(slot)].placement(ofInstance: power)
      let color = replication.color(ofInstance: instance)
      for sublayer in sublayers {
        emitInstance(of: sublayer, at: place, color, isTurned: isTurned, under: node, into: &snapshot)
      }
      power = power * replication.instanceTransform
    }
    for (index, sublayer) in sublayers.enumerated() where replication.instanceCount > 0 {
      scratch.replicas.append(
        Replica(
          slot: sublayer, node: node, firstPortal: firstPortal + index, stride: sublayers.count,
          count: replication.instanceCount, isCopy: scratch.isCopying, moved: scratch.moved, delay: scratch.delay))
    }
    return true
  }

  /// The same where each instance runs later than the one before: what moves in it is a tree of the instance's own.
  private mutating func emitInstances(
    _ replication: Replication, of slot: Int32, node: Int32, _ moved: [MovedLayer], into snapshot: inout Snapshot
  ) {
    var (power, isTurned) = (Transform3D.identity, false)
    var replicas: [Replica] = []
    for instance in 0..<replication.instanceCount {
      let delay = scratch.delay + Double(instance) * replication.instanceDelay
      let aside = show(moved, earlierBy: delay)
      let start = scratch.stack.count
      pushChildren(of: slot)
      let sublayers = Array(scratch.stack[start...].reversed())
      scratch.stack.removeLast(sublayers.count)
      if records[Int(slot)].hasTurned(sublayers.map { records[Int($0)] }, replication) { isTurned = true }
      let place = records[Int(slot)].placement(ofInstance: power)
      for sublayer in sublayers {
        replicas.append(
          Replica(
            slot: sublayer, node: node, firstPortal: snapshot.portals.count, stride: 1, count: 1,
            isCopy: scratch.isCopying || instance > 0, instance: instance,
            moved: moved.filter { $0.sublayer == sublayer && changesContent($0) }, delay: delay))
        emitInstance(
          of: sublayer, at: place, replication.color(ofInstance: instance), isTurned: true, under: node,
          into: &snapshot)
      }
      for layer in aside.reversed() { restore(layer) }
      power = power * replication.instanceTransform
    }
    if isTurned { scratch.depthSorted.append(node) }
    // The last is emitted first.
    scratch.replicas.append(contentsOf: replicas.reversed())
  }

  private mutating func emitInstance(
    of sublayer: Int32, at place: Transform3D, _ color: Color, isTurned: Bool, under parent: Int32,
    into snapshot: inout Snapshot
  ) {
    let index = Int32(snapshot.nodes.count)
    let space = records[Int(sublayer)].localTransform * place
    if isTurned { scratch.ownSpaces[index] = OwnSpace(space: space, opacity: 1) }
    var node = plainNode(sublayer, in: space, under: parent, snapshot)
    node.end = index + 1
    // What clips or snaps is the content itself.
    node.flags.remove([.masksToBounds, .snapsToPixels])
    node.portal = Int32(snapshot.portals.count)
    var portal = SnapshotPortal(node: index, PortalRecord(slot: sublayer))
    portal.isInstance = true
    portal.isIsolated = false
    portal.forwardsHitTesting = true
    // Only real portals in it can come back to it, and these have an end of their own.
    portal.recursion = .depth(RecursionTable.depthLimit)
    snapshot.portals.append(portal)
    if color != .white {
      node.effects = Int32(snapshot.effects.count)
      let matrix = ColorMatrix(
        red: SIMD4(color.red, 0, 0, 0), green: SIMD4(0, color.green, 0, 0), blue: SIMD4(0, 0, color.blue, 0),
        alpha: SIMD4(0, 0, 0, color.alpha))
      snapshot.effects.append(SnapshotEffects(node: index, filters: [.colorMatrix(matrix)]))
    }
    snapshot.nodes.append(node)
  }

  /// Appends what a replicator's instances show of one of its sublayers.
  mutating func emit(_ replica: Replica, into snapshot: inout Snapshot) {
    let source = replica.instance > 0 ? sharedReplica(replica, &snapshot) : nil
    let root = source ?? emitTree(of: replica, into: &snapshot)
    if replica.instance == 0 { scratch.firstInstances[replica.slot] = root }
    for instance in 0..<replica.count {
      snapshot.portals[replica.firstPortal + instance * replica.stride].source =
        snapshot.nodes[Int(root)].isHidden ? -1 : root
    }
  }

  /// The first instance's tree, where nothing in it moves or too much would be copied.
  private mutating func sharedReplica(_ replica: Replica, _ snapshot: inout Snapshot) -> Int32? {
    guard let first = scratch.firstInstances[replica.slot] else { return nil }
    if replica.moved.isEmpty { return first }
    let size = layerCount(under: replica.slot)
    if scratch.copiedNodeCount + size <= Self.copiedNodeLimit {
      scratch.copiedNodeCount += size
      return nil
    }
    let sentence =
      "replicators with a delay would make more than \(Self.copiedNodeLimit) copies of layers; some instances run with the first"
    if snapshot.diagnostics.last != sentence { snapshot.diagnostics.append(sentence) }
    return first
  }

  private mutating func emitTree(of replica: Replica, into snapshot: inout Snapshot) -> Int32 {
    let source = Int32(snapshot.nodes.count)
    let outer = (scratch.isCopying, scratch.moved, scratch.delay)
    defer { (scratch.isCopying, scratch.moved, scratch.delay) = outer }
    (scratch.isCopying, scratch.moved, scratch.delay) = (replica.isCopy, replica.moved, replica.delay)
    let aside = show(replica.moved, earlierBy: replica.delay)
    scratch.isSourceTree = records[Int(replica.slot)].kind == .transform
    emitOneTree(replica.slot, under: replica.node, into: &snapshot)
    scratch.isSourceTree = false
    let masks = masks(with: replica.moved)
    if !masks.isEmpty { emitCopiesOfMasks(from: source, into: &snapshot) { masks[$0] } }
    for layer in aside.reversed() { restore(layer) }
    return source
  }
}

extension LayerRecord {
  /// Whether instances of these sublayers leave its plane, and are sorted by depth for that.
  fileprivate func hasTurned(_ sublayers: some Sequence<LayerRecord>, _ replication: Replication) -> Bool {
    sortsSublayersByDepth
      && (!replication.instanceTransform.isAffine2D || !sublayerTransform.isAffine2D
        || sublayers.contains(where: \.isTurned))
  }

  /// Whether it does not lie in the plane of what it stands in.
  fileprivate var isTurned: Bool { kind == .transform || !transform.isAffine2D || anchorPointZ != 0 }

  /// From a sublayer's place to that of its instance: the power of the instance transform and then the sublayer transform,
  /// both about the anchor point.
  fileprivate func placement(ofInstance power: Transform3D) -> Transform3D {
    if power.isIdentity, !hasSublayerTransform { return .identity }
    let a = anchor
    return .translation(x: -a.x, y: -a.y, z: -anchorPointZ) * power * sublayerTransform
      * .translation(x: a.x, y: a.y, z: anchorPointZ)
  }
}
