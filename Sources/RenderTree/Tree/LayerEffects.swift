import Commit
import Geometry

/// What is done to a layer with its sublayers as one picture, besides opacity. Few layers have any, so the tree keeps them
/// apart.
struct LayerEffects: Sendable {
  var shadow: Shadow?
  var filters: [Filter] = []
  var blendMode = BlendMode.normal
  var lens: Lens?
  // Of a backdrop.
  var backdropFilters: [Filter] = []
  var backdropGroup: String?

  // What animations may move stays here even where it does not show.

  /// Nil for one that does not show.
  var visibleShadow: Shadow? { shadow.flatMap { $0.opacity > 0 && $0.color.alpha > 0 ? $0 : nil } }

  /// Without those that change nothing.
  var effectiveFilters: [Filter] { filters.effective }
  var effectiveBackdropFilters: [Filter] { backdropFilters.effective }

  /// Whether the layer's picture needs more than to be drawn.
  var changesPicture: Bool {
    visibleShadow != nil || blendMode != .normal || filters.contains { !$0.isIdentity }
  }

  /// Whether any of it shows.
  var isEffective: Bool { changesPicture || lens != nil || !backdropFilters.isEmpty || backdropGroup != nil }

  var isNone: Bool { !isEffective && shadow == nil && filters.isEmpty }
}

extension RenderTree {
  mutating func setEffects(of slot: Int32, _ change: (inout LayerEffects) -> Void) {
    var value = effects[slot] ?? LayerEffects()
    change(&value)
    effects[slot] = value.isNone ? nil : value
    noteEffects(of: slot)
  }

  mutating func setMask(_ mask: Int32, of slot: Int32) {
    let s = Int(slot)
    if records[s].mask >= 0 { records[Int(records[s].mask)].maskedLayer = -1 }
    records[s].mask = -1
    if mask >= 0 {
      unlink(mask)
      records[s].mask = mask
      records[Int(mask)].maskedLayer = slot
    }
    noteEffects(of: slot)
  }

  /// The layer leaves the layer that it masks.
  mutating func unlinkMask(_ mask: Int32) {
    let masked = records[Int(mask)].maskedLayer
    guard masked >= 0 else { return }
    noteContentChange(from: masked)
    records[Int(mask)].maskedLayer = -1
    records[Int(masked)].mask = -1
    noteEffects(of: masked)
  }

  mutating func noteEffects(of slot: Int32) {
    records[Int(slot)].hasEffects = effects[slot]?.isEffective == true || records[Int(slot)].mask >= 0
  }
}

extension [Filter] {
  fileprivate var effective: [Filter] { contains(where: \.isIdentity) ? filter { !$0.isIdentity } : self }
}
