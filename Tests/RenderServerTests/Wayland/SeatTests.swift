import Commit
import Geometry
import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

/// Everything that a seat tells a program, in order.
final class SeatEar: WlPointer.EventHandler, WlKeyboard.EventHandler, WlTouch.EventHandler {
  private(set) var heard: [String] = []
  private(set) var serial: UInt32 = 0

  func take() -> [String] {
    defer { heard = [] }
    return heard
  }

  private func words(_ x: WireFixed, _ y: WireFixed) -> String { "\(x.doubleValue) \(y.doubleValue)" }

  func enter(
    _ proxy: Proxy<WlPointer>, serial: UInt32, surface: Proxy<WlSurface>?, surfaceX: WireFixed, surfaceY: WireFixed
  ) { heard.append("enter \(words(surfaceX, surfaceY))") }
  func leave(_ proxy: Proxy<WlPointer>, serial: UInt32, surface: Proxy<WlSurface>?) { heard.append("leave") }
  func motion(_ proxy: Proxy<WlPointer>, time: UInt32, surfaceX: WireFixed, surfaceY: WireFixed) {
    heard.append("motion \(words(surfaceX, surfaceY))")
  }
  func button(
    _ proxy: Proxy<WlPointer>, serial: UInt32, time: UInt32, button: UInt32, state: WlPointer.ButtonState
  ) {
    self.serial = serial
    heard.append("button \(button) \(state == .pressed ? "down" : "up")")
  }
  func axis(_ proxy: Proxy<WlPointer>, time: UInt32, axis: WlPointer.Axis, value: WireFixed) {
    heard.append("axis \(axis.rawValue) \(value.doubleValue)")
  }
  func frame(_ proxy: Proxy<WlPointer>) { heard.append("frame") }
  func axisSource(_ proxy: Proxy<WlPointer>, axisSource: WlPointer.AxisSource) {}
  func axisStop(_ proxy: Proxy<WlPointer>, time: UInt32, axis: WlPointer.Axis) {}
  func axisDiscrete(_ proxy: Proxy<WlPointer>, axis: WlPointer.Axis, discrete: Int32) {}
  func axisValue120(_ proxy: Proxy<WlPointer>, axis: WlPointer.Axis, value120: Int32) {}

  func keymap(
    _ proxy: Proxy<WlKeyboard>, format: WlKeyboard.KeymapFormat, fd: consuming FileDescriptor, size: UInt32
  ) { heard.append("keymap \(size > 1000)") }
  func enter(_ proxy: Proxy<WlKeyboard>, serial: UInt32, surface: Proxy<WlSurface>?, keys: RawSpan) {
    heard.append("focus")
  }
  func leave(_ proxy: Proxy<WlKeyboard>, serial: UInt32, surface: Proxy<WlSurface>?) { heard.append("blur") }
  func key(_ proxy: Proxy<WlKeyboard>, serial: UInt32, time: UInt32, key: UInt32, state: WlKeyboard.KeyState) {
    heard.append("key \(key) \(state == .pressed ? "down" : "up")")
  }
  func modifiers(
    _ proxy: Proxy<WlKeyboard>, serial: UInt32, modsDepressed: UInt32, modsLatched: UInt32, modsLocked: UInt32,
    group: UInt32
  ) { heard.append("modifiers \(modsDepressed)") }
  func repeatInfo(_ proxy: Proxy<WlKeyboard>, rate: Int32, delay: Int32) {}

  func down(
    _ proxy: Proxy<WlTouch>, serial: UInt32, time: UInt32, surface: Proxy<WlSurface>?, id: Int32, x: WireFixed,
    y: WireFixed
  ) {
    self.serial = serial
    heard.append("down \(id) \(words(x, y))")
  }
  func up(_ proxy: Proxy<WlTouch>, serial: UInt32, time: UInt32, id: Int32) { heard.append("up \(id)") }
  func motion(_ proxy: Proxy<WlTouch>, time: UInt32, id: Int32, x: WireFixed, y: WireFixed) {
    heard.append("drag \(id) \(words(x, y))")
  }
  func frame(_ proxy: Proxy<WlTouch>) {}
  func cancel(_ proxy: Proxy<WlTouch>) {}
  func shape(_ proxy: Proxy<WlTouch>, id: Int32, major: WireFixed, minor: WireFixed) {}
  func orientation(_ proxy: Proxy<WlTouch>, id: Int32, orientation: WireFixed) {}
}

@Suite("The seat")
struct SeatTests {
  /// A program with a window of 20 × 12, and the operator.
  struct Stage {
    let fixture: ServerFixture
    let program: TestProgram
    let window: TestProgram.Window
    let ear = SeatEar()
    let pointer: Proxy<WlPointer>
    let operate: TestClient
    let inspector: Proxy<PortholeInspectorV1>

    init(layout: DeskOptions.Layout, _ width: Int = 96, _ height: Int = 64) throws {
      fixture = try ServerFixture(layout: layout, width, height)
      program = try TestProgram(fixture)
      pointer = program.seat.getPointer()
      pointer.handler = ear
      window = try program.window(try TestProgram.Picture(program, 20, 12) { _, _ in 0xFFFF_FFFF })
      operate = try fixture.connect()
      inspector = try #require(operate.inspector)
    }

    func move(_ x: Double, _ y: Double, output: UInt64 = 0) {
      inspector.movePointer(
        outputHi: UInt32(output >> 32), outputLo: UInt32(truncatingIfNeeded: output), point: [x, y].span.bytes)
    }

    func press(_ state: PortholeInspectorV1.State, _ button: UInt32 = 0x110) {
      inspector.pressButton(button: button, state: state)
    }

    /// What the program has heard since it was last asked.
    func heard() throws -> [String] {
      try operate.commit()
      try program.roundtrip()
      return ear.take()
    }
  }

  @Test("the pointer enters, moves, clicks, scrolls and leaves in the surface's own units")
  func pointer() throws {
    let stage = try Stage(layout: .cascade)
    stage.move(32 + 5, 32 + 7.5)
    #expect(try stage.heard() == ["enter 5.0 7.5", "frame"])
    stage.move(32 + 6, 32 + 7.5)
    #expect(try stage.heard() == ["motion 6.0 7.5", "frame"])
    stage.press(.down)
    stage.press(.up)
    #expect(try stage.heard() == ["button 272 down", "frame", "button 272 up", "frame"])
    stage.inspector.scroll(distance: [0.0, 10.0].span.bytes)
    #expect(try stage.heard() == ["axis 0 10.0", "frame"])
    stage.move(1, 1)
    #expect(try stage.heard() == ["leave", "frame"])
  }

  @Test("what is pressed holds on to the pointer, inside of the surface and outside")
  func held() throws {
    let stage = try Stage(layout: .cascade)
    stage.move(33, 33)
    stage.press(.down)
    stage.move(32 - 10, 32 + 50)
    stage.press(.up)
    #expect(
      try stage.heard() == [
        "enter 1.0 1.0", "frame", "button 272 down", "frame", "motion -10.0 50.0", "frame", "button 272 up", "frame",
        "leave", "frame",
      ])
  }

  @Test("outside of a surface's input region, what lies behind it is hit")
  func region() throws {
    let stage = try Stage(layout: .cascade)
    let region = stage.program.compositor.createRegion()
    region.add(x: 0, y: 0, width: 20, height: 12)
    region.subtract(x: 4, y: 4, width: 4, height: 4)
    stage.window.surface.setInputRegion(region: region)
    region.destroy()
    stage.window.surface.commit()
    try stage.program.roundtrip()
    stage.move(32 + 5, 32 + 5)
    #expect(try stage.heard() == [])
    stage.move(32 + 9, 32 + 9)
    #expect(try stage.heard() == ["enter 9.0 9.0", "frame"])
    stage.window.surface.setInputRegion(region: nil)
    stage.window.surface.commit()
    try stage.program.roundtrip()
    stage.move(32 + 5, 32 + 5)
    #expect(try stage.heard() == ["motion 5.0 5.0", "frame"])
  }

  @Test("a turned, scaled portal that forwards has the pointer where its source would, exactly")
  func portal() throws {
    let stage = try Stage(layout: .none)
    let portal = try stage.operate.portal(of: stage.fixture.lastWindow)
    // A quarter turn clockwise and twice the size, about the portal's middle, which is at (40, 40).
    let turn = Transform3D(m11: 0, m12: 2, m21: -2, m22: 0)
    try stage.operate.set(
      portal,
      [
        .bounds(Rect(x: 0, y: 0, width: 20, height: 12)), .anchorPoint(Point(0.5, 0.5)), .position(Point(40, 40)),
        .transform(turn), .forwardsHitTestingToSource(true),
      ])
    let root = try stage.operate.layer(
      .layer, .bounds(Rect(x: 0, y: 0, width: 80, height: 80)), .anchorPoint(.zero))
    root.insertSublayer(child: portal, index: 0)
    let output = stage.operate.output(width: 80, height: 80)
    output.setRoot(layer: root)
    try stage.operate.commit()
    _ = try stage.operate.capture(output, width: 80, height: 80)
    let number = try stage.outputNumber()
    // (3, 2) in the source is (−7, −4) from its middle, so (8, −14) from the portal's.
    stage.move(40 + 8, 40 - 14, output: number)
    #expect(try stage.heard() == ["enter 3.0 2.0", "frame"])
    stage.press(.down)
    stage.press(.up)
    #expect(try stage.heard() == ["button 272 down", "frame", "button 272 up", "frame"])
    try stage.operate.set(portal, [.forwardsHitTestingToSource(false)])
    try stage.operate.commit()
    stage.move(40 + 8, 40 - 12, output: number)
    #expect(try stage.heard() == ["leave", "frame"])
  }

  @Test("a picture that was drawn turned or magnified takes the pointer in the surface's units")
  func transformed() throws {
    let stage = try Stage(layout: .cascade)
    stage.window.surface.setBufferTransform(transform: ._90)
    stage.window.surface.setBufferScale(scale: 2)
    stage.window.surface.commit()
    try stage.program.roundtrip()
    // 20 × 12 pixels, drawn a quarter turned at two pixels a unit: 6 × 10.
    stage.move(32 + 5, 32 + 9)
    #expect(try stage.heard() == ["enter 5.0 9.0", "frame"])
    stage.move(32 + 7, 32 + 9)
    #expect(try stage.heard() == ["leave", "frame"])
  }

  @Test("the keyboard goes to a new window, hears keys with their modifiers, and follows a click")
  func keyboard() throws {
    let stage = try Stage(layout: .cascade)
    let keyboard = stage.program.keep(stage.program.seat.getKeyboard())
    let ear = SeatEar()
    keyboard.handler = ear
    try stage.program.roundtrip()
    #expect(ear.take() == ["keymap true", "focus", "modifiers 0"])
    stage.inspector.typeText(text: "aB")
    _ = try stage.heard()
    #expect(
      ear.take() == [
        "key 30 down", "key 30 up", "key 42 down", "modifiers 1", "key 48 down", "key 48 up", "key 42 up",
        "modifiers 0",
      ])
    let other = try TestProgram(stage.fixture)
    _ = try other.window(try TestProgram.Picture(other, 8, 8) { _, _ in 0xFFFF_0000 })
    try stage.program.roundtrip()
    #expect(ear.take() == ["blur"])
    stage.move(33, 33)
    stage.press(.down)
    stage.press(.up)
    _ = try stage.heard()
    #expect(ear.take() == ["focus", "modifiers 0"])
    #expect(stage.window.states == [XdgToplevel.State.activated.rawValue])
    stage.inspector.strikeKeys(names: "Control_L+c")
    _ = try stage.heard()
    #expect(ear.take() == ["key 29 down", "modifiers 4", "key 46 down", "key 46 up", "key 29 up", "modifiers 0"])
  }

  @Test("what no key makes is said, and what comes before it is typed")
  func rejected() throws {
    final class TypedEar: PortholeInspectorV1.EventHandler {
      var answers: [String?] = []
      func typed(_ proxy: Proxy<PortholeInspectorV1>, rejected: String?) { answers.append(rejected) }
    }
    let stage = try Stage(layout: .cascade)
    let ear = TypedEar()
    stage.inspector.handler = ear
    stage.inspector.typeText(text: "ok")
    stage.inspector.typeText(text: "a漢b")
    stage.inspector.strikeKeys(names: "Return")
    stage.inspector.strikeKeys(names: "Return+NoSuchKey")
    #expect(try stage.operate.turn { ear.answers.count == 4 })
    #expect(ear.answers == [nil, "漢", nil, "NoSuchKey"])
  }

  @Test("a finger stays with the surface that it came down on")
  func touch() throws {
    let stage = try Stage(layout: .cascade)
    let ear = SeatEar()
    let touch = stage.program.keep(stage.program.seat.getTouch())
    touch.handler = ear
    try stage.program.roundtrip()
    func finger(_ state: PortholeInspectorV1.State, _ x: Double, _ y: Double) {
      stage.inspector.touch(finger: 3, state: state, outputHi: 0, outputLo: 0, point: [x, y].span.bytes)
    }
    finger(.down, 34, 35)
    finger(.moved, 10, 10)
    finger(.up, 0, 0)
    finger(.down, 1, 1)
    _ = try stage.heard()
    #expect(ear.take() == ["down 3 2.0 3.0", "drag 3 -22.0 -22.0", "up 3"])
  }

  @Test("a window that goes takes the focus with it, and gives it to the next")
  func closed() throws {
    let stage = try Stage(layout: .cascade)
    let ear = SeatEar()
    let keyboard = stage.program.keep(stage.program.seat.getKeyboard())
    keyboard.handler = ear
    let other = try TestProgram(stage.fixture)
    let second = try other.window(try TestProgram.Picture(other, 8, 8) { _, _ in 0xFFFF_0000 })
    _ = try stage.heard()
    _ = ear.take()
    second.toplevel.destroy()
    try other.roundtrip()
    try stage.program.roundtrip()
    #expect(ear.take() == ["focus", "modifiers 0"])
    stage.move(33, 33)
    stage.program.kill()
    #expect(try stage.fixture.turn { stage.fixture.server.tree.registry.exportCount == 0 })
    stage.move(34, 34)
    stage.press(.down)
    try stage.operate.commit()
  }

  @Test("a surface that goes lets go of the fingers on it")
  func touchedAndGone() throws {
    let stage = try Stage(layout: .cascade)
    let ear = SeatEar()
    stage.program.keep(stage.program.seat.getTouch()).handler = ear
    try stage.program.roundtrip()
    stage.inspector.touch(finger: 1, state: .down, outputHi: 0, outputLo: 0, point: [34.0, 35.0].span.bytes)
    _ = try stage.heard()
    #expect(ear.take() == ["down 1 2.0 3.0"])
    stage.window.toplevel.destroy()
    stage.window.xdg.destroy()
    stage.window.surface.destroy()
    _ = try stage.heard()
    #expect(ear.take() == ["up 1"])
  }
}

extension SeatTests.Stage {
  /// The last output's number, as the operator finds it.
  func outputNumber() throws -> UInt64 {
    let pipe = try PipeEnds()
    inspector.dump(document: .outputs, fd: pipe.writer.descriptor)
    try operate.commit()
    pipe.writer.close()
    let text = String(decoding: try pipe.readAll { try fixture.turns(1) }, as: UTF8.self)
    let numbers = text.matches(of: #/"output": ?(\d+)/#).compactMap { UInt64($0.1) }
    return try #require(numbers.max())
  }
}
