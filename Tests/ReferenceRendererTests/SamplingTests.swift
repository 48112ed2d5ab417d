import Commit
import Geometry
import Testing

@Suite("Sampling of pictures")
struct SamplingTests {
  private func noise(_ x: Int, _ y: Int) -> [UInt8] {
    let value = UInt32(truncatingIfNeeded: x &* 7919 &+ y &* 104_729) &* 2_654_435_761
    return [UInt8(value >> 24), UInt8(value >> 16 & 255), UInt8(value >> 8 & 255), 255]
  }

  @Test("one to one on the pixel grid is the picture itself, whatever transforms lead there")
  func oneToOne() throws {
    var stage = try Stage(16, 16)
    let parent = try stage.add(
      frame: Rect(1.0 / 3, 0.1, 1, 1), .transform(Transform3D.rotation(angle: 0.7) * .scale(x: 1 / 3.3, y: 1 / 3.3)))
    let child = try stage.add(
      to: parent, frame: Rect(0, 0, 1, 1), .transform(.scale(x: 3.3, y: 3.3) * .rotation(angle: -0.7)))
    let image = try #require(picture(8, 8, noise))
    try stage.add(to: child, frame: Rect(5 - 1.0 / 3, 3.9, 8, 8), .contents(image))
    let got = stage.draw()
    for y in 0..<8 { for x in 0..<8 { #expect(got[x + 5, y + 4] == noise(x, y)) } }
    #expect(got.area == 64)
  }

  @Test("half a pixel aside, a pixel is the mean of two texels")
  func halfPixel() throws {
    var stage = try Stage(8, 2)
    let image = try #require(picture(4, 2) { x, _ in [UInt8(x * 40), 0, 0, 255] })
    try stage.add(frame: Rect(1.5, 0, 4, 2), .contents(image))
    let got = stage.draw()
    for x in 1..<4 { #expect(got[x + 1, 0] == [UInt8(x * 40 - 20), 0, 0, 255]) }
    // The edge texel goes on; the edge pixel is half covered.
    #expect(got[5, 0] == [60, 0, 0, 128])
  }

  @Test("magnified linearly, between texel centres lies the line between them; beyond, the edge texel")
  func magnified() throws {
    var stage = try Stage(16, 4)
    let image = try #require(picture(2, 1) { x, _ in [x == 0 ? 0 : 255, 0, 0, 255] })
    let layer = try stage.add(frame: Rect(0, 0, 16, 4), .contents(image))
    let got = stage.draw()
    for x in 0..<16 {
      let expected = min(1, max(0, (Double(x) + 0.5) / 8 - 0.5))
      #expect(abs(Double(got[x, 1][0]) - expected * 255) <= 0.51)
    }
    try stage.set(layer, .magnificationFilter(.nearest))
    #expect(stage.draw()[7, 1] == [0, 0, 0, 255])
    #expect(stage.draw()[8, 1] == [255, 0, 0, 255])
  }

  @Test("shown at a quarter, a pixel is the mean of sixteen texels")
  func minified() throws {
    var stage = try Stage(4, 4)
    let image = try #require(picture(16, 16) { x, y in [UInt8((x + y) & 1) * 255, UInt8(x / 4 * 50), 0, 255] })
    try stage.add(frame: Rect(0, 0, 4, 4), .contents(image))
    let got = stage.draw()
    for x in 0..<4 { #expect(got[x, 2] == [128, UInt8(x * 50), 0, 255]) }
  }

  @Test("shown at more than half, no smaller version is used")
  func slightlyMinified() throws {
    var stage = try Stage(3, 4)
    let image = try #require(picture(4, 4) { x, _ in [UInt8(x * 60), 0, 0, 255] })
    try stage.add(frame: Rect(0, 0, 3, 4), .contents(image))
    let got = stage.draw()
    for x in 0..<3 {
      let texel = (Double(x) + 0.5) * 4 / 3 - 0.5
      #expect(abs(Double(got[x, 1][0]) - texel * 60) <= 0.51)
    }
  }

  @Test("colours are multiplied by alpha before they are mixed")
  func straightAlpha() throws {
    var stage = try Stage(4, 1)
    let image = try #require(
      picture(2, 1, alpha: .straight) { x, _ in x == 0 ? [255, 0, 0, 255] : [0, 255, 0, 0] })
    try stage.add(frame: Rect(0.5, 0, 2, 1), .contents(image))
    #expect(stage.draw()[1, 0] == [128, 0, 0, 128])
  }

  @Test("a crop's neighbours don't bleed into it")
  func crop() throws {
    var stage = try Stage(8, 8)
    let image = try #require(picture(4, 4) { x, y in x < 2 && y < 2 ? [255, 0, 0, 255] : [0, 255, 0, 255] })
    try stage.add(frame: Rect(0, 0, 8, 8), .contents(image), .contentsRect(Rect(0, 0, 0.5, 0.5)))
    let got = stage.draw()
    for y in 0..<8 { for x in 0..<8 { #expect(got[x, y] == [255, 0, 0, 255]) } }
  }

  @Test("contents reach beyond the bounds unless they are masked")
  func overflow() throws {
    var stage = try Stage(20, 20)
    let image = try #require(picture(10, 10) { _, _ in [255, 0, 0, 255] })
    let layer = try stage.add(frame: Rect(8, 8, 4, 4), .contents(image), .contentsGravity(.center))
    #expect(stage.draw().area == 100)
    try stage.set(layer, .masksToBounds(true))
    #expect(stage.draw().area == 16)
  }
}
