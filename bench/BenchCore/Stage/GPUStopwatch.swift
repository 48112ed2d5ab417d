import FramePlan
import GLES
import GLRenderer
import Porthole

/// GPU time of a plan: the plan of a frame, which names every quad, drawn once more on a device of the benchmark's own
/// between the timer's begin and end. Only made where the timer was proven.
final class GPUStopwatch {
  private let device: Device
  private let renderer: Renderer
  private let query: TimerQuery

  /// Nil where the driver has no timer.
  init?(device: Device) throws(BenchError) {
    guard let query = device.makeTimerQuery() else { return nil }
    self.device = device
    self.query = query
    do { renderer = try Renderer(device: device) } catch { throw BenchError(.renderer, "\(error)") }
  }

  deinit { renderer.shutdown() }

  /// Of the plans one after another. Nil where the GPU's clock was disturbed meanwhile.
  func nanoseconds(of plans: [FramePlan]) throws(BenchError) -> UInt64? {
    // Once before the clock starts: pictures that only this frame shows are uploaded then.
    for plan in plans { try draw(plan) }
    device.finish()
    return try nanoseconds { () throws(BenchError) in for plan in plans { try draw(plan) } }
  }

  func nanoseconds(_ body: () throws(BenchError) -> Void) throws(BenchError) -> UInt64? {
    _ = device.takeTimerDisjoint()
    device.begin(query)
    defer { device.finish() }
    do {
      try body()
    } catch {
      device.endTimerQuery()
      throw error
    }
    device.endTimerQuery()
    device.finish()
    let time = device.nanoseconds(of: query)
    return device.takeTimerDisjoint() ? nil : time
  }

  private func draw(_ plan: FramePlan) throws(BenchError) {
    do { _ = try renderer.draw(plan) } catch { throw BenchError(.renderer, "\(error)") }
  }
}
