import Commit
import Geometry

/// A frame as a renderer gives it: premultiplied RGBA, rows from the top.
enum Pixels: Sendable {
  case bytes([UInt8])
  case components([Float], ColorEncoding)

  /// Nil where there are not as many as that.
  func image(_ size: PixelSize) -> Image? {
    switch self {
    case .bytes(let pixels): Image(size: size, alpha: .premultiplied, pixels: pixels)
    case .components(let components, let encoding):
      Image(size: size, alpha: .premultiplied, encoding: encoding, components: components)
    }
  }
}
