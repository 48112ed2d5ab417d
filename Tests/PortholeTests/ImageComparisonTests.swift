import Commit
import Geometry
import Porthole
import Testing

@Suite("Comparison of pictures")
struct ImageComparisonTests {
  private func grey(_ width: Int, _ height: Int, _ value: (Int, Int) -> UInt8) throws -> Image {
    var pixels: [UInt8] = []
    for y in 0..<height {
      for x in 0..<width { pixels += [value(x, y), value(x, y), value(x, y), 255] }
    }
    return try #require(Image(size: PixelSize(width: width, height: height), alpha: .opaque, pixels: pixels))
  }

  @Test("equal pictures differ in nothing and pass every class")
  func equal() throws {
    let image = try grey(33, 17) { UInt8($0 * 7 ^ $1 * 5) }
    let comparison = try ImageComparison(expected: image, got: image)
    #expect(comparison.mean == 0 && comparison.tile == 0 && comparison.envelope == 0 && comparison.over8 == 0)
    #expect(ImageComparison.SceneClass.allCases.allSatisfy { comparison.passes($0) })
  }

  @Test("an edge moved by a pixel is within the other picture's envelope and not in the smooth part")
  func movedEdge() throws {
    let expected = try grey(32, 16) { x, _ in x < 16 ? 10 : 200 }
    let comparison = try ImageComparison(expected: expected, got: grey(32, 16) { x, _ in x < 17 ? 10 : 200 })
    #expect(comparison.envelope == 0 && comparison.interior == 0)
    #expect(comparison.over64 == 1.0 / 32)
    #expect(comparison.tile == 190.0 / 16)
  }

  @Test("a thing that is missing leaves the envelope both ways")
  func missing() throws {
    let with = try grey(32, 32) { x, y in 4..<10 ~= x && 4..<10 ~= y ? 250 : 50 }
    let without = try grey(32, 32) { _, _ in 50 }
    let lost = try ImageComparison(expected: with, got: without)
    #expect(lost.envelope == 200)
    // In the expected picture every pixel of the thing lies near its edge or within it; its middle is smooth.
    #expect(lost.interior == 200)
    #expect(lost.env8 == 36.0 / 1024)
    #expect(try ImageComparison(expected: without, got: with).envelope == 200)
    #expect(!lost.passes(.perspective))
  }

  @Test("a tile off by 3 shows in the smooth part, in its tile and in the mean")
  func tile() throws {
    let expected = try grey(40, 40) { _, _ in 100 }
    let comparison = try ImageComparison(
      expected: expected, got: grey(40, 40) { x, y in 16..<32 ~= x && 16..<32 ~= y ? 103 : 100 })
    #expect(comparison.interior == 3)
    #expect(comparison.tile == 3)
    #expect(comparison.smooth2 == 256.0 / 1600)
    #expect(comparison.mean == 3 * 256.0 / 1600)
    #expect(!comparison.passes(.flat))
  }

  @Test("premultiplied colours are compared as the straight ones that a file holds")
  func premultiplied() throws {
    let size = PixelSize(width: 1, height: 1)
    let straight = try #require(Image(size: size, alpha: .straight, pixels: [200, 100, 50, 51]))
    let premultiplied = try #require(Image(size: size, alpha: .premultiplied, pixels: [40, 20, 10, 51]))
    #expect(try ImageComparison(expected: straight, got: premultiplied).mean == 0)
  }

  @Test("the picture of differences is four times as strong and opaque")
  func difference() throws {
    let got = try ImageComparison.difference(
      expected: grey(2, 1) { x, _ in x == 0 ? 10 : 0 }, got: grey(2, 1) { x, _ in x == 0 ? 13 : 255 })
    #expect(got?.pixels == [12, 12, 12, 255, 255, 255, 255, 255])
  }

  @Test("pictures of two sizes are not compared")
  func sizes() throws {
    let (small, large) = (try grey(1, 2) { _, _ in 0 }, try grey(2, 1) { _, _ in 0 })
    #expect(throws: ImageComparison.SizeMismatch.self) { try ImageComparison(expected: small, got: large) }
    #expect(throws: ImageComparison.SizeMismatch.self) { try ImageComparison.difference(expected: small, got: large) }
  }
}
