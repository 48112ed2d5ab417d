import Commit
import Geometry

/// Writes frames as one animated PNG (APNG): a PNG whose further frames stand in parts that other readers pass over.
public struct AnimatedPNG {
  private let path: String
  private let frameCount: Int
  /// Of a second; what a frame stands for.
  private let delay: (numerator: UInt16, denominator: UInt16)
  private var bytes: [UInt8] = []
  private var header: [UInt8] = []
  private var sequence: UInt32 = 0
  private var written = 0

  /// - Parameters:
  ///   - path: what an error calls it.
  ///   - frameCount: how many frames will be added.
  ///   - rate: frames a second.
  public init(path: String = "APNG", frameCount: Int, rate: Double) {
    self.path = path
    self.frameCount = frameCount
    let rate = min(1000, max(0.001, rate.isFinite ? rate : 1))
    // The nearest in thousandths of a frame a second, where that is not a whole number.
    if rate == rate.rounded() {
      delay = (1, UInt16(rate))
    } else if rate >= 1 {
      delay = (UInt16(min(65535, (10_000 / rate).rounded())), 10_000)
    } else {
      delay = (UInt16(min(65535, (1 / rate).rounded())), 1)
    }
  }

  /// Adds the next frame. All are of one size.
  public mutating func add(_ image: Image) throws(ImageFileError) {
    let chunks = Self.chunks(try PNG.encode(image, path: path))
    guard let start = chunks.first(where: { $0.name == "IHDR" })?.data else { throw fault("a frame has no header") }
    if written == 0 {
      header = start
      bytes += [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      append("IHDR", start)
      append("acTL", Self.word(UInt32(clamping: frameCount)) + Self.word(0))
    }
    guard start == header else { throw fault("frame \(written + 1) has another size than the first") }
    guard written < frameCount else { throw fault("there are more than \(frameCount) frames") }
    append(
      "fcTL",
      nextSequence() + Self.word(UInt32(clamping: image.width)) + Self.word(UInt32(clamping: image.height))
        + Self.word(0) + Self.word(0) + Self.half(delay.numerator) + Self.half(delay.denominator) + [0, 0])
    for chunk in chunks where chunk.name == "IDAT" {
      if written == 0 { append("IDAT", chunk.data) } else { append("fdAT", nextSequence() + chunk.data) }
    }
    written += 1
  }

  /// The file's bytes.
  public mutating func finish() throws(ImageFileError) -> [UInt8] {
    guard written == frameCount, written > 0 else { throw fault("it has \(written) frames of \(frameCount)") }
    append("IEND", [])
    return bytes
  }

  /// Ends and writes the file: there is either the old file or the whole new one at any time.
  public mutating func write() throws(ImageFileError) {
    let bytes = try finish()
    do { try FileBytes.write(bytes, to: path) } catch {
      throw ImageFileError(code: .unwritable, path: path, reason: "can't write the frames: \(error.reason)")
    }
  }

  private func fault(_ reason: String) -> ImageFileError {
    ImageFileError(code: .unwritable, path: path, reason: "can't write the animated PNG: \(reason)")
  }

  // MARK: Parts

  private mutating func nextSequence() -> [UInt8] {
    defer { sequence += 1 }
    return Self.word(sequence)
  }

  private mutating func append(_ name: String, _ data: [UInt8]) {
    let named = Array(name.utf8) + data
    bytes += Self.word(UInt32(clamping: data.count)) + named + Self.word(Checksum.crc32(named))
  }

  private static func chunks(_ bytes: [UInt8]) -> [(name: String, data: [UInt8])] {
    var chunks: [(String, [UInt8])] = []
    var position = 8
    while bytes.count - position >= 12 {
      let length = bytes[position..<position + 4].reduce(0) { $0 << 8 | Int($1) }
      guard length <= bytes.count - position - 12 else { break }
      let name = String(decoding: bytes[position + 4..<position + 8], as: UTF8.self)
      chunks.append((name, Array(bytes[position + 8..<position + 8 + length])))
      position += length + 12
    }
    return chunks
  }

  private static func word(_ value: UInt32) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
  private static func half(_ value: UInt16) -> [UInt8] { withUnsafeBytes(of: value.bigEndian, Array.init) }
}

/// The checksum that each part of a PNG ends with.
enum Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { crc, _ in crc & 1 == 1 ? 0xEDB8_8320 ^ crc >> 1 : crc >> 1 }
  }

  static func crc32(_ bytes: [UInt8]) -> UInt32 {
    bytes.reduce(UInt32.max) { crc, byte in table[Int((crc ^ UInt32(byte)) & 0xFF)] ^ crc >> 8 } ^ .max
  }
}
