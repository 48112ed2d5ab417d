import Commit

/// Turns an image's pixels into premultiplied ones, in memory that is kept for the next image.
final class PixelScratch {
  /// More than this is given back at once.
  private static let keptBytes = 16 << 20

  private var bytes: [UInt8] = []

  /// Premultiplied RGBA, rows from the top, no padding; valid within `body`.
  func withPremultiplied(_ image: Image, _ body: (UnsafeRawBufferPointer) -> Void) {
    if image.alpha == .premultiplied {
      image.pixels.withUnsafeBytes(body)
      return
    }
    if bytes.count < image.pixels.count { bytes = [UInt8](repeating: 0, count: image.pixels.count) }
    bytes.withUnsafeMutableBufferPointer { target in
      image.pixels.withUnsafeBufferPointer { source in
        if image.alpha == .opaque {
          Self.makeOpaque(source, into: target)
        } else {
          Self.premultiply(source, into: target)
        }
      }
      body(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(target)[..<image.pixels.count]))
    }
    if bytes.count > Self.keptBytes { bytes = [] }
  }

  private static func makeOpaque(_ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>) {
    var index = 0
    while index + 3 < source.count {
      target[index] = source[index]
      target[index + 1] = source[index + 1]
      target[index + 2] = source[index + 2]
      target[index + 3] = 255
      index += 4
    }
  }

  private static func premultiply(
    _ source: UnsafeBufferPointer<UInt8>, into target: UnsafeMutableBufferPointer<UInt8>
  ) {
    var index = 0
    while index + 3 < source.count {
      let alpha = Int(source[index + 3])
      // Rounded to nearest; 255 is odd, so there is no tie.
      target[index] = UInt8((Int(source[index]) * alpha + 127) / 255)
      target[index + 1] = UInt8((Int(source[index + 1]) * alpha + 127) / 255)
      target[index + 2] = UInt8((Int(source[index + 2]) * alpha + 127) / 255)
      target[index + 3] = source[index + 3]
      index += 4
    }
  }
}
