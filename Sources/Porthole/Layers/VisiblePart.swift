import Commit
import Geometry

/// What of a layer is in view.
enum VisiblePart {
  /// All of it may be.
  case all
  /// All of it may be for as long as something moves.
  case moving
  /// Nothing else, in layer space.
  case part(Rect)
}

extension ShownScale {
  /// How far beyond the output a layer is taken for visible, in pixels: what snaps to whole ones may come into view.
  private static let margin = 16.0

  /// What of a layer shows where one renderer alone shows it, in its own place, upright or turned in the plane, and nothing
  /// reaches into the picture from outside of it: no blur, shadow, lens, replicator or portal.
  func visiblePart(of layer: Layer) -> VisiblePart {
    guard showings.count == 1, let showing = showings.first, let size = showing.size, !showing.isAlone else {
      return .all
    }
    var matrix = Homography.identity
    var current = layer
    var isMoving = false
    while true {
      guard portals[current.id] == nil, current.maskedLayer == nil, !(current is ReplicatorLayer),
        current.filters.isEmpty, current.shadow == nil, current.lens == nil
      else { return .all }
      let placement = current.placement * (current.container?.sublayerPlacement ?? .identity)
      guard placement.isAffine2D else { return .all }
      if !current.animationKeys.isEmpty { isMoving = true }
      matrix = matrix * Homography(placement)
      if current.id == showing.root { break }
      guard let next = current.container else { return .all }
      current = next
    }
    if isMoving { return .moving }
    guard let inverse = matrix.inverse else { return .all }
    let away = Self.margin / max(showing.scale ?? 1, 1e-3)
    let view = Rect(x: 0, y: 0, width: size.width, height: size.height).insetBy(dx: -away, dy: -away)
    let part = inverse.boundingBox(of: view)
    return part.isFinite ? .part(part) : .all
  }
}
