import Commit
import Geometry

extension Image {
  /// The picture with straight alpha, as files hold it; the very same one unless it is premultiplied.
  public var straight: Image {
    guard alpha == .premultiplied else { return self }
    if let components {
      var result = components
      for index in stride(from: 0, to: result.count - 3, by: 4) {
        let alpha = result[index + 3]
        for channel in index..<index + 3 { result[channel] = alpha > 0 ? result[channel] / alpha : 0 }
      }
      return Image(size: size, alpha: .straight, encoding: encoding, components: result) ?? self
    }
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

  /// The picture with straight alpha and encoded components, as files hold them; the very same one where it is so.
  public var encoded: Image {
    let image = straight
    guard image.encoding == .linear, var result = image.components else { return image }
    for index in stride(from: 0, to: result.count - 3, by: 4) {
      for channel in index..<index + 3 { result[channel] = SRGBCurve.encode(result[channel]) }
    }
    return Image(size: size, alpha: image.alpha, encoding: .encoded, components: result) ?? image
  }
}
