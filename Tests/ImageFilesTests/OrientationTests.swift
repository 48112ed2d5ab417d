import Commit
import Geometry
import ImageFiles
import Testing

@Suite("A picture that was taken turned is shown upright")
struct OrientationTests {
  /// What the corners of the picture in the file are, from the top left clockwise, where its own are red, green, yellow
  /// and blue: by the numbers of EXIF 2.32, table 6, “0th row” and “0th column”.
  private static let corners: [(value: UInt8, corners: [Int])] = [
    (1, [0, 1, 2, 3]), (2, [1, 0, 3, 2]), (3, [2, 3, 0, 1]), (4, [3, 2, 1, 0]),
    (5, [0, 3, 2, 1]), (6, [3, 0, 1, 2]), (7, [2, 1, 0, 3]), (8, [1, 2, 3, 0]),
  ]
  private static let colors: [[UInt8]] = [
    [220, 40, 40, 255], [40, 200, 60, 255], [230, 210, 60, 255], [50, 80, 220, 255],
  ]
  private let size = PixelSize(width: 6, height: 4)

  private var rgba: [UInt8] {
    let quarters = EncodedPictures.quarters(size)
    return (0..<size.area).flatMap { quarters[$0 * 3..<$0 * 3 + 3] + [255] }
  }

  private func expect(_ image: Image, _ value: UInt8, _ corners: [Int]) {
    let turned = value >= 5
    #expect(image.width == (turned ? 4 : 6) && image.height == (turned ? 6 : 4), "\(value)")
    let (right, bottom) = (image.width - 1, image.height - 1)
    for (place, corner) in zip([(0, 0), (right, 0), (right, bottom), (0, bottom)], corners) {
      let start = (place.1 * image.width + place.0) * 4
      #expect(Array(image.pixels[start..<start + 4]) == Self.colors[corner], "\(value) at \(place)")
    }
  }

  @Test("in a PNG, whichever way its numbers are written", arguments: [true, false])
  func png(isLittleEndian: Bool) throws {
    let rows = (0..<4).map { y in Array(rgba[y * 24..<y * 24 + 24]) }
    for (value, corners) in Self.corners {
      let block = EncodedPictures.exif(orientation: value, isLittleEndian: isLittleEndian)
      let bytes = EncodedPictures.png(size, depth: 8, colorType: 6, rows: rows, extra: [("eXIf", block)])
      expect(try ImageFile.decode(bytes), value, corners)
    }
  }

  @Test("in a WebP")
  func webp() throws {
    let bytes = EncodedPictures.webp(rgba, size)
    for (value, corners) in Self.corners {
      let block = EncodedPictures.exif(orientation: value, isLittleEndian: value % 2 == 0)
      let file = EncodedPictures.webp(bytes, size, withEXIF: block)
      let image = try ImageFile.decode(file)
      expect(image, value, corners)
    }
  }

  @Test("in a JPEG")
  func jpeg() throws {
    let large = PixelSize(width: 48, height: 32)
    let plain = EncodedPictures.jpeg(EncodedPictures.quarters(large), large)
    let upright = try ImageFile.decode(plain)
    for (value, corners) in Self.corners {
      let block = EncodedPictures.exif(orientation: value, isLittleEndian: true)
      let image = try ImageFile.decode(EncodedPictures.jpeg(plain, withEXIF: block))
      #expect(image.width == (value >= 5 ? 32 : 48))
      let (right, bottom) = (image.width - 1, image.height - 1)
      let places = [(0, 0), (right, 0), (right, bottom), (0, bottom)]
      let own = [(0, 0), (47, 0), (47, 31), (0, 31)]
      for (place, corner) in zip(places, corners) {
        let (from, to) = ((own[corner].1 * 48 + own[corner].0) * 4, (place.1 * image.width + place.0) * 4)
        #expect(image.pixels[to..<to + 4].elementsEqual(upright.pixels[from..<from + 4]), "\(value)")
      }
    }
  }

  @Test("an EXIF block that makes no sense leaves the picture as it is in the file")
  func nonsense() throws {
    let rows = (0..<4).map { y in Array(rgba[y * 24..<y * 24 + 24]) }
    let good = EncodedPictures.exif(orientation: 6, isLittleEndian: true)
    var far = good
    far[4] = 0xFF
    let blocks: [[UInt8]] = [
      [], [0x49], Array("II*".utf8), Array(good[..<20]), far,
      EncodedPictures.exif(orientation: 9, isLittleEndian: true),
    ]
    for block in blocks {
      let bytes = EncodedPictures.png(size, depth: 8, colorType: 6, rows: rows, extra: [("eXIf", block)])
      expect(try ImageFile.decode(bytes), 1, [0, 1, 2, 3])
    }
  }
}
