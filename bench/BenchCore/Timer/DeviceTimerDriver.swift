import Diagnostics
import GLES
import Geometry

/// The timers of a device that is there, and full-screen quads of a fragment shader that takes its time.
final class DeviceTimerDriver: TimerDriver {
  private let device: Device
  private let elapsed: TimerQuery?
  private let begin: TimerQuery?
  private let end: TimerQuery?
  private let program: Program
  private let rows: VertexArray
  private let buffer: Buffer
  private let target: Framebuffer
  /// So many that a unit takes a millisecond or two.
  private var quadsPerUnit = 1

  private static let side = 1024
  private static let mostQuads = 512
  private static let unitNanoseconds: UInt64 = 1_500_000

  init(device: Device) throws(BenchError) {
    self.device = device
    elapsed = device.makeTimerQuery()
    begin = device.makeTimerQuery()
    end = device.makeTimerQuery()
    do {
      program = try device.makeProgram(label: "timer proof", vertex: Self.vertex, fragment: Self.fragment)
      rows = device.makeVertexArray(rowCount: 1, label: "timer proof")
      buffer = device.makeBuffer(label: "timer proof")
      target = try device.makeFramebuffer(
        try device.makeTexture(size: PixelSize(width: Self.side, height: Self.side), label: "timer proof"))
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
    let zeros = [Float](repeating: 0, count: Self.mostQuads * 16 * 4)
    zeros.withUnsafeBytes { device.write($0, to: buffer) }
    try draw(units: 1)
    device.finish()
    while quadsPerUnit < Self.mostQuads {
      let beginning = ProcessClock.monotonicNanoseconds
      try draw(units: 1)
      device.finish()
      if ProcessClock.monotonicNanoseconds &- beginning >= Self.unitNanoseconds { break }
      quadsPerUnit *= 2
    }
  }

  var elapsedBits: Int { elapsed == nil ? 0 : device.capabilities.elapsedTimeBits }
  var stampBits: Int { begin == nil || end == nil ? 0 : device.capabilities.timestampBits }
  var monotonicNanoseconds: UInt64 { ProcessClock.monotonicNanoseconds }

  func draw(units: Int) throws(BenchError) {
    device.bind(target)
    device.setViewport(target.size)
    device.setBlending(true)
    device.use(program)
    device.drawStrips(units * quadsPerUnit, rows: rows, from: buffer, byteOffset: 0)
  }

  func beginElapsed() { if let elapsed { device.begin(elapsed) } }
  func endElapsed() { device.endTimerQuery() }
  func stamp(_ slot: TimerSlot) { if let query = query(slot) { device.recordTimestamp(query) } }
  func finish() { device.finish() }
  func isAvailable(_ slot: TimerSlot) -> Bool { query(slot).map { device.isAvailable($0) } ?? false }
  func result(_ slot: TimerSlot) -> UInt64 { query(slot).map { device.nanoseconds(of: $0) } ?? 0 }
  func takeDisjoint() -> Bool { device.takeTimerDisjoint() }

  private func query(_ slot: TimerSlot) -> TimerQuery? {
    switch slot {
    case .elapsed: elapsed
    case .begin: begin
    case .end: end
    }
  }

  private static let vertex = """
    #version 300 es
    layout(location = 0) in vec4 a_shift;
    out vec2 v_place;
    void main() {
      v_place = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
      gl_Position = vec4(v_place * 2.0 - 1.0 + a_shift.xy, 0.0, 1.0);
    }
    """

  private static let fragment = """
    #version 300 es
    precision highp float;
    in vec2 v_place;
    out vec4 frag_color;
    void main() {
      vec2 z = v_place;
      for (int i = 0; i < 8; i++) z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) * 0.5 + v_place * 0.25;
      frag_color = vec4(z, 0.5, 0.5);
    }
    """
}
