import Commit

/// What is done to a layer with its sublayers as one picture, besides opacity. Few layers have any, so the tree keeps them
/// apart.
struct LayerEffects: Sendable {
  /// Without those that change nothing.
  var filters: [Filter] = []

  var isNone: Bool { filters.isEmpty }
}

extension RenderTree {
  mutating func setEffects(of slot: Int32, _ change: (inout LayerEffects) -> Void) {
    var value = effects[slot] ?? LayerEffects()
    change(&value)
    effects[slot] = value.isNone ? nil : value
    records[Int(slot)].hasEffects = !value.isNone
  }
}
