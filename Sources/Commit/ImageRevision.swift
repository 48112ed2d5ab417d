import Geometry
import Synchronization

/// What a picture of a sequence, a video's frame or a window's buffer, says of the one before it: that the two need no more
/// than one texture, and where they differ. It changes nothing that is seen.
public struct ImageRevision: Sendable, Hashable {
  /// Of the sequence; its pictures are of one size, and one is shown at a time.
  public let stream: UInt64
  /// The picture before, by its identity; 0 for none.
  public let base: UInt64
  /// In pixels of the picture: what may differ from the one before. Nil: everything.
  public let damage: [PixelRect]?

  private static let lastStream = Atomic<UInt64>(0)

  /// A sequence of its own.
  public static func newStream() -> UInt64 { lastStream.add(1, ordering: .relaxed).newValue }

  public init(stream: UInt64, base: UInt64 = 0, damage: [PixelRect]? = nil) {
    self.stream = stream
    self.base = base
    self.damage = base == 0 ? nil : damage
  }
}

extension Image {
  /// The same pixels as the next picture of a sequence. Foreign ones are in none.
  public func revised(_ revision: ImageRevision) -> Image {
    guard foreign == nil else { return self }
    guard let components else { return Image(size: size, alpha: alpha, pixels: pixels, revision: revision) ?? self }
    return Image(size: size, alpha: alpha, encoding: encoding, components: components, revision: revision) ?? self
  }
}
