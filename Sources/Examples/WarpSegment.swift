import Porthole

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A chord of the quarter of a circle along which a strip bends away.
public struct WarpSegment: Sendable {
  /// Of the chord against the flat part, in radians; not positive.
  public var angle: Double
  /// Of the chord, in points.
  public var length: Double
  /// Where it begins on the unit circle.
  public var start: Point

  /// - Parameters:
  ///   - count: how many strips the quarter of a circle has.
  ///   - radius: of the circle, in points.
  public static func arc(_ count: Int, radius: Double) -> [WarpSegment] {
    let step = Double.pi / 2 / Double(max(1, count))
    return (0..<max(1, count)).map { index in
      let angle = Double.pi / 2 - Double(index + 1) * step
      let (start, end) = (Point(cos(angle + step), sin(angle + step)), Point(cos(angle), sin(angle)))
      let (dx, dy) = (end.x - start.x, end.y - start.y)
      return WarpSegment(angle: atan2(dy, dx), length: hypot(dx, dy) * radius, start: start)
    }
  }

  /// Of a layer that begins at the flat part's edge.
  /// - Parameters:
  ///   - sign: 1 for the lower end, -1 for the upper one.
  ///   - perspective: how far away the eye is, in points.
  public func transform(radius: Double, sign: Double, perspective: Double) -> Transform3D {
    .rotation(angle: -sign * angle, x: 1, y: 0, z: 0)
      * .translation(x: 0, y: sign * start.x * radius, z: (1 - start.y) * radius)
      * Transform3D(m34: 1 / perspective)
  }
}
