import Commit

extension RenderTree {
  /// The commit that last changed what `layer` and its sublayers draw, what its portals show included; nil for a layer
  /// that does not exist. Where the layer lies, and its own opacity, don't count.
  /// - Complexity: O(layers below it and below the sources that it shows).
  public func contentVersion(of layer: LayerID) -> UInt64? {
    guard let slot = slots[layer] else { return nil }
    var latest: UInt64 = 0
    var seen: Set<Int32> = []
    var roots = [slot]
    while let root = roots.popLast() {
      guard seen.insert(root).inserted else { continue }
      latest = max(latest, records[Int(root)].contentVersion)
      var walk = [root]
      while let slot = walk.popLast() {
        let record = records[Int(slot)]
        if record.portal >= 0, let source = portals[Int(record.portal)].source, let shown = slots[source] {
          roots.append(shown)
          // Where a matched source stands is part of what its portal shows.
          latest = max(latest, records[Int(shown)].placementVersion)
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
