import Commit
import RenderServer
import RenderTree
import Testing
import WaylandProtocol

private let red: UInt32 = 0xFFFF_0000
private let green: UInt32 = 0xFF00_FF00
private let blue: UInt32 = 0xFF00_00FF

@Suite("Subsurfaces")
struct SubsurfaceTests {
  /// A window of 6 × 4 in red, with a subsurface of 2 × 2 in green at (1, 1) that is not committed yet.
  private struct Stage {
    let fixture: ServerFixture
    let program: TestProgram
    let window: TestProgram.Window
    let child: Proxy<WlSurface>
    let subsurface: Proxy<WlSubsurface>
    let picture: TestProgram.Picture

    init() throws {
      fixture = try ServerFixture(layout: .none)
      program = try TestProgram(fixture)
      window = try program.window(try TestProgram.Picture(program, 6, 4) { _, _ in red })
      child = program.compositor.createSurface()
      subsurface = program.subcompositor.getSubsurface(surface: child, parent: window.surface)
      subsurface.setPosition(x: 1, y: 1)
      picture = try TestProgram.Picture(program, 2, 2) { _, _ in green }
    }

    /// The colour at (1, 1), which the subsurface covers, and at (0, 0), which it does not.
    func seen() throws -> [UInt32] {
      try program.roundtrip()
      let shown = pixels(try fixture.connect().look(at: fixture.lastWindow, 6, 4))
      return [shown[7], shown[0]]
    }
  }

  @Test("a synchronised one is shown with its parent's commit, with all that it said until then")
  func synchronised() throws {
    let stage = try Stage()
    stage.program.show(stage.picture, in: stage.child)
    #expect(try stage.seen() == [red, red])
    stage.window.surface.commit()
    #expect(try stage.seen() == [green, red])
    stage.picture.draw { _, _ in blue }
    stage.program.show(stage.picture, in: stage.child)
    #expect(stage.picture.ear.releases >= 1)
    #expect(try stage.seen() == [green, red])
    stage.window.surface.commit()
    #expect(try stage.seen() == [blue, red])
  }

  @Test("one that is not synchronised is shown with its own, but moves with its parent's")
  func desynchronised() throws {
    let stage = try Stage()
    stage.subsurface.setDesync()
    stage.window.surface.commit()
    stage.program.show(stage.picture, in: stage.child)
    #expect(try stage.seen() == [green, red])
    stage.subsurface.setPosition(x: 0, y: 0)
    stage.child.commit()
    #expect(try stage.seen() == [green, red])
    stage.window.surface.commit()
    #expect(try stage.seen() == [green, green])
  }

  @Test("what waited is shown at once when synchronising ends")
  func released() throws {
    let stage = try Stage()
    stage.window.surface.commit()
    stage.program.show(stage.picture, in: stage.child)
    #expect(try stage.seen() == [red, red])
    stage.subsurface.setDesync()
    #expect(try stage.seen() == [green, red])
  }

  @Test("one inside of a synchronised one waits with it, whatever it says itself")
  func nested() throws {
    let stage = try Stage()
    stage.program.show(stage.picture, in: stage.child)
    stage.window.surface.commit()
    let inner = stage.program.compositor.createSurface()
    let innermost = stage.program.subcompositor.getSubsurface(surface: inner, parent: stage.child)
    innermost.setDesync()
    let picture = try TestProgram.Picture(stage.program, 1, 1) { _, _ in blue }
    stage.program.show(picture, in: inner)
    stage.child.commit()
    #expect(try stage.seen() == [green, red])
    stage.window.surface.commit()
    #expect(try stage.seen() == [blue, red])
  }

  @Test("order among siblings and about the parent is the one that was asked for, from the parent's commit on")
  func order() throws {
    let stage = try Stage()
    stage.program.show(stage.picture, in: stage.child)
    let other = stage.program.compositor.createSurface()
    let sibling = stage.program.subcompositor.getSubsurface(surface: other, parent: stage.window.surface)
    sibling.setPosition(x: 1, y: 1)
    stage.program.show(try TestProgram.Picture(stage.program, 2, 2) { _, _ in blue }, in: other)
    stage.window.surface.commit()
    #expect(try stage.seen() == [blue, red])
    sibling.placeBelow(sibling: stage.child)
    #expect(try stage.seen() == [blue, red])
    stage.window.surface.commit()
    #expect(try stage.seen() == [green, red])
    stage.subsurface.placeBelow(sibling: stage.window.surface)
    stage.window.surface.commit()
    #expect(try stage.seen() == [blue, red])
    sibling.placeBelow(sibling: stage.window.surface)
    stage.window.surface.commit()
    #expect(try stage.seen() == [red, red])
    stage.subsurface.placeAbove(sibling: stage.window.surface)
    stage.window.surface.commit()
    #expect(try stage.seen() == [green, red])
  }

  @Test("one whose object or surface is destroyed is gone")
  func destroyed() throws {
    for destroysSurface in [false, true] {
      let stage = try Stage()
      stage.program.show(stage.picture, in: stage.child)
      stage.window.surface.commit()
      #expect(try stage.seen() == [green, red])
      if destroysSurface { stage.child.destroy() } else { stage.subsurface.destroy() }
      #expect(try stage.seen() == [red, red])
    }
  }

  @Test("without its parent it is not shown")
  func parentless() throws {
    let stage = try Stage()
    stage.program.show(stage.picture, in: stage.child)
    stage.window.surface.commit()
    #expect(try stage.seen() == [green, red])
    stage.window.toplevel.destroy()
    stage.window.xdg.destroy()
    stage.window.surface.destroy()
    stage.child.commit()
    try stage.program.roundtrip()
    #expect(stage.fixture.server.tree.tree.invariantViolations() == [])
  }

  @Test("what is said of one inside of a synchronised one waits for that one's commit, and then for the window's")
  func innerPlace() throws {
    let stage = try Stage()
    stage.program.show(stage.picture, in: stage.child)
    let inner = stage.program.compositor.createSurface()
    let innermost = stage.program.subcompositor.getSubsurface(surface: inner, parent: stage.child)
    stage.program.show(try TestProgram.Picture(stage.program, 1, 1) { _, _ in blue }, in: inner)
    stage.child.commit()
    stage.window.surface.commit()
    #expect(try stage.seen() == [blue, red])
    innermost.setPosition(x: 1, y: 1)
    stage.window.surface.commit()
    #expect(try stage.seen() == [blue, red])
    stage.child.commit()
    #expect(try stage.seen() == [blue, red])
    stage.window.surface.commit()
    #expect(try stage.seen() == [green, red])
  }
}
