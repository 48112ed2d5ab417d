import CPNG
import Commit
import Geometry

/// PNG, by libpng. Written with 8 bits a channel; every depth is read, and 16 bits are rounded to 8.
public enum PNG {
  /// The most pixels that a picture may have.
  public static let pixelLimit = ImageFile.pixelLimit

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads a picture: `opaque` where the file has no transparency, else `straight`.
  public static func read(_ path: String) throws(ImageFileError) -> Image {
    try decode(ImageFile.bytes(of: path), path: path)
  }

  /// Decodes a file's bytes.
  /// - Parameter path: what an error calls them.
  public static func decode(_ bytes: [UInt8], path: String = "PNG") throws(ImageFileError) -> Image {
    guard bytes.count >= signature.count || !signature.starts(with: bytes) else {
      throw ImageFileError(code: .truncated, path: path, reason: "the PNG ends before its first pixel")
    }
    guard bytes.starts(with: signature) else {
      throw ImageFileError(code: .wrongFormat, path: path, reason: "expected a PNG; the file starts otherwise")
    }
    let parts = parts(of: bytes)
    guard parts.isWhole else {
      throw ImageFileError(code: .truncated, path: path, reason: "the PNG is cut off: its last part is missing")
    }
    var reader = png_image()
    reader.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&reader) }
    guard png_image_begin_read_from_memory(&reader, bytes, bytes.count) != 0 else {
      throw ImageFileError(code: .damaged, path: path, reason: "the PNG is damaged: \(message(reader))")
    }
    let size = PixelSize(width: Int(reader.width), height: Int(reader.height))
    let area = try ImageFile.area(width: size.width, height: size.height, path: path)
    let alpha: AlphaState = reader.format & alphaFlag != 0 ? .straight : .opaque
    reader.format = rgba
    // Else what has 16 bits and says nothing of its colours would be taken for linear light.
    reader.flags |= sixteenBitsAreEncoded
    let pixels = ImageFile.pixels(area) { target in
      // Bit 1 is an error; a warning, bit 0, may be about nothing but text.
      png_image_finish_read(&reader, nil, target, 0, nil) != 0 && reader.warning_or_error & 2 == 0
    }
    guard let pixels, let image = Image(size: size, alpha: alpha, pixels: pixels) else {
      throw ImageFileError(code: .damaged, path: path, reason: "the PNG is damaged: \(message(reader))")
    }
    return parts.orientation.applied(to: image)
  }

  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Writes a picture, with straight alpha; without an alpha channel where the picture is `opaque`. There is either the
  /// old file or the whole new one at any time.
  public static func write(_ image: Image, to path: String) throws(ImageFileError) {
    let bytes = try encode(image, path: path)
    do {
      try FileBytes.write(bytes, to: path)
    } catch {
      throw ImageFileError(code: .unwritable, path: path, reason: "can't write the picture: \(error.reason)")
    }
  }

  /// Encodes a picture as a file's bytes.
  /// - Parameter path: what an error calls them.
  public static func encode(_ image: Image, path: String = "PNG") throws(ImageFileError) -> [UInt8] {
    let image = image.straight
    guard image.size.area <= pixelLimit else {
      throw .tooLarge(path, width: image.width, height: image.height, "written")
    }
    var pixels = image.pixels
    if image.alpha == .opaque {
      for index in stride(from: 3, to: pixels.count, by: 4) { pixels[index] = 255 }
    }
    var writer = png_image()
    writer.version = png_uint_32(PNG_IMAGE_VERSION)
    writer.width = png_uint_32(image.width)
    writer.height = png_uint_32(image.height)
    writer.format = rgba
    defer { png_image_free(&writer) }
    // Rows with a filter byte each, and a margin for what frames data that can't be compressed: 5 bytes for each 16 KiB
    // block and 12 for each 8 KiB chunk.
    var bytes = [UInt8](repeating: 0, count: pixels.count + image.height + pixels.count / 256 + 4096)
    var count = bytes.count
    let isWritten = bytes.withUnsafeMutableBytes { target in
      pixels.withUnsafeBytes { source in
        png_image_write_to_memory(&writer, target.baseAddress, &count, 0, source.baseAddress, 0, nil) != 0
      }
    }
    guard isWritten, count <= bytes.count else {
      throw ImageFileError(code: .unwritable, path: path, reason: "can't encode the picture: \(message(writer))")
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  // The names of the formats are macros that Swift does not see.
  private static let alphaFlag: png_uint_32 = 1
  private static let rgba: png_uint_32 = 3
  private static let sixteenBitsAreEncoded: png_uint_32 = 4

  /// Whether the file's parts follow each other up to the one that ends it, since libpng takes some that are cut off; and
  /// how the picture lies.
  private static func parts(of bytes: [UInt8]) -> (isWhole: Bool, orientation: Orientation) {
    var orientation = Orientation.upright
    var position = signature.count
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let kind = bytes[position + 4..<position + 8]
      guard length <= bytes.count - position - 12 else { break }
      if kind.elementsEqual("IEND".utf8) { return (true, orientation) }
      if kind.elementsEqual("eXIf".utf8) {
        orientation = Orientation(exif: bytes[position + 8..<position + 8 + length])
      }
      position += length + 12
    }
    return (false, orientation)
  }

  private static func message(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
