import Commit
import Geometry

/// The four corners of a quad, in strip order.
struct QuadCorners {
  var topLeft: Point
  var topRight: Point
  var bottomLeft: Point
  var bottomRight: Point

  init(_ rect: Rect) {
    (topLeft, topRight) = (Point(rect.minX, rect.minY), Point(rect.maxX, rect.minY))
    (bottomLeft, bottomRight) = (Point(rect.minX, rect.maxY), Point(rect.maxX, rect.maxY))
  }

  func moved(_ move: (Point) -> Point) -> QuadCorners {
    var corners = self
    (corners.topLeft, corners.topRight) = (move(topLeft), move(topRight))
    (corners.bottomLeft, corners.bottomRight) = (move(bottomLeft), move(bottomRight))
    return corners
  }
}

/// The values of one instance of `InstanceFormat.shape`, before they are laid out.
struct ShapeQuad {
  struct ClipPart {
    var toClip: Homography
    var rect: Rect
    var radii: CornerRadii
  }

  /// Less the anchor, in strip order.
  var corners: QuadCorners
  var anchor: Point
  var borderWidth: Double
  /// Of a texture, which then is no border.
  var samples: Int
  var level: Double
  /// Target space less the anchor to layer space.
  var toLayer: Homography
  var radii: CornerRadii
  var hardEdges: EdgeMask = []
  var rect: Rect
  var scissor: Rect
  var color: PremultipliedColor
  var map: TextureMap
  /// What texture coordinates are kept within.
  var textureLimits: Rect
  var clip: ClipPart?

  /// Appends the sixty floats.
  func append(to floats: inout [Float]) {
    Self.append(corners.topLeft, to: &floats)
    Self.append(corners.topRight, to: &floats)
    Self.append(corners.bottomLeft, to: &floats)
    Self.append(corners.bottomRight, to: &floats)
    floats.append(Float(anchor.x))
    floats.append(Float(anchor.y))
    floats.append(samples > 1 ? -Float(samples) : Float(borderWidth))
    floats.append(Float(level))
    Self.append(toLayer, to: &floats)
    floats.append(Float(radii.largest))
    floats.append(Float(Int(radii.mask.rawValue) | Int(hardEdges.rawValue) << 4))
    floats.append(Float(textureLimits.minX))
    Self.append(rect, to: &floats)
    Self.append(scissor, to: &floats)
    floats.append(color.red)
    floats.append(color.green)
    floats.append(color.blue)
    floats.append(color.alpha)
    Self.append(Point(map.ux, map.vx), to: &floats)
    Self.append(Point(map.uy, map.vy), to: &floats)
    Self.append(Point(map.u0, map.v0), to: &floats)
    floats.append(Float(clip?.radii.largest ?? 0))
    floats.append(Float(clip?.radii.mask.rawValue ?? 0))
    Self.append(clip?.toClip ?? .identity, to: &floats)
    floats.append(Float(textureLimits.minY))
    floats.append(Float(textureLimits.maxX))
    floats.append(Float(textureLimits.maxY))
    Self.append(clip?.rect ?? .zero, to: &floats)
  }

  private static func append(_ point: Point, to floats: inout [Float]) {
    floats.append(Float(point.x))
    floats.append(Float(point.y))
  }

  private static func append(_ rect: Rect, to floats: inout [Float]) {
    floats.append(Float(rect.minX))
    floats.append(Float(rect.minY))
    floats.append(Float(rect.maxX))
    floats.append(Float(rect.maxY))
  }

  private static func append(_ h: Homography, to floats: inout [Float]) {
    floats.append(Float(h.m11))
    floats.append(Float(h.m12))
    floats.append(Float(h.m14))
    floats.append(Float(h.m21))
    floats.append(Float(h.m22))
    floats.append(Float(h.m24))
    floats.append(Float(h.m41))
    floats.append(Float(h.m42))
    floats.append(Float(h.m44))
  }
}

extension CornerRadii {
  /// Which corners are round: a layer's are all of one radius.
  var mask: CornerMask {
    var mask: CornerMask = []
    if topLeft > 0 { mask.insert(.topLeft) }
    if topRight > 0 { mask.insert(.topRight) }
    if bottomRight > 0 { mask.insert(.bottomRight) }
    if bottomLeft > 0 { mask.insert(.bottomLeft) }
    return mask
  }
}
