import Commit
import Geometry
import ImageFiles
import TestSupport
import Testing

@Suite("Picture files that were damaged at random")
struct HostileFileTests {
  private static let size = PixelSize(width: 40, height: 24)

  private static func originals() throws -> [[UInt8]] {
    let rgba = (0..<size.area * 4).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 11) }
    let rgb = (0..<size.area * 3).map { UInt8(truncatingIfNeeded: $0 &* 41 &+ $0 / 13) }
    let block = EncodedPictures.exif(orientation: 6, isLittleEndian: true)
    let image = try #require(Image(size: size, alpha: .straight, pixels: rgba))
    let rows = (0..<size.height).map { y in Array(rgba[y * size.width * 4..<(y + 1) * size.width * 4]) }
    // Twice the bytes make half as many rows of 16 bits.
    let deepRows = stride(from: 0, to: size.height - 1, by: 2).map { y in rows[y] + rows[y + 1] }
    let half = PixelSize(width: size.width, height: size.height / 2)
    let light: [(String, [UInt8])] = [("gAMA", EncodedPictures.big(100_000))]
    return [
      EncodedPictures.png(half, depth: 16, colorType: 6, rows: deepRows, extra: light),
      try PNG.encode(image), EncodedPictures.png(size, depth: 8, colorType: 6, rows: rows, extra: [("eXIf", block)]),
      EncodedPictures.jpeg(EncodedPictures.jpeg(rgb, size), withEXIF: block),
      EncodedPictures.jpeg(rgb, size, isProgressive: true), EncodedPictures.webp(rgba, size),
      EncodedPictures.webp(EncodedPictures.webp(rgba, size), size, withEXIF: block),
    ]
  }

  private func mutate(_ bytes: [UInt8], _ random: inout SeededGenerator) -> [UInt8] {
    var bytes = bytes
    for _ in 0...Int.random(in: 0..<6, using: &random) where !bytes.isEmpty {
      // Headers are where the harm is.
      let end = random.oneIn(2) ? min(bytes.count, 96) : bytes.count
      let place = Int.random(in: 0..<end, using: &random)
      switch Int.random(in: 0..<6, using: &random) {
      case 0: bytes[place] = UInt8.random(in: .min ... .max, using: &random)
      case 1: bytes[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      case 2: bytes[place] = random.oneIn(2) ? 0xFF : 0
      case 3: bytes.removeSubrange(place..<min(bytes.count, place + Int.random(in: 1...9, using: &random)))
      case 4:
        let part = bytes[place..<min(bytes.count, place + 16)]
        bytes.insert(contentsOf: part, at: Int.random(in: 0..<bytes.count, using: &random))
      default: bytes.removeLast(min(bytes.count, Int.random(in: 1...40, using: &random)))
      }
    }
    return bytes
  }

  @Test("6,000 mutations are read, or refused in words with the file's name", arguments: [1, 2, 3])
  func mutations(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let originals = try Self.originals()
    for original in originals { #expect(throws: Never.self) { try ImageFile.decode(original) } }
    var (read, refused) = (0, 0)
    for round in 0..<2_000 {
      let bytes = mutate(originals[round % originals.count], &random)
      do {
        let image = try ImageFile.decode(bytes, path: "x.bin")
        #expect(image.pixels.count == image.size.area * 4, "seed \(seed), round \(round)")
        read += 1
      } catch {
        #expect(error.description.hasPrefix("x.bin: ") && error.reason.count > 10, "seed \(seed), round \(round)")
        refused += 1
      }
    }
    #expect(read > 50 && refused > 500)
  }
}
