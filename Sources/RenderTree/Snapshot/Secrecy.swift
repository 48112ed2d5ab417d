import Commit
import Geometry

// Secure layers, where an output is not: what they draw never gets into the snapshot, so no renderer can let it out.

extension PremultipliedColor {
  /// What stands for a secure layer.
  public static let placeholder = PremultipliedColor(red: 0.5, green: 0.5, blue: 0.5, alpha: 1)
}

extension RenderTree {
  /// Whether secure outputs alone show the layer: it is secure, or stands in one that is, as sublayer or mask.
  public func isSecret(_ layer: LayerID) -> Bool {
    guard rare.secureCount > 0, var slot = slots[layer] else { return false }
    while !records[Int(slot)].isSecure {
      slot = records[Int(slot)].container
      if slot < 0 { return false }
    }
    return true
  }

  /// Whether any layer is secure.
  public var hasSecrets: Bool { rare.secureCount > 0 }

  /// Whether the layer stands in a secure one, as sublayer or mask, and secure layers are not shown.
  func isInSecret(_ slot: Int32) -> Bool {
    guard scratch.hidesSecure else { return false }
    var container = records[Int(slot)].container
    while container >= 0 {
      if records[Int(container)].isSecure { return true }
      container = records[Int(container)].container
    }
    return false
  }

  /// The layer's bounds with their corners in one colour, and nothing of what it and its sublayers draw.
  mutating func emitPlaceholder(_ slot: Int32, under parent: Int32, into snapshot: inout Snapshot) {
    // What a portal in a secure layer shows has no place outside of it.
    let space = isInSecret(slot) ? Transform3D.identity : space(of: records[Int(slot)])
    var node = plainNode(slot, in: space, under: parent, snapshot)
    node.backgroundColor = .placeholder
    snapshot.nodes.append(node)
    noteHiding(in: slot)
  }

  /// What portals in a secure layer hide stays hidden: that they are not shown must not bring to light what is not to be seen.
  private mutating func noteHiding(in root: Int32) {
    guard !records[Int(root)].isHidden else { return }
    var stack = [root]
    while let slot = stack.popLast() {
      let record = records[Int(slot)]
      if record.portal >= 0, portals[Int(record.portal)].hidesSourceLayer,
        let source = portals[Int(record.portal)].source, let hidden = slots[source]
      {
        scratch.secretlyHidden.append(hidden)
      }
      var child = record.firstChild
      while child >= 0 {
        if !records[Int(child)].isHidden { stack.append(child) }
        child = records[Int(child)].nextSibling
      }
    }
  }
}
