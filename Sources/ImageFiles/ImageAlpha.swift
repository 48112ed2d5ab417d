import Commit

extension Image {
  /// The picture with straight alpha, as files hold it; the very same one unless it is premultiplied.
  public var straight: Image {
    guard alpha == .premultiplied else { return self }
    var result = pixels
    for index in stride(from: 0, to: result.count - 3, by: 4) {
      let alpha = Int(result[index + 3])
      guard alpha < 255 else { continue }
      for channel in index..<index + 3 {
        result[channel] = alpha == 0 ? 0 : UInt8(min(255, (Int(result[channel]) * 255 + alpha / 2) / alpha))
      }
    }
    return Image(size: size, alpha: .straight, pixels: result) ?? self
  }
}
