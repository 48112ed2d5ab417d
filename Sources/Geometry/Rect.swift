/// A rectangle in points. The origin is its top left corner; a rectangle of no area is empty.
@frozen
public struct Rect: Sendable, Hashable {
  public var x: Double
  public var y: Double
  public var width: Double
  public var height: Double

  @inlinable
  public init(x: Double, y: Double, width: Double, height: Double) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  @inlinable
  public init(minX: Double, minY: Double, maxX: Double, maxY: Double) {
    self.init(x: minX, y: minY, width: maxX - minX, height: maxY - minY)
  }

  @inlinable
  public init(origin: Point = .zero, size: Size) {
    self.init(x: origin.x, y: origin.y, width: size.width, height: size.height)
  }

  public static let zero = Rect(x: 0, y: 0, width: 0, height: 0)

  @inlinable public var origin: Point { Point(x: x, y: y) }
  @inlinable public var size: Size { Size(width: width, height: height) }
  @inlinable public var minX: Double { x }
  @inlinable public var minY: Double { y }
  @inlinable public var maxX: Double { x + width }
  @inlinable public var maxY: Double { y + height }
  @inlinable public var center: Point { Point(x: x + width / 2, y: y + height / 2) }
  @inlinable public var isEmpty: Bool { !(width > 0 && height > 0) }
  @inlinable public var area: Double { isEmpty ? 0 : width * height }
  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite && width.isFinite && height.isFinite }

  /// The corners clockwise from the top left.
  @inlinable public var corners: [Point] {
    [Point(minX, minY), Point(maxX, minY), Point(maxX, maxY), Point(minX, maxY)]
  }

  /// The same rectangle with a width and a height that are not negative.
  @inlinable public var standardized: Rect {
    Rect(
      x: width < 0 ? x + width : x, y: height < 0 ? y + height : y,
      width: width.magnitude, height: height.magnitude)
  }

  /// What both cover; empty where they are apart.
  @inlinable
  public func intersection(_ other: Rect) -> Rect {
    let left = max(minX, other.minX)
    let top = max(minY, other.minY)
    let right = min(maxX, other.maxX)
    let bottom = min(maxY, other.maxY)
    guard right > left, bottom > top else { return Rect(x: left, y: top, width: 0, height: 0) }
    return Rect(minX: left, minY: top, maxX: right, maxY: bottom)
  }

  /// The smallest rectangle around both; an empty one adds nothing.
  @inlinable
  public func union(_ other: Rect) -> Rect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return Rect(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  @inlinable
  public func insetBy(dx: Double, dy: Double) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width - 2 * dx, height: height - 2 * dy)
  }

  @inlinable
  public func offsetBy(dx: Double, dy: Double) -> Rect {
    Rect(x: x + dx, y: y + dy, width: width, height: height)
  }

  /// Half open, as pixels are: the right and bottom edges are outside.
  @inlinable
  public func contains(_ point: Point) -> Bool {
    point.x >= minX && point.x < maxX && point.y >= minY && point.y < maxY
  }

  @inlinable
  public func contains(_ other: Rect) -> Bool {
    other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
  }

  @inlinable
  public func intersects(_ other: Rect) -> Bool {
    max(minX, other.minX) < min(maxX, other.maxX) && max(minY, other.minY) < min(maxY, other.maxY)
  }
}
