import RenderServer
import Testing
import WaylandProtocol

@Suite("Windows that others bring to the front")
struct ActivationTests {
  private final class TokenEar: XdgActivationTokenV1.EventHandler {
    private(set) var token: String?
    func done(_ proxy: Proxy<XdgActivationTokenV1>, token: String) { self.token = token }
  }

  /// A program with a window, which all but fills the desk.
  private final class Guest {
    let program: TestProgram
    let window: TestProgram.Window
    let activation: Proxy<XdgActivationV1>
    let keyboard = SeatEar()

    init(_ fixture: ServerFixture, _ color: UInt32) throws {
      program = try TestProgram(fixture)
      program.keep(program.seat.getKeyboard()).handler = keyboard
      activation = program.keep(program.bind(XdgActivationV1.self, 1))
      window = try program.window(try TestProgram.Picture(program, 96, 64) { _, _ in color })
      try program.roundtrip()
    }

    func token() throws -> String {
      let (token, ear) = (program.keep(activation.getActivationToken()), TokenEar())
      token.handler = ear
      token.setAppId(appId: "other")
      token.setSurface(surface: window.surface)
      token.setSerial(serial: 1, seat: program.seat)
      token.commit()
      try program.turn { ear.token != nil }
      return try #require(ear.token)
    }

    /// What its keyboard hears of this.
    func activate(_ token: String) throws -> [String] {
      _ = keyboard.take()
      activation.activate(token: token, surface: window.surface)
      try program.roundtrip()
      return keyboard.take()
    }
  }

  @Test("a token of who has the keyboard brings a window to the front and gives it the keyboard, once")
  func activated() throws {
    let fixture = try ServerFixture(layout: .full)
    let first = try Guest(fixture, 0xFFFF_0000)
    let second = try Guest(fixture, 0xFF00_FF00)
    // Who has lost the keyboard gets tokens that count for nothing, and so does who makes them up.
    #expect(try first.activate(first.token()) == [])
    #expect(try first.activate("made-up") == [])
    let (token, other) = (try second.token(), try second.token())
    #expect(token != other)
    #expect(try first.activate(token) == ["focus", "modifiers 0"])
    #expect(first.window.states.contains(XdgToplevel.State.activated.rawValue))
    try second.program.roundtrip()
    #expect(second.keyboard.take().last == "blur")
    #expect(!second.window.states.contains(XdgToplevel.State.activated.rawValue))
    #expect(try second.activate(token) == [])
    #expect(try second.activate(other) == ["focus", "modifiers 0"])
  }

  @Test("a window that shows nothing yet uses its token up, and gets the keyboard when it opens")
  func early() throws {
    let fixture = try ServerFixture(layout: .full)
    let first = try Guest(fixture, 0xFFFF_0000)
    let token = try first.token()
    let surface = first.program.keep(first.program.compositor.createSurface())
    first.activation.activate(token: token, surface: surface)
    try first.program.roundtrip()
    #expect(first.keyboard.take() == ["keymap true", "focus", "modifiers 0"])
    let second = try Guest(fixture, 0xFF00_FF00)
    #expect(second.keyboard.take() == ["keymap true", "focus", "modifiers 0"])
    try first.program.roundtrip()
    #expect(try first.activate(token) == [])
    #expect(!first.window.states.contains(XdgToplevel.State.activated.rawValue))
  }
}
