import Commit
import Geometry

/// The pixels that a portal with `sampling: nearest` shows its source in: those that the source has by itself, upright, at the
/// output's scale. Each pixel of the portal shows the one of them in which its middle lies.
public struct SourcePixels: Sendable, Hashable {
  /// Pixels a point.
  public var scaleX: Double
  public var scaleY: Double
  /// The point of the source's layer space at which one of them begins.
  public var origin: Point

  /// The source's layer space to them.
  public var matrix: Homography {
    Homography(m11: scaleX, m22: scaleY, m41: -origin.x * scaleX, m42: -origin.y * scaleY)
  }

  /// What lies as near before the edge of one of them, in these pixels, is in it: no rounding decides.
  public static let tie = 1.0 / 4096
}

extension Snapshot {
  /// Nil for a portal that shows its source drawn in its own place.
  /// - Parameters:
  ///   - scale: the output's pixels a point.
  ///   - placement: the source's layer space to the pixels in which the portal shows it.
  public func sourcePixels(of portal: SnapshotPortal, scale: Double, under placement: Homography) -> SourcePixels? {
    guard portal.sampling == .nearest, portal.source >= 0, scale.isFinite, scale > 0 else { return nil }
    let bounds = nodes[Int(portal.source)].bounds
    let map = placement.scales(at: bounds.center)
    return SourcePixels(
      scaleX: Self.density(scale, shown: map.map { length($0.a, $0.b) } ?? scale),
      scaleY: Self.density(scale, shown: map.map { length($0.c, $0.d) } ?? scale), origin: bounds.origin)
  }

  /// Halved where there would be more than two of them for a pixel, so that they are no more than show.
  private static func density(_ scale: Double, shown: Double) -> Double {
    var density = scale
    // One that is shown at half its size but for rounding is.
    while density > 2 * shown * (1 + 1e-6), density > scale * 0x1p-40 { density /= 2 }
    return density
  }
}
