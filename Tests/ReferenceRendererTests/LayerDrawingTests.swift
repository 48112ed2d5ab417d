import Commit
import Geometry
import Testing

@Suite("What a layer draws")
struct LayerDrawingTests {
  @Test("a background is its colour on whole pixels and a share of it on others")
  func background() throws {
    var stage = try Stage(20, 20)
    try stage.add(frame: Rect(2, 3, 4.5, 2), .backgroundColor(Color(red: 1, green: 0.5, blue: 0, alpha: 0.5)))
    let got = stage.draw(background: PremultipliedColor(red: 0, green: 0, blue: 1, alpha: 1))
    #expect(got[2, 3] == [128, 64, 128, 255])
    // Half covered: a quarter of the colour.
    #expect(got[6, 4] == [64, 32, 191, 255])
    #expect(got[7, 4] == [0, 0, 255, 255])
    #expect(got[3, 5] == [0, 0, 255, 255])
  }

  @Test("scale is pixels per point")
  func scale() throws {
    var stage = try Stage(20, 20)
    try stage.add(frame: Rect(2, 3, 4, 2), .backgroundColor(.red))
    #expect(stage.draw(scale: 2).area == 32)
    #expect(stage.draw(scale: 2)[4, 6] == [255, 0, 0, 255])
  }

  @Test("a bounds origin scrolls sublayers")
  func boundsOrigin() throws {
    var stage = try Stage(20, 20)
    let parent = try stage.add(frame: Rect(5, 5, 10, 10), .bounds(Rect(3, 2, 10, 10)))
    try stage.add(to: parent, frame: Rect(3, 2, 1, 1), .backgroundColor(.red))
    #expect(stage.draw()[5, 5] == [255, 0, 0, 255])
    #expect(stage.draw().area == 1)
  }

  @Test("a border lies above sublayers, within the bounds, and is not clipped")
  func border() throws {
    var stage = try Stage(20, 20)
    let parent = try stage.add(
      frame: Rect(2, 2, 10, 10), .borderWidth(2), .borderColor(.green), .masksToBounds(true), .backgroundColor(.blue))
    try stage.add(to: parent, frame: Rect(0, 0, 20, 20), .backgroundColor(.red))
    let got = stage.draw()
    #expect(got[2, 2] == [0, 255, 0, 255])
    #expect(got[3, 7] == [0, 255, 0, 255])
    #expect(got[4, 7] == [255, 0, 0, 255])
    #expect(got.area == 100)
  }

  @Test("sublayers are drawn by zPosition, then by order")
  func order() throws {
    var stage = try Stage(4, 4)
    try stage.add(frame: Rect(0, 0, 4, 4), .backgroundColor(.red), .zPosition(1))
    try stage.add(frame: Rect(0, 0, 4, 4), .backgroundColor(.green), .zPosition(1))
    try stage.add(frame: Rect(0, 0, 4, 4), .backgroundColor(.blue))
    #expect(stage.draw()[1, 1] == [0, 255, 0, 255])
  }

  @Test("hidden and clear layers draw nothing, with their sublayers", arguments: [true, false])
  func hidden(isHidden: Bool) throws {
    var stage = try Stage(4, 4)
    let parent = try stage.add(
      frame: Rect(0, 0, 4, 4), .backgroundColor(.red), isHidden ? .isHidden(true) : .opacity(0))
    try stage.add(to: parent, frame: Rect(0, 0, 4, 4), .backgroundColor(.red))
    #expect(stage.draw().area == 0)
  }

  @Test("a back is seen unless the layer is one-sided; a back's back is a front")
  func doubleSided() throws {
    var stage = try Stage(8, 8)
    let turn = Transform3D.rotation(angle: .pi, x: 0, y: 1, z: 0)
    let parent = try stage.add(frame: Rect(8, 0, 8, 8), .transform(turn), .backgroundColor(.red))
    #expect(stage.draw().area == 64)
    try stage.set(parent, .isDoubleSided(false))
    #expect(stage.draw().area == 0)
    try stage.set(parent, .isDoubleSided(true), .backgroundColor(.clear))
    try stage.add(
      to: parent, frame: Rect(4, 0, 4, 4), .transform(turn), .isDoubleSided(false), .backgroundColor(.blue))
    #expect(stage.draw().area == 16)
  }

  @Test("an axial gradient mixes premultiplied colours along its line")
  func gradient() throws {
    var stage = try Stage(10, 4)
    let gradient = Gradient(
      start: Point(0, 0), end: Point(1, 0),
      stops: [
        .init(location: 0, color: .black), .init(location: 0.5, color: .red),
        .init(location: 1, color: Color(red: 1, green: 0, blue: 0, alpha: 0)),
      ])
    try stage.add(.gradient, frame: Rect(0, 0, 10, 4), .gradient(gradient))
    let got = stage.draw()
    for x in 0..<10 {
      let t = (Double(x) + 0.5) / 10
      let red = t < 0.5 ? t * 2 : (1 - t) * 2
      let alpha = t < 0.5 ? 1 : red
      #expect(abs(Double(got[x, 2][0]) - red * 255) <= 0.51)
      #expect(abs(Double(got[x, 2][3]) - alpha * 255) <= 0.51)
    }
  }

  @Test("a gradient's lines of equal colour stand upright on its line, and stops may coincide")
  func slantedGradient() throws {
    var stage = try Stage(40, 20)
    let gradient = Gradient(
      start: Point(0, 0), end: Point(1, 1),
      stops: [
        .init(location: 0, color: .red), .init(location: 0.5, color: .red), .init(location: 0.5, color: .blue),
      ])
    try stage.add(.gradient, frame: Rect(0, 0, 40, 20), .gradient(gradient))
    let got = stage.draw()
    for y in 0..<20 {
      for x in 0..<40 {
        let share = ((Double(x) + 0.5) * 40 + (Double(y) + 0.5) * 20) / 2000
        #expect(got[x, y] == (share < 0.5 ? [255, 0, 0, 255] : [0, 0, 255, 255]))
      }
    }
  }
}
