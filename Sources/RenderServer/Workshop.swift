import Diagnostics
import FramePlan
import GLES
import GLRenderer
import Geometry
import RenderTree

/// What lives on the render thread: the device, and a planner and a renderer for each output. Everything here can be made
/// anew from the tree, and is when the device is lost.
final class Workshop {
  private final class Easel {
    var planner = FramePlanner()
    let renderer: Renderer

    init(_ device: Device) throws(RendererError) { renderer = try Renderer(device: device) }
  }

  private let display: DisplayChoice?
  private var device: Device
  private var easels: [OutputNumber: Easel] = [:]
  /// For layers drawn alone.
  private var spare: Easel?

  init(_ display: DisplayChoice?) throws(ServerError) {
    self.display = display
    do { device = try Device(display: display) } catch { throw ServerError(error) }
  }

  var report: DeviceReport { device.report }
  var longestSide: Int { device.capabilities.maxTargetSize }

  /// Plans and draws a frame, on a new device if the old one is lost.
  func draw(_ job: FrameJob) -> FrameOutcome {
    let outcome = attempt(job)
    guard let outcome else {
      guard renew() else { return failure(job, "the device was lost, and no new one can be had", lost: true) }
      var again = attempt(job) ?? failure(job, "the device was lost again", lost: true)
      again.lostDevice = true
      return again
    }
    return outcome
  }

  /// Draws a layer alone; nil where that fails.
  func draw(_ job: LayerJob) -> [UInt8]? {
    for _ in 0..<2 {
      do throws(RendererError) {
        let easel: Easel
        if let spare { easel = spare } else { easel = try Easel(device) }
        spare = easel
        var planner = FramePlanner()
        let plan = planner.plan(
          job.snapshot, size: job.size, scale: job.scale, background: .clear, limits: limits)
        switch try easel.renderer.draw(plan) {
        case .drawn, .unchanged: return try easel.renderer.readOutput()
        case .skipped(let reason):
          Log.warning("server", "a layer was not drawn: \(reason)")
          return nil
        case .deviceLost: if !renew() { return nil }
        }
      } catch {
        Log.warning("server", "a layer was not drawn: \(error)")
        if device.lookForLoss() == nil || !renew() { return nil }
      }
    }
    return nil
  }

  func remove(_ output: OutputNumber) {
    easels.removeValue(forKey: output)?.renderer.shutdown()
  }

  /// A test's way to lose the device.
  func lose() { device.shutdown() }

  func shutdown() {
    for easel in easels.values { easel.renderer.shutdown() }
    spare?.renderer.shutdown()
    easels.removeAll()
    spare = nil
    device.shutdown()
  }

  private var limits: PlanLimits { PlanLimits(maxTextureSize: longestSide) }

  /// Nil where the device is lost.
  private func attempt(_ job: FrameJob) -> FrameOutcome? {
    do throws(RendererError) {
      let easel: Easel
      if let known = easels[job.output] { easel = known } else { easel = try Easel(device) }
      easels[job.output] = easel
      var outcome = FrameOutcome(
        output: job.output, result: .unchanged, pixels: nil, size: job.size, counters: FrameCounters(), sources: [],
        changesByItself: false, lostDevice: false)
      let plan = easel.planner.plan(
        job.snapshot, size: job.size, scale: job.scale, background: job.background, limits: limits)
      outcome.changesByItself = plan.targets.contains { $0.historyKey != nil }
      switch try easel.renderer.draw(plan) {
      case .drawn:
        outcome.result = .drawn
        outcome.counters = plan.counters
        outcome.sources = plan.sources
      case .unchanged: break
      case .skipped(let reason):
        easel.planner.invalidate()
        return failure(job, reason)
      case .deviceLost: return nil
      }
      if job.wantsPixels { outcome.pixels = try easel.renderer.readOutput() }
      return outcome
    } catch {
      if device.lookForLoss() != nil { return nil }
      // The output does not show what the planner believes.
      easels[job.output]?.planner.invalidate()
      return failure(job, error.description)
    }
  }

  private func failure(_ job: FrameJob, _ reason: String, lost: Bool = false) -> FrameOutcome {
    Log.warning("server", "a frame was not drawn: \(reason)")
    return FrameOutcome(
      output: job.output, result: .failed(reason), pixels: nil, size: job.size, counters: FrameCounters(), sources: [],
      changesByItself: false, lostDevice: lost)
  }

  /// Takes a new device in the place of the lost one. What was drawn on it is gone.
  private func renew() -> Bool {
    Log.warning("server", "the GPU was lost; a new device is made, and every output is drawn again")
    for easel in easels.values { easel.renderer.shutdown() }
    spare?.renderer.shutdown()
    easels.removeAll()
    spare = nil
    device.shutdown()
    do {
      device = try Device(display: display)
      return true
    } catch {
      Log.error("server", "no new device can be had: \(error)")
      return false
    }
  }
}
