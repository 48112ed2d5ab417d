import Diagnostics
import FramePlan
import GLES
import Geometry
import Shaderset

/// Draws frame plans with OpenGL ES 3: exactly what the plan says, and no choice of its own that changes a pixel.
///
/// The output is a texture that stays from frame to frame. Targets, images, instance buffers and programs are kept and
/// used again; in the steady state a frame allocates nothing for an instance.
/// - Important: Use it on its device's thread, and `shutdown()` it there before the device.
public final class Renderer {
  public let device: Device

  var programs: ProgramLibrary?
  var pool = TargetPool()
  package var images = ImageCache()
  var history = History()
  private var ring: InstanceRing?
  var upload = InstanceUpload()
  private var check = PlanCheck()
  var output: RenderTarget?
  private(set) var scene: FrameResources?
  private var frame = 0
  /// What targets and output hold.
  private var lastNumber: FrameNumber?
  private var lastSpace = WorkingSpace.rgba8
  private var lastPlanner: UInt64?
  private let sources: [ShaderProgramSource]
  /// A test's way to a driver that can't.
  package var drawsHalfFloats: Bool
  private var lastFrame = DeviceCounters()
  private var imagesUploaded = 0
  /// Set after an error that no pass was named for: from then on GL is asked after every pass.
  var asksAfterEachPass: Bool
  /// Copies what a plan says may be copied. The pixels are the same; which is cheaper, the driver's class decides.
  public var copiesWholeTexels: Bool
  /// Called at the end of each pass with its index; a test's way to make GL fail there.
  package var passEnd: ((Int) -> Void)?

  /// Compiles every shader variant. A failure names the variant, with the compiler's log and the line.
  public convenience init(device: Device) throws(RendererError) {
    try self.init(device: device, programs: Shaderset.programs)
  }

  package init(device: Device, programs sources: [ShaderProgramSource]) throws(RendererError) {
    self.device = device
    self.sources = sources
    drawsHalfFloats = device.capabilities.drawsHalfFloats
    asksAfterEachPass = device.isDebug
    copiesWholeTexels = device.report.isSoftware && DebugSwitches.copies
    if let loss = device.beginFrame() { throw RendererError(.device, "the device is lost: \(loss)") }
    programs = try ProgramLibrary(sources, device: device)
    ring = InstanceRing(device: device)
    scene = try FrameResources(device: device)
    if let error = device.takeErrors().first {
      throw RendererError(.gl, "GL raised an error while the renderer was made: \(error)")
    }
  }

  /// Draws a frame. A plan without passes costs one question to the driver.
  /// - Throws: `invalidPlan`; `device` when memory runs out; `gl`, naming the pass. After a throw the output is not to
  ///   be shown; the next plan draws as if this one had not been.
  public func draw(_ plan: FramePlan) throws(RendererError) -> FrameResult {
    if let loss = device.lookForLoss() { return lost(loss) }
    if plan.passes.isEmpty { return .unchanged }
    guard let scene, programs != nil else { return .skipped("the renderer was shut down") }
    if let reason = reasonToSkip(plan) { return .skipped(reason) }
    if let previous = plan.previous, previous != lastNumber {
      return .skipped("the plan goes on from a frame that was not drawn here; it must be planned anew")
    }
    if let fault = check.fault(of: plan, keeping: scene.isKept, output: output?.texture.size) {
      throw RendererError(.invalidPlan, "the plan is faulty: \(fault)")
    }
    if let loss = device.beginFrame() { return lost(loss) }

    frame += 1
    device.resetCounters()
    scene.giveBack(to: &pool, frame: frame, keeping: plan.previous == nil ? nil : plan)
    lastNumber = nil
    if plan.space != lastSpace || plan.number?.planner != lastPlanner {
      // The frame before was of other values, or of another scene.
      history.replace(with: [:], pool: &pool, frame: frame)
      (lastSpace, lastPlanner) = (plan.space, plan.number?.planner)
    }
    do throws(RendererError) {
      if plan.space.isExtended { try programs?.addExtended(sources, device: device) }
      try makeOutput(plan)
      try scene.takeTargets(plan, pool: &pool, device: device)
      imagesUploaded = try scene.loadImages(plan, cache: &images, frame: frame, device: device)
      let instances = upload.prepare(plan) { copiedTarget(of: $0, scene: scene) != nil }
      guard let buffer = ring?.write(instances, device: device) else {
        return lost("the GPU has not done its work of three frames ago")
      }
      try throwErrors(in: { "its uploads" })
      try drawPasses(plan, scene: scene, instances: buffer)
    } catch {
      scene.giveBack(to: &pool, frame: frame)
      throw error
    }
    history.replace(with: scene.takeHistory(plan), pool: &pool, frame: frame)
    pool.evict(frame: frame)
    images.settle(device)
    images.evict(frame: frame)
    lastFrame = device.counters
    lastNumber = plan.number
    return .drawn
  }

  /// The output's pixels: premultiplied RGBA, 8 bit, rows from the top, no padding. Waits for the GPU.
  /// - Throws: `noOutput` before the first frame, or where that is of half floats; `gl` where the driver can't read.
  public func readOutput() throws(RendererError) -> [UInt8] { try read(try outputNow().framebuffer) }

  /// The output's pixels where they are half floats: premultiplied RGBA in the working space, rows from the top, no padding.
  /// Waits for the GPU.
  /// - Throws: `noOutput` before the first frame, or where that is of 8 bits; `gl` where the driver can't read.
  public func readOutputComponents() throws(RendererError) -> [Float] {
    try readComponents(try outputNow().framebuffer)
  }

  private func outputNow() throws(RendererError) -> RenderTarget {
    guard let output else { throw RendererError(.noOutput, "there is no output: no frame was drawn yet") }
    return output
  }

  /// The pixels of one of the last plan's targets, as `readOutput` gives the output's.
  public func readTarget(_ index: Int) throws(RendererError) -> [UInt8] {
    guard let target = scene?.target(index) else {
      throw RendererError(.noOutput, "the last plan had no target \(index)")
    }
    return try read(target.framebuffer)
  }

  /// Copies the output as it is into a dma-buf of its size, on the GPU, after everything drawn so far. Does not wait.
  /// - Throws: `noOutput` before the first frame, `device` where the dma-buf can't be drawn into.
  public func copyOutput(to contents: DmaBufferContents) throws(RendererError) {
    guard let output else { throw RendererError(.noOutput, "there is no output: no frame was drawn yet") }
    guard output.texture.size == contents.buffer.size else {
      throw RendererError(.device, "the dma-buf has another size than the output")
    }
    do { try device.copy(output.framebuffer, to: contents) } catch { throw RendererError(error) }
  }

  /// Waits until the GPU has done everything.
  public func finish() { device.finish() }

  /// Releases everything and deletes its names. Draws after it are skipped; a second call does nothing.
  public func shutdown() {
    scene = nil
    programs = nil
    ring = nil
    output = nil
    history.removeAll()
    pool.removeAll()
    images.removeAll()
    if device.lookForLoss() == nil { device.drainGraveyard() }
  }

  /// The output's texture; nil before the first frame.
  public var outputTexture: Texture? { output?.texture }

  /// What draws into the output; nil before the first frame.
  public var outputFramebuffer: Framebuffer? { output?.framebuffer }

  /// The texture that the last drawn plan's target of this index was drawn into, until the next `draw`.
  public func withTarget(_ index: Int) -> Texture? { scene?.target(index)?.texture }

  public var statistics: RendererStatistics {
    var statistics = RendererStatistics()
    statistics.framesDrawn = frame
    statistics.lastFrame = lastFrame
    statistics.imagesUploaded = imagesUploaded
    statistics.imagesRefused = images.refusedCount
    statistics.images = images.count
    statistics.targetsInUse = scene?.targetCount ?? 0
    statistics.targetsFree = pool.freeCount
    statistics.histories = history.count
    statistics.outputBytes = output?.texture.byteCount ?? 0
    statistics.imageBytes = images.byteCount
    statistics.targetBytes = pool.freeBytes + (scene?.targetBytes ?? 0)
    statistics.historyBytes = history.byteCount
    statistics.instanceBytes = ring?.byteCount ?? 0
    return statistics
  }

  /// Marks the end of a frame's draws, and has the GPU begin with them.
  func endDrawing() {
    ring?.endFrame(device: device)
    device.flush()
  }

  private func lost(_ reason: String) -> FrameResult {
    Log.warning("render", "the device is lost: \(reason)")
    return .deviceLost
  }

  private func reasonToSkip(_ plan: FramePlan) -> String? {
    let (size, limit) = (plan.outputSize, device.capabilities.maxTargetSize)
    if size.isEmpty { return "the output has no size" }
    if plan.space.isExtended, !drawsHalfFloats {
      return "this driver can't draw into half floats, for want of GL_EXT_color_buffer_half_float; draw in rgba8"
    }
    if size.width > limit || size.height > limit {
      return "the output of \(size.width) × \(size.height) pixels is larger than this driver's \(limit) a side"
    }
    if let target = plan.targets.first(where: { $0.size.width > limit || $0.size.height > limit }) {
      return "the target '\(target.label)' of \(target.size.width) × \(target.size.height) pixels is larger than this "
        + "driver's \(limit) a side"
    }
    return nil
  }

  /// Makes the output anew where its size is another. A plan without a pass for the output needs none.
  private func makeOutput(_ plan: FramePlan) throws(RendererError) {
    guard output?.texture.size != plan.outputSize || output?.texture.format != plan.space.format,
      plan.passes.contains(where: { $0.target == .output })
    else { return }
    // The old one first: a window that grows must not need both.
    output = nil
    output = try RenderTarget(
      size: plan.outputSize, format: plan.space.format, levels: 1, label: "output", device: device)
  }

  private func read(_ framebuffer: Framebuffer) throws(RendererError) -> [UInt8] {
    try require(.rgba8, of: framebuffer)
    let pixels = device.readPixels(framebuffer)
    try throwErrors { "reading pixels" }
    return pixels
  }

  private func readComponents(_ framebuffer: Framebuffer) throws(RendererError) -> [Float] {
    try require(.rgba16f, of: framebuffer)
    let components = device.readComponents(framebuffer)
    try throwErrors { "reading pixels" }
    return components
  }

  private func require(_ format: PixelFormat, of framebuffer: Framebuffer) throws(RendererError) {
    if let loss = device.lookForLoss() { throw RendererError(.device, "the device is lost: \(loss)") }
    guard framebuffer.texture.format == format else {
      throw RendererError(.noOutput, "the frame was drawn in \(framebuffer.texture.format) and is read as \(format)")
    }
  }
}
