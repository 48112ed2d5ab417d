import Diagnostics
import GLES
import Geometry

/// Finds out whether the driver's GPU timer can be believed: a workload and four times the same, timed by it and by the
/// wall clock.
enum TimerProof {
  private static let side = 1024
  private static let single = 24

  static func verdict(on device: Device) throws(BenchError) -> TimerVerdict {
    guard let query = device.makeTimerQuery(), device.capabilities.elapsedTimeBits > 0 else {
      return TimerVerdict(isPresent: false, isValid: false, reason: "the driver has no GPU timer")
    }
    do {
      let workload = try Workload(device: device, side: side, most: single * 4)
      _ = workload.time(single * 4, query)
      var (gpu1, gpu4, wall4): ([Double], [Double], [Double]) = ([], [], [])
      for _ in 0..<5 {
        gpu1.append(workload.time(single, query).gpu)
        let fourfold = workload.time(single * 4, query)
        gpu4.append(fourfold.gpu)
        wall4.append(fourfold.wall)
      }
      return TimerVerdict.judging(
        single: Quantile.median(gpu1) ?? 0, fourfold: Quantile.median(gpu4) ?? 0,
        wallOfFourfold: Quantile.median(wall4) ?? 0)
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  /// Full-screen quads of a fragment shader that takes its time.
  private struct Workload {
    let device: Device
    let program: Program
    let rows: VertexArray
    let buffer: Buffer
    let target: Framebuffer

    init(device: Device, side: Int, most: Int) throws(DeviceError) {
      self.device = device
      program = try device.makeProgram(
        label: "timer proof",
        vertex: """
          #version 300 es
          layout(location = 0) in vec4 a_shift;
          out vec2 v_place;
          void main() {
            v_place = vec2(float(gl_VertexID & 1), float(gl_VertexID >> 1));
            gl_Position = vec4(v_place * 2.0 - 1.0 + a_shift.xy, 0.0, 1.0);
          }
          """,
        fragment: """
          #version 300 es
          precision highp float;
          in vec2 v_place;
          out vec4 frag_color;
          void main() {
            vec2 z = v_place;
            for (int i = 0; i < 8; i++) z = vec2(z.x * z.x - z.y * z.y, 2.0 * z.x * z.y) * 0.5 + v_place * 0.25;
            frag_color = vec4(z, 0.5, 0.5);
          }
          """)
      rows = device.makeVertexArray(rowCount: 1, label: "timer proof")
      buffer = device.makeBuffer(label: "timer proof")
      target = try device.makeFramebuffer(
        try device.makeTexture(size: PixelSize(width: side, height: side), label: "timer proof"))
      let zeros = [Float](repeating: 0, count: most * 4)
      zeros.withUnsafeBytes { device.write($0, to: buffer) }
    }

    /// Nanoseconds for so many quads. Not flushed within: a driver whose timer needs that would deceive elsewhere too.
    func time(_ count: Int, _ query: TimerQuery) -> (gpu: Double, wall: Double) {
      device.finish()
      let beginning = ProcessClock.monotonicNanoseconds
      device.begin(query)
      device.bind(target)
      device.setViewport(target.size)
      device.setBlending(true)
      device.use(program)
      device.drawStrips(count, rows: rows, from: buffer, byteOffset: 0)
      device.endTimerQuery()
      device.finish()
      let wall = ProcessClock.monotonicNanoseconds - beginning
      return (Double(device.nanoseconds(of: query)), Double(wall))
    }
  }
}
