import Commit
import Geometry
import ImageFiles
import TestSupport
import Testing

@Suite("Pictures of more than eight bits")
struct DeepPictureTests {
  private func image(
    _ components: [Float], _ alpha: AlphaState = .straight, _ encoding: ColorEncoding = .encoded
  ) throws -> Image {
    try #require(
      Image(
        size: PixelSize(width: components.count / 4, height: 1), alpha: alpha, encoding: encoding,
        components: components))
  }

  @Test("every value of 16 bits comes back from a PNG as it went in, with alpha and without", arguments: [true, false])
  func everyValue(hasAlpha: Bool) throws {
    let size = PixelSize(width: 256, height: 256)
    var components: [Float] = []
    for value in 0...65_535 {
      let part = Float(value) / 65_535
      components += [part, 1 - part, part, hasAlpha ? part : 1]
    }
    let picture = try #require(
      Image(size: size, alpha: hasAlpha ? .straight : .opaque, encoding: .encoded, components: components))
    let back = try PNG.decode(try PNG.encode(picture))
    #expect(back.alpha == picture.alpha && back.encoding == .encoded)
    let got = try #require(back.components)
    for index in components.indices {
      guard (got[index] * 65_535).rounded() == (components[index] * 65_535).rounded() else {
        Issue.record("component \(index): \(components[index]) became \(got[index])")
        return
      }
    }
    // What came out of a file goes into one again to the bit, and so do half floats that a file's steps can tell apart.
    #expect(try PNG.decode(try PNG.encode(back)).components == got)
    let halves = (0..<1024).map { Float(Float16(0.5 + Double($0) / 2048)) }
    let kept = try image(halves)
    let again = try #require(try PNG.decode(try PNG.encode(kept)).components)
    #expect(again.map { Float16($0) } == halves.map { Float16($0) })
  }

  @Test("what lies beyond 0…1 is held to that in a file, and what is not a number is nothing")
  func held() throws {
    let picture = try image([2, -1, .nan, 1, .infinity, 0.5, 0.25, 0.5])
    #expect(picture.components == [2, -1, 0, 1, 0, 0.5, 0.25, 0.5])
    #expect(picture.pixels == [255, 0, 0, 255, 0, 128, 64, 128])
    #expect(try PNG.decode(try PNG.encode(picture)).pixels == picture.pixels)
  }

  @Test("linear and premultiplied pictures are written encoded and straight")
  func conversions() throws {
    // Half of the light at half alpha.
    let picture = try image([0.25, 0, 0.5, 0.5, 0, 0, 0, 0], .premultiplied, .linear)
    let straight = picture.straight
    #expect(straight.components == [0.5, 0, 1, 0.5, 0, 0, 0, 0] && straight.encoding == .linear)
    let encoded = try #require(picture.encoded.components)
    #expect((encoded[0] - SRGBCurve.encode(0.5)).magnitude < 1e-6 && encoded[1] == 0 && encoded[2] == 1)
    #expect(encoded[3] == 0.5)
    // Eight bits of it: code 188 times alpha, as premultiplied.
    #expect(picture.pixels == [94, 0, 128, 128, 0, 0, 0, 0])
    #expect(picture.straight.pixels == [188, 0, 255, 128, 0, 0, 0, 0])
    let written = try PNG.decode(try PNG.encode(picture))
    #expect(written.alpha == .straight && written.pixels == [188, 0, 255, 128, 0, 0, 0, 0])
    #expect(picture.encoded.encoded === picture.encoded || picture.encoded.encoding == .encoded)
  }

  @Test("greys, palettes and see-through colours of every depth are read as what they stand for")
  func kinds() throws {
    // 4 bits of grey: 0, 5, 10, 15.
    let grey = try PNG.decode(
      EncodedPictures.png(PixelSize(width: 4, height: 1), depth: 4, colorType: 0, rows: [[0x05, 0xAF]]))
    #expect(grey.alpha == .opaque && grey.components == nil)
    #expect(grey.pixels == [0, 0, 0, 255, 85, 85, 85, 255, 170, 170, 170, 255, 255, 255, 255, 255])
    // 2 bits of a palette of three, the second half see-through.
    let palette: [(String, [UInt8])] = [("PLTE", [10, 20, 30, 200, 100, 50, 0, 255, 0]), ("tRNS", [255, 128])]
    let indexed = try PNG.decode(
      EncodedPictures.png(
        PixelSize(width: 3, height: 1), depth: 2, colorType: 3, rows: [[0b00_01_10_00]], extra: palette))
    #expect(indexed.alpha == .straight)
    #expect(indexed.pixels == [10, 20, 30, 255, 200, 100, 50, 128, 0, 255, 0, 255])
    // Grey and alpha of 16 bits.
    let deep = try PNG.decode(
      EncodedPictures.png(
        PixelSize(width: 1, height: 1), depth: 16, colorType: 4, rows: [[0x12, 0x34, 0x80, 0x00]]))
    let value = Float(0x1234) / 65_535
    #expect(deep.alpha == .straight && deep.components == [value, value, value, Float(0x8000) / 65_535])
    // A colour of 16 bits that stands for nothing.
    let key: [(String, [UInt8])] = [("tRNS", [0, 1, 0, 2, 0, 3])]
    let keyed = try PNG.decode(
      EncodedPictures.png(
        PixelSize(width: 2, height: 1), depth: 16, colorType: 2, rows: [[0, 1, 0, 2, 0, 3, 0, 1, 0, 2, 0, 4]],
        extra: key))
    #expect(keyed.components?[3] == 0 && keyed.components?[7] == 1)
  }

  @Test("a picture of floats is turned as its EXIF says")
  func orientation() throws {
    let block = EncodedPictures.exif(orientation: 3, isLittleEndian: true)
    let turned = try PNG.decode(
      EncodedPictures.png(
        PixelSize(width: 2, height: 1), depth: 16, colorType: 0, rows: [[0, 0, 0xFF, 0xFF]], extra: [("eXIf", block)]))
    #expect(turned.components == [1, 1, 1, 1, 0, 0, 0, 1])
  }
}
