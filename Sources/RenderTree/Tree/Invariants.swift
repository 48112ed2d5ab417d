import Commit

extension RenderTree {
  /// What must hold after every commit and does not; empty in a sound tree. For tests and for a person who hunts a fault.
  /// - Complexity: O(layers).
  public func invariantViolations() -> [String] {
    var faults: [String] = []
    for (id, slot) in slots where records[Int(slot)].id != id { faults.append("\(id) is not in its slot") }
    for (_, slot) in slots {
      let record = records[Int(slot)]
      var (count, previous, child) = (0, Int32(-1), record.firstChild)
      while child >= 0, count <= slots.count {
        let sublayer = records[Int(child)]
        if sublayer.parent != slot { faults.append("\(sublayer.id) does not know its parent \(record.id)") }
        if sublayer.previousSibling != previous { faults.append("\(sublayer.id) has lost the sibling before it") }
        if slots[sublayer.id] != child { faults.append("a released layer is still among \(record.id)'s sublayers") }
        previous = child
        child = sublayer.nextSibling
        count += 1
      }
      if count != Int(record.childCount) { faults.append("\(record.id) has miscounted its sublayers") }
      if record.lastChild != previous { faults.append("\(record.id) has lost its last sublayer") }
      let retains = portals.count {
        $0.slot >= 0 && $0.sourceLifetime == .retained && $0.source == record.id
      }
      if retains != Int(record.retainCount) {
        faults.append("\(record.id) is retained \(retains) times, not \(record.retainCount)")
      }
      if record.mask >= 0, records[Int(record.mask)].maskedLayer != slot {
        faults.append("\(record.id) has lost its mask")
      }
      if record.maskedLayer >= 0, records[Int(record.maskedLayer)].mask != slot || record.parent >= 0 {
        faults.append("\(record.id) masks a layer that does not know it")
      }
      if record.hasEffects != (effects[slot]?.isEffective == true || record.mask >= 0) {
        faults.append("\(record.id) does not know its effects")
      }
      if record.animations >= 0, animations.layers[Int(record.animations)].slot != slot {
        faults.append("\(record.id) has lost its animations")
      }
      if record.isReleased, record.retainCount == 0 { faults.append("\(record.id) is released and kept by nobody") }
    }
    if effects.keys.contains(where: { slots[records[Int($0)].id] != $0 }) { faults.append("effects of no layer") }
    if slots.count + freeSlots.count != records.count { faults.append("a slot is neither used nor free") }
    if !animations.bare.isEmpty { faults.append("layers show what is their own, not what moves") }
    for (index, layer) in animations.layers.enumerated() {
      if records[Int(layer.slot)].animations != Int32(index) { faults.append("animations of no layer") }
      if layer.animations.isEmpty || !layer.isShown { faults.append("an animated layer without animations") }
    }
    return faults
  }
}
