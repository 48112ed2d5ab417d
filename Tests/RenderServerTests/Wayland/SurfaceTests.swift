import Commit
import Geometry
import RenderServer
import RenderTree
import Testing
import WaylandProtocol

private let red: UInt32 = 0xFFFF_0000
private let green: UInt32 = 0xFF00_FF00
private let blue: UInt32 = 0xFF00_00FF
private let white: UInt32 = 0xFFFF_FFFF

/// Pixels of a capture as 0xAARRGGBB.
func pixels(_ bytes: [UInt8]?) -> [UInt32] {
  let bytes = bytes ?? []
  return stride(from: 0, to: bytes.count - 3, by: 4).map { index in
    let (red, green) = (UInt32(bytes[index]), UInt32(bytes[index + 1]))
    let (blue, alpha) = (UInt32(bytes[index + 2]), UInt32(bytes[index + 3]))
    return alpha << 24 | red << 16 | green << 8 | blue
  }
}

@Suite("Surfaces of any program")
struct SurfaceTests {
  /// Each pixel another, half of them translucent.
  private func pattern(_ x: Int, _ y: Int) -> UInt32 {
    let alpha = UInt32((x + y) % 2 == 0 ? 255 : 128)
    return alpha << 24 | UInt32(x * 7 % 128) << 16 | UInt32(y * 11 % 128) << 8 | UInt32((x + y) * 5 % 128)
  }

  @Test("a portal shows a window's pixels, to the bit, though no output shows the window")
  func portal() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    _ = try program.window(try TestProgram.Picture(program, 20, 12, pattern))
    let client = try fixture.connect()
    let shown = pixels(try client.look(at: fixture.lastWindow, 20, 12))
    #expect(shown == (0..<240).map { pattern($0 % 20, $0 / 20) })
  }

  @Test(
    "each format of pixels is what it says",
    arguments: [
      (WlShm.Format.argb8888, UInt32(0x8040_2010), UInt32(0x8040_2010)), (.xrgb8888, 0x0040_2010, 0xFF40_2010),
      (.abgr8888, 0x8010_2040, 0x8040_2010), (.xbgr8888, 0x0010_2040, 0xFF40_2010),
    ])
  func formats(format: WlShm.Format, stored: UInt32, seen: UInt32) throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    _ = try program.window(try TestProgram.Picture(program, 4, 4, format: format) { _, _ in stored })
    let client = try fixture.connect()
    #expect(pixels(try client.look(at: fixture.lastWindow, 4, 4)) == [UInt32](repeating: seen, count: 16))
  }

  @Test("16 bits a pixel: all ones are white, and each colour has its own bits")
  func narrow() {
    for (stored, seen) in [(0xFFFF, white), (0xF800, red), (0x07E0, green), (0x001F, blue), (0, 0xFF00_0000)] {
      var bytes = [UInt8](repeating: 0, count: 4)
      withUnsafeBytes(of: UInt16(stored)) { source in
        bytes.withUnsafeMutableBytes { ShmFormat.rgb565.convert(source, into: $0) }
      }
      #expect(pixels(bytes) == [seen])
    }
  }

  @Test("a buffer is given back as soon as it was committed, once a commit")
  func release() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let picture = try TestProgram.Picture(program, 8, 8) { _, _ in red }
    let window = try program.window(picture)
    #expect(picture.ear.releases == 1)
    for _ in 0..<3 { program.show(picture, in: window.surface) }
    try program.roundtrip()
    #expect(picture.ear.releases == 4)
  }

  @Test("what is drawn into a buffer after its commit is not seen before the next")
  func copied() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let picture = try TestProgram.Picture(program, 4, 4) { _, _ in red }
    let window = try program.window(picture)
    let client = try fixture.connect()
    picture.draw { _, _ in blue }
    #expect(pixels(try client.look(at: fixture.lastWindow, 4, 4)).allSatisfy { $0 == red })
    program.show(picture, in: window.surface)
    try program.roundtrip()
    #expect(pixels(try client.look(at: fixture.lastWindow, 4, 4)).allSatisfy { $0 == blue })
  }

  @Test("only what is damaged is read anew, in the buffer's pixels and in the surface's units")
  func damage() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let picture = try TestProgram.Picture(program, 8, 8) { _, _ in red }
    let window = try program.window(picture)
    picture.draw { _, _ in blue }
    window.surface.setBufferScale(scale: 2)
    window.surface.attach(buffer: picture.buffer, x: 0, y: 0)
    window.surface.damageBuffer(x: 1, y: 1, width: 2, height: 1)
    window.surface.damage(x: 2, y: 3, width: 1, height: 100)
    window.surface.commit()
    window.surface.setBufferScale(scale: 1)
    window.surface.commit()
    try program.roundtrip()
    let client = try fixture.connect()
    let shown = pixels(try client.look(at: fixture.lastWindow, 8, 8))
    let expected: [UInt32] = (0..<64).map { index in
      let (x, y) = (index % 8, index / 8)
      let isDamaged = y == 1 && (1...2).contains(x) || (4...5).contains(x) && y >= 6
      return isDamaged ? blue : red
    }
    #expect(shown == expected)
  }

  @Test("a buffer's transform is undone, whichever of the eight it is", arguments: 0..<8)
  func transforms(number: Int) throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    // What is to be seen: 12 × 8, each quarter another colour, and a dot in the first.
    func upright(_ x: Int, _ y: Int) -> UInt32 {
      if x == 1, y == 2 { return 0xFF00_0000 }
      return x < 6 ? (y < 4 ? red : green) : (y < 4 ? blue : white)
    }
    // As the client draws it: flipped about the vertical axis from the fourth on, then turned counter-clockwise.
    let turns = number % 4
    let isSwapped = turns % 2 == 1
    let (width, height) = isSwapped ? (8, 12) : (12, 8)
    let picture = try TestProgram.Picture(program, width, height) { bx, by in
      // Back from the buffer: undo the turns, then the flip.
      let (x, y): (Int, Int) =
        switch turns {
        case 0: (bx, by)
        case 1: (11 - by, bx)
        case 2: (11 - bx, 7 - by)
        default: (by, 7 - bx)
        }
      return upright(number >= 4 ? 11 - x : x, y)
    }
    let window = try program.window(picture)
    window.surface.setBufferTransform(transform: WlOutput.Transform(rawValue: UInt32(number)))
    window.surface.commit()
    try program.roundtrip()
    let client = try fixture.connect()
    #expect(pixels(try client.look(at: fixture.lastWindow, 12, 8)) == (0..<96).map { upright($0 % 12, $0 / 12) })
  }

  @Test("a viewport shows its part of the buffer, at its size")
  func viewport() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let picture = try TestProgram.Picture(program, 8, 8) { x, y in
      x < 4 ? (y < 4 ? red : green) : (y < 4 ? blue : white)
    }
    let window = try program.window(picture)
    let viewport = program.viewporter.getViewport(surface: window.surface)
    viewport.setSource(x: WireFixed(4), y: WireFixed(4), width: WireFixed(2), height: WireFixed(3))
    window.surface.commit()
    try program.roundtrip()
    let client = try fixture.connect()
    // Without a destination, its size is the source's.
    let cropped = pixels(try client.look(at: fixture.lastWindow, 3, 4))
    #expect(cropped == (0..<12).map { $0 % 3 < 2 && $0 / 3 < 3 ? white : 0 })
    viewport.setSource(x: WireFixed(-1), y: WireFixed(-1), width: WireFixed(-1), height: WireFixed(-1))
    viewport.setDestination(width: 16, height: 24)
    window.surface.commit()
    try program.roundtrip()
    let scaled = pixels(try client.look(at: fixture.lastWindow, 16, 24))
    #expect([scaled[0], scaled[15], scaled[23 * 16], scaled[24 * 16 - 1]] == [red, blue, green, white])
    viewport.destroy()
    window.surface.commit()
    try program.roundtrip()
    #expect(pixels(try client.look(at: fixture.lastWindow, 9, 9)).filter { $0 != 0 }.count == 64)
  }

  @Test("a surface without a buffer shows nothing, and is shown again with the next")
  func unmapped() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let picture = try TestProgram.Picture(program, 4, 4) { _, _ in red }
    let window = try program.window(picture)
    let number = fixture.lastWindow
    window.surface.attach(buffer: nil, x: 0, y: 0)
    window.surface.commit()
    try program.roundtrip()
    #expect(fixture.server.tree.registry.exportCount == 0)
    // A window that is there no more is asked again how it is to be.
    window.surface.commit()
    try program.roundtrip()
    program.show(picture, in: window.surface)
    try program.roundtrip()
    #expect(fixture.lastWindow == number)
    let client = try fixture.connect()
    #expect(pixels(try client.look(at: number, 4, 4)).allSatisfy { $0 == red })
  }

  @Test("a program that ends leaves nothing behind, and its portals empty")
  func end() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let layers = fixture.server.tree.tree.layerCount
    let program = try TestProgram(fixture)
    _ = try program.window(try TestProgram.Picture(program, 4, 4) { _, _ in red })
    let client = try fixture.connect()
    let portal = try client.portal(of: fixture.lastWindow)
    try client.set(portal, [.bounds(Rect(x: 0, y: 0, width: 4, height: 4))])
    let output = client.output(width: 4, height: 4)
    output.setRoot(layer: portal)
    try client.commit()
    #expect(pixels(try client.capture(output, width: 4, height: 4)).allSatisfy { $0 == red })
    program.kill()
    #expect(try fixture.turn { fixture.server.tree.tree.layerCount == layers + 1 })
    #expect(pixels(try client.capture(output, width: 4, height: 4)).allSatisfy { $0 == 0 })
    #expect(fixture.server.tree.registry.exportCount == 0)
    #expect(fixture.server.tree.misapplied.isEmpty)
  }
}
