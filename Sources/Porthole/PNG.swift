import CPNG
import Commit
import Geometry

/// Why a PNG could not be read or written.
public struct PNGError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    /// The file can't be opened or read.
    case unreadable
    case notPNG
    /// The file ends too early.
    case truncated
    /// More pixels than `PNG.pixelLimit`.
    case tooLarge
    /// The file's contents contradict themselves.
    case damaged
    case unwritable
  }

  public var code: Code
  public var path: String
  public var reason: String

  public var description: String { "\(path): \(reason)" }
}

/// Pictures in files: PNG, 8 bits a channel, sRGB.
public enum PNG {
  /// The most pixels that a picture may have.
  public static let pixelLimit = 64 << 20

  /// The most bytes that a file may have: what so many pixels take without any compression, and some.
  private static let byteLimit = 512 << 20
  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads a picture: `opaque` where the file has no transparency, else `straight`. Other depths are converted.
  public static func read(_ path: String) throws(PNGError) -> Image {
    let bytes: [UInt8]
    do {
      bytes = try FileBytes.read(path, limit: byteLimit)
    } catch {
      throw PNGError(code: .unreadable, path: path, reason: "can't read the picture: \(error.reason)")
    }
    return try decode(bytes, path: path)
  }

  /// Decodes a file's bytes.
  /// - Parameter path: what an error calls them.
  public static func decode(_ bytes: [UInt8], path: String = "PNG") throws(PNGError) -> Image {
    guard bytes.count >= signature.count || !signature.starts(with: bytes) else {
      throw PNGError(code: .truncated, path: path, reason: "the PNG ends before its first pixel")
    }
    guard bytes.starts(with: signature) else {
      throw PNGError(code: .notPNG, path: path, reason: "expected a PNG; the file starts otherwise")
    }
    guard endsProperly(bytes) else {
      throw PNGError(code: .truncated, path: path, reason: "the PNG is cut off: its last part is missing")
    }
    var reader = png_image()
    reader.version = png_uint_32(PNG_IMAGE_VERSION)
    defer { png_image_free(&reader) }
    let outcome: (size: PixelSize, alpha: AlphaState, pixels: [UInt8])? = bytes.withUnsafeBytes { raw in
      guard png_image_begin_read_from_memory(&reader, raw.baseAddress, raw.count) != 0 else { return nil }
      let size = PixelSize(width: Int(reader.width), height: Int(reader.height))
      let (area, overflow) = size.width.multipliedReportingOverflow(by: size.height)
      guard !overflow, area <= pixelLimit else { return (size, .opaque, []) }
      let alpha: AlphaState = reader.format & alphaFlag != 0 ? .straight : .opaque
      reader.format = rgba
      var pixels = [UInt8](repeating: 0, count: area * 4)
      let isRead = pixels.withUnsafeMutableBytes { png_image_finish_read(&reader, nil, $0.baseAddress, 0, nil) != 0 }
      // Bit 1 is an error; a warning, bit 0, may be about nothing but text.
      return isRead && reader.warning_or_error & 2 == 0 ? (size, alpha, pixels) : nil
    }
    guard let outcome else {
      throw PNGError(code: .damaged, path: path, reason: "the PNG is damaged: \(message(reader))")
    }
    guard let image = Image(size: outcome.size, alpha: outcome.alpha, pixels: outcome.pixels) else {
      throw PNGError(
        code: .tooLarge, path: path,
        reason:
          "the picture has \(outcome.size.width) × \(outcome.size.height) pixels; at most \(pixelLimit >> 20) Mi are read"
      )
    }
    return image
  }

  /// Writes a picture, with straight alpha; without an alpha channel where the picture is `opaque`. There is either the
  /// old file or the whole new one at any time.
  public static func write(_ image: Image, to path: String) throws(PNGError) {
    let bytes = try encode(image, path: path)
    do {
      try FileBytes.write(bytes, to: path)
    } catch {
      throw PNGError(code: .unwritable, path: path, reason: "can't write the picture: \(error.reason)")
    }
  }

  /// Encodes a picture as a file's bytes.
  /// - Parameter path: what an error calls them.
  public static func encode(_ image: Image, path: String = "PNG") throws(PNGError) -> [UInt8] {
    let image = image.straight
    guard image.size.area <= pixelLimit else {
      throw PNGError(
        code: .tooLarge, path: path,
        reason: "the picture has \(image.width) × \(image.height) pixels; at most \(pixelLimit >> 20) Mi are written")
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
      throw PNGError(code: .unwritable, path: path, reason: "can't encode the picture: \(message(writer))")
    }
    bytes.removeLast(bytes.count - count)
    return bytes
  }

  // The names of the formats are macros that Swift does not see.
  private static let alphaFlag: png_uint_32 = 1
  private static let rgba: png_uint_32 = 3

  /// Whether the file's parts follow each other up to the one that ends it: libpng takes some that are cut off.
  private static func endsProperly(_ bytes: [UInt8]) -> Bool {
    var position = signature.count
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      let kind = bytes[position + 4..<position + 8]
      guard length <= bytes.count - position - 12 else { return false }
      if kind.elementsEqual("IEND".utf8) { return true }
      position += length + 12
    }
    return false
  }

  private static func message(_ image: png_image) -> String {
    withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
  }
}
