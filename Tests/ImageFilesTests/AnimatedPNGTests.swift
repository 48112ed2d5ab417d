import Commit
import Geometry
import ImageFiles
import Testing

@Suite("Animated PNGs")
struct AnimatedPNGTests {
  private func image(_ shade: UInt8, width: Int = 3) throws -> Image {
    try #require(
      Image(
        size: PixelSize(width: width, height: 2), alpha: .straight,
        pixels: (0..<width * 2).flatMap { _ in [shade, 10, 20, 255] }))
  }

  private func chunks(_ bytes: [UInt8]) -> [(name: String, data: [UInt8], checksum: UInt32)] {
    var result: [(String, [UInt8], UInt32)] = []
    var position = 8
    func word(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 << 8 | Int($1) } }
    while position < bytes.count {
      let length = word(position)
      result.append(
        (
          String(decoding: bytes[position + 4..<position + 8], as: UTF8.self),
          Array(bytes[position + 8..<position + 8 + length]), UInt32(word(position + 8 + length))
        ))
      position += length + 12
    }
    return result
  }

  /// Bit by bit, as the PNG specification has it.
  private func crc(_ bytes: [UInt8]) -> UInt32 {
    var value = UInt32.max
    for byte in bytes {
      value ^= UInt32(byte)
      for _ in 0..<8 { value = value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
    }
    return ~value
  }

  @Test("frames stand in order, numbered, each with its time, and every part has its checksum")
  func parts() throws {
    var film = AnimatedPNG(frameCount: 3, rate: 30)
    for shade in [1, 2, 3] { try film.add(image(UInt8(shade))) }
    let parts = chunks(try film.finish())
    #expect(parts.map(\.name) == ["IHDR", "acTL", "fcTL", "IDAT", "fcTL", "fdAT", "fcTL", "fdAT", "IEND"])
    for part in parts { #expect(part.checksum == crc(Array(part.name.utf8) + part.data), "\(part.name)") }
    let numbers = parts.filter { $0.name.hasPrefix("f") }.map { $0.data.prefix(4).reduce(0) { $0 << 8 | Int($1) } }
    #expect(numbers == [0, 1, 2, 3, 4])
    #expect(parts[1].data == [0, 0, 0, 3, 0, 0, 0, 0])
    #expect(Array(parts[2].data[20..<24]) == [0, 1, 0, 30])
    // A further frame's data is that of a picture of its own.
    #expect(Array(parts[5].data.dropFirst(4)) == chunks(try PNG.encode(image(2))).first { $0.name == "IDAT" }?.data)
  }

  @Test("a reader of PNGs sees the first frame")
  func first() throws {
    var film = AnimatedPNG(frameCount: 2, rate: 23.976)
    try film.add(image(7))
    try film.add(image(9))
    #expect(try PNG.decode(try film.finish()).pixels == image(7).pixels)
  }

  @Test("frames of another size, too many and too few are refused")
  func faults() throws {
    var film = AnimatedPNG(frameCount: 2, rate: 60)
    try film.add(image(1))
    #expect(throws: ImageFileError.self) { try film.add(image(1, width: 4)) }
    #expect(throws: ImageFileError.self) { try film.finish() }
    try film.add(image(2))
    #expect(throws: ImageFileError.self) { try film.add(image(3)) }
  }
}
