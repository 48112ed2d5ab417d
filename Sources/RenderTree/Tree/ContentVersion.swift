import Commit

extension RenderTree {
  /// The commit that last changed what `layer` and its sublayers draw, what its portals show included; nil for a layer
  /// that does not exist. Where the layer lies, and its own opacity, don't count.
  /// - Complexity: O(layers below it and below the sources that it shows).
  public func contentVersion(of layer: LayerID) -> UInt64? { latestContent(of: layer)?.version }

  /// How long ago, by the tree's time, that was: what a person wants to know of a source that has stopped.
  /// - Complexity: as `contentVersion`.
  public func contentAge(of layer: LayerID) -> Double? { latestContent(of: layer).map { time - $0.time } }

  private func latestContent(of layer: LayerID) -> (version: UInt64, time: Double)? {
    guard let slot = slots[layer] else { return nil }
    var latest: (version: UInt64, time: Double) = (0, 0)
    func note(_ version: UInt64, _ time: Double) {
      if version > latest.version { latest = (version, time) }
    }
    var seen: Set<Int32> = []
    var roots = [slot]
    while let root = roots.popLast() {
      guard seen.insert(root).inserted else { continue }
      note(records[Int(root)].contentVersion, records[Int(root)].contentTime)
      var walk = [root]
      while let slot = walk.popLast() {
        let record = records[Int(slot)]
        if record.portal >= 0, let source = portals[Int(record.portal)].source, let shown = slots[source] {
          roots.append(shown)
          // Where a matched source stands is part of what its portal shows.
          note(records[Int(shown)].placementVersion, records[Int(shown)].placementTime)
        }
        if record.mask >= 0 { walk.append(record.mask) }
        var child = record.firstChild
        while child >= 0 {
          walk.append(child)
          child = records[Int(child)].nextSibling
        }
      }
    }
    return latest
  }
}

extension RenderTree {
  /// The commit that last changed anything of what a snapshot of this tree shows; `.max` where a layer at the top of it is
  /// gone. Later than the snapshot's `version`: a new one may differ.
  /// - Complexity: O(trees in the snapshot), which are the drawn one, those of sources that stand apart, and masks.
  public func lastChange(of snapshot: Snapshot) -> UInt64 {
    var latest: UInt64 = 0
    var index = 0
    while index < snapshot.nodes.count {
      let node = snapshot.nodes[index]
      guard var slot = slots[node.layer] else { return .max }
      // A drawn root may stand in a tree itself, which has a say in where it lies.
      while records[Int(slot)].parent >= 0 { slot = records[Int(slot)].parent }
      latest = max(latest, records[Int(slot)].contentVersion, records[Int(slot)].placementVersion)
      index = max(index + 1, Int(node.end))
    }
    return latest
  }
}
