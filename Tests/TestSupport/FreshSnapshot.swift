import Commit
import RenderTree

extension RenderTree {
  /// The snapshot made anew, whatever the tree keeps of the last one.
  public func freshSnapshot(root: LayerID?) -> Snapshot {
    var copy = self
    _ = copy.snapshot(root: nil)
    return copy.snapshot(root: root)
  }
}
