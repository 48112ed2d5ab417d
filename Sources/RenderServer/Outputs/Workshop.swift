import Commit
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
    var planner = FramePlanner(options: DebugSwitches.planOptions)
    let renderer: Renderer
    var readings = ReadbackRing()
    /// What an earlier frame read, and this one had to make room for.
    var early: [StageMessage] = []

    init(_ device: Device) throws(RendererError) { renderer = try Renderer(device: device) }
  }

  private let display: DisplayChoice?
  private var device: Device
  private var easels: [OutputNumber: Easel] = [:]
  /// For layers drawn alone.
  private var spare: Easel?
  /// Readings that were lost with their device.
  private var lost: [StageMessage] = []
  /// What is said when the GPU has done everything so far.
  private var marks: [(fence: Fence, whole: StageMessage, lost: StageMessage)] = []
  /// Somebody comes again for pixels that are on their way.
  var isCollecting = false

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

  // MARK: Pixels on their way

  /// Whether pixels are on their way to memory.
  var isReading: Bool {
    !lost.isEmpty || !marks.isEmpty || easels.values.contains { !$0.readings.isEmpty || !$0.early.isEmpty }
  }

  /// The pixels that have come, of each output in the order of its frames. Waits no longer than so many nanoseconds, for the
  /// first of them.
  func takePixels(waitingNanoseconds: UInt64) -> [StageMessage] {
    var messages = lost
    lost = []
    var patience = messages.isEmpty ? waitingNanoseconds : 0
    while let first = marks.first, device.wait(for: first.fence, timeoutNanoseconds: patience) {
      messages.append(first.whole)
      marks.removeFirst()
      patience = 0
    }
    for (output, easel) in easels {
      messages += easel.early
      easel.early = []
      if !messages.isEmpty { patience = 0 }
      while let message = take(output, easel, waitingNanoseconds: patience) {
        messages.append(message)
        patience = 0
      }
    }
    return messages
  }

  private func take(_ output: OutputNumber, _ easel: Easel, waitingNanoseconds: UInt64) -> StageMessage? {
    easel.readings.take(device, waitingNanoseconds: waitingNanoseconds).map {
      .pixels(output: output, reading: $0.ticket, pixels: $0.pixels)
    }
  }

  private func read(_ reading: UInt64, _ output: OutputNumber, _ easel: Easel) throws(RendererError) {
    if let early = try easel.readings.makeRoom(device) {
      easel.early.append(.pixels(output: output, reading: early.ticket, pixels: early.pixels))
    }
    try easel.readings.begin(reading, of: easel.renderer)
  }

  /// Has a message be said when the GPU has done everything so far; the other one, where that is lost.
  private func mark(_ whole: StageMessage, lost: StageMessage) {
    if let fence = device.makeFence() { marks.append((fence, whole, lost)) } else { self.lost.append(lost) }
  }

  func sayWhenDone(_ ticket: UInt64) { mark(.done(ticket: ticket), lost: .done(ticket: ticket)) }

  private func copy(_ job: FrameJob, _ easel: Easel) {
    for (ticket, target) in job.copies {
      let lost = StageMessage.copied(output: job.output, ticket: ticket, isWhole: false)
      do throws(RendererError) {
        try easel.renderer.copyOutput(to: target)
        mark(.copied(output: job.output, ticket: ticket, isWhole: true), lost: lost)
      } catch {
        Log.warning("server", "a frame was not copied: \(error)")
        self.lost.append(lost)
      }
    }
  }

  /// Whether a dma-buf can be imported; else why not.
  func fault(of buffer: DmaBuffer) -> String? {
    guard device.lookForLoss() == nil else { return "the GPU was lost; try again" }
    do {
      _ = try device.makeTexture(importing: buffer, label: "dma-buf")
      return nil
    } catch {
      return error.description
    }
  }

  private func giveUpReadings() {
    lost += marks.map(\.lost)
    marks = []
    for (output, easel) in easels {
      lost += easel.early
      lost += easel.readings.removeAll().map { .pixels(output: output, reading: $0, pixels: nil) }
    }
  }

  var dmaBuffers: DmaBufferSupport { device.capabilities.dmaBuffers }
  var drmNode: UInt64? { device.capabilities.drmNode }

  func remove(_ output: OutputNumber) {
    guard let easel = easels.removeValue(forKey: output) else { return }
    _ = easel.readings.removeAll()
    easel.renderer.shutdown()
  }

  /// A test's way to lose the device.
  func lose() { device.shutdown() }

  func shutdown() {
    giveUpReadings()
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
        output: job.output, result: .unchanged, size: job.size, bytes: 0, counters: FrameCounters(), sources: [],
        changesByItself: false, lostDevice: false)
      let plan = easel.planner.plan(
        job.snapshot, size: job.size, scale: job.scale, background: job.background, limits: limits)
      outcome.changesByItself = plan.targets.contains { $0.historyKey != nil }
      switch try easel.renderer.draw(plan) {
      case .drawn:
        outcome.result = .drawn
        outcome.counters = plan.counters
        let sent = easel.renderer.statistics.lastFrame
        outcome.pictureBytes = sent.uploadedBytes - plan.counters.instanceBytes
        outcome.copiedPixels = sent.copiedPixels
        outcome.sources = plan.sources
        outcome.redrawn = RedrawnPart.all(of: plan)
      case .unchanged: break
      case .skipped(let reason):
        easel.planner.invalidate()
        return failure(job, reason)
      case .deviceLost: return nil
      }
      if job.wantsPictures { outcome.pictures = easel.planner.shownPictures() }
      if let reading = job.reading { try read(reading, job.output, easel) }
      copy(job, easel)
      if let ticket = job.mark { sayWhenDone(ticket) }
      outcome.bytes = easel.renderer.statistics.totalBytes + easel.readings.byteCount
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
      output: job.output, result: .failed(reason), size: job.size, bytes: 0, counters: FrameCounters(), sources: [],
      changesByItself: false, lostDevice: lost)
  }

  /// Takes a new device in the place of the lost one. What was drawn on it is gone.
  private func renew() -> Bool {
    Log.warning("server", "the GPU was lost; a new device is made, and every output is drawn again")
    giveUpReadings()
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
