import Commit
import Diagnostics
import Geometry

/// A picture as it stands in a file, in whatever colours.
struct DecodedPicture {
  /// Four components for each pixel.
  enum Samples {
    case bytes([UInt8])
    case deep([UInt16])
  }

  var size: PixelSize
  var alpha: AlphaState
  var pixels: Samples
  var colors: FileColors
  /// Red, green and blue are one.
  var isGray = false

  /// The picture in sRGB: of 8 bits where it was so and sRGB can hold its colours, else of floats. Where what the file says of
  /// its colours makes no sense, they are taken for sRGB's, with a warning.
  func image(path: String) -> Image? {
    do throws(ColorFailure) {
      guard let conversion = try ColorConversion(colors, isGray: isGray) else { return plain }
      return converted(conversion)
    } catch {
      Log.warning("images", "\(path): its colours are taken for sRGB: \(error.reason)")
      return plain
    }
  }

  /// As it stands.
  private var plain: Image? {
    switch pixels {
    case .bytes(let bytes): Image(size: size, alpha: alpha, pixels: bytes)
    case .deep(let samples):
      Image(size: size, alpha: alpha, encoding: .encoded, components: samples.map { Float($0) / 65_535 })
    }
  }

  private func converted(_ conversion: ColorConversion) -> Image? {
    if case .bytes(let bytes) = pixels, let result = conversion.bytes(bytes, width: size.width) {
      return Image(size: size, alpha: alpha, pixels: result)
    }
    // What has no place in sRGB is kept only where there is the room.
    if size.area > ImageFile.deepPixelLimit, case .bytes(let bytes) = pixels {
      return conversion.bytes(bytes, width: size.width, isHeld: true)
        .flatMap { Image(size: size, alpha: alpha, pixels: $0) }
    }
    var components: [Float]
    switch pixels {
    case .bytes(let bytes): components = bytes.map { Float($0) / 255 }
    case .deep(let samples): components = samples.map { Float($0) / 65_535 }
    }
    conversion.convert(&components, width: size.width)
    return Image(size: size, alpha: alpha, encoding: .encoded, components: components)
  }
}
