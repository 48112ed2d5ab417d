import Porthole

extension ImageComparison.Tolerance {
  /// The larger limit of either: for scenes that hold what two classes are for.
  func or(_ scene: ImageComparison.SceneClass) -> Self {
    let other = scene.tolerance
    var result = self
    result.interior = max(interior, other.interior)
    result.smooth2 = max(smooth2, other.smooth2)
    result.tile = max(tile, other.tile)
    result.envelope = max(envelope, other.envelope)
    result.over32 = max(over32, other.over32)
    result.over64 = max(over64, other.over64)
    return result
  }
}
