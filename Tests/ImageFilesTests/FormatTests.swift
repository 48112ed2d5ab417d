import CTurboJPEG
import Commit
import Geometry
import ImageFiles
import Testing

@Suite("Pictures of every format")
struct FormatTests {
  private let size = PixelSize(width: 32, height: 16)

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    Array(image.pixels[(y * image.width + x) * 4..<(y * image.width + x) * 4 + 4])
  }

  private func expectQuarters(_ image: Image, within tolerance: Int) {
    let wanted = EncodedPictures.quarters(image.size)
    var worst = 0
    for index in 0..<image.size.area {
      for channel in 0..<3 {
        worst = max(worst, abs(Int(image.pixels[index * 4 + channel]) - Int(wanted[index * 3 + channel])))
      }
    }
    #expect(worst <= tolerance)
    #expect(image.isOpaque)
  }

  @Test("a JPEG comes out as it went in but for the loss", arguments: [false, true])
  func jpeg(isProgressive: Bool) throws {
    let bytes = EncodedPictures.jpeg(EncodedPictures.quarters(size), size, isProgressive: isProgressive)
    #expect(ImageFile.format(of: bytes) == .jpeg)
    let image = try ImageFile.decode(bytes)
    #expect(image.size == size && image.alpha == .opaque)
    expectQuarters(image, within: 6)
  }

  @Test("a grey JPEG is grey")
  func grey() throws {
    let ramp = (0..<size.area).map { UInt8($0 % size.width * 8) }
    let bytes = EncodedPictures.jpeg(ramp, size, format: TJPF_GRAY, subsampling: TJSAMP_GRAY)
    let image = try ImageFile.decode(bytes)
    for x in 0..<size.width {
      let color = pixel(image, x, 5)
      #expect(color[0] == color[1] && color[1] == color[2] && abs(Int(color[0]) - x * 8) < 8)
    }
  }

  @Test("a JPEG of inks is shown as paper would look: each ink takes its complement away")
  func inks() throws {
    // As libjpeg writes them, without Adobe's marker… which it adds by itself, with inks inverted.
    let cyan: [UInt8] = [0, 255, 255, 255]
    let pixels = (0..<size.area).flatMap { _ in cyan }
    let bytes = EncodedPictures.jpeg(pixels, size, format: TJPF_CMYK)
    let color = pixel(try ImageFile.decode(bytes), 8, 8)
    #expect(color[0] < 6 && color[1] > 249 && color[2] > 249 && color[3] == 255)
  }

  @Test("a lossless WebP comes back to the last bit, see-through parts too")
  func webp() throws {
    let pixels = (0..<size.area * 4).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 3) | ($0 % 4 == 3 ? 1 : 0) }
    let bytes = EncodedPictures.webp(pixels, size)
    #expect(ImageFile.format(of: bytes) == .webp)
    let image = try ImageFile.decode(bytes)
    #expect(image.size == size && image.alpha == .straight && image.pixels == pixels)
    var opaque = pixels
    for index in stride(from: 3, to: opaque.count, by: 4) { opaque[index] = 255 }
    #expect(try ImageFile.decode(EncodedPictures.webp(opaque, size)).alpha == .opaque)
  }

  @Test("16 bits of a PNG become the nearest 8, and their colours are taken for sRGB as 8 bits are")
  func sixteenBits() throws {
    let values: [UInt16] = [0, 1, 128, 129, 255, 256, 257, 385, 386, 32_767, 32_768, 40_000, 65_406, 65_407, 65_535]
    let row = values.flatMap { value in [UInt8(value >> 8), UInt8(value & 255)] }
    let grey = EncodedPictures.png(
      PixelSize(width: values.count, height: 1), depth: 16, colorType: 0, rows: [row])
    let image = try ImageFile.decode(grey)
    for (x, value) in values.enumerated() {
      let wanted = UInt8((Double(value) / 257).rounded())
      #expect(pixel(image, x, 0) == [wanted, wanted, wanted, 255], "\(value)")
    }
    let color: [UInt8] = [0x80, 0x00, 0xFF, 0xFF, 0x00, 0x00, 0x80, 0x80]
    let straight = try ImageFile.decode(
      EncodedPictures.png(PixelSize(width: 1, height: 1), depth: 16, colorType: 6, rows: [color]))
    #expect(straight.alpha == .straight && straight.pixels == [128, 255, 0, 128])
  }

  @Test("what is no picture is told with the file's name and what would be one")
  func unknown() throws {
    for bytes in [Array("GIF89a, or some text".utf8), [], [0xFF], Array("RIFF0000AVI ".utf8)] {
      let error = try #require(throws: ImageFileError.self) { try ImageFile.decode(bytes, path: "a.gif") }
      #expect(error.code == .wrongFormat && error.description.hasPrefix("a.gif: "))
      if !bytes.isEmpty { #expect(error.reason.contains("PNG, JPEG, WebP")) }
    }
  }

  @Test("a file cut off anywhere is refused, as cut off where anything can tell")
  func truncated() throws {
    let square = PixelSize(width: 48, height: 48)
    let pixels = (0..<square.area * 3).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ $0 / 7) }
    let rgba = (0..<square.area * 4).map { UInt8(truncatingIfNeeded: $0 &* 97 &+ $0 / 7) }
    let files = [EncodedPictures.jpeg(pixels, square), EncodedPictures.webp(rgba, square)]
    for bytes in files {
      for count in stride(from: 3, to: bytes.count - 2, by: 61) {
        let cut = Array(bytes[..<count])
        let error = try #require(throws: ImageFileError.self) { try ImageFile.decode(cut, path: "cut") }
        if count > 700 { #expect(error.code == .truncated, "\(count) of \(bytes.count): \(error)") }
      }
    }
  }

  @Test("a picture that claims more pixels than there may be is refused before anything is allocated")
  func tooLarge() throws {
    var jpeg = EncodedPictures.jpeg(EncodedPictures.quarters(size), size)
    let frame = try #require(jpeg.indices.first { jpeg[$0] == 0xFF && jpeg[$0 + 1] == 0xC0 })
    for offset in 5..<9 { jpeg[frame + offset] = 0xFE }
    let error = try #require(throws: ImageFileError.self) { try ImageFile.decode(jpeg, path: "big.jpg") }
    #expect(error.code == .tooLarge && error.reason.contains("65278 × 65278"))
  }
}
