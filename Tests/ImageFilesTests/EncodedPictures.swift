import CTurboJPEG
import CWebP
import Foundation
import Geometry

/// Files that the tests read, made by other encoders or by hand.
enum EncodedPictures {
  /// Rows of red, green and blue, whose every quarter has a colour of its own.
  static func quarters(_ size: PixelSize) -> [UInt8] {
    let colors: [[UInt8]] = [[220, 40, 40], [40, 200, 60], [50, 80, 220], [230, 210, 60]]
    var pixels: [UInt8] = []
    for y in 0..<size.height {
      for x in 0..<size.width {
        let quarter = (y * 2 / size.height) * 2 + x * 2 / size.width
        pixels += colors[quarter]
      }
    }
    return pixels
  }

  static func jpeg(
    _ pixels: [UInt8], _ size: PixelSize, format: TJPF = TJPF_RGB, subsampling: TJSAMP = TJSAMP_444,
    isProgressive: Bool = false
  ) -> [UInt8] {
    guard let handle = tjInitCompress() else { return [] }
    defer { tjDestroy(handle) }
    var data: UnsafeMutablePointer<UInt8>?
    var count: UInt = 0
    let flags = isProgressive ? TJFLAG_PROGRESSIVE : 0
    guard
      tjCompress2(
        handle, pixels, Int32(size.width), 0, Int32(size.height), Int32(format.rawValue), &data, &count,
        Int32(subsampling.rawValue), 98, flags) == 0, let data
    else { return [] }
    defer { tjFree(data) }
    return Array(UnsafeBufferPointer(start: data, count: Int(count)))
  }

  /// RGBA, without loss.
  static func webp(_ pixels: [UInt8], _ size: PixelSize) -> [UInt8] {
    var data: UnsafeMutablePointer<UInt8>?
    let count = WebPEncodeLosslessRGBA(pixels, Int32(size.width), Int32(size.height), Int32(size.width * 4), &data)
    guard count > 0, let data else { return [] }
    defer { WebPFree(data) }
    return Array(UnsafeBufferPointer(start: data, count: count))
  }

  /// A PNG with stored, that is uncompressed, rows.
  /// - Parameter colorType: as the format numbers it: 0 grey, 2 colour, 6 colour and alpha.
  static func png(
    _ size: PixelSize, depth: UInt8, colorType: UInt8, rows: [[UInt8]], extra: [(String, [UInt8])] = []
  ) -> [UInt8] {
    let data = rows.flatMap { (row: [UInt8]) -> [UInt8] in [0] + row }
    var stream: [UInt8] = [0x78, 0x01]
    var rest = data[...]
    repeat {
      let part = rest.prefix(65_535)
      rest = rest.dropFirst(part.count)
      let (low, high) = (UInt8(part.count & 255), UInt8(part.count >> 8))
      let last: UInt8 = rest.isEmpty ? 1 : 0
      stream += [last, low, high, ~low, ~high]
      stream += part
    } while !rest.isEmpty
    var (a, b): (UInt32, UInt32) = (1, 0)
    for byte in data {
      a = (a + UInt32(byte)) % 65_521
      b = (b + a) % 65_521
    }
    stream += big(b << 16 | a)
    var header = big(UInt32(size.width)) + big(UInt32(size.height))
    header += [depth, colorType, 0, 0, 0]
    var bytes: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
    let parts: [(String, [UInt8])] = [("IHDR", header)] + extra + [("IDAT", stream), ("IEND", [])]
    for (name, body) in parts {
      bytes += chunk(name, body)
    }
    return bytes
  }

  private static func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] {
    let named = Array(name.utf8) + body
    var bytes = big(UInt32(body.count))
    bytes += named
    bytes += big(checksum(named))
    return bytes
  }

  private static func checksum(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  static func big(_ value: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: value >> (24 - 8 * $0)) } }

  /// A TIFF block whose one directory has a tag before the orientation.
  static func exif(orientation: UInt8, isLittleEndian: Bool) -> [UInt8] {
    var bytes: [UInt8] = isLittleEndian ? [0x49, 0x49] : [0x4D, 0x4D]
    func short(_ value: UInt16) {
      let (high, low) = (UInt8(value >> 8), UInt8(value & 255))
      bytes += isLittleEndian ? [low, high] : [high, low]
    }
    func long(_ value: UInt16) {
      if !isLittleEndian { short(0) }
      short(value)
      if isLittleEndian { short(0) }
    }
    short(42)
    long(8)
    short(2)
    for (tag, type, value) in [(256, 4, 40), (274, 3, UInt16(orientation))] as [(UInt16, UInt16, UInt16)] {
      short(tag)
      short(type)
      long(1)
      // A short stands in the first half of its four bytes.
      if type == 3 { short(value) } else { long(value) }
      if type == 3 { short(0) }
    }
    long(0)
    return bytes
  }

  /// The JPEG with an EXIF segment behind its first marker.
  static func jpeg(_ bytes: [UInt8], withEXIF block: [UInt8]) -> [UInt8] {
    let length = block.count + 8
    var result = Array(bytes[..<2])
    result += [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)]
    result += "Exif".utf8
    result += [0, 0]
    result += block
    result += bytes[2...]
    return result
  }

  /// The JPEG with an ICC profile in so many segments behind its first marker.
  static func jpeg(_ bytes: [UInt8], withProfile profile: [UInt8], parts: Int) -> [UInt8] {
    var result = Array(bytes[..<2])
    let length = (profile.count + parts - 1) / parts
    for part in 0..<parts {
      let content = profile[min(profile.count, part * length)..<min(profile.count, (part + 1) * length)]
      let size = content.count + 16
      result += [0xFF, 0xE2, UInt8(size >> 8), UInt8(size & 255)]
      result += "ICC_PROFILE".utf8
      result += [0, UInt8(part + 1), UInt8(parts)]
      result += content
    }
    result += bytes[2...]
    return result
  }

  /// The lossless WebP in the extended form, with an EXIF chunk.
  static func webp(_ bytes: [UInt8], _ size: PixelSize, withEXIF block: [UInt8]) -> [UInt8] {
    extended(bytes, size, flags: 0x18, after: [("EXIF", block)])
  }

  /// The same with an ICC profile.
  static func webp(_ bytes: [UInt8], _ size: PixelSize, withProfile profile: [UInt8]) -> [UInt8] {
    extended(bytes, size, flags: 0x30, before: [("ICCP", profile)])
  }

  private static func extended(
    _ bytes: [UInt8], _ size: PixelSize, flags: UInt8, before: [(String, [UInt8])] = [],
    after: [(String, [UInt8])] = []
  ) -> [UInt8] {
    func little(_ value: Int, _ count: Int) -> [UInt8] { (0..<count).map { UInt8(value >> (8 * $0) & 255) } }
    var body = Array("WEBPVP8X".utf8)
    func add(_ chunks: [(String, [UInt8])]) {
      for (name, content) in chunks {
        body += name.utf8
        body += little(content.count, 4)
        body += content
        if content.count % 2 == 1 { body.append(0) }
      }
    }
    body += little(10, 4)
    body += [flags, 0, 0, 0]
    body += little(size.width - 1, 3)
    body += little(size.height - 1, 3)
    add(before)
    body += bytes[12...]
    add(after)
    var file = Array("RIFF".utf8)
    file += little(body.count, 4)
    file += body
    return file
  }
}
