/// A place in a plane, in points, y down.
@frozen
public struct Point: Sendable, Hashable {
  public var x: Double
  public var y: Double

  @inlinable
  public init(x: Double, y: Double) {
    self.x = x
    self.y = y
  }

  @inlinable
  public init(_ x: Double, _ y: Double) {
    self.init(x: x, y: y)
  }

  public static let zero = Point(x: 0, y: 0)

  @inlinable public var isFinite: Bool { x.isFinite && y.isFinite }

  @inlinable
  public static func + (a: Point, b: Point) -> Point { Point(x: a.x + b.x, y: a.y + b.y) }

  @inlinable
  public static func - (a: Point, b: Point) -> Point { Point(x: a.x - b.x, y: a.y - b.y) }
}

/// A width and a height, in points.
@frozen
public struct Size: Sendable, Hashable {
  public var width: Double
  public var height: Double

  @inlinable
  public init(width: Double, height: Double) {
    self.width = width
    self.height = height
  }

  public static let zero = Size(width: 0, height: 0)

  @inlinable public var isFinite: Bool { width.isFinite && height.isFinite }
}
