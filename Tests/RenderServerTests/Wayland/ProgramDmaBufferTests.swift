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

  private final class FactoryEar: ZwpLinuxDmabufV1.EventHandler {
    private(set) var codes: [UInt32] = []
    private(set) var layouts: [DmaBufferFormat] = []
    func format(_ proxy: Proxy<ZwpLinuxDmabufV1>, format: UInt32) { codes.append(format) }
    func modifier(_ proxy: Proxy<ZwpLinuxDmabufV1>, format: UInt32, modifierHi: UInt32, modifierLo: UInt32) {
      layouts.append(DmaBufferFormat(fourcc: format, modifier: UInt64(modifierHi) << 32 | UInt64(modifierLo)))
    }
  }

  private final class FeedbackEar: ZwpLinuxDmabufFeedbackV1.EventHandler {
    private(set) var table: [DmaBufferFormat] = []
    private(set) var devices: [UInt64] = []
    private(set) var indices: [UInt16] = []
    private(set) var flags: [UInt32] = []
    private(set) var tranches = 0
    private(set) var isDone = false
    func formatTable(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, fd: consuming FileDescriptor, size: UInt32) {
      var bytes = [UInt8](repeating: 0, count: Int(size))
      let count = pread(fd.rawValue, &bytes, bytes.count, 0)
      table = stride(from: 0, to: max(0, count), by: 16).map { place in
        bytes.withUnsafeBytes {
          DmaBufferFormat(
            fourcc: $0.load(fromByteOffset: place, as: UInt32.self),
            modifier: $0.load(fromByteOffset: place + 8, as: UInt64.self))
        }
      }
    }
    func mainDevice(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, device: RawSpan) { add(device) }
    func trancheTargetDevice(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, device: RawSpan) { add(device) }
    func trancheFormats(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, indices: RawSpan) {
      self.indices = indices.withUnsafeBytes { Array($0.bindMemory(to: UInt16.self)) }
    }
    func trancheFlags(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>, flags: ZwpLinuxDmabufFeedbackV1.TrancheFlags) {
      self.flags.append(flags.rawValue)
    }
    func trancheDone(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>) { tranches += 1 }
    func done(_ proxy: Proxy<ZwpLinuxDmabufFeedbackV1>) { isDone = true }
    private func add(_ device: RawSpan) {
      devices += device.withUnsafeBytes { Array($0.bindMemory(to: UInt64.self)) }
    }
  }

  private final class ParameterEar: ZwpLinuxBufferParamsV1.EventHandler {
    private(set) var created: [Proxy<WlBuffer>] = []
    private(set) var failures = 0
    func created(_ proxy: Proxy<ZwpLinuxBufferParamsV1>, buffer: Proxy<WlBuffer>) { created.append(buffer) }
    func failed(_ proxy: Proxy<ZwpLinuxBufferParamsV1>) { failures += 1 }
  }

  /// Pixels in a dma-buf.
  private final class Picture {
    let memory: SharedMemory
    let parameters: Proxy<ZwpLinuxBufferParamsV1>
    let ear = TestProgram.BufferEar()
    let parameterEar = ParameterEar()
    let width: Int
    private(set) var buffer: Proxy<WlBuffer>?

    init(_ factory: Proxy<ZwpLinuxDmabufV1>, width: Int = 16, _ pixel: UInt32) throws {
      self.width = width
      memory = try SharedMemory(name: "porthole-dma", byteCount: 65536)
      parameters = factory.createParams()
      parameters.handler = parameterEar
      parameters.add(
        fd: memory.descriptor, planeIdx: 0, offset: 256, stride: UInt32(width * 4 + 64), modifierHi: 0, modifierLo: 0)
      fill(pixel)
    }

    /// Makes the buffer, without an answer where it can be had.
    func make(height: Int32 = 16) -> Proxy<WlBuffer> {
      let made = parameters.createImmed(
        width: Int32(width), height: height, format: DmaBufferFormat.argb8888, flags: [])
      take(made)
      return made
    }

    func take(_ made: Proxy<WlBuffer>) {
      made.handler = ear
      buffer = made
    }

    func fill(_ pixel: UInt32) { for y in 0..<16 { for x in 0..<16 { draw(pixel, x, y) } } }

    func draw(_ pixel: UInt32, _ x: Int, _ y: Int) {
      memory.withBytes {
        $0.storeBytes(of: pixel, toByteOffset: 256 + y * (width * 4 + 64) + x * 4, as: UInt32.self)
      }
    }
  }

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
    let ear = FactoryEar()
    factory.handler = ear
    let codes = [
      DmaBufferFormat.abgr8888, DmaBufferFormat.argb8888, DmaBufferFormat.xbgr8888, DmaBufferFormat.xrgb8888,
    ]
    let layouts = codes.flatMap { (code: UInt32) -> [DmaBufferFormat] in
      [DmaBufferFormat.implicit, DmaBufferFormat.linear].map { DmaBufferFormat(fourcc: code, modifier: $0) }
    }
    try program.roundtrip()
    #expect(ear.layouts == layouts && ear.codes == [])
    let (old, oldEar) = (program.keep(program.bind(ZwpLinuxDmabufV1.self, 2)), FactoryEar())
    old.handler = oldEar
    try program.roundtrip()
    #expect(oldEar.codes == codes && oldEar.layouts == [])

    let (new, newEar) = (program.keep(program.bind(ZwpLinuxDmabufV1.self, 4)), FactoryEar())
    new.handler = newEar
    let window = try window(program, Picture(factory, Self.red).make())
    let ears = (0..<2).map { _ in FeedbackEar() }
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
    let (first, second) = (try Picture(factory, Self.red), try Picture(factory, Self.green))
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
    let pictures = try (0..<4).map { _ in try Picture(factory, Self.red) }
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
      try Picture(factory, width: 1000, Self.red), try Picture(factory, width: 1000, Self.red)
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
    let inverted = try Picture(factory, Self.red)
    let ear = ParameterEar()
    plain.handler = ear
    plain.create(width: 16, height: 16, format: DmaBufferFormat.argb8888, flags: [])
    inverted.parameters.create(width: 16, height: 16, format: DmaBufferFormat.argb8888, flags: .yInvert)
    try program.roundtrip()
    #expect(ear.failures == 1 && inverted.parameterEar.failures == 1)
    show(try Picture(factory, Self.green).make(), in: window.surface)
    try program.roundtrip()
    #expect(try pixels(client.look(at: exported(server, client), 16, 16)) == Array(repeating: Self.green, count: 256))
  }

  // MARK: Rules

  private enum Breach: String, CaseIterable {
    case planeFour, planeTwice, noPlane, planeMissing, planeTooMany
    case codeUnknown, modifierUnknown, modifiersDiffer
    case noWidth, negativeHeight
    case offsetBeyond, rowsTooMany, rowsTooShort, rowsTooLong
    case createdTwice, addedLate, plainMemory, upsideDown

    var code: ZwpLinuxBufferParamsV1.ErrorCode {
      switch self {
      case .planeFour: .planeIdx
      case .planeTwice: .planeSet
      case .noPlane, .planeMissing, .planeTooMany: .incomplete
      case .codeUnknown, .modifierUnknown, .modifiersDiffer: .invalidFormat
      case .noWidth, .negativeHeight: .invalidDimensions
      case .offsetBeyond, .rowsTooMany, .rowsTooShort, .rowsTooLong: .outOfBounds
      case .createdTwice, .addedLate: .alreadyUsed
      case .plainMemory, .upsideDown: .invalidWlBuffer
      }
    }

    func commit(_ factory: Proxy<ZwpLinuxDmabufV1>, _ program: TestProgram) throws {
      let memory = try SharedMemory(name: self == .plainMemory ? "plain" : "porthole-dma", byteCount: 4096)
      let parameters = program.keep(factory.createParams())
      func add(_ index: UInt32, offset: UInt32 = 0, stride: UInt32 = 64, modifier: UInt32 = 0) {
        parameters.add(
          fd: memory.descriptor, planeIdx: index, offset: offset, stride: stride, modifierHi: 0, modifierLo: modifier)
      }
      func create(
        _ width: Int32 = 16, _ height: Int32 = 16, _ code: UInt32 = DmaBufferFormat.argb8888,
        _ flags: ZwpLinuxBufferParamsV1.Flags = []
      ) {
        program.keep(parameters.createImmed(width: width, height: height, format: code, flags: flags))
      }
      switch self {
      case .planeFour: add(4)
      case .planeTwice: for _ in 0..<2 { add(1) }
      case .noPlane: create()
      case .planeMissing: add(1)
      case .planeTooMany: for index: UInt32 in 0..<2 { add(index) }
      case .modifierUnknown: add(0, modifier: 0x1234)
      case .modifiersDiffer: for index: UInt32 in 0..<2 { add(index, modifier: index) }
      case .offsetBeyond: add(0, offset: 3076)
      case .rowsTooMany: add(0, stride: 260)
      case .rowsTooShort: add(0, stride: 60)
      case .rowsTooLong: add(0, stride: .max)
      case .codeUnknown, .noWidth, .negativeHeight, .createdTwice, .addedLate, .plainMemory, .upsideDown: add(0)
      }
      switch self {
      case .codeUnknown: create(16, 16, 0x3231_564E)
      case .noWidth: create(0)
      case .negativeHeight: create(16, -1)
      case .upsideDown: create(16, 16, DmaBufferFormat.argb8888, .yInvert)
      case .createdTwice: for _ in 0..<2 { create() }
      case .addedLate:
        create()
        add(1)
      default: create()
      }
    }
  }

  @Test("who breaks a rule of theirs gets the error that the protocol names, and nobody else notices")
  func breaches() throws {
    let server = try RunningServer.importing(arguments: ["--layout", "none"])
    let (bystander, _) = try program(server)
    for breach in Breach.allCases {
      let (program, factory) = try program(server)
      try breach.commit(factory, program)
      let violation = try program.violation()
      #expect(violation?.interface == ZwpLinuxBufferParamsV1.name, "\(breach)")
      #expect(violation?.code == breach.code.rawValue, "\(breach)")
    }
    let (hoarder, factory) = try program(server)
    for _ in 0..<70 {
      hoarder.keep(try Picture(factory, Self.red))
      _ = try? hoarder.connection.flush()
    }
    // `wl_display.no_memory`, in the words of the client's library.
    #expect(try hoarder.violation() == nil)
    #expect(hoarder.connection.error == .failed(SystemCallError(call: "the wire", errno: ENOMEM)))
    try bystander.roundtrip()
    #expect(server.end(SIGTERM) == 0)
  }
}
