import Commit
import Geometry
import JSON
import RenderServer
import TestSupport
import Testing
import WaylandProtocol

@Suite("What a viewer's hand does")
struct ViewHandTests {
  /// A program with a window of 20 × 12 at (32, 32) of the desk, and a viewer of the desk.
  struct Stage {
    let fixture: ServerFixture
    let program: TestProgram
    let window: TestProgram.Window
    let ear = SeatEar()
    let keys = SeatEar()
    let viewer: TestViewer

    init(layout: DeskOptions.Layout = .cascade) throws {
      fixture = try ServerFixture.viewed(layout: layout)
      program = try TestProgram(fixture)
      program.keep(program.seat.getPointer()).handler = ear
      program.keep(program.seat.getKeyboard()).handler = keys
      program.keep(program.seat.getTouch()).handler = ear
      window = try program.window(try TestProgram.Picture(program, 20, 12) { _, _ in 0xFFFF_FFFF })
      viewer = try TestViewer(fixture)
      try viewer.watchLast()
      _ = keys.take()
    }

    /// Says these, and waits until the server has heard them.
    func say(_ words: String...) throws {
      for word in words { try viewer.socket.send("[\(word)]") }
      _ = try viewer.outputs()
      try program.roundtrip()
    }
  }

  @Test("the pointer moves, clicks and scrolls in the surface's own units")
  func pointer() throws {
    let stage = try Stage()
    try stage.say("\"move\",37,39.5", "\"button\",272,1", "\"button\",272,0", "\"scroll\",0,10")
    #expect(
      stage.ear.take() == [
        "enter 5.0 7.5", "frame", "button 272 down", "frame", "button 272 up", "frame", "axis 0 10.0", "frame",
      ])
  }

  @Test("a click on a portal reaches the source's program where it would lie in the source")
  func portal() throws {
    let stage = try Stage(layout: .none)
    let client = try stage.fixture.connect()
    let portal = try client.portal(of: stage.fixture.lastWindow)
    try client.set(
      portal,
      [
        .bounds(Rect(x: 0, y: 0, width: 20, height: 12)), .anchorPoint(Point(0.5, 0.5)), .position(Point(40, 40)),
        .transform(Transform3D(m11: 0, m12: 2, m21: -2, m22: 0)), .forwardsHitTestingToSource(true),
      ])
    let root = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 80, height: 80)), .anchorPoint(.zero))
    root.insertSublayer(child: portal, index: 0)
    let output = client.output(width: 80, height: 80)
    output.setRoot(layer: root)
    try client.commit()
    try stage.viewer.watchLast()
    try stage.viewer.turn { stage.viewer.size.width == 80 }
    // (3, 2) in the source is (−7, −4) from its middle, so (8, −14) from the portal's, which is a quarter turned and doubled.
    try stage.say("\"move\",48,26", "\"button\",272,1", "\"button\",272,0")
    #expect(
      stage.ear.take() == ["enter 3.0 2.0", "frame", "button 272 down", "frame", "button 272 up", "frame"])
  }

  @Test("keys press what makes their character here, whatever layout the viewer's keyboard has")
  func keyboard() throws {
    let stage = try Stage()
    // Where a German keyboard has its Z, that of the United States has its Y (21); 44 is Z here.
    try stage.say("\"key\",21,1,\"z\"", "\"key\",21,0")
    #expect(stage.keys.take() == ["key 44 down", "key 44 up"])
    // Shift and A.
    try stage.say("\"key\",42,1", "\"key\",30,1,\"A\"", "\"key\",30,0", "\"key\",42,0")
    #expect(
      stage.keys.take() == [
        "key 42 down", "modifiers 1", "key 30 down", "key 30 up", "key 42 up", "modifiers 0",
      ])
    // Shift and 7 is a slash there; here it needs no Shift.
    try stage.say("\"key\",42,1", "\"key\",8,1,\"/\"", "\"key\",8,0", "\"key\",42,0")
    #expect(
      stage.keys.take() == [
        "key 42 down", "modifiers 1", "key 42 up", "modifiers 0", "key 53 down", "key 42 down", "modifiers 1",
        "key 53 up", "key 42 up", "modifiers 0",
      ])
    // A key that makes no character, and texts without keys.
    try stage.say("\"key\",105,1", "\"key\",105,0", "\"text\",\"a\"")
    #expect(stage.keys.take() == ["key 105 down", "key 105 up", "key 30 down", "key 30 up"])
  }

  @Test("pages hear whether the desk shows a pointer, so that they show no second one")
  func pointerNotice() throws {
    let stage = try Stage()
    func isDrawn() throws -> JSONDocument.Value? {
      let notice = try stage.viewer.text { $0.member("pointer", of: 0) != nil }
      return notice.member("pointer", of: 0).flatMap { notice.member("isDrawn", of: $0) }.map { notice[$0].value }
    }
    #expect(try isDrawn() == .bool(false))
    try stage.say("\"move\",37,39")
    stage.program.keep(stage.program.seat.getPointer()).setCursor(serial: 1, surface: nil, hotspotX: 0, hotspotY: 0)
    try stage.program.roundtrip()
    #expect(try isDrawn() == .bool(true))
    try stage.say("\"move\",1,1")
    #expect(try isDrawn() == .bool(false))
  }

  @Test("fingers touch, and two viewers' fingers are two")
  func touch() throws {
    let stage = try Stage()
    let other = try TestViewer(stage.fixture)
    try other.watchLast()
    try other.socket.send("[\"touch\",0,\"down\",34,34]")
    _ = try other.outputs()
    try stage.say("\"touch\",0,\"down\",33,33", "\"touch\",0,\"move\",35,33", "\"touch\",0,\"up\"")
    let heard = stage.ear.take().map { $0.split(separator: " ") }
    #expect(heard.map { $0[0] } == ["down", "down", "drag", "up"])
    #expect(Set(heard.map { $0[1] }).count == 2)
    #expect(heard[1][1] == heard[3][1])
  }

  @Test("a viewer that goes lets go of everything")
  func letGo() throws {
    let stage = try Stage()
    try stage.say("\"move\",37,39", "\"button\",272,1", "\"key\",30,1,\"a\"", "\"touch\",3,\"down\",34,34")
    _ = (stage.ear.take(), stage.keys.take())
    try stage.viewer.socket.send(kind: 8, [])
    try stage.program.turn { stage.ear.heard.count >= 3 && !stage.keys.heard.isEmpty }
    #expect(stage.keys.take() == ["key 30 up"])
    let heard = stage.ear.take()
    #expect(heard.contains("button 272 up"))
    #expect(heard.contains { $0.hasPrefix("up ") })
  }

  @Test("a flood of inputs is taken as fast as it is done, and loses nothing")
  func flood() throws {
    let stage = try Stage()
    for _ in 0..<500 { try stage.viewer.socket.send("[\"text\",\"ab\"]") }
    _ = try stage.viewer.outputs()
    try stage.program.turn { stage.keys.heard.count == 2000 }
    #expect(
      stage.keys.take()
        == Array(repeating: ["key 30 down", "key 30 up", "key 48 down", "key 48 up"], count: 500).flatMap(\.self))
  }
}
