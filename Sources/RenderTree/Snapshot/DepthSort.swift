import Commit
import Geometry

// Sublayers that are turned in space: drawn from the furthest to the nearest, cut along the lines where they cross.

extension RenderTree {
  /// More layers than this in one space are ordered by the depth of their middles, and not cut.
  static let depthSortLimit = 256

  /// Orders and cuts what is noted for it.
  mutating func sortByDepth(_ snapshot: inout Snapshot) {
    for index in scratch.depthSorted where snapshot.nodes[Int(index)].depthSort < 0 {
      var planes: [DepthPlane] = []
      collectPlanes(of: index, snapshot, &planes)
      let firstPiece = snapshot.pieces.count
      if planes.count > Self.depthSortLimit {
        snapshot.diagnostics.append(
          "\(snapshot.nodes[Int(index)].layer) has \(planes.count) layers in one space, more than "
            + "\(Self.depthSortLimit): they are drawn by the depth of their middles and not cut where they cross")
        let order = planes.enumerated().sorted {
          ($0.element.depth, $0.offset) < ($1.element.depth, $1.offset)
        }
        for (_, plane) in order { snapshot.append(plane, cuts: []) }
      } else {
        for island in DepthPlane.islands(planes) {
          var partition = DepthPartition(island)
          partition.forEachBackToFront { plane, cuts in snapshot.append(island[plane], cuts: cuts) }
        }
      }
      snapshot.nodes[Int(index)].depthSort = Int32(snapshot.depthSorts.count)
      snapshot.depthSorts.append(firstPiece..<snapshot.pieces.count)
    }
  }

  /// The opacity of a transform layer that is the root of a tree in its own place, which goes to each of its sublayers.
  private func rootOpacity(of node: Int32, _ snapshot: Snapshot) -> Float {
    guard scratch.spaces[node] != nil, let slot = slots[snapshot.nodes[Int(node)].layer],
      scratch.sourceNodes[slot] != node
    else { return 1 }
    return records[Int(slot)].opacity
  }

  /// The layers that share the space in which the sublayers of `parent` stand, in their order.
  private func collectPlanes(of parent: Int32, _ snapshot: Snapshot, _ planes: inout [DepthPlane]) {
    // Transform layers among them are opened; what is left to do lies on a list, since they may nest deeply.
    var open: [(next: Int32, end: Int32, space: Transform3D?, opacity: Float)] = [
      (parent + 1, snapshot.nodes[Int(parent)].end, scratch.spaces[parent], rootOpacity(of: parent, snapshot))
    ]
    while let last = open.last {
      guard last.next < last.end else {
        open.removeLast()
        continue
      }
      let node = snapshot.nodes[Int(last.next)]
      open[open.count - 1].next = node.end
      guard !node.isHidden, !node.flags.contains(.hiddenByPortal), let slot = slots[node.layer] else { continue }
      let record = records[Int(slot)]
      if let space = scratch.spaces[last.next] {
        let opacity = scratch.ownSpaces[last.next]?.opacity ?? record.opacity
        if opacity > 0 { open.append((last.next + 1, node.end, space, last.opacity * opacity)) }
        continue
      }
      var space = scratch.ownSpaces[last.next]?.space ?? space(of: record)
      if let outer = last.space { space = space * outer }
      planes.append(
        DepthPlane(
          node: last.next, opacity: last.opacity, space: space, extent: snapshot.roughExtent(of: last.next),
          order: planes.count))
    }
  }
}

extension Snapshot {
  fileprivate mutating func append(_ plane: DepthPlane, cuts: [SnapshotCut]) {
    let first = self.cuts.count
    self.cuts.append(contentsOf: cuts)
    pieces.append(SnapshotPiece(node: plane.node, opacity: plane.opacity, cuts: first..<self.cuts.count))
  }

  /// About how far a layer with its sublayers reaches, by their bounds, in its own space.
  fileprivate func roughExtent(of root: Int32, levels: Int = 4) -> Rect {
    if nodes[Int(root)].masksToBounds { return area(nodes[Int(root)].bounds) }
    var extent = boundsWithContent(of: root, levels)
    var path: [(end: Int32, matrix: Homography)] = [(nodes[Int(root)].end, .identity)]
    var index = root + 1
    while index < nodes[Int(root)].end {
      while let last = path.last, index >= last.end { path.removeLast() }
      let node = nodes[Int(index)]
      if node.isHidden {
        index = node.end
        continue
      }
      let matrix = node.local * (path.last?.matrix ?? .identity)
      let bounds = boundsWithContent(of: index, levels)
      let box = matrix.boundingBox(of: bounds)
      if !bounds.isEmpty, box.isFinite { extent = extent.isEmpty ? box : extent.union(box) }
      if node.masksToBounds {
        index = node.end
        continue
      }
      path.append((node.end, matrix))
      index += 1
    }
    return area(extent)
  }

  /// What has no area may draw all the same, beyond its bounds.
  private func area(_ extent: Rect) -> Rect {
    extent.isEmpty ? Rect(x: extent.minX - 0.5, y: extent.minY - 0.5, width: 1, height: 1) : extent
  }

  /// A layer's bounds, for a portal with how far its source reaches where it shows that. `levels` bounds how deep portals in
  /// portals are followed.
  private func boundsWithContent(of index: Int32, _ levels: Int) -> Rect {
    let node = nodes[Int(index)]
    guard node.portal >= 0, !node.masksToBounds, levels > 0 else { return node.bounds }
    let portal = portals[Int(node.portal)]
    guard portal.source >= 0 else { return node.bounds }
    var content = roughExtent(of: portal.source, levels: levels - 1)
    if let part = portal.sourceRect { content = content.intersection(part) }
    let box = portal.matrix.boundingBox(of: content)
    return content.isEmpty || !box.isFinite ? node.bounds : node.bounds.isEmpty ? box : node.bounds.union(box)
  }

  /// Marks the layers in which something sees what lies behind it.
  mutating func noteReaders() {
    var readers = backdrops.map(\.node)
    for effects in effects where effects.blendMode != .normal { readers.append(effects.node) }
    guard !readers.isEmpty else { return }
    // What a portal that is no picture of its own shows reads what lies behind the portal.
    var portalsOfSource: [Int32: [Int32]] = [:]
    for portal in portals where portal.source >= 0 && !portal.isIsolated {
      portalsOfSource[portal.source, default: []].append(portal.node)
    }
    while let reader = readers.popLast() {
      var index = reader
      while index >= 0 {
        let isNew = !nodes[Int(index)].flags.contains(.readsBehind)
        nodes[Int(index)].flags.insert(.readsBehind)
        if isNew, let portals = portalsOfSource[index] { readers += portals }
        // The layer's own group is none to its own backdrop or blending, and another reader in it may have marked it.
        if index != reader, !isNew || nodes[Int(index)].isGroup { break }
        index = nodes[Int(index)].parent
      }
    }
  }
}

extension SnapshotNode {
  /// What it and its sublayers draw is one picture before it meets what lies behind.
  public var isGroup: Bool { effects >= 0 || opacity < 1 && flags.contains(.groupOpacity) }
}
