import Geometry

extension SnapshotNode {
  /// For a layer that snaps to pixels: `matrix`, which leads to pixels, with the layer moved and stretched by less than a
  /// pixel so that the edges of its bounds lie on whole ones, and no side has none. The same where it is not upright.
  public func snapped(_ matrix: Homography) -> Homography {
    guard flags.contains(.snapsToPixels), matrix.isScaleAndTranslation, !bounds.isEmpty, bounds.isFinite else {
      return matrix
    }
    let box = matrix.boundingBox(of: bounds)
    guard box.isFinite, max(box.minX.magnitude, box.minY.magnitude, box.maxX.magnitude, box.maxY.magnitude) < 1e9 else {
      return matrix
    }
    let (left, right) = Self.edges(box.minX, box.maxX)
    let (top, bottom) = Self.edges(box.minY, box.maxY)
    let moved = max(
      (left - box.minX).magnitude, (right - box.maxX).magnitude, (top - box.minY).magnitude,
      (bottom - box.maxY).magnitude)
    guard moved > 1e-9 else { return matrix }
    let (scaleX, scaleY) = ((right - left) / bounds.width, (bottom - top) / bounds.height)
    let (isFlippedX, isFlippedY) = (matrix.m11 < 0, matrix.m22 < 0)
    return Homography(
      m11: isFlippedX ? -scaleX : scaleX, m22: isFlippedY ? -scaleY : scaleY,
      m41: isFlippedX ? right + bounds.minX * scaleX : left - bounds.minX * scaleX,
      m42: isFlippedY ? bottom + bounds.minY * scaleY : top - bounds.minY * scaleY)
  }

  /// The nearest whole pixels; a half counts as the next, whatever rounding has made of it.
  private static func edges(_ low: Double, _ high: Double) -> (Double, Double) {
    func nearest(_ value: Double) -> Double { ((value * 65536).rounded() / 65536 + 0.5).rounded(.down) }
    let (first, last) = (nearest(low), nearest(high))
    if last > first { return (first, last) }
    let only = ((low * 65536).rounded() / 65536).rounded(.down)
    return (only, only + 1)
  }
}
