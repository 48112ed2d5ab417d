import GLES
import Geometry
import LinuxIO
import Testing

@Suite("devices side by side", .serialized)
struct DevicesSideBySideTests {
  private static let quad = """
    #version 300 es
    layout(location = 0) in vec4 a_rect;
    layout(location = 1) in vec4 a_color;
    out vec2 v_place;
    void main() {
      vec2 p = vec2((gl_VertexID & 1) == 0 ? a_rect.x : a_rect.z, gl_VertexID < 2 ? a_rect.y : a_rect.w);
      v_place = p;
      gl_Position = vec4(2.0 * p - 1.0, a_color.x * 0.0, 1.0);
    }
    """
  private static let sampled = """
    #version 300 es
    precision highp float;
    in vec2 v_place;
    uniform sampler2D u_texture;
    out vec4 frag_color;
    void main() { frag_color = texture(u_texture, v_place); }
    """

  @Test("on threads of their own, they upload, draw and read without harm to each other")
  func sideBySide() async throws {
    let failures = try await withThrowingTaskGroup(of: [String].self) { group in
      for index in 0..<6 {
        let thread = try NamedThread(name: "device \(index)")
        group.addTask {
          await withCheckedContinuation { continuation in
            thread.post { continuation.resume(returning: Self.work(seed: UInt8(index))) }
          }
        }
      }
      return try await group.reduce(into: []) { $0 += $1 }
    }
    #expect(failures == [])
  }

  /// Half of the devices fill long scenes with draws of many textures, half upload to textures that they draw from: what they
  /// do to begin and end scenes falls together in as many ways as the machine finds.
  private static func work(seed: UInt8) -> [String] {
    do {
      let device = try Device()
      defer { device.shutdown() }
      let uploads = seed % 2 == 0
      let program = try device.makeProgram(label: "sampled", vertex: quad, fragment: sampled)
      let rows = device.makeVertexArray(rowCount: 2, label: "rows")
      let buffer = device.makeBuffer(label: "instances")
      let corner: [Float] = [0, 0, 0.02, 0.02, 1, 1, 1, 1]
      [[Float]](repeating: corner, count: 100).flatMap(\.self).withUnsafeBytes { device.write($0, to: buffer) }
      let sampler = device.makeSampler(.linear)
      let canvas = try Canvas(device, width: 256, height: 256)
      let side = PixelSize(width: 8, height: 8)
      let sources = try (0..<40).map { try device.makeTexture(size: side, label: "source \($0)") }
      device.setViewport(canvas.framebuffer.size)
      device.use(program)
      device.bind(sampler, unit: 0)
      device.setBlending(false)
      var wrong: [String] = []
      for round in 0..<(uploads ? 200 : 20) {
        let colour: [UInt8] = [seed, uploads ? UInt8(round) : 0, 7, 255]
        let pixels = [[UInt8]](repeating: colour, count: side.area).flatMap(\.self)
        device.bind(canvas.framebuffer)
        for source in sources {
          if uploads || round == 0 { pixels.withUnsafeBytes { device.upload($0, to: source) } }
          device.bind(source, unit: 0)
          device.drawStrips(uploads ? 1 : 100, rows: rows, from: buffer, byteOffset: 0)
        }
        if canvas.pixel(1, 1) != colour { wrong.append("device \(seed), round \(round)") }
      }
      return wrong + device.takeErrors()
    } catch {
      return ["\(error)"]
    }
  }
}
