/// Which corners of a layer are rounded (`CACornerMask`).
public struct CornerMask: OptionSet, Sendable, Hashable {
  public let rawValue: UInt8

  @inlinable
  public init(rawValue: UInt8) { self.rawValue = rawValue }

  public static let topLeft = CornerMask(rawValue: 1)
  public static let topRight = CornerMask(rawValue: 2)
  public static let bottomRight = CornerMask(rawValue: 4)
  public static let bottomLeft = CornerMask(rawValue: 8)
  public static let all: CornerMask = [.topLeft, .topRight, .bottomRight, .bottomLeft]
}

/// The radius of each corner, in points. Corners are circular.
@frozen
public struct CornerRadii: Sendable, Hashable {
  public var topLeft: Double
  public var topRight: Double
  public var bottomRight: Double
  public var bottomLeft: Double

  @inlinable
  public init(topLeft: Double, topRight: Double, bottomRight: Double, bottomLeft: Double) {
    self.topLeft = topLeft
    self.topRight = topRight
    self.bottomRight = bottomRight
    self.bottomLeft = bottomLeft
  }

  /// One radius on the corners of `mask`, no more than half of the shorter side.
  public init(radius: Double, mask: CornerMask, size: Size) {
    let r = max(0, min(radius, min(size.width, size.height) / 2))
    self.init(
      topLeft: mask.contains(.topLeft) ? r : 0, topRight: mask.contains(.topRight) ? r : 0,
      bottomRight: mask.contains(.bottomRight) ? r : 0, bottomLeft: mask.contains(.bottomLeft) ? r : 0)
  }

  public static let zero = CornerRadii(topLeft: 0, topRight: 0, bottomRight: 0, bottomLeft: 0)

  @inlinable public var isZero: Bool { topLeft == 0 && topRight == 0 && bottomRight == 0 && bottomLeft == 0 }
  @inlinable public var largest: Double { max(max(topLeft, topRight), max(bottomRight, bottomLeft)) }

  /// The radii of the outline `distance` further in, as an inner border has them.
  public func inset(by distance: Double) -> CornerRadii {
    CornerRadii(
      topLeft: max(0, topLeft - distance), topRight: max(0, topRight - distance),
      bottomRight: max(0, bottomRight - distance), bottomLeft: max(0, bottomLeft - distance))
  }
}

/// A rectangle with circular corners.
@frozen
public struct RoundedRect: Sendable, Hashable {
  public var rect: Rect
  public var radii: CornerRadii

  @inlinable
  public init(rect: Rect, radii: CornerRadii = .zero) {
    self.rect = rect
    self.radii = radii
  }

  /// Whether `p` lies in the shape; the right and bottom edges are outside.
  public func contains(_ p: Point) -> Bool {
    guard rect.contains(p) else { return false }
    if radii.isZero { return true }
    let left = p.x < rect.center.x
    let top = p.y < rect.center.y
    let r =
      top ? (left ? radii.topLeft : radii.topRight) : (left ? radii.bottomLeft : radii.bottomRight)
    let dx = left ? rect.minX + r - p.x : p.x - (rect.maxX - r)
    let dy = top ? rect.minY + r - p.y : p.y - (rect.maxY - r)
    return dx <= 0 || dy <= 0 || dx * dx + dy * dy <= r * r
  }
}
