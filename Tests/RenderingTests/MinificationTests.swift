import Commit
import Geometry
import Porthole
import RenderTree
import TestSupport
import Testing

@Suite("A picture shown smaller")
struct MinificationTests {
  private let size = PixelSize(width: 96, height: 72)

  /// Stripes of black and white, a pixel each: what is left of them says which level was read.
  private func stripes(_ side: Int, period: Int = 1) -> Image? {
    let pixels = (0..<side * side).flatMap { index -> [UInt8] in
      let shade: UInt8 = index % side / period % 2 == 0 ? 0 : 255
      return [shade, shade, shade, 255]
    }
    return Image(size: PixelSize(width: side, height: side), alpha: .opaque, pixels: pixels)
  }

  private func draw(_ side: Double, _ filter: MinificationFilter, _ image: Image?, _ witness: Witness) throws -> Image {
    var tree = try RenderTree(
      .box(
        1, x: 0, y: 0, 96, 72, color: .white, [],
        [.box(2, x: 8, y: 8, side, side, [.contents(image), .minificationFilter(filter)])]))
    return try Stage.shared.draw(tree.snapshot(root: 1), witness, size: size)
  }

  @Test("nearest takes the texel at the pixel's centre", arguments: Witness.allCases)
  func nearest(_ witness: Witness) throws {
    // Three texels a pixel: the middle ones.
    let image = try draw(16, .nearest, stripes(48), witness)
    for x in 0..<16 { #expect(image.pixel(8 + x, 12)[0] == (x % 2 == 0 ? 255 : 0)) }
  }

  @Test("linear reads one level: half size is that level, a little less the one above", arguments: Witness.allCases)
  func linear(_ witness: Witness) throws {
    let half = try draw(32, .linear, stripes(64), witness)
    #expect((9..<39).allSatisfy { half.pixel($0, 12).near([128, 128, 128, 255], 1) })
    let more = try draw(33, .linear, stripes(64), witness)
    #expect((9..<39).contains { !more.pixel($0, 12).near([128, 128, 128, 255], 20) })
  }

  @Test("trilinear mixes two levels by the logarithm of the scale", arguments: Witness.allCases)
  func trilinear(_ witness: Witness) throws {
    // At whole levels there is nothing to mix.
    let half = try draw(32, .trilinear, stripes(64, period: 2), witness)
    let plain = try draw(32, .linear, stripes(64, period: 2), witness)
    #expect(half.pixels == plain.pixels)
    // Between 2 and 4 texels a pixel, level 1 has the stripes and level 2 is grey.
    for side in [28.0, 24, 20, 18] {
      let share = 1 - ((64 / side).logarithm2 - 1)
      let first = try draw(side, .linear, stripes(64, period: 2), witness)
      let mixed = try draw(side, .trilinear, stripes(64, period: 2), witness)
      for x in 10..<Int(side) {
        let wanted = 127.5 + (Double(first.pixel(x, 12)[0]) - 127.5) * share
        #expect(abs(Double(mixed.pixel(x, 12)[0]) - wanted) <= 4, "side \(side), \(x)")
      }
    }
  }

  @Test("GL equals the reference for every filter, at any scale", arguments: MinificationFilter.allCases)
  func agreement(_ filter: MinificationFilter) throws {
    for side in stride(from: 5.0, through: 60, by: 3.7) {
      let image = stripes(64, period: 4)
      let expected = try draw(side, filter, image, .reference)
      let comparison = try ImageComparison(expected: expected, got: try draw(side, filter, image, .gl))
      #expect(comparison.passes(.resampled), "\(side): \(comparison)")
    }
  }
}

extension Double {
  fileprivate var logarithm2: Double { Geometry.logarithm2(self) }

  /// Lines of one texel, black and white in turn, along a row or a column.
  private func lines(isUpright: Bool) throws -> Image {
    var pixels: [UInt8] = []
    for y in 0..<64 {
      for x in 0..<64 {
        let shade: UInt8 = (isUpright ? x : y) % 2 == 0 ? 0 : 255
        pixels += [shade, shade, shade, 255]
      }
    }
    return try #require(Image(size: PixelSize(width: 64, height: 64), alpha: .opaque, pixels: pixels))
  }

  @Test("in perspective what lies across stays sharp, and what lies along is the mean", arguments: Witness.allCases)
  func perspective(_ witness: Witness) throws {
    // Turned by 60°: half as wide, and about as tall.
    let turn = Transform3D.rotation(angle: .pi / 3, x: 0, y: 1, z: 0) * .perspective(distance: 4000)
    for isUpright in [false, true] {
      let tree = try RenderTree(
        .box(
          1, x: 0, y: 0, 64, 64, color: .white, [],
          [.box(2, x: 0, y: 0, 64, 64, [.contents(try lines(isUpright: isUpright)), .transform(turn)])]))
      var copy = tree
      let image = try Stage.shared.draw(copy.snapshot(root: 1), witness, size: PixelSize(width: 64, height: 64))
      func shade(_ x: Int, _ y: Int) -> Int { Int(image.pixels[(y * 64 + x) * 4]) }
      var (least, most) = (255, 0)
      for y in 28..<36 { for x in 28..<36 { (least, most) = (min(least, shade(x, y)), max(most, shade(x, y))) } }
      if isUpright { #expect(least > 100 && most < 155) } else { #expect(least < 40 && most > 215) }
    }
  }
}
