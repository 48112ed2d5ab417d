import Geometry
import Synchronization

/// What the fourth component of a pixel means. Declared with every image, never guessed.
public enum AlphaState: UInt8, Sendable {
  /// There is no transparency; the fourth component is ignored.
  case opaque
  /// Colours are already multiplied by alpha.
  case premultiplied
  /// Colours are as they would be without transparency.
  case straight
}

/// Pixels that lie outside of this process's own memory, such as in a driver's. Whoever draws them knows of what kind.
public protocol ForeignPixels: AnyObject, Sendable {}

/// An immutable picture of RGBA pixels, rows from the top, no padding: of 8 bits a component, or of floats with all the
/// precision and range that a file or a frame of half floats has.
///
/// A class, so that a layer, a commit and a texture cache can share one copy of the pixels; its `identity` is what a
/// cache knows it by.
public final class Image: Sendable {
  public let size: PixelSize
  public let alpha: AlphaState
  /// Four bytes a pixel, sRGB-encoded. Of a picture of floats, what eight bits can show of it. Empty where they are foreign.
  public let pixels: [UInt8]
  /// Four components a pixel, all finite, in `encoding`; nil for a picture of 8 bits.
  public let components: [Float]?
  /// Of `components`.
  public let encoding: ColorEncoding
  /// Where the pixels are, if neither in `pixels` nor in `components`.
  public let foreign: (any ForeignPixels)?
  /// Differs for any two images of one process.
  public let identity: UInt64
  /// Set for a picture that takes the place of another one.
  public let revision: ImageRevision?

  private static let nextIdentity = Atomic<UInt64>(1)

  /// Nil unless `pixels` holds four bytes for each pixel and both sides are at least one pixel.
  /// - Parameter revision: which picture it takes the place of, and where it differs; of the same size.
  public init?(size: PixelSize, alpha: AlphaState, pixels: [UInt8], revision: ImageRevision? = nil) {
    guard Self.holds(pixels.count, size) else { return nil }
    self.size = size
    self.alpha = alpha
    self.pixels = pixels
    components = nil
    encoding = .encoded
    foreign = nil
    self.revision = revision?.held(to: size)
    identity = Self.nextIdentity.add(1, ordering: .relaxed).oldValue
  }

  /// A picture of floats. What is not finite counts as 0.
  ///
  /// Nil unless there are four components for each pixel and both sides are at least one pixel.
  public init?(
    size: PixelSize, alpha: AlphaState, encoding: ColorEncoding, components: [Float], revision: ImageRevision? = nil
  ) {
    guard Self.holds(components.count, size) else { return nil }
    let isFinite = components.allSatisfy(\.isFinite)
    let components = isFinite ? components : components.map { $0.isFinite ? $0 : 0 }
    self.size = size
    self.alpha = alpha
    self.components = components
    self.encoding = encoding
    pixels = Self.bytes(components, alpha, encoding)
    foreign = nil
    self.revision = revision?.held(to: size)
    identity = Self.nextIdentity.add(1, ordering: .relaxed).oldValue
  }

  private static func holds(_ count: Int, _ size: PixelSize) -> Bool {
    guard size.width > 0, size.height > 0 else { return false }
    let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
    return !overflow && area <= Int.max / 16 && count == area * 4
  }

  /// A picture whose pixels only the GPU reads. Nil for a size without pixels.
  public init?(size: PixelSize, alpha: AlphaState, foreign: any ForeignPixels, revision: ImageRevision? = nil) {
    guard size.width > 0, size.height > 0 else { return nil }
    self.size = size
    self.alpha = alpha
    pixels = []
    components = nil
    encoding = .encoded
    self.foreign = foreign
    self.revision = revision?.held(to: size)
    identity = Self.nextIdentity.add(1, ordering: .relaxed).oldValue
  }

  public var width: Int { size.width }
  public var height: Int { size.height }
  public var format: PixelFormat { components == nil ? .rgba8 : .rgba16f }

  /// Whether every pixel hides what is behind it.
  /// - Complexity: O(pixels) unless `alpha` is `opaque`.
  public var isOpaque: Bool {
    if alpha == .opaque { return true }
    guard foreign == nil else { return false }
    var index = 3
    while index < pixels.count {
      if pixels[index] != 255 { return false }
      index += 4
    }
    return true
  }

  /// Encoded, held to 0…1 and rounded to nearest.
  private static func bytes(_ components: [Float], _ alpha: AlphaState, _ encoding: ColorEncoding) -> [UInt8] {
    func byte(_ value: Float) -> UInt8 { UInt8((min(1, max(0, value)) * 255).rounded()) }
    var result: [UInt8] = []
    result.reserveCapacity(components.count)
    for index in stride(from: 0, to: components.count - 3, by: 4) {
      let cover = alpha == .opaque ? 1 : min(1, max(0, components[index + 3]))
      for channel in index..<index + 3 {
        var value = components[channel]
        if encoding == .linear {
          let isPremultiplied = alpha == .premultiplied
          value = isPremultiplied ? (cover > 0 ? value / cover : 0) : value
          value = min(1, SRGBCurve.encode(value)) * (isPremultiplied ? cover : 1)
        }
        result.append(byte(alpha == .premultiplied ? min(cover, value) : value))
      }
      result.append(byte(cover))
    }
    return result
  }
}

/// By identity: two images of equal pixels are two.
extension Image: Hashable {
  public static func == (a: Image, b: Image) -> Bool { a.identity == b.identity }

  public func hash(into hasher: inout Hasher) { hasher.combine(identity) }
}
