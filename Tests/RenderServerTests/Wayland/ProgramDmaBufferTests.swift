import Commit
import Foundation
import GLES
import Geometry
import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

/// Programs that draw into dma-bufs, on a server whose driver a test preloads.
@Suite("Dma-bufs of any program", .serialized)
struct ProgramDmaBufferTests {
  private static let red: UInt32 = 0xFFC8_140A
  private static let green: UInt32 = 0xFF0A_C814

  private func program(_ server: RunningServer) throws -> (TestProgram, Proxy<ZwpLinuxDmabufV1>) {
    let program = try TestProgram(try server.socket()) { usleep(500) }
    try program.roundtrip()
    return (program, program.keep(program.bind(ZwpLinuxDmabufV1.self, 3)))
  }

  private func show(_ buffer: Proxy<WlBuffer>?, in surface: Proxy<WlSurface>, damage: Int32 = .max) {
    surface.attach(buffer: buffer, x: 0, y: 0)
    surface.damageBuffer(x: 0, y: 0, width: damage, height: damage)
    surface.commit()
  }

  private func window(_ program: TestProgram, _ buffer: Proxy<WlBuffer>) throws -> TestProgram.Window {
    let window = program.keep(try TestProgram.Window(program))
    window.surface.commit()
    try program.turn { !window.serials.isEmpty }
    show(buffer, in: window.surface)
    try program.roundtrip()
    return window
  }

  /// The number of the only layer that is exported: the window's.
  private func exported(_ server: RunningServer, _ client: TestClient) throws -> UInt64 {
    let text = try server.document(.exports, client)
    let list = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [[String: Any]]
    return try #require((list?.first?["layer"] as? NSNumber)?.uint64Value)
  }

  // MARK: What is said

  @Test("programs hear of the layouts that the display imports, in the words of their version, and of its device")
  func announced() throws {
    let server = try RunningServer.importing(arguments: ["--layout", "none"], node: "/dev/null")
    let (program, factory) = try program(server)
    let ear = DmaFactoryEar()
    factory.handler = ear
    let codes = [
      DmaBufferFormat.abgr8888, DmaBufferFormat.argb8888, DmaBufferFormat.xbgr8888, DmaBufferFormat.xrgb8888,
    ]
    let layouts = codes.flatMap { (code: UInt32) -> [DmaBufferFormat] in
      [DmaBufferFormat.implicit, DmaBufferFormat.linear].map { DmaBufferFormat(fourcc: code, modifier: $0) }
    }
    try program.roundtrip()
    #expect(ear.layouts == layouts && ear.codes == [])
    let (old, oldEar) = (program.keep(program.bind(ZwpLinuxDmabufV1.self, 2)), DmaFactoryEar())
    old.handler = oldEar
    try program.roundtrip()
    #expect(oldEar.codes == codes && oldEar.layouts == [])

    let (new, newEar) = (program.keep(program.bind(ZwpLinuxDmabufV1.self, 4)), DmaFactoryEar())
    new.handler = newEar
    let window = try window(program, ProgramDmaPicture(factory, Self.red).make())
    let ears = (0..<2).map { _ in DmaFeedbackEar() }
    program.keep(new.getDefaultFeedback()).handler = ears[0]
    program.keep(new.getSurfaceFeedback(surface: window.surface)).handler = ears[1]
    try program.roundtrip()
    #expect(newEar.codes == [] && newEar.layouts == [])
    var status = stat()
    stat("/dev/null", &status)
    for ear in ears {
      #expect(ear.table == layouts && ear.indices == layouts.indices.map { UInt16($0) })
      #expect(ear.devices == [UInt64(status.st_rdev), UInt64(status.st_rdev)] && ear.flags == [0])
      #expect(ear.tranches == 1 && ear.isDone)
    }
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("a server that knows no device offers version 3, and one that imports nothing offers nothing")
  func versions() throws {
    let importing = try RunningServer.importing(arguments: ["--layout", "none"])
    let known = try TestProgram(try importing.socket()) { usleep(500) }
    try known.roundtrip()
    #expect(known.versions[ZwpLinuxDmabufV1.name] == 3)
    let device = try Device(display: .surfaceless)
    defer { device.shutdown() }
    guard case .none = device.capabilities.dmaBuffers else { return }
    let fixture = try ServerFixture(layout: .none)
    let plain = try TestProgram(fixture)
    try plain.roundtrip()
    #expect(plain.versions[WlShm.name] == 1 && plain.versions[ZwpLinuxDmabufV1.name] == nil)
    withExtendedLifetime(fixture) {}
  }

  // MARK: Pixels

  @Test("a portal shows a program's dma-buf, and each goes back when another is shown, though outputs stand still")
  func shown() throws {
    let server = try RunningServer.importing(arguments: ["--layout", "none"])
    let (program, factory) = try program(server)
    let client = try server.connect()
    let (first, second) = (try ProgramDmaPicture(factory, Self.red), try ProgramDmaPicture(factory, Self.green))
    first.parameters.create(width: 16, height: 16, format: DmaBufferFormat.argb8888, flags: [])
    try program.turn { first.parameterEar.created.count == 1 }
    let buffer = try #require(first.parameterEar.created.first)
    first.take(buffer)
    let window = try window(program, buffer)
    let number = try exported(server, client)
    #expect(try pixels(client.look(at: number, 16, 16)) == Array(repeating: Self.red, count: 256))
    #expect(first.ear.releases == 0)

    show(second.make(), in: window.surface)
    try program.turn { first.ear.releases == 1 }
    #expect(try pixels(client.look(at: number, 16, 16)) == Array(repeating: Self.green, count: 256))
    // Again, twice, with other pixels, of which one is said to be new.
    first.fill(Self.green)
    first.draw(Self.red, 0, 0)
    first.draw(Self.red, 8, 8)
    for _ in 0..<2 { show(buffer, in: window.surface, damage: 1) }
    try program.turn { second.ear.releases == 1 }
    let shown = try pixels(client.look(at: number, 16, 16))
    #expect(shown[0] == Self.red && shown[1] == Self.green)
    #expect(first.ear.releases == 1)
    // And pixels in memory, of which one is said to be new.
    let plain = program.keep(try TestProgram.Picture(program, 16, 16) { _, _ in 0xFF00_00FF })
    show(plain.buffer, in: window.surface, damage: 1)
    try program.turn { first.ear.releases == 2 }
    #expect(try pixels(client.look(at: number, 16, 16)) == Array(repeating: 0xFF00_00FF, count: 256))
    show(buffer, in: window.surface, damage: 0)
    try program.roundtrip()
    #expect(try pixels(client.look(at: number, 16, 16))[136] == Self.red)
    window.toplevel.destroy()
    window.xdg.destroy()
    window.surface.destroy()
    try program.turn { first.ear.releases == 3 }
    #expect(first.ear.releases == 3 && second.ear.releases == 1)
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("a buffer that a synchronised subsurface never showed goes back, and one that it waits with does not")
  func cached() throws {
    let server = try RunningServer.importing(arguments: ["--layout", "none"])
    let (program, factory) = try program(server)
    let pictures = try (0..<4).map { _ in try ProgramDmaPicture(factory, Self.red) }
    let window = try window(program, pictures[0].make())
    let surface = program.keep(program.compositor.createSurface())
    program.keep(program.subcompositor.getSubsurface(surface: surface, parent: window.surface))
    show(pictures[1].make(), in: surface)
    show(pictures[2].make(), in: surface)
    try program.turn { pictures[1].ear.releases == 1 }
    #expect(pictures.map(\.ear.releases) == [0, 1, 0, 0])
    window.surface.commit()
    show(pictures[3].make(), in: surface)
    try program.roundtrip()
    #expect(pictures.map(\.ear.releases) == [0, 1, 0, 0])
    window.surface.commit()
    try program.turn { pictures[2].ear.releases == 1 }
    #expect(pictures.map(\.ear.releases) == [0, 1, 1, 0])
  }

  @Test("what the driver refuses is told as failed, and shown as nothing")
  func failed() throws {
    let server = try RunningServer.importing(arguments: ["--layout", "none"])
    let (program, factory) = try program(server)
    let client = try server.connect()
    // The driver refuses pictures of this width.
    let (asked, immediate) = (
      try ProgramDmaPicture(factory, width: 1000, Self.red), try ProgramDmaPicture(factory, width: 1000, Self.red)
    )
    asked.parameters.create(width: 1000, height: 1, format: DmaBufferFormat.argb8888, flags: [])
    let window = try window(program, immediate.make(height: 1))
    try program.turn { asked.parameterEar.failures + immediate.parameterEar.failures == 2 }
    #expect(asked.parameterEar.failures == 1 && asked.parameterEar.created.isEmpty)
    #expect(try pixels(client.look(at: exported(server, client), 16, 1)).allSatisfy { $0 == 0 })
    // What could be no dma-buf, and is upside down.
    let memory = try SharedMemory(byteCount: 4096)
    let plain = factory.createParams()
    plain.add(fd: memory.descriptor, planeIdx: 0, offset: 0, stride: 64, modifierHi: 0, modifierLo: 0)
    let inverted = try ProgramDmaPicture(factory, Self.red)
    let ear = DmaParameterEar()
    plain.handler = ear
    plain.create(width: 16, height: 16, format: DmaBufferFormat.argb8888, flags: [])
    inverted.parameters.create(width: 16, height: 16, format: DmaBufferFormat.argb8888, flags: .yInvert)
    try program.roundtrip()
    #expect(ear.failures == 1 && inverted.parameterEar.failures == 1)
    show(try ProgramDmaPicture(factory, Self.green).make(), in: window.surface)
    try program.roundtrip()
    #expect(try pixels(client.look(at: exported(server, client), 16, 16)) == Array(repeating: Self.green, count: 256))
  }

  // MARK: Rules

  @Test("who breaks a rule of theirs gets the error that the protocol names, and nobody else notices")
  func breaches() throws {
    let server = try RunningServer.importing(arguments: ["--layout", "none"])
    let (bystander, _) = try program(server)
    for breach in DmaBreach.allCases {
      let (program, factory) = try program(server)
      try breach.commit(factory, program)
      let violation = try program.violation()
      #expect(violation?.interface == ZwpLinuxBufferParamsV1.name, "\(breach)")
      #expect(violation?.code == breach.code.rawValue, "\(breach)")
    }
    let (hoarder, factory) = try program(server)
    for _ in 0..<70 {
      hoarder.keep(try ProgramDmaPicture(factory, Self.red))
      _ = try? hoarder.connection.flush()
    }
    // `wl_display.no_memory`, in the words of the client's library.
    #expect(try hoarder.violation() == nil)
    #expect(hoarder.connection.error == .failed(SystemCallError(call: "the wire", errno: ENOMEM)))
    try bystander.roundtrip()
    #expect(server.end(SIGTERM) == 0)
  }
}
