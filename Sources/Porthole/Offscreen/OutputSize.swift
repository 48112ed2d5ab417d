import Geometry

extension PixelSize {
  /// The pixels of an output; a part of one at the right or bottom counts as a whole.
  /// - Throws: `invalidSize` unless each side has 1 to `limit` pixels.
  static func ofOutput(_ size: Size, scale: Double, limit: Int) throws(OffscreenError) -> PixelSize {
    let (width, height) = ((size.width * scale).rounded(.up), (size.height * scale).rounded(.up))
    let range = 1...Double(max(1, limit))
    guard scale > 0, range.contains(width), range.contains(height) else {
      throw OffscreenError(
        .invalidSize,
        "\(size.width) × \(size.height) points at a scale of \(scale) are no picture; each side must have 1 to \(limit) pixels"
      )
    }
    return PixelSize(width: Int(width), height: Int(height))
  }
}
