import RenderServer
import Testing
import WaylandProtocol

@Suite("Windows that the pointer moves")
struct WindowDragTests {
  @Test("one is taken along by the pointer, which it does not hear of meanwhile")
  func moved() throws {
    let stage = try SeatTests.Stage(layout: .cascade)
    stage.move(34, 35)
    stage.press(.down)
    _ = try stage.heard()
    stage.window.toplevel.move(seat: stage.program.seat, serial: stage.ear.serial)
    try stage.program.roundtrip()
    stage.move(44, 30)
    stage.press(.up)
    #expect(try stage.heard() == ["leave", "frame", "enter 2.0 3.0", "frame"])
    stage.move(43, 30)
    #expect(try stage.heard() == ["motion 1.0 3.0", "frame"])
    stage.move(33, 40)
    #expect(try stage.heard() == ["leave", "frame"])
  }

  @Test("its edges follow the pointer, and the others stay where they are, once it has drawn")
  func resized() throws {
    let stage = try SeatTests.Stage(layout: .cascade)
    stage.move(33, 33)
    stage.press(.down)
    _ = try stage.heard()
    stage.window.toplevel.resize(seat: stage.program.seat, serial: stage.ear.serial, edges: .topLeft)
    try stage.program.roundtrip()
    #expect(stage.window.states.contains(XdgToplevel.State.resizing.rawValue))
    stage.move(29, 31)
    _ = try stage.heard()
    #expect(stage.window.size.map { [$0.0, $0.1] } == [24, 14])
    stage.program.show(try TestProgram.Picture(stage.program, 24, 14) { _, _ in 0xFFFF_FFFF }, in: stage.window.surface)
    try stage.program.roundtrip()
    stage.press(.up)
    _ = try stage.heard()
    #expect(!stage.window.states.contains(XdgToplevel.State.resizing.rawValue))
    // Its corner is 4 further left and 2 further up.
    stage.move(29, 31)
    #expect(try stage.heard() == [])
    stage.move(28, 30)
    #expect(try stage.heard() == ["motion 0.0 0.0", "frame"])
  }

  @Test("a finger moves one too, and its edges, whose client hears of the finger no more")
  func finger() throws {
    let stage = try SeatTests.Stage(layout: .cascade)
    let ear = SeatEar()
    stage.program.keep(stage.program.seat.getTouch()).handler = ear
    try stage.program.roundtrip()
    func finger(_ state: PortholeInspectorV1.State, _ x: Double, _ y: Double) {
      stage.inspector.touch(finger: 2, state: state, outputHi: 0, outputLo: 0, point: [x, y].span.bytes)
    }
    finger(.down, 34, 35)
    _ = try stage.heard()
    stage.window.toplevel.move(seat: stage.program.seat, serial: ear.serial)
    try stage.program.roundtrip()
    finger(.moved, 44, 30)
    finger(.up, 0, 0)
    // The corner is where it was taken to: 10 further right, 5 further up.
    stage.move(42, 27)
    #expect(try stage.heard() == ["enter 0.0 0.0", "frame"])
    #expect(ear.take() == ["down 2 2.0 3.0"])
    finger(.down, 60, 37)
    _ = try stage.heard()
    stage.window.toplevel.resize(seat: stage.program.seat, serial: ear.serial, edges: .bottomRight)
    try stage.program.roundtrip()
    // The pointer's own buttons are none of its business.
    stage.press(.down)
    stage.press(.up)
    finger(.moved, 64, 39)
    _ = try stage.heard()
    #expect(stage.window.size.map { [$0.0, $0.1] } == [24, 14])
    #expect(stage.window.states.contains(XdgToplevel.State.resizing.rawValue))
    finger(.up, 0, 0)
    _ = try stage.heard()
    #expect(!stage.window.states.contains(XdgToplevel.State.resizing.rawValue))
    #expect(ear.take() == ["down 2 18.0 10.0"])
  }

  @Test("nothing is moved without a press on it, nor where the layout has the say", arguments: [true, false])
  func ignored(_ isTiled: Bool) throws {
    let stage = try SeatTests.Stage(layout: isTiled ? .tile : .cascade)
    let corner: Double = isTiled ? 0 : 32
    stage.move(corner + 5, corner + 5)
    if isTiled { stage.press(.down) }
    _ = try stage.heard()
    stage.window.toplevel.move(seat: stage.program.seat, serial: 1)
    try stage.program.roundtrip()
    stage.move(corner + 6, corner + 5)
    #expect(try stage.heard() == ["motion 6.0 5.0", "frame"])
  }

  @Test("one that shows nothing for a while comes back where it was")
  func remapped() throws {
    let stage = try SeatTests.Stage(layout: .cascade)
    stage.window.surface.attach(buffer: nil, x: 0, y: 0)
    stage.window.surface.commit()
    try stage.program.roundtrip()
    stage.program.show(try TestProgram.Picture(stage.program, 20, 12) { _, _ in 0xFFFF_FFFF }, in: stage.window.surface)
    try stage.program.roundtrip()
    stage.move(35, 36)
    #expect(try stage.heard() == ["enter 3.0 4.0", "frame"])
  }
}
