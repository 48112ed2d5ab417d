import Commit
import Geometry
import ReferenceRenderer
import RenderTree
import Testing

@Suite("Portals")
struct PortalTests {
  /// A subtree with most of what there is to draw.
  @discardableResult
  private func addSubtree(
    to stage: inout Stage, _ parent: LayerID?, frame: Rect, _ properties: PropertyChange...
  ) throws -> LayerID {
    let top = try stage.add(
      to: parent, frame: frame, .backgroundColor(Color(red: 0.2, green: 0.4, blue: 0.9, alpha: 0.8)), .cornerRadius(6),
      .borderWidth(1.5), .borderColor(.black))
    for property in properties { try stage.set(top, property) }
    let group = try stage.add(to: top, frame: Rect(4, 4, 16, 12), .opacity(0.6))
    try stage.add(to: group, frame: Rect(-8, -2.5, 20, 8), .backgroundColor(.red))
    try stage.add(to: group, frame: Rect(2, 2, 7, 13), .backgroundColor(.green), .transform(.rotation(angle: 0.4)))
    let image = try #require(picture(6, 5) { x, y in [UInt8(x * 40), UInt8(y * 50), 90, 255] })
    try stage.add(to: top, frame: Rect(10, 9, 17, 9), .contents(image), .masksToBounds(true), .cornerRadius(3))
    return top
  }

  @Test(
    "a portal is the same bytes as a copy of the subtree",
    arguments: [
      Transform3D.identity, .translation(x: 0.37, y: 0.81), .scale(x: 1.7, y: 0.6), .rotation(angle: 1),
      Transform3D.rotation(angle: 0.5, x: 0, y: 1, z: 0) * .perspective(distance: 60),
    ])
  func copy(transform: Transform3D) throws {
    var portal = try Stage(60, 50)
    // The source's place, opacity and parents don't count.
    let away = try portal.add(frame: Rect(300, 0, 5, 5), .opacity(0.1))
    let source = try addSubtree(to: &portal, away, frame: Rect(3, 4, 28, 22), .opacity(0.5))
    try portal.add(
      .portal, frame: Rect(20, 15, 28, 22), .transform(transform), .sourceLayer(source),
      .backgroundColor(Color(red: 1, green: 1, blue: 0, alpha: 0.3)))
    var copy = try Stage(60, 50)
    let holder = try copy.add(
      frame: Rect(20, 15, 28, 22), .transform(transform),
      .backgroundColor(Color(red: 1, green: 1, blue: 0, alpha: 0.3)))
    try addSubtree(to: &copy, holder, frame: Rect(0, 0, 28, 22))
    let expected = copy.draw()
    #expect(expected.area > 300)
    #expect(portal.draw() == expected)
  }

  @Test("a hole in the wall draws what the source draws in its place")
  func holeInTheWall() throws {
    var plain = try Stage(60, 50)
    let parent = try plain.add(frame: Rect(7.3, 5.1, 9, 9), .transform(.rotation(angle: 0.3)))
    try addSubtree(to: &plain, parent, frame: Rect(3, 4, 28, 22))
    var portal = plain
    let source = LayerID(rawValue: 3)
    let turned = try portal.add(frame: Rect(20, 3, 9, 9), .transform(.rotation(angle: -0.8) * .scale(x: 2, y: 2)))
    try portal.add(
      .portal, to: turned, frame: Rect(1, 1, 5, 5), .sourceLayer(source), .matchesPosition(true),
      .matchesTransform(true), .hidesSourceLayer(true))
    let expected = plain.draw(scale: 1.3)
    #expect(expected.area > 300)
    #expect(portal.draw(scale: 1.3) == expected)
  }

  @Test("a source that a portal hides is shown by the portal alone")
  func hiding() throws {
    var stage = try Stage(20, 20)
    let source = try stage.add(frame: Rect(0, 0, 4, 4), .backgroundColor(.red))
    let portal = try stage.add(.portal, frame: Rect(10, 10, 4, 4), .sourceLayer(source), .hidesSourceLayer(true))
    #expect(stage.draw()[1, 1] == [0, 0, 0, 0])
    #expect(stage.draw()[11, 11] == [255, 0, 0, 255])
    try stage.set(portal, .isHidden(true))
    #expect(stage.draw()[1, 1] == [255, 0, 0, 255])
    #expect(stage.draw()[11, 11] == [0, 0, 0, 0])
  }

  @Test("a portal clips only with masksToBounds")
  func portalClip() throws {
    var stage = try Stage(20, 20)
    let source = try stage.add(to: nil, frame: Rect(0, 0, 4, 4))
    try stage.add(to: source, frame: Rect(-2, -2, 8, 8), .backgroundColor(.red))
    let portal = try stage.add(.portal, frame: Rect(5, 5, 4, 4), .sourceLayer(source))
    #expect(stage.draw().area == 64)
    try stage.set(portal, .masksToBounds(true))
    #expect(stage.draw().area == 16)
  }

  @Test("a source rectangle cuts the content and takes the place of the bounds' origin")
  func sourceRect() throws {
    var stage = try Stage(20, 20)
    let source = try stage.add(to: nil, frame: Rect(0, 0, 8, 8), .backgroundColor(.red))
    try stage.add(to: source, frame: Rect(4, 4, 4, 4), .backgroundColor(.blue))
    let portal = try stage.add(.portal, frame: Rect(10, 10, 4, 4), .sourceLayer(source), .sourceRect(Rect(3, 3, 3, 2)))
    let got = stage.draw()
    #expect(got.area == 6)
    #expect(got[10, 10] == [255, 0, 0, 255])
    #expect(got[11, 11] == [0, 0, 255, 255])
    try stage.set(portal, .sourceRect(Rect(3, 3, 0, 2)))
    #expect(stage.draw().area == 0)
  }

  @Test("a portal in its own source draws nothing at the second level, or as many levels as it is told")
  func recursionDepth() throws {
    var stage = try Stage(64, 8)
    // Each level lies 10 further right.
    let source = try stage.add(frame: Rect(0, 0, 64, 8))
    try stage.add(to: source, frame: Rect(0, 0, 4, 4), .backgroundColor(.red))
    let portal = try stage.add(.portal, to: source, frame: Rect(10, 0, 64, 8), .sourceLayer(source))
    #expect(stage.draw().area == 32)
    try stage.set(portal, .recursion(.depth(4)))
    let got = stage.draw()
    #expect(got.area == 80)
    #expect(got[40, 0] == [255, 0, 0, 255])
  }

  @Test("feedback shows the frame before, nothing in the first frame, and grows a level each frame")
  func previousFrame() throws {
    var stage = try Stage(64, 8)
    let source = try stage.add(frame: Rect(0, 0, 64, 8))
    let dot = try stage.add(to: source, frame: Rect(0, 0, 4, 4), .backgroundColor(.red))
    try stage.add(
      .portal, to: source, frame: Rect(10, 0, 64, 8), .sourceLayer(source), .recursion(.previousFrame))
    #expect(stage.draw().area == 32)
    #expect(stage.draw().area == 48)
    try stage.set(dot, .backgroundColor(.blue))
    let got = stage.draw()
    #expect(got.area == 64)
    #expect(got[0, 0] == [0, 0, 255, 255])
    #expect(got[10, 0] == [0, 0, 255, 255])
    // From here on the frame before, in its old colour.
    #expect(got[20, 0] == [255, 0, 0, 255])
    #expect(got[30, 0] == [255, 0, 0, 255])
  }

  @Test("a layer alone is drawn where it stands, without what is behind it and without its own opacity")
  func alone() throws {
    var stage = try Stage(20, 20)
    try stage.add(frame: Rect(0, 0, 20, 20), .backgroundColor(.blue))
    let parent = try stage.add(frame: Rect(3, 3, 10, 10), .backgroundColor(.green), .opacity(0.5))
    let layer = try stage.add(to: parent, frame: Rect(1, 1, 3, 3), .backgroundColor(.red), .opacity(0.5))
    let got = stage.draw(only: layer)
    #expect(got.area == 9)
    #expect(got[4, 4] == [255, 0, 0, 255])
    #expect(stage.draw(only: LayerID(rawValue: 99)).area == 0)
  }
}
