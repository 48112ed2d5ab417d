import Geometry
import Synchronization

/// What the fourth byte of a pixel means. Declared with every image, never guessed.
public enum AlphaState: UInt8, Sendable {
  /// There is no transparency; the fourth byte is ignored.
  case opaque
  /// Colours are already multiplied by alpha.
  case premultiplied
  /// Colours are as they would be without transparency.
  case straight
}

/// An immutable picture of 8-bit RGBA pixels, rows from the top, no padding; sRGB-encoded.
///
/// A class, so that a layer, a commit and a texture cache can share one copy of the pixels; its `identity` is what a
/// cache knows it by.
public final class Image: Sendable {
  public let size: PixelSize
  public let alpha: AlphaState
  public let pixels: [UInt8]
  /// Differs for any two images of one process.
  public let identity: UInt64

  private static let nextIdentity = Atomic<UInt64>(1)

  /// Nil unless `pixels` holds four bytes for each pixel and both sides are at least one pixel.
  public init?(size: PixelSize, alpha: AlphaState, pixels: [UInt8]) {
    guard size.width > 0, size.height > 0 else { return nil }
    let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    guard !overflow, area <= Int.max / 4, pixels.count == area * 4 else { return nil }
    self.size = size
    self.alpha = alpha
    self.pixels = pixels
    self.identity = Self.nextIdentity.add(1, ordering: .relaxed).oldValue
  }

  public var width: Int { size.width }
  public var height: Int { size.height }

  /// Whether every pixel hides what is behind it.
  /// - Complexity: O(pixels) unless `alpha` is `opaque`.
  public var isOpaque: Bool {
    if alpha == .opaque { return true }
    var index = 3
    while index < pixels.count {
      if pixels[index] != 255 { return false }
      index += 4
    }
    return true
  }
}

/// By identity: two images of equal pixels are two.
extension Image: Hashable {
  public static func == (a: Image, b: Image) -> Bool { a.identity == b.identity }

  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
