import Commit
import Geometry
import RenderServer
import RenderTree
import Testing
import WaylandProtocol

@Suite("Windows and popups")
struct ShellTests {
  final class PopupEar: XdgPopup.EventHandler, XdgSurface.EventHandler {
    private(set) var place: [Int32] = []
    private(set) var isDone = false
    private(set) var isConfigured = false
    private(set) var tokens: [UInt32] = []
    func configure(_ proxy: Proxy<XdgPopup>, x: Int32, y: Int32, width: Int32, height: Int32) {
      place = [x, y, width, height]
    }
    func popupDone(_ proxy: Proxy<XdgPopup>) { isDone = true }
    func repositioned(_ proxy: Proxy<XdgPopup>, token: UInt32) { tokens.append(token) }
    func configure(_ proxy: Proxy<XdgSurface>, serial: UInt32) {
      proxy.ackConfigure(serial: serial)
      isConfigured = true
    }
  }

  /// A popup of 10 × 6 in blue, below the place (4, 4) of a window.
  private struct Popup {
    let surface: Proxy<WlSurface>
    let xdg: Proxy<XdgSurface>
    let popup: Proxy<XdgPopup>
    let ear = PopupEar()

    init(_ program: TestProgram, over parent: TestProgram.Window, grabs: Bool = false) throws {
      surface = program.compositor.createSurface()
      xdg = program.shell.getXdgSurface(surface: surface)
      let positioner = program.shell.createPositioner()
      positioner.setSize(width: 10, height: 6)
      positioner.setAnchorRect(x: 4, y: 4, width: 1, height: 1)
      positioner.setAnchor(anchor: .bottomRight)
      positioner.setGravity(gravity: .bottomRight)
      popup = xdg.getPopup(parent: parent.xdg, positioner: positioner)
      popup.handler = ear
      xdg.handler = ear
      positioner.destroy()
      if grabs { popup.grab(seat: program.seat, serial: 1) }
      surface.commit()
      let ear = ear
      try program.turn { ear.isConfigured }
      program.show(try TestProgram.Picture(program, 10, 6) { _, _ in 0xFF00_00FF }, in: surface)
      try program.roundtrip()
    }
  }

  private func window(_ program: TestProgram) throws -> TestProgram.Window {
    try program.window(try TestProgram.Picture(program, 20, 12) { _, _ in 0xFFFF_0000 })
  }

  @Test("the first commit is answered by how the window should be: any size, or a tile's")
  func configured() throws {
    for (layout, size) in [
      (DeskOptions.Layout.none, [0, 0]), (.cascade, [0, 0]), (.full, [96, 64]), (.tile, [96, 64]),
    ] {
      let fixture = try ServerFixture(layout: layout)
      let program = try TestProgram(fixture)
      let window = try TestProgram.Window(program)
      try program.roundtrip()
      #expect(window.serials.isEmpty)
      window.surface.commit()
      try program.turn { !window.serials.isEmpty }
      #expect([window.size?.0, window.size?.1] == size.map { Int32($0) }, "\(layout)")
    }
  }

  @Test("tiles share the desk, and are told so")
  func tiles() throws {
    let fixture = try ServerFixture(layout: .tile)
    let program = try TestProgram(fixture)
    let windows = try (0..<3).map { _ in try window(program) }
    try program.roundtrip()
    #expect(windows.map { [$0.size?.0, $0.size?.1] } == [[48, 32], [48, 32], [96, 32]])
    windows[2].toplevel.destroy()
    try program.roundtrip()
    #expect(windows[..<2].map { [$0.size?.0, $0.size?.1] } == [[48, 64], [48, 64]])
  }

  @Test("a maximised window is as large as the desk, and its own rectangle lies where it should, without its shadow")
  func maximised() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let window = try window(program)
    window.toplevel.setMaximized()
    try program.roundtrip()
    #expect([window.size?.0, window.size?.1] == [96, 64])
    #expect(window.states.contains(XdgToplevel.State.maximized.rawValue))
    window.xdg.setWindowGeometry(x: 3, y: 2, width: 10, height: 8)
    window.surface.commit()
    try program.roundtrip()
    let layer = try #require(fixture.server.tree.registry.list.first).layer
    let tree = fixture.server.tree.tree
    #expect(
      tree.properties(of: layer).contains(.position(.zero)) || !tree.properties(of: layer).contains(where: isPlace))
    #expect(tree.bounds(of: layer) == Rect(x: 3, y: 2, width: 10, height: 8))
    window.toplevel.unsetMaximized()
    try program.roundtrip()
    #expect(fixture.server.tree.tree.properties(of: layer).contains(.position(Point(32, 32))))
  }

  private func isPlace(_ change: PropertyChange) -> Bool {
    if case .position = change { return true }
    return false
  }

  @Test("a popup is placed by its positioner, is shown with its window, and goes with it")
  func popup() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let window = try window(program)
    let popup = try Popup(program, over: window)
    #expect(popup.ear.place == [5, 5, 10, 6])
    let client = try fixture.connect()
    let number = fixture.lastWindow
    let shown = pixels(try client.look(at: number, 20, 12))
    #expect(
      shown == (0..<240).map { (5..<15).contains($0 % 20) && (5..<11).contains($0 / 20) ? 0xFF00_00FF : 0xFFFF_0000 })
    popup.popup.destroy()
    try program.roundtrip()
    #expect(pixels(try client.look(at: number, 20, 12)).allSatisfy { $0 == 0xFFFF_0000 })
  }

  @Test("a popup that is positioned anew says which request it answers")
  func repositioned() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let popup = try Popup(program, over: try window(program))
    let positioner = program.shell.createPositioner()
    positioner.setSize(width: 10, height: 6)
    positioner.setAnchorRect(x: 0, y: 0, width: 1, height: 1)
    popup.popup.reposition(positioner: positioner, token: 77)
    try program.roundtrip()
    #expect(popup.ear.tokens == [77])
    #expect(popup.ear.place == [-5, -3, 10, 6])
  }

  @Test("a press outside of a popup that holds the seat ends it, one inside does not")
  func grab() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let popup = try Popup(program, over: try window(program), grabs: true)
    let client = try fixture.connect()
    let inspector = try #require(client.inspector)
    func click(_ x: Double, _ y: Double) throws {
      inspector.movePointer(outputHi: 0, outputLo: 0, point: [x, y].span.bytes)
      inspector.pressButton(button: 0x110, state: .down)
      inspector.pressButton(button: 0x110, state: .up)
      try client.commit()
      try program.roundtrip()
    }
    try click(32 + 6, 32 + 6)
    #expect(!popup.ear.isDone)
    try click(32 + 1, 32 + 1)
    #expect(popup.ear.isDone)
  }

  @Test("what breaks a rule gets the error that the protocol names", arguments: Breach.allCases)
  func violations(_ breach: Breach) throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let bystander = try TestProgram(fixture)
    try breach.commit(program)
    let (interface, code) = breach.error
    let found = try program.violation()
    #expect(found?.interface == interface, "\(breach)")
    #expect(found?.code == code, "\(breach)")
    try bystander.roundtrip()
    #expect(fixture.server.tree.tree.invariantViolations() == [])
    #expect(fixture.server.tree.misapplied == [])
  }

  @Test("popups that hold the seat have the pointer for their client; a press elsewhere ends them and is nobody's")
  func others() throws {
    let fixture = try ServerFixture(layout: .cascade, 96, 96)
    let (bystander, program) = (try TestProgram(fixture), try TestProgram(fixture))
    _ = try window(bystander)
    let ear = SeatEar()
    bystander.keep(bystander.seat.getPointer()).handler = ear
    let popup = try Popup(program, over: try window(program), grabs: true)
    let client = try fixture.connect()
    let inspector = try #require(client.inspector)
    func heard() throws -> [String] {
      try client.commit()
      try program.roundtrip()
      try bystander.roundtrip()
      return ear.take()
    }
    inspector.movePointer(outputHi: 0, outputLo: 0, point: [34.0, 35.0].span.bytes)
    #expect(try heard() == [])
    #expect(!popup.ear.isDone)
    inspector.pressButton(button: 0x110, state: .down)
    #expect(try heard() == ["enter 2.0 3.0", "frame"])
    #expect(popup.ear.isDone)
    inspector.pressButton(button: 0x110, state: .up)
    #expect(try heard() == [])
  }

  @Test("a new window ends the popups that hold the seat")
  func newWindow() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let popup = try Popup(program, over: try window(program), grabs: true)
    #expect(!popup.ear.isDone)
    _ = try window(program)
    #expect(popup.ear.isDone)
  }
}
