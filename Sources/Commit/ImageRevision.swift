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

  /// Of more rectangles than this, nobody works out the sum: everything differs.
  public static let rectLimit = 64

  private static let lastStream = Atomic<UInt64>(0)

  /// A sequence of its own.
  public static func newStream() -> UInt64 { lastStream.add(1, ordering: .relaxed).newValue }

  public init(stream: UInt64, base: UInt64 = 0, damage: [PixelRect]? = nil) {
    self.stream = stream
    self.base = base
    self.damage = base == 0 ? nil : damage
  }

  /// What of a picture another one of its sequence refers to.
  public struct Base: Sendable {
    fileprivate let identity: UInt64
    fileprivate let stream: UInt64
    fileprivate let form: Form

    /// Nil for a picture of no sequence.
    public init?(_ image: Image) {
      guard let revision = image.revision else { return nil }
      (identity, stream, form) = (image.identity, revision.stream, Form(image))
    }
  }

  /// What pictures of one sequence have in common.
  public struct Form: Sendable, Hashable {
    let size: PixelSize
    let alpha: AlphaState
    let isForeign: Bool

    public init(size: PixelSize, alpha: AlphaState, isForeign: Bool) {
      (self.size, self.alpha, self.isForeign) = (size, alpha, isForeign)
    }

    public init(_ image: Image) { self.init(size: image.size, alpha: image.alpha, isForeign: image.foreign != nil) }
  }

  /// The next picture after `base`: of its sequence where the two are of one form, else the first of another.
  /// - Parameter damage: where the two differ; nil for everywhere.
  public init(after base: Base?, form: Form, damage: [PixelRect]?) {
    guard let base, base.form == form else {
      self.init(stream: Self.newStream())
      return
    }
    self.init(stream: base.stream, base: base.identity, damage: damage)
  }

  /// What lies outside of a picture of that size is left out.
  func held(to size: PixelSize) -> ImageRevision {
    guard let damage else { return self }
    let whole = PixelRect(size: size)
    let parts = damage.map { $0.intersection(whole) }.filter { !$0.isEmpty }
    return ImageRevision(stream: stream, base: base, damage: parts.count > Self.rectLimit ? [whole] : parts)
  }
}

extension Image {
  /// The same pixels as the next picture of a sequence.
  public func revised(_ revision: ImageRevision) -> Image {
    if let foreign { return Image(size: size, alpha: alpha, foreign: foreign, revision: revision) ?? self }
    guard let components else { return Image(size: size, alpha: alpha, pixels: pixels, revision: revision) ?? self }
    return Image(size: size, alpha: alpha, encoding: encoding, components: components, revision: revision) ?? self
  }
}
