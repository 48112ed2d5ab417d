import Commit
import Geometry
import RenderServer
import Testing
import WaylandProtocol

/// What the desk shows.
struct DeskPicture {
  let width: Int
  let pixels: [UInt8]

  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
}

extension SeatTests.Stage {
  func desk() throws -> DeskPicture {
    let size = try #require(fixture.server.options.desk?.size)
    let pipe = try PipeEnds()
    let capture = inspector.capture(
      subject: .output, numberHi: 0, numberLo: UInt32(truncatingIfNeeded: try deskNumber()), scale: [1.0].span.bytes,
      fd: pipe.writer.descriptor, format: .raw)
    try operate.commit()
    pipe.writer.close()
    let pixels = try pipe.readAll { try fixture.turns(1) }
    capture.destroy()
    try #require(pixels.count == size.width * size.height * 4)
    return DeskPicture(width: size.width, pixels: pixels)
  }

  private func deskNumber() throws -> UInt64 {
    let pipe = try PipeEnds()
    inspector.dump(document: .outputs, fd: pipe.writer.descriptor)
    try operate.commit()
    pipe.writer.close()
    let text = String(decoding: try pipe.readAll { try fixture.turns(1) }, as: UTF8.self)
    return try #require(text.matches(of: #/"output": ?(\d+)/#).compactMap { UInt64($0.1) }.min())
  }
}

@Suite("The pointer's picture")
struct CursorTests {
  private static let green: [UInt8] = [0, 255, 0, 255]
  private static let white: [UInt8] = [255, 255, 255, 255]

  /// A window at (32, 32) whose program has the pointer look like a green square of 3 × 3.
  private func stage(hotSpot: (Int32, Int32)) throws -> (SeatTests.Stage, Proxy<WlSurface>) {
    let stage = try SeatTests.Stage(layout: .cascade)
    stage.move(40, 40)
    _ = try stage.heard()
    let cursor = stage.program.keep(stage.program.compositor.createSurface())
    stage.pointer.setCursor(serial: 1, surface: cursor, hotspotX: hotSpot.0, hotspotY: hotSpot.1)
    stage.program.show(try TestProgram.Picture(stage.program, 3, 3) { _, _ in 0xFF00_FF00 }, in: cursor)
    try stage.program.roundtrip()
    return (stage, cursor)
  }

  @Test("it is on the desk, with its hot spot where the pointer is, and lets everything through to what lies below")
  func hotSpot() throws {
    let (stage, cursor) = try stage(hotSpot: (1, 1))
    var desk = try stage.desk()
    #expect(desk.pixel(39, 39) == Self.green && desk.pixel(41, 41) == Self.green)
    #expect(desk.pixel(38, 38) == Self.white && desk.pixel(42, 42) == Self.white)
    stage.move(45, 41)
    #expect(try stage.heard() == ["motion 13.0 9.0", "frame"])
    desk = try stage.desk()
    #expect(desk.pixel(40, 40) == Self.white && desk.pixel(44, 40) == Self.green)
    // Another place of the picture, by its client's word, and by an offset of its next buffer.
    stage.pointer.setCursor(serial: 1, surface: cursor, hotspotX: 0, hotspotY: 0)
    try stage.program.roundtrip()
    #expect(try stage.desk().pixel(44, 40) == Self.white)
    let picture = try TestProgram.Picture(stage.program, 3, 3) { _, _ in 0xFF00_FF00 }
    cursor.attach(buffer: picture.buffer, x: -2, y: 0)
    cursor.damageBuffer(x: 0, y: 0, width: 3, height: 3)
    cursor.commit()
    try stage.program.roundtrip()
    #expect(try stage.desk().pixel(43, 41) == Self.green)
  }

  @Test("it goes when its program says so, when the pointer leaves, and with its surface")
  func hidden() throws {
    for way in 0..<3 {
      let (stage, cursor) = try stage(hotSpot: (0, 0))
      #expect(try stage.desk().pixel(40, 40) == Self.green)
      switch way {
      case 0: stage.pointer.setCursor(serial: 1, surface: nil, hotspotX: 0, hotspotY: 0)
      case 1: stage.move(2, 2)
      default: cursor.destroy()
      }
      _ = try stage.heard()
      let desk = try stage.desk()
      #expect(desk.pixel(40, 40) == Self.white, "way \(way)")
      #expect(desk.pixel(3, 3) == desk.pixel(90, 3), "way \(way)")
    }
  }

  @Test("who has not the pointer does not say how it looks, and it stays in front of a window that is raised")
  func others() throws {
    let (stage, _) = try stage(hotSpot: (0, 0))
    let other = try TestProgram(stage.fixture)
    let pointer = other.keep(other.seat.getPointer())
    let surface = other.keep(other.compositor.createSurface())
    pointer.setCursor(serial: 1, surface: surface, hotspotX: 0, hotspotY: 0)
    other.show(try TestProgram.Picture(other, 3, 3) { _, _ in 0xFF00_00FF }, in: surface)
    try other.roundtrip()
    #expect(try stage.desk().pixel(40, 40) == Self.green)
    stage.press(.down)
    stage.press(.up)
    _ = try stage.heard()
    #expect(try stage.desk().pixel(40, 40) == Self.green)
  }
}
