import Commit
import Foundation
import GLES
import Geometry
import LinuxIO
import Porthole
import RenderServer
import Testing
import WaylandProtocol

/// What a server without a driver for dma-bufs says, and one with a driver that a test preloads: see
/// `Tests/CClient/fake_driver.c`.
@Suite("Dma-bufs", .serialized)
struct DmaBufferTests {
  private static let red: [UInt8] = [200, 20, 10, 255]

  // MARK: What is said

  @Test("a server says which dma-bufs it takes, or why none, and the library says it too")
  func announced() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let device = try Device(display: .surfaceless)
    defer { device.shutdown() }
    switch device.capabilities.dmaBuffers {
    case .none(let reason):
      #expect(client.ear.noDmaBuffers == reason && client.ear.dmaBufferFormats.isEmpty)
      #expect(reason.contains("EGL_"))
    case .formats(let formats):
      #expect(client.ear.noDmaBuffers == nil && client.ear.dmaBufferFormats.count == formats.count)
    }
    let server = try RunningServer.importing()
    let told = try server.connect().ear
    #expect(told.noDmaBuffers == nil)
    let codes: [UInt32] = [
      DmaBufferFormat.abgr8888, DmaBufferFormat.argb8888, DmaBufferFormat.xbgr8888, DmaBufferFormat.xrgb8888,
    ]
    let formats = codes.flatMap { (code: UInt32) -> [DmaBufferFormat] in
      [DmaBufferFormat.implicit, DmaBufferFormat.linear].map { DmaBufferFormat(fourcc: code, modifier: $0) }
    }
    #expect(told.dmaBufferFormats.map { DmaBufferFormat(fourcc: $0.code, modifier: $0.modifier) } == formats)
    let connection = try RenderServerConnection(adopting: try server.socket())
    #expect(connection.dmaBuffers == .formats(formats))
  }

  @Test("a server without them ends the client that sends one, and the library refuses before it is sent")
  func refused() throws {
    let fixture = try ServerFixture()
    let bystander = try fixture.connect()
    let client = try fixture.connect()
    guard let reason = client.ear.noDmaBuffers else { return }
    let memory = try SharedMemory(byteCount: 4096)
    let planes = client.global.createDmaBuffer()
    planes.addPlane(fd: memory.descriptor, offset: 0, stride: 64)
    _ = planes.createBuffer(
      width: 16, height: 16, format: DmaBufferFormat.abgr8888, modifierHi: 0, modifierLo: 0)
    #expect(try client.violation() == .badFormat)
    #expect(try bystander.commit())

    let server = try RunningServer()
    let connection = try RenderServerConnection(adopting: try server.socket())
    let layer = Layer()
    layer.name = "film"
    let plane = DmaBuffer.Plane(SharedDescriptor(try memory.descriptor.duplicate()), offset: 0, stride: 64)
    layer.contents = Image(
      DmaBuffer(
        unchecked: PixelSize(width: 16, height: 16),
        format: DmaBufferFormat(fourcc: DmaBufferFormat.abgr8888, modifier: 0), planes: [plane]))
    do {
      _ = try connection.commit(layer)
      Issue.record("a dma-buf was taken by a server that takes none")
    } catch {
      #expect(error.code == .invalidLayer && error.property == "contents")
      #expect(error.description.contains("film") && error.description.contains(reason), "\(error)")
    }
    // Without it, all goes on.
    layer.contents = nil
    #expect(try connection.commit(layer) > 0)
  }

  @Test("what is no picture in dma-bufs is refused, with why")
  func faults() throws {
    let memory = try SharedMemory(byteCount: 4096)
    let shared = SharedDescriptor(try memory.descriptor.duplicate())
    let linear = DmaBufferFormat(fourcc: DmaBufferFormat.argb8888, modifier: DmaBufferFormat.linear)
    func fault(_ width: Int, _ height: Int, _ planes: [(offset: UInt32, stride: UInt32)]) -> String {
      do throws(DmaBufferFault) {
        _ = try DmaBuffer(
          size: PixelSize(width: width, height: height), format: linear,
          planes: planes.map { DmaBuffer.Plane(shared, offset: $0.offset, stride: $0.stride) })
        return ""
      } catch {
        return error.description
      }
    }
    #expect(fault(16, 16, [(0, 64)]).contains("no dma-buf"))
    #expect(fault(16, 16, [(0, 63)]).contains("63 bytes"))
    #expect(fault(16, 16, [(0, 64), (1024, 64)]).contains("one plane"))
    #expect(fault(16, 16, []).contains("0 planes"))
    #expect(fault(0, 16, [(0, 64)]).contains("0 × 16"))
    #expect(fault(20_000, 1, [(0, 80_000)]).contains("20000 × 1"))
    #expect(fault(16, 16, [(.max, 64)]).contains("4294967295"))
    #expect(fault(16, 16, [(0, 0)]).contains("0 bytes"))
  }

  /// Planes that are wrong, and the error that they end their client with.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var code: PortholeV1.ErrorCode
    var name = "porthole-dma"
    var size: UInt32 = 16
    var stride: UInt32 = 64
    var modifier: UInt32 = 0
    var planes = 1
    var offset: UInt32 = 0
  }

  static let cases: [Case] = [
    Case(testDescription: "plain memory", code: .badDmaBuffer, name: "porthole"),
    Case(testDescription: "rows that are too short", code: .badDmaBuffer, stride: 60),
    Case(testDescription: "more than there is", code: .badDmaBuffer, offset: 3076),
    Case(testDescription: "a side of none", code: .badDmaBuffer, size: 0),
    Case(testDescription: "no plane", code: .badDmaBuffer, planes: 0),
    Case(testDescription: "two planes of rows", code: .badDmaBuffer, planes: 2),
    Case(testDescription: "five planes", code: .badDmaBuffer, planes: 5),
    Case(testDescription: "more planes than descriptors", code: .tooManyDescriptors, planes: -1),
    Case(testDescription: "a modifier that only external samplers read", code: .badFormat, modifier: 0x1234),
  ]

  @Test("wrong planes end their client alone, whose driver takes dma-bufs")
  func wrongPlanes() throws {
    let server = try RunningServer.importing()
    let bystander = try server.connect()
    for testCase in Self.cases {
      let client = try server.connect()
      let memory = try SharedMemory(name: testCase.name, byteCount: 4096)
      for _ in 0..<(testCase.planes < 0 ? 20 : 1) {
        let planes = client.global.createDmaBuffer()
        for _ in 0..<(testCase.planes < 0 ? 4 : testCase.planes) {
          planes.addPlane(fd: memory.descriptor, offset: testCase.offset, stride: testCase.stride)
          _ = try? client.connection.flush()
        }
        guard testCase.planes >= 0 else { continue }
        _ = planes.createBuffer(
          width: testCase.size, height: testCase.size, format: DmaBufferFormat.argb8888, modifierHi: 0,
          modifierLo: testCase.modifier)
      }
      #expect(try client.violation() == testCase.code, "\(testCase.testDescription)")
    }
    let client = try server.connect()
    let picture = try TestPicture(client, width: 4, height: 4)
    let pipe = try PipeEnds()
    picture.buffer.setFence(fence: pipe.writer.descriptor)
    #expect(try client.violation() == .badFence)
    #expect(try bystander.commit())
    #expect(server.end(SIGTERM) == 0)
  }

  // MARK: Pixels

  /// A picture of 16 × 16 pixels in a dma-buf, or of 1000 × 1, which the driver refuses.
  private final class DmaPicture {
    let memory: SharedMemory
    let buffer: Proxy<PortholeBufferV1>
    let ear = TestPicture.BufferEar()

    init(_ client: TestClient, _ format: UInt32, width: UInt32 = 16, height: UInt32 = 16) throws {
      memory = try SharedMemory(name: "porthole-dma", byteCount: 8192)
      let planes = client.global.createDmaBuffer()
      planes.addPlane(fd: memory.descriptor, offset: 256, stride: width * 4 + 64)
      buffer = planes.createBuffer(width: width, height: height, format: format, modifierHi: 0, modifierLo: 0)
      buffer.handler = ear
      planes.destroy()
    }

    func fill(_ bytes: [UInt8]) {
      memory.withBytes { memory in
        for y in 0..<16 {
          for x in 0..<16 { for part in 0..<4 { memory[256 + y * 128 + x * 4 + part] = bytes[part] } }
        }
      }
    }

    func pixel(_ x: Int, _ y: Int) -> [UInt8] { memory.withBytes { Array($0[(256 + y * 128 + x * 4)...].prefix(4)) } }
  }

  @Test("a dma-buf is drawn, kept while it is shown, and given back when it is not")
  func contents() throws {
    let server = try RunningServer.importing()
    let client = try server.connect()
    let output = client.output(width: 16, height: 16)
    let layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 16, height: 16)), .anchorPoint(.zero))
    output.setRoot(layer: layer)
    let first = try DmaPicture(client, DmaBufferFormat.argb8888)
    first.fill([10, 20, 200, 255])
    let fence = try SharedMemory(name: "porthole-fence", byteCount: 1)
    first.buffer.setFence(fence: fence.descriptor)
    layer.setContents(buffer: first.buffer)
    #expect(try client.commit())
    #expect(try Array(client.capture(output, width: 16, height: 16)?.prefix(4) ?? []) == Self.red)
    #expect(first.ear.isUsable == true && first.ear.releases.isEmpty)

    // Shown by two layers, then by one, then by none.
    let second = try DmaPicture(client, DmaBufferFormat.xbgr8888)
    second.fill([1, 2, 3, 0])
    let other = try client.layer()
    other.setContents(buffer: first.buffer)
    layer.setContents(buffer: second.buffer)
    #expect(try client.commit())
    #expect(try Array(client.capture(output, width: 16, height: 16)?.prefix(4) ?? []) == [1, 2, 3, 255])
    try client.turn { first.ear.releases == [1] }
    #expect(first.ear.releases == [1] && second.ear.releases.isEmpty)
    other.destroy()
    #expect(try client.commit())
    try client.turn { first.ear.releases == [1, 2] }
    #expect(first.ear.releases == [1, 2] && second.ear.releases.isEmpty)

    // Never shown: something else took its place within the commit, or the commit was refused.
    layer.setContents(buffer: first.buffer)
    layer.setContents(buffer: nil)
    #expect(try client.commit())
    try client.turn { first.ear.releases == [1, 2, 4] && second.ear.releases == [2] }
    #expect(first.ear.releases == [1, 2, 4] && second.ear.releases == [2])
    layer.setContents(buffer: first.buffer)
    try client.set(layer, [.zPosition(.infinity)])
    #expect(try !client.commit())
    #expect(first.ear.releases == [1, 2, 4, 5])

    // What the driver refuses is drawn as nothing.
    let third = try DmaPicture(client, DmaBufferFormat.abgr8888, width: 1000, height: 1)
    try client.turn { third.ear.isUsable != nil }
    #expect(third.ear.isUsable == false)
    layer.setContents(buffer: third.buffer)
    #expect(try client.commit())
    #expect(try client.capture(output, width: 16, height: 16)?.allSatisfy { $0 == 0 } == true)
    client.kill()
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("of a dma-buf that differs in a few pixels the GPU copies those, and each goes back once")
  func damage() throws {
    let server = try RunningServer.importing()
    let client = try server.connect()
    let output = client.output(width: 16, height: 16)
    let layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 16, height: 16)), .anchorPoint(.zero))
    output.setRoot(layer: layer)
    let pictures = try (0..<3).map { _ in try DmaPicture(client, DmaBufferFormat.xbgr8888) }
    for picture in pictures { picture.fill([10, 10, 10, 0]) }
    var copied = 0
    for step in 0..<9 {
      let picture = pictures[step % 3]
      // All three buffers hold all that was painted so far, and what is new lies in the one that is shown now.
      for other in pictures { other.memory.withBytes { $0[256 + step * 128 + step * 4] = UInt8(100 + step) } }
      layer.addDamage(x: Int32(step), y: Int32(step), width: step == 0 ? 16 : 1, height: step == 0 ? 16 : 1)
      layer.setContents(buffer: picture.buffer)
      #expect(try client.commit())
      let pixels = try #require(try client.capture(output, width: 16, height: 16))
      for place in 0..<16 {
        let shade: UInt8 = place <= step ? UInt8(100 + place) : 10
        #expect(Array(pixels[(place * 17) * 4..<(place * 17 + 1) * 4]) == [shade, 10, 10, 255])
      }
      let now = try server.metric("copied_pixels_total", client)
      #expect(now - copied == (step == 0 ? 16 * 16 : 1), "step \(step)")
      copied = now
    }
    #expect(try server.metric("picture_bytes_total", client) == 0)
    try client.turn { pictures.reduce(0) { $0 + $1.ear.releases.count } == 8 }
    #expect(pictures.map(\.ear.releases) == [[1, 4, 7], [2, 5, 8], [3, 6]])
    client.kill()
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("an output's frame is copied into a dma-buf of its size, and of no other")
  func outputs() throws {
    let server = try RunningServer.importing()
    let client = try server.connect()
    let output = client.output(width: 16, height: 16)
    let layer = try client.layer(
      .layer, .bounds(Rect(x: 0, y: 0, width: 8, height: 16)), .anchorPoint(.zero),
      .backgroundColor(Color(red: 200 / 255, green: 20 / 255, blue: 10 / 255)))
    output.setRoot(layer: layer)
    #expect(try client.commit())
    let target = try DmaPicture(client, DmaBufferFormat.argb8888)
    func capture(_ picture: DmaPicture) throws -> TestClient.CaptureEar {
      let capture = output.capture(buffer: picture.buffer)
      let ear = TestClient.CaptureEar()
      capture.handler = ear
      try client.turn { ear.isOver }
      capture.destroy()
      return ear
    }
    #expect(try capture(target).size == PixelSize(width: 16, height: 16))
    #expect(target.pixel(0, 0) == [10, 20, 200, 255] && target.pixel(7, 15) == [10, 20, 200, 255])
    #expect(target.pixel(8, 0) == [0, 0, 0, 0])
    // A frame that needs no drawing too, and one of which a part is drawn anew.
    target.fill([9, 9, 9, 9])
    #expect(try capture(target).ready == 1)
    #expect(target.pixel(7, 15) == [10, 20, 200, 255])
    try client.set(layer, [.bounds(Rect(x: 0, y: 0, width: 4, height: 16))])
    #expect(try client.commit())
    #expect(try capture(target).ready == 1)
    #expect(target.pixel(3, 15) == [10, 20, 200, 255] && target.pixel(4, 15) == [0, 0, 0, 0])
    let wrong = try DmaPicture(client, DmaBufferFormat.argb8888, width: 15, height: 16)
    #expect(try capture(wrong).failure == .size)
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("the library shows buffers of a queue that lie in dma-bufs, and each comes back once")
  func queue() throws {
    let server = try RunningServer.importing()
    let connection = try RenderServerConnection(adopting: try server.socket())
    let renderer = try connection.output(size: Size(width: 16, height: 16))
    let surface = SurfaceLayer()
    surface.frame = Rect(x: 0, y: 0, width: 16, height: 16)
    let released = Released()
    let colors: [[UInt8]] = [[200, 20, 10, 255], [1, 2, 3, 255], [50, 60, 70, 255], [200, 20, 10, 255]]
    for (index, color) in colors.enumerated() {
      let memory = try SharedMemory(name: "porthole-dma", byteCount: 1024)
      memory.withBytes { bytes in for place in bytes.indices { bytes[place] = color[place % 4] } }
      let buffer = DmaBuffer(
        unchecked: PixelSize(width: 16, height: 16),
        format: DmaBufferFormat(fourcc: DmaBufferFormat.abgr8888, modifier: DmaBufferFormat.linear),
        planes: [DmaBuffer.Plane(SharedDescriptor(try memory.descriptor.duplicate()), offset: 0, stride: 64)])
      surface.enqueue(SurfaceBuffer(buffer) { released.add(index) })
      let picture = try renderer.render(surface)
      #expect(Array(picture.pixels.prefix(4)) == color)
    }
    try connection.finish()
    _ = try renderer.render(surface)
    #expect(released.numbers == [0, 1, 2])
  }

  private final class Released: @unchecked Sendable {
    private let lock = NSLock()
    private var list: [Int] = []
    func add(_ number: Int) { lock.withLock { list.append(number) } }
    var numbers: [Int] { lock.withLock { list } }
  }

  @Test("a texture of pixels that are elsewhere shares them: what is copied in is seen there")
  func sharing() throws {
    let device = try Device(display: .surfaceless)
    defer { device.shutdown() }
    let size = PixelSize(width: 4, height: 4)
    let original = try device.makeTexture(size: size, label: "original")
    let other = try device.makeTexture(size: size, label: "other")
    [UInt8](repeating: 77, count: 64).withUnsafeBytes { device.upload($0, to: other) }
    let imported = try device.makeTexture(sharing: original, label: "imported")
    let source = try device.makeFramebuffer(other)
    let target = try device.makeFramebuffer(imported)
    device.bind(target)
    device.copy(PixelRect(size: size), of: source, toX: 0, y: 0)
    #expect(device.readPixels(try device.makeFramebuffer(original)) == [UInt8](repeating: 77, count: 64))
  }
}
