import GLES

/// The targets that the last drawn frame kept for this one, by key.
struct History {
  private var kept: [UInt64: RenderTarget] = [:]

  var count: Int { kept.count }
  var byteCount: Int { kept.values.reduce(0) { $0 + $1.texture.byteCount } }

  subscript(key: UInt64) -> Texture? { kept[key]?.texture }

  /// Puts the new frame's targets in the place of the old one's, which go back to the pool. A key that was not renewed
  /// is gone.
  mutating func replace(with new: [UInt64: RenderTarget], pool: inout TargetPool, frame: Int) {
    if kept.isEmpty && new.isEmpty { return }
    for target in kept.values { pool.give(target, frame: frame) }
    kept = new
  }

  mutating func removeAll() { kept = [:] }
}
