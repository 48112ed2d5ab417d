/// The size of a target, in whole pixels.
@frozen
public struct PixelSize: Sendable, Hashable {
  public var width: Int
  public var height: Int

  @inlinable
  public init(width: Int, height: Int) {
    self.width = width
    self.height = height
  }

  @inlinable public var area: Int { width * height }
  @inlinable public var isEmpty: Bool { width <= 0 || height <= 0 }
}

/// A rectangle of whole pixels in target space: y down, half open. A type of its own, so that pixels are
/// never taken for points.
@frozen
public struct PixelRect: Sendable, Hashable {
  public var minX: Int32
  public var minY: Int32
  public var maxX: Int32
  public var maxY: Int32

  @inlinable
  public init(minX: Int32, minY: Int32, maxX: Int32, maxY: Int32) {
    self.minX = minX
    self.minY = minY
    self.maxX = maxX
    self.maxY = maxY
  }

  @inlinable
  public init(size: PixelSize) {
    self.init(minX: 0, minY: 0, maxX: Int32(clamping: size.width), maxY: Int32(clamping: size.height))
  }

  /// The pixels that `rect`, in pixel units, touches at all. Huge and non-finite values are clamped.
  @inlinable
  public init(enclosing rect: Rect) {
    self.init(
      minX: Self.floor(rect.minX), minY: Self.floor(rect.minY), maxX: Self.ceiling(rect.maxX),
      maxY: Self.ceiling(rect.maxY))
  }

  /// The pixels that `rect`, in pixel units, covers wholly.
  @inlinable
  public init(inside rect: Rect) {
    self.init(
      minX: Self.ceiling(rect.minX), minY: Self.ceiling(rect.minY), maxX: Self.floor(rect.maxX),
      maxY: Self.floor(rect.maxY))
  }

  public static let empty = PixelRect(minX: 0, minY: 0, maxX: 0, maxY: 0)

  /// Beyond every target: what an unbounded rectangle is clamped to, small enough that sums don't overflow.
  public static let limit: Int32 = 1 << 28

  // By way of a whole number, since rounding a double is a call where the processor's oldest kind must do.

  @inlinable
  static func clamp(_ value: Double) -> Double {
    value.isNaN ? 0 : max(-Double(limit), min(Double(limit), value))
  }

  @inlinable
  static func floor(_ value: Double) -> Int32 {
    let value = clamp(value)
    let whole = Int32(value)
    return Double(whole) > value ? whole - 1 : whole
  }

  @inlinable
  static func ceiling(_ value: Double) -> Int32 {
    let value = clamp(value)
    let whole = Int32(value)
    return Double(whole) < value ? whole + 1 : whole
  }

  @inlinable public var width: Int { Int(maxX) - Int(minX) }
  @inlinable public var height: Int { Int(maxY) - Int(minY) }
  @inlinable public var size: PixelSize { PixelSize(width: max(0, width), height: max(0, height)) }
  @inlinable public var isEmpty: Bool { maxX <= minX || maxY <= minY }
  @inlinable public var area: Int { isEmpty ? 0 : width * height }
  @inlinable public var rect: Rect {
    Rect(minX: Double(minX), minY: Double(minY), maxX: Double(maxX), maxY: Double(maxY))
  }

  @inlinable
  public func intersection(_ other: PixelRect) -> PixelRect {
    let result = PixelRect(
      minX: max(minX, other.minX), minY: max(minY, other.minY),
      maxX: min(maxX, other.maxX), maxY: min(maxY, other.maxY))
    return result.isEmpty
      ? PixelRect(minX: result.minX, minY: result.minY, maxX: result.minX, maxY: result.minY) : result
  }

  @inlinable
  public func union(_ other: PixelRect) -> PixelRect {
    if isEmpty { return other }
    if other.isEmpty { return self }
    return PixelRect(
      minX: min(minX, other.minX), minY: min(minY, other.minY),
      maxX: max(maxX, other.maxX), maxY: max(maxY, other.maxY))
  }

  @inlinable
  public func intersects(_ other: PixelRect) -> Bool {
    max(minX, other.minX) < min(maxX, other.maxX) && max(minY, other.minY) < min(maxY, other.maxY)
  }

  @inlinable
  public func contains(_ other: PixelRect) -> Bool {
    other.minX >= minX && other.maxX <= maxX && other.minY >= minY && other.maxY <= maxY
  }

  @inlinable
  public func offsetBy(dx: Int32, dy: Int32) -> PixelRect {
    PixelRect(minX: minX + dx, minY: minY + dy, maxX: maxX + dx, maxY: maxY + dy)
  }

  @inlinable
  public func outset(by pixels: Int32) -> PixelRect {
    PixelRect(minX: minX - pixels, minY: minY - pixels, maxX: maxX + pixels, maxY: maxY + pixels)
  }
}
