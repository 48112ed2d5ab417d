import CWebP
import Commit
import Geometry

/// WebP, read by libwebp: lossy and lossless, with transparency; not animations.
enum WebP {
  static func decode(_ bytes: [UInt8], path: String) throws(ImageFileError) -> Image {
    var features = WebPBitstreamFeatures()
    let status = WebPGetFeatures(bytes, bytes.count, &features)
    guard status == VP8_STATUS_OK else { throw failure(status, path) }
    guard features.has_animation == 0 else {
      throw ImageFileError(
        code: .unsupported, path: path, reason: "the WebP is an animation; save one of its pictures by itself")
    }
    let size = PixelSize(width: Int(features.width), height: Int(features.height))
    let area = try ImageFile.area(width: size.width, height: size.height, path: path)
    guard isWhole(bytes) else { throw failure(VP8_STATUS_NOT_ENOUGH_DATA, path) }
    let pixels = ImageFile.pixels(area) { target in
      WebPDecodeRGBAInto(bytes, bytes.count, target, area * 4, features.width * 4) != nil
    }
    guard let pixels else { throw failure(VP8_STATUS_BITSTREAM_ERROR, path) }
    let profile = chunk("ICCP", of: bytes)
    let picture = DecodedPicture(
      size: size, alpha: features.has_alpha != 0 ? .straight : .opaque, pixels: .bytes(pixels),
      colors: profile.map { .profile(Array($0)) } ?? .sRGB)
    guard let image = picture.image(path: path) else { throw failure(VP8_STATUS_BITSTREAM_ERROR, path) }
    return chunk("EXIF", of: bytes).map { Orientation(exif: $0) }?.applied(to: image) ?? image
  }

  private static func failure(_ status: VP8StatusCode, _ path: String) -> ImageFileError {
    switch status {
    case VP8_STATUS_NOT_ENOUGH_DATA:
      ImageFileError(code: .truncated, path: path, reason: "the WebP is cut off: its last part is missing")
    case VP8_STATUS_UNSUPPORTED_FEATURE:
      ImageFileError(code: .unsupported, path: path, reason: "the WebP has a feature that libwebp does not read")
    case VP8_STATUS_OUT_OF_MEMORY:
      ImageFileError(code: .tooLarge, path: path, reason: "there is not enough memory for the WebP")
    default: ImageFileError(code: .damaged, path: path, reason: "the WebP is damaged: libwebp can't decode it")
    }
  }

  /// Whether there are as many bytes as the file says of itself.
  private static func isWhole(_ bytes: [UInt8]) -> Bool { bytes.count >= 12 && bytes.count - 8 >= length(bytes, 4) }

  private static func length(_ bytes: [UInt8], _ place: Int) -> Int {
    bytes[place..<place + 4].reversed().reduce(0) { $0 << 8 | Int($1) }
  }

  private static func chunk(_ name: String, of bytes: [UInt8]) -> ArraySlice<UInt8>? {
    var position = 12
    while position <= bytes.count - 8 {
      let length = length(bytes, position + 4)
      guard length <= bytes.count - position - 8 else { break }
      if bytes[position..<position + 4].elementsEqual(name.utf8) {
        return bytes[position + 8..<position + 8 + length]
      }
      // Chunks begin at even places.
      position += 8 + length + length % 2
    }
    return nil
  }
}
