import Commit
import Geometry

/// Pictures in files of any format that is read. Their colours become sRGB's, by the profile in the file where it has one.
public enum ImageFile {
  public enum Format: String, Sendable, CaseIterable {
    case png = "PNG"
    case jpeg = "JPEG"
    case webp = "WebP"
  }

  /// The most pixels that a picture may have.
  public static let pixelLimit = 64 << 20

  /// The most pixels that a picture of floats may have.
  static let deepPixelLimit = 16 << 20

  /// The most bytes that a file may have: what so many pixels take without any compression, and some.
  static let byteLimit = 512 << 20

  /// Reads a picture, upright: `opaque` where the format or the file has no transparency, else `straight`.
  public static func read(_ path: String) throws(ImageFileError) -> Image { try decode(bytes(of: path), path: path) }

  /// Decodes a file's bytes, whose first say what format they have.
  /// - Parameter path: what an error calls them.
  public static func decode(_ bytes: [UInt8], path: String = "picture") throws(ImageFileError) -> Image {
    switch format(of: bytes) {
    case .png: return try PNG.decode(bytes, path: path)
    case .jpeg: return try JPEG.decode(bytes, path: path)
    case .webp: return try WebP.decode(bytes, path: path)
    case nil:
      let names = Format.allCases.map(\.rawValue).joined(separator: ", ")
      throw ImageFileError(
        code: .wrongFormat, path: path,
        reason: bytes.isEmpty ? "the file is empty" : "expected a picture (\(names)); the file starts otherwise")
    }
  }

  /// By the first bytes; nil for none that is read.
  public static func format(of bytes: [UInt8]) -> Format? {
    if PNG.begins(bytes) { return .png }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.count >= 12, bytes.starts(with: "RIFF".utf8), bytes[8..<12].elementsEqual("WEBP".utf8) { return .webp }
    return nil
  }

  static func bytes(of path: String) throws(ImageFileError) -> [UInt8] {
    do {
      return try FileBytes.read(path, limit: byteLimit)
    } catch {
      throw ImageFileError(code: .unreadable, path: path, reason: "can't read the picture: \(error.reason)")
    }
  }

  /// How many pixels there are; nothing is allocated for more than the limit.
  static func area(width: Int, height: Int, path: String) throws(ImageFileError) -> Int {
    let (area, overflow) = width.multipliedReportingOverflow(by: height)
    guard width > 0, height > 0 else {
      throw ImageFileError(code: .damaged, path: path, reason: "the picture has \(width) × \(height) pixels")
    }
    guard !overflow, area <= pixelLimit else { throw .tooLarge(path, width: width, height: height) }
    return area
  }

  /// `area` pixels that `fill` writes. What it has not written is never read: no memory is touched for a file that only
  /// claims to be large.
  static func pixels(_ area: Int, _ fill: (UnsafeMutablePointer<UInt8>) -> Bool) -> [UInt8]? {
    let pixels = [UInt8](unsafeUninitializedCapacity: area * 4) { buffer, count in
      if let base = buffer.baseAddress, fill(base) { count = area * 4 }
    }
    return pixels.isEmpty ? nil : pixels
  }
}
