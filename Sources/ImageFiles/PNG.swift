import CPNG
import CPNGShim
import Commit
import Geometry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// PNG, by libpng. A picture of floats is written with 16 bits a component, any other with 8; every depth is read, 16 bits as
/// floats.
public enum PNG {
  /// The most pixels that a picture may have.
  public static let pixelLimit = ImageFile.pixelLimit

  private static let signature: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  /// Reads a picture: `opaque` where the file has no transparency, else `straight`. Its colours are sRGB's, whatever the file
  /// has them in.
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
    var picture: DecodedPicture?
    var failure: ImageFileError?
    // The reader looks at the bytes for as long as it lives.
    bytes.withUnsafeBufferPointer { buffer in
      do throws(ImageFileError) { picture = try read(buffer, path) } catch { failure = error }
    }
    if let failure { throw failure }
    guard let image = picture?.image(path: path) else {
      throw ImageFileError(code: .damaged, path: path, reason: "the PNG is damaged: it has no pixels")
    }
    return parts.orientation.applied(to: image)
  }

  private static func read(
    _ bytes: UnsafeBufferPointer<UInt8>, _ path: String
  ) throws(ImageFileError) -> DecodedPicture {
    var message = [CChar](repeating: 0, count: 128)
    var info = cpng_info()
    guard let reader = cpng_open(bytes.baseAddress, bytes.count, &info, &message) else {
      throw damaged(path, message)
    }
    defer { cpng_close(reader) }
    let area = try ImageFile.area(width: Int(info.width), height: Int(info.height), path: path)
    let isDeep = info.depth == 16
    if isDeep, area > ImageFile.deepPixelLimit {
      throw .tooLarge(path, width: Int(info.width), height: Int(info.height), limit: ImageFile.deepPixelLimit)
    }
    var samples: [UInt16] = []
    var pixels: [UInt8] = []
    if isDeep {
      samples = [UInt16](unsafeUninitializedCapacity: area * 4) { buffer, count in
        if cpng_read(reader, buffer.baseAddress, &message) != 0 { count = area * 4 }
      }
    } else {
      pixels = ImageFile.pixels(area) { cpng_read(reader, $0, &message) != 0 } ?? []
    }
    guard !samples.isEmpty || !pixels.isEmpty else { throw damaged(path, message) }
    return DecodedPicture(
      size: PixelSize(width: Int(info.width), height: Int(info.height)),
      alpha: info.has_alpha != 0 ? .straight : .opaque, pixels: isDeep ? .deep(samples) : .bytes(pixels),
      colors: FileColors(info), isGray: info.is_gray != 0)
  }

  private static func damaged(_ path: String, _ message: [CChar]) -> ImageFileError {
    ImageFileError(code: .damaged, path: path, reason: "the PNG is damaged: \(text(message))")
  }

  private static func text(_ message: [CChar]) -> String {
    String(decoding: message.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: signature) }

  /// Writes a picture, encoded and with straight alpha; without an alpha channel where the picture is `opaque`. What lies
  /// beyond 0…1 is held to that. There is either the old file or the whole new one at any time.
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
    guard image.size.area <= pixelLimit else {
      throw .tooLarge(path, width: image.width, height: image.height, "written")
    }
    let image = image.encoded
    if let components = image.components {
      return try encodeDeep(components, image.size, hasAlpha: image.alpha != .opaque, path)
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

  /// Rounded to the nearest of 16 bits.
  private static func encodeDeep(
    _ components: [Float], _ size: PixelSize, hasAlpha: Bool, _ path: String
  ) throws(ImageFileError) -> [UInt8] {
    let samples = components.map { UInt16((min(1, max(0, $0)) * 65_535).rounded()) }
    var message = [CChar](repeating: 0, count: 128)
    var count = 0
    let bytes = cpng_write(
      samples, UInt32(clamping: size.width), UInt32(clamping: size.height), hasAlpha ? 1 : 0, &count, &message)
    guard let bytes else {
      throw ImageFileError(code: .unwritable, path: path, reason: "can't encode the picture: \(text(message))")
    }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  /// Encodes a part of a picture of premultiplied RGBA, as fast as can be: for what is looked at once and thrown away.
  /// Without an alpha channel where all of the part is opaque.
  public static func encodeQuickly(
    _ rect: PixelRect, of pixels: [UInt8], size: PixelSize
  ) throws(ImageFileError) -> [UInt8] {
    let rect = rect.intersection(PixelRect(size: size))
    guard !rect.isEmpty, pixels.count == size.area * 4 else {
      throw ImageFileError(code: .unwritable, path: "PNG", reason: "can't encode the picture: there are no such pixels")
    }
    let isOpaque = pixels.withUnsafeBufferPointer { all in
      for y in Int(rect.minY)..<Int(rect.maxY) {
        var least: UInt8 = 255
        for x in Int(rect.minX)..<Int(rect.maxX) { least &= all[(y * size.width + x) * 4 + 3] }
        if least != 255 { return false }
      }
      return true
    }
    var (source, width, first) = (pixels, size.width, (Int(rect.minY) * size.width + Int(rect.minX)) * 4)
    if !isOpaque {
      var part: [UInt8] = []
      part.reserveCapacity(rect.area * 4)
      for y in 0..<rect.height {
        let start = first + y * size.width * 4
        part += pixels[start..<start + rect.width * 4]
      }
      source = Image(size: rect.size, alpha: .premultiplied, pixels: part)?.straight.pixels ?? part
      (width, first) = (rect.width, 0)
    }
    var message = [CChar](repeating: 0, count: 128)
    var count = 0
    let bytes = source.withUnsafeBufferPointer { all in
      cpng_write_quickly(
        all.baseAddress.map { $0 + first }, width * 4, UInt32(rect.width), UInt32(rect.height), isOpaque ? 0 : 1,
        &count,
        &message)
    }
    guard let bytes else {
      throw ImageFileError(code: .unwritable, path: "PNG", reason: "can't encode the picture: \(text(message))")
    }
    defer { free(bytes) }
    return Array(UnsafeBufferPointer(start: bytes, count: count))
  }

  // The name of the format is a macro that Swift does not see.
  private static let rgba: png_uint_32 = 3

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

extension FileColors {
  /// What a PNG's parts say; a profile comes before all others.
  fileprivate init(_ info: cpng_info) {
    if info.is_srgb != 0 {
      self = .sRGB
    } else if let profile = info.profile, info.profile_size > 0 {
      self = .profile(Array(UnsafeBufferPointer(start: profile, count: info.profile_size)))
    } else if info.gamma > 0 || info.has_chromaticities != 0 {
      let c = info.chromaticities
      self = .primaries(
        gamma: info.gamma > 0 ? info.gamma : nil,
        chromaticities: info.has_chromaticities != 0 ? [c.0, c.1, c.2, c.3, c.4, c.5, c.6, c.7] : nil)
    } else {
      self = .sRGB
    }
  }
}
