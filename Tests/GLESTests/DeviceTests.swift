import GLES
import Geometry
import LinuxIO
import Testing

@Suite("a device", .serialized)
struct DeviceTests {
  private static let strip = """
    #version 300 es
    layout(location = 0) in vec4 a_rect;
    layout(location = 1) in vec4 a_color;
    flat out vec4 v_color;
    uniform vec2 u_target_size;
    void main() {
      v_color = a_color;
      vec2 p = vec2((gl_VertexID & 1) == 0 ? a_rect.x : a_rect.z, gl_VertexID < 2 ? a_rect.y : a_rect.w);
      gl_Position = vec4(2.0 * p / u_target_size - 1.0, 0.0, 1.0);
    }
    """
  private static let plain = """
    #version 300 es
    precision highp float;
    flat in vec4 v_color;
    out vec4 frag_color;
    void main() { frag_color = v_color; }
    """

  @Test("every name is gone when what held it was released, on whatever thread")
  func liveNames() throws {
    let device = try Device()
    func live() throws -> LiveNames {
      let canvas = try Canvas(device, width: 8, height: 8)
      let program = try device.makeProgram(label: "plain", vertex: Self.strip, fragment: Self.plain)
      let buffer = device.makeBuffer(label: "instances")
      [Float](repeating: 0, count: 8).withUnsafeBytes { device.write($0, to: buffer) }
      let objects: [AnyObject?] = [
        canvas, program, buffer, device.makeVertexArray(rowCount: 2, label: "rows"), device.makeSampler(.linear),
        device.makeFence(), device.makeTimerQuery(),
      ]
      return withExtendedLifetime(objects) { device.liveNames }
    }
    let most = try live()
    #expect(most.textures == 1 && most.framebuffers == 1 && most.programs == 1 && most.buffers == 1)
    #expect(most.vertexArrays == 1 && most.samplers == 1 && most.fences == 1)
    #expect(most.textureBytes == 8 * 8 * 4 && most.bufferBytes == 4096)

    let elsewhere = try NamedThread(name: "elsewhere")
    let texture = try device.makeTexture(size: PixelSize(width: 4, height: 4), label: "sent away")
    let parcel = Parcel(texture)
    elsewhere.run { parcel.content = nil }
    _ = consume texture
    device.drainGraveyard()
    #expect(device.liveNames == LiveNames())
    device.shutdown()
    #expect(device.liveNames == LiveNames())
  }

  @Test("row 0 of what is uploaded, drawn and read is the top row")
  func topRow() throws {
    let device = try Device()
    defer { device.shutdown() }
    let canvas = try Canvas(device, width: 2, height: 3)
    let pixels = (0..<24).map { UInt8($0) }
    pixels.withUnsafeBytes { device.upload($0, to: canvas.framebuffer.texture) }
    #expect(device.readPixels(canvas.framebuffer) == pixels)

    let program = try device.makeProgram(label: "plain", vertex: Self.strip, fragment: Self.plain)
    let rows = device.makeVertexArray(rowCount: 2, label: "rows")
    let buffer = device.makeBuffer(label: "instances")
    // A gap of one instance first, to be skipped by the offset.
    let instances: [Float] = [0, 0, 2, 3, 1, 1, 1, 1] + [1, 0, 2, 1, 0, 1, 0, 1]
    instances.withUnsafeBytes { device.write($0, to: buffer) }
    device.bind(canvas.framebuffer)
    device.setViewport(canvas.framebuffer.size)
    device.clear(.clear)
    device.use(program)
    device.set(try #require(program.uniform("u_target_size")), 2, 3)
    device.setBlending(false)
    device.drawStrips(1, rows: rows, from: buffer, byteOffset: 32)
    #expect(canvas.pixel(1, 0) == [0, 255, 0, 255])
    for (x, y) in [(0, 0), (0, 1), (1, 1), (0, 2), (1, 2)] { #expect(canvas.pixel(x, y) == [0, 0, 0, 0]) }
    #expect(device.takeErrors().isEmpty)
  }

  @Test("copies pixels one to one from another framebuffer")
  func copy() throws {
    let device = try Device()
    defer { device.shutdown() }
    let (source, target) = (try Canvas(device, width: 3, height: 3), try Canvas(device, width: 3, height: 3))
    (0..<36).map { UInt8($0) }.withUnsafeBytes { device.upload($0, to: source.framebuffer.texture) }
    device.bind(target.framebuffer)
    device.clear(.clear)
    device.copy(PixelRect(minX: 1, minY: 0, maxX: 3, maxY: 1), of: source.framebuffer, toX: 0, y: 2)
    #expect(target.pixel(0, 2) == [4, 5, 6, 7])
    #expect(target.pixel(1, 2) == [8, 9, 10, 11])
    #expect(target.pixel(2, 2) == [0, 0, 0, 0])
    #expect(target.pixel(0, 0) == [0, 0, 0, 0])
  }

  @Test("a shader that is refused is named, with the compiler's log and the line")
  func refusedShader() throws {
    let device = try Device()
    defer { device.shutdown() }
    let broken = Self.plain.replacingFirst("frag_color = v_color", with: "frag_color = nowhere")
    let error = try #require(throws: DeviceError.self) {
      try device.makeProgram(label: "broken", vertex: Self.strip, fragment: broken)
    }
    #expect(error.code == .program)
    #expect(error.description.contains("fragment shader of 'broken'"))
    #expect(device.takeErrors().isEmpty)
    #expect(error.description.contains("line 5, «void main() { frag_color = nowhere; }»"))
    device.drainGraveyard()
    #expect(device.liveNames.programs == 0)
  }

  @Test("a texture of no size or beyond the driver's limit is refused")
  func size() throws {
    let device = try Device()
    defer { device.shutdown() }
    let limit = device.capabilities.maxTextureSize
    for size in [PixelSize(width: 0, height: 4), PixelSize(width: limit + 1, height: 1)] {
      let error = try #require(throws: DeviceError.self) { try device.makeTexture(size: size, label: "odd") }
      #expect(error.code == .invalidSize)
    }
    #expect(device.liveNames.textures == 0)
  }

  @Test("an error of GL's is told once, with and without debug output", arguments: [true, false])
  func errors(debug: Bool) throws {
    let device = try Device(debug: debug)
    defer { device.shutdown() }
    #expect(device.isDebug == (debug && device.capabilities.hasDebugOutput))
    let canvas = try Canvas(device, width: 2, height: 2)
    #expect(device.takeErrors().isEmpty)
    // A copy onto itself that overlaps is an error in OpenGL ES.
    device.bind(canvas.framebuffer)
    device.copy(PixelRect(minX: 0, minY: 0, maxX: 2, maxY: 2), of: canvas.framebuffer, toX: 0, y: 0)
    let errors = device.takeErrors()
    #expect(errors.count == 1)
    #expect(errors.first?.contains("INVALID_OPERATION") == true || debug)
    #expect(device.takeErrors().isEmpty)
  }

  @Test("a fence is passed once the work before it is done")
  func fence() throws {
    let device = try Device()
    defer { device.shutdown() }
    let canvas = try Canvas(device, width: 64, height: 64)
    device.bind(canvas.framebuffer)
    device.clear(.clear)
    let fence = try #require(device.makeFence())
    #expect(device.wait(for: fence, timeoutNanoseconds: 2_000_000_000))
  }

  @Test("pixels that are read without waiting are those that were drawn before, whatever is drawn after")
  func readback() throws {
    let device = try Device()
    let canvas = try Canvas(device, width: 8, height: 4)
    do {
      let readbacks = try (0..<3).map { _ in try device.makeReadback(PixelSize(width: 8, height: 4)) }
      #expect(device.takePixels(of: readbacks[0]) == nil && !device.isReady(readbacks[0]))
      for (index, readback) in readbacks.enumerated() {
        device.bind(canvas.framebuffer)
        device.clear(PremultipliedColor(red: Float(index) / 255, green: 0, blue: 1, alpha: 1))
        #expect(device.read(canvas.framebuffer, into: readback))
      }
      // What is read at once still goes to memory.
      #expect(device.readPixels(canvas.framebuffer).prefix(4) == [2, 0, 255, 255])
      for (index, readback) in readbacks.enumerated() {
        #expect(device.isReady(readback, waitingNanoseconds: 2_000_000_000))
        let expected = [UInt8]((0..<32).flatMap { _ in [UInt8(index), 0, 255, 255] })
        #expect(device.takePixels(of: readback) == expected)
        #expect(device.takePixels(of: readback) == nil)
      }
      let other = try device.makeReadback(PixelSize(width: 4, height: 4))
      #expect(!device.read(canvas.framebuffer, into: other))
      #expect(device.liveNames.bufferBytes == 3 * 128 + 64)
      withExtendedLifetime((readbacks, other)) {}
    }
    device.drainGraveyard()
    #expect(device.liveNames.buffers == 0 && device.liveNames.fences == 0 && device.takeErrors().isEmpty)
    device.shutdown()
  }

  // Not whether it is true: a software renderer's is not unless the work was flushed first.
  @Test("a timer gives some answer once the work is finished")
  func timer() throws {
    let device = try Device()
    defer { device.shutdown() }
    guard let query = device.makeTimerQuery() else {
      #expect(!device.capabilities.hasTimerQueries)
      return
    }
    let canvas = try Canvas(device, width: 256, height: 256)
    _ = device.takeTimerDisjoint()
    device.bind(canvas.framebuffer)
    device.begin(query)
    device.clear(.clear)
    device.endTimerQuery()
    device.finish()
    #expect(device.isAvailable(query))
    #expect(device.nanoseconds(of: query) > 0)
    #expect(device.capabilities.elapsedTimeBits >= 30)
    #expect(device.takeErrors().isEmpty)
  }

  @Test("what is bound already is not bound again, and a frame's start forgets it")
  func stateCache() throws {
    let device = try Device()
    defer { device.shutdown() }
    let canvas = try Canvas(device, width: 2, height: 2)
    #expect(device.beginFrame() == nil)
    device.resetCounters()
    for _ in 0..<3 { device.bind(canvas.framebuffer) }
    #expect(device.counters.framebufferBinds == 1)
    #expect(device.beginFrame() == nil)
    device.bind(canvas.framebuffer)
    #expect(device.counters.framebufferBinds == 2)
  }

  @Test("a name that GL gives again is bound again")
  func reusedName() throws {
    let device = try Device()
    defer { device.shutdown() }
    let size = PixelSize(width: 1, height: 1)
    func upload(_ value: UInt8) throws -> [UInt8] {
      let texture = try device.makeTexture(size: size, label: "short-lived")
      [UInt8](repeating: value, count: 4).withUnsafeBytes { device.upload($0, to: texture) }
      return device.readPixels(try device.makeFramebuffer(texture))
    }
    for value in UInt8(1)...4 {
      #expect(try upload(value) == [value, value, value, value])
      device.drainGraveyard()
    }
    #expect(device.takeErrors().isEmpty)
  }
}

/// Carries what is not Sendable to its release on another thread.
private final class Parcel: @unchecked Sendable {
  var content: Texture?
  init(_ content: Texture) { self.content = content }
}

extension String {
  fileprivate func replacingFirst(_ part: String, with other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return replacingCharacters(in: range, with: other)
  }
  private func replacingCharacters(in range: Range<String.Index>, with other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
