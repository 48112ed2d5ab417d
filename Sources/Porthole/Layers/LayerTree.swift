import Commit

extension Layer {
  /// Puts `layer` above the other sublayers, taking it out of where it was; see `insertSublayer(_:at:)`.
  @discardableResult
  public final func addSublayer(_ layer: Layer) -> Bool { insertSublayer(layer, at: .max) }

  /// Puts `layer` at `index` of the sublayers, counted after it left its old place; an index beyond either end is that end.
  ///
  /// False, with nothing done and a line in the log, for a layer that would contain itself.
  /// - Complexity: O(siblings), plus the depth of the tree where `layer` has sublayers.
  @discardableResult
  public final func insertSublayer(_ layer: Layer, at index: Int) -> Bool {
    guard !layer.contains(self) else {
      MisuseLog.report(
        "\(layer.label) can't become a sublayer of \(label): it would contain itself; nothing was changed")
      return false
    }
    layer.leaveSuperlayer()
    // Whoever shows one of the two trees shows both from now on. While they are still apart, each joins as a whole.
    for link in links { link.context.attach(layer) }
    for link in layer.links { link.context.attach(self) }
    let place = max(0, min(index, sublayers.count))
    sublayers.insert(layer, at: place)
    layer.superlayer = self
    for link in links { link.context.record(.insert(layer.id, into: id, at: place)) }
    return true
  }

  /// Puts `layer` directly below `sibling`, or lowest if that is no sublayer.
  @discardableResult
  public final func insertSublayer(_ layer: Layer, below sibling: Layer) -> Bool {
    insertSublayer(layer, nextTo: sibling, offset: 0) ?? insertSublayer(layer, at: 0)
  }

  /// Puts `layer` directly above `sibling`, or highest if that is no sublayer.
  @discardableResult
  public final func insertSublayer(_ layer: Layer, above sibling: Layer) -> Bool {
    insertSublayer(layer, nextTo: sibling, offset: 1) ?? addSublayer(layer)
  }

  /// Takes the layer out of its superlayer, if it has one.
  public final func removeFromSuperlayer() {
    guard superlayer != nil else { return }
    leaveSuperlayer()
    for link in links { link.context.record(.removeFromParent(id)) }
  }

  final func setMask(_ mask: Layer?) {
    guard mask !== self.mask else { return }
    if let mask, mask.contains(self) {
      MisuseLog.report("\(mask.label) can't mask \(label), which it is or holds; nothing was changed")
      return
    }
    if let old = self.mask {
      for link in old.links { link.context.record(.removeFromParent(old.id)) }
    }
    guard let mask else { return replaceMask(nil) }
    if mask.container != nil {
      mask.leaveSuperlayer()
      for link in mask.links { link.context.record(.removeFromParent(mask.id)) }
    }
    for link in links { link.context.attach(mask) }
    for link in mask.links { link.context.attach(self) }
    replaceMask(mask)
  }

  /// What the layer stands in: its superlayer, or the layer that it masks.
  final var container: Layer? { superlayer ?? maskedLayer }

  /// Whether `layer` is this layer or stands below it, in a mask too.
  public final func contains(_ layer: Layer) -> Bool {
    if layer === self { return true }
    // Most insertions are of a leaf, which nothing stands below.
    guard !sublayers.isEmpty || mask != nil else { return false }
    var ancestor = layer.container
    while let next = ancestor {
      if next === self { return true }
      ancestor = next.container
    }
    return false
  }

  /// The layer at the top of the tree.
  final var topLayer: Layer {
    var top = self
    while let next = top.container { top = next }
    return top
  }

  /// For a person.
  final var label: String { name.map { "“\($0)” (\(id))" } ?? "\(id)" }

  private func insertSublayer(_ layer: Layer, nextTo sibling: Layer, offset: Int) -> Bool? {
    guard layer !== sibling else { return true }
    guard let index = sublayers.firstIndex(where: { $0 === sibling }) else { return nil }
    let old = layer.superlayer === self ? sublayers.firstIndex { $0 === layer } : nil
    return insertSublayer(layer, at: index + offset - (old.map { $0 < index ? 1 : 0 } ?? 0))
  }

  /// Leaves the model tree; the caller records what becomes of it.
  private func leaveSuperlayer() {
    if let masked = maskedLayer { masked.replaceMask(nil) }
    guard let parent = superlayer else { return }
    // From the end: what was added last is the likeliest to go.
    if let index = parent.sublayers.lastIndex(where: { $0 === self }) { parent.sublayers.remove(at: index) }
    superlayer = nil
  }
}
