import Geometry

/// The values of one instance of `InstanceFormat.edge`, before they are laid out.
struct EdgeQuad {
  /// What is drawn.
  var part: PixelRect
  /// The rectangle, less the part's corner, so finely rounded that the same picture a whole number of pixels away has the same
  /// bits, wherever it is cut.
  var rect: Rect
  /// 0 where no round corner counts.
  var radius: Double
  var mask: CornerMask
  var factor: Float
  var level: Double
  var color: PremultipliedColor
  /// The texture coordinate at the part's corner, and how it changes a pixel to the right and down.
  var corner = Point.zero
  var step = Point.zero

  /// Appends the sixteen floats.
  func append(to floats: inout [Float], isTextured: Bool) {
    part.append(to: &floats)
    floats.append(Float(rect.minX))
    floats.append(Float(rect.minY))
    floats.append(Float(rect.maxX))
    floats.append(Float(rect.maxY))
    floats.append(Float(radius))
    floats.append(Float(mask.rawValue))
    floats.append(factor)
    floats.append(Float(level))
    if isTextured {
      floats.append(Float(corner.x))
      floats.append(Float(corner.y))
      floats.append(Float(step.x))
      floats.append(Float(step.y))
    } else {
      floats.append(color.red)
      floats.append(color.green)
      floats.append(color.blue)
      floats.append(color.alpha)
    }
  }
}

extension Primitive {
  /// Whether its edges can be drawn as such: it is upright, and its round corners are circles.
  var hasPlainEdges: Bool {
    guard !replacesBelow, samples == 1, effect < 0, curve == .none, map.uy == 0, map.vx == 0 else { return false }
    guard matrix.m11 > 0, matrix.m22 > 0 else { return false }
    return shape.radii.isZero || (matrix.m11 - matrix.m22).magnitude < 1e-6 * matrix.m11
  }

  /// What of an upright primitive without clips is drawn in `part`.
  func edge(_ part: PixelRect, isRounded: Bool) -> EdgeQuad {
    let (x, y) = (Double(part.minX), Double(part.minY))
    func settled(_ value: Double) -> Double { (value * 4096).rounded() / 4096 }
    let rect = Rect(
      minX: settled(matrix.m11 * shape.rect.minX + matrix.m41 - x),
      minY: settled(matrix.m22 * shape.rect.minY + matrix.m42 - y),
      maxX: settled(matrix.m11 * shape.rect.maxX + matrix.m41 - x),
      maxY: settled(matrix.m22 * shape.rect.maxY + matrix.m42 - y))
    let radius = isRounded ? min(shape.radii.largest * matrix.m11, min(rect.width, rect.height) / 2) : 0
    var edge = EdgeQuad(
      part: part, rect: rect, radius: radius, mask: shape.radii.mask, factor: color.alpha,
      level: Double(level) + Double(levelFraction), color: color)
    if texture != .none {
      edge.corner = map.apply(Point(x: (x - matrix.m41) / matrix.m11, y: (y - matrix.m42) / matrix.m22))
      edge.step = Point(x: map.ux / matrix.m11, y: map.vy / matrix.m22)
    }
    return edge
  }
}
