import Commit
import Geometry
import Testing

@Suite("Groups")
struct GroupTests {
  @Test("a group opacity does not let overlapping sublayers show through each other")
  func groupOpacity() throws {
    var stage = try Stage(8, 8)
    let group = try stage.add(frame: Rect(0, 0, 8, 8), .opacity(0.5))
    try stage.add(to: group, frame: Rect(0, 0, 6, 8), .backgroundColor(.red))
    try stage.add(to: group, frame: Rect(3, 0, 5, 8), .backgroundColor(.blue))
    let got = stage.draw(background: PremultipliedColor(red: 1, green: 1, blue: 1, alpha: 1))
    #expect(got[1, 1] == [255, 128, 128, 255])
    #expect(got[4, 1] == [128, 128, 255, 255])
  }

  @Test("without a group an opacity goes to each drawing")
  func separateOpacity() throws {
    var stage = try Stage(8, 8)
    let group = try stage.add(frame: Rect(0, 0, 8, 8), .opacity(0.5), .allowsGroupOpacity(false))
    try stage.add(to: group, frame: Rect(0, 0, 6, 8), .backgroundColor(.red))
    try stage.add(to: group, frame: Rect(3, 0, 5, 8), .backgroundColor(.blue))
    let got = stage.draw(background: PremultipliedColor(red: 1, green: 1, blue: 1, alpha: 1))
    #expect(got[1, 1] == [255, 128, 128, 255])
    #expect(got[4, 1] == [128, 64, 191, 255])
  }

  @Test("the opacity of one colour is the colour's own alpha")
  func opacityIsAlpha() throws {
    var grouped = try Stage(16, 16)
    try grouped.add(frame: Rect(2.3, 2.6, 10, 9), .backgroundColor(.red), .cornerRadius(3), .opacity(0.25))
    var plain = try Stage(16, 16)
    try plain.add(
      frame: Rect(2.3, 2.6, 10, 9), .backgroundColor(Color(red: 1, green: 0, blue: 0, alpha: 0.25)), .cornerRadius(3))
    #expect(grouped.draw() == plain.draw())
  }

  @Test("a clip covers what its shape covers, once for the whole content")
  func clip() throws {
    var clipped = try Stage(20, 20)
    let clip = try clipped.add(frame: Rect(3.5, 3.25, 12, 11), .cornerRadius(5), .masksToBounds(true))
    // Two full layers: were each clipped apart, edge pixels would be covered twice.
    try clipped.add(to: clip, frame: Rect(-9, -9, 40, 40), .backgroundColor(.blue))
    try clipped.add(to: clip, frame: Rect(-9, -9, 40, 40), .backgroundColor(.red))
    var plain = try Stage(20, 20)
    try plain.add(frame: Rect(3.5, 3.25, 12, 11), .cornerRadius(5), .backgroundColor(.red))
    #expect(clipped.draw() == plain.draw())
  }

  @Test("a corner radius alone does not clip sublayers")
  func radiusAlone() throws {
    var stage = try Stage(10, 10)
    let parent = try stage.add(frame: Rect(0, 0, 10, 10), .cornerRadius(5))
    try stage.add(to: parent, frame: Rect(0, 0, 10, 10), .backgroundColor(.red))
    #expect(stage.draw().area == 100)
  }

  @Test("nested clips on the pixel grid cut to what all of them show")
  func nestedClips() throws {
    var stage = try Stage(20, 20)
    let outer = try stage.add(frame: Rect(2, 2, 10, 10), .masksToBounds(true))
    let inner = try stage.add(to: outer, frame: Rect(4, 4, 10, 10), .masksToBounds(true))
    try stage.add(to: inner, frame: Rect(-20, -20, 60, 60), .backgroundColor(.red))
    try stage.add(to: outer, frame: Rect(0, 0, 1, 1), .backgroundColor(.blue))
    try stage.add(frame: Rect(19, 19, 1, 1), .backgroundColor(.green))
    let got = stage.draw()
    #expect(got.area == 36 + 1 + 1)
    #expect(got[6, 6] == [255, 0, 0, 255])
    #expect(got[11, 11] == [255, 0, 0, 255])
    #expect(got[12, 12] == [0, 0, 0, 0])
    #expect(got[19, 19] == [0, 255, 0, 255])
  }

  @Test("nested rounded clips multiply")
  func nestedRoundedClips() throws {
    var stage = try Stage(20, 20)
    let outer = try stage.add(frame: Rect(2.5, 0, 10, 20), .masksToBounds(true))
    let inner = try stage.add(to: outer, frame: Rect(0, 0, 10, 20), .masksToBounds(true))
    try stage.add(to: inner, frame: Rect(-9, -9, 40, 40), .backgroundColor(.red))
    // The edge pixel is half covered by each.
    #expect(stage.draw()[2, 5] == [64, 0, 0, 64])
  }

  @Test("a clip does not cut its own background")
  func clipKeepsBackground() throws {
    var stage = try Stage(10, 10)
    try stage.add(frame: Rect(1.5, 1, 5, 5), .masksToBounds(true), .backgroundColor(.red))
    #expect(stage.draw()[1, 2] == [128, 0, 0, 128])
  }
}
