import Commit
import Geometry

// Edges that are not antialiased: a pixel is in the shape where its centre is. A centre on the edge itself is in the shape
// at the left and the top, and not at the right and the bottom, so that shapes side by side never share one.

extension Primitive {
  /// For an upright shape: the hard edges moved to whole pixels, so that none is left.
  /// - Parameter whole: what the shape must stay within, in layer space.
  mutating func hardenUpright(within whole: Rect?) {
    let box = matrix.boundingBox(of: shape.rect)
    guard box.isFinite else { return }
    // Which of the shape's edges are at the box's.
    let (isFlippedX, isFlippedY) = (matrix.m11 < 0, matrix.m22 < 0)
    let (left, right) = (hardEdges.contains(.left), hardEdges.contains(.right))
    let (top, bottom) = (hardEdges.contains(.top), hardEdges.contains(.bottom))
    var minX = Self.settled(box.minX, isHard: isFlippedX ? right : left, isClosed: !isFlippedX)
    var maxX = Self.settled(box.maxX, isHard: isFlippedX ? left : right, isClosed: !isFlippedX)
    var minY = Self.settled(box.minY, isHard: isFlippedY ? bottom : top, isClosed: !isFlippedY)
    var maxY = Self.settled(box.maxY, isHard: isFlippedY ? top : bottom, isClosed: !isFlippedY)
    hardEdges = []
    if let whole {
      // Where a part at the end is thinner than a pixel.
      let outer = matrix.boundingBox(of: whole)
      (minX, maxX) = (max(minX, outer.minX), min(maxX, outer.maxX))
      (minY, maxY) = (max(minY, outer.minY), min(maxY, outer.maxY))
    }
    func x(_ value: Double) -> Double { (value - matrix.m41) / matrix.m11 }
    func y(_ value: Double) -> Double { (value - matrix.m42) / matrix.m22 }
    shape.rect =
      Rect(minX: x(minX), minY: y(minY), maxX: x(max(minX, maxX)), maxY: y(max(minY, maxY))).standardized
  }

  /// - Parameter isClosed: a pixel whose centre lies on the edge is on the far side of it, where coordinates are larger.
  private static func settled(_ edge: Double, isHard: Bool, isClosed: Bool) -> Double {
    guard isHard else { return edge }
    let start = edge.quantized
    return isClosed ? (start - 0.5).rounded(.up) : (start + 0.5).rounded(.down)
  }
}
