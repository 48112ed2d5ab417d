import Commit
import Geometry
import RenderTree

// Time, for the tree of all clients: nanoseconds of the monotonic clock, which never goes back.

extension ClientTree {
  /// When a frame that shows what this one does is due, if nothing is committed: 0 for the next one, nil for never.
  public func nextWake(of snapshot: Snapshot) -> UInt64? {
    guard let wake = tree.nextWake(of: snapshot) else { return nil }
    return wake <= tree.time ? 0 : Self.nanoseconds(wake)
  }

  /// When the next animation ends whose client wants to know; nil for none.
  public var nextEnd: UInt64? { tree.nextEnd.map(Self.nanoseconds) }

  /// Rounded up, so that at that time it is so.
  static func nanoseconds(_ seconds: Double) -> UInt64 {
    UInt64(min(max(0, (seconds * 1e9).rounded(.up) + 1), 9e18))
  }
}

extension TreeClient {
  /// Adds an animation with the next commit.
  public func addAnimation(
    _ layer: LayerID, key: String, _ animation: Animation
  ) throws(LimitViolation) {
    pending.concernsAnimations = true
    try append(.addAnimation(layer, key: key, animation))
  }

  /// Nil: all.
  public func removeAnimation(_ layer: LayerID, key: String?) throws(LimitViolation) {
    pending.concernsAnimations = true
    try append(.removeAnimation(layer, key: key))
  }
}
