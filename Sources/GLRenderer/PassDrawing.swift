import FramePlan
import GLES
import Geometry

/// The part of a frame that draws: passes in order, each from a clear to its last batch.
extension Renderer {
  func drawPasses(_ plan: FramePlan, scene: FrameResources, instances: Buffer) throws(RendererError) {
    for (index, pass) in plan.passes.enumerated() {
      try device.group(label(of: pass, index, in: plan)) { () throws(RendererError) in
        drawPass(pass, plan, scene: scene, instances: instances)
        passEnd?(index)
      }
      if asksAfterEachPass { try throwErrors { label(of: pass, index, in: plan) } }
    }
    endDrawing()
    if !asksAfterEachPass {
      do throws(RendererError) {
        try throwErrors { "one of its \(plan.passes.count) passes (the next frame tells which)" }
      } catch {
        asksAfterEachPass = true
        throw error
      }
    }
  }

  /// Throws for the first error that GL has raised since the last look.
  func throwErrors(in place: () -> String) throws(RendererError) {
    guard let error = device.takeErrors().first else { return }
    throw RendererError(.gl, "GL raised an error in \(place()): \(error)")
  }

  private func drawPass(_ pass: Pass, _ plan: FramePlan, scene: FrameResources, instances: Buffer) {
    guard let target = renderTarget(of: pass, scene: scene) else { return }
    device.bind(target.framebuffer)
    device.setViewport(pass.size)
    device.setScissor(pass.scissor)
    if !pass.keepsContents {
      // What was there is of no use: on a tiler it need not even be loaded.
      if pass.scissor == nil { device.invalidateContents() }
      if !pass.isCovered { device.clear(pass.clearColor) }
    }
    for number in pass.firstBatch..<(pass.firstBatch + pass.batchCount) {
      draw(number, of: plan, into: pass, scene: scene, instances: instances)
    }
    device.setScissor(nil)
    device.generateMipLevels(of: target.texture)
  }

  private func draw(
    _ number: Int, of plan: FramePlan, into pass: Pass, scene: FrameResources, instances: Buffer
  ) {
    let batch = plan.batches[number]
    guard batch.instanceCount > 0, let program = programs?[batch.variant] else { return }
    if let source = copiedTarget(of: batch, scene: scene) {
      copy(batch, of: source, plan.instances)
      return
    }
    program.use(on: device, targetSize: pass.size)
    if batch.backdrop != .none, let texture = scene.texture(batch.backdrop, output: output, history: history) {
      device.bind(texture, unit: 1)
      device.bind(scene.sampler(.nearest, isMirrored: false), unit: 1)
    }
    if batch.variant.isTextured, let texture = scene.texture(batch.texture, output: output, history: history) {
      device.bind(texture, unit: 0)
      device.bind(scene.sampler(batch.filter, isMirrored: batch.isMirrored), unit: 0)
    }
    device.setBlending(batch.isBlended, function: batch.blending.function)
    device.drawStrips(
      batch.instanceCount, rows: scene.rows(batch.variant.format), from: instances,
      byteOffset: upload.offsets[number] * MemoryLayout<Float>.stride)
  }

  /// What a batch's texels are copied of; nil where it is drawn.
  func copiedTarget(of batch: Batch, scene: FrameResources) -> RenderTarget? {
    guard batch.isCopy, copiesWholeTexels else { return nil }
    switch batch.texture {
    case .target(let index): return scene.target(Int(index))
    case .output: return output
    default: return nil
    }
  }

  /// The batch's texels, copied: for a software rasteriser many times cheaper than sampling them one by one.
  private func copy(_ batch: Batch, of source: RenderTarget, _ values: [Float]) {
    let size = source.texture.size
    for instance in 0..<batch.instanceCount {
      let first = batch.firstFloat + instance * batch.variant.format.stride
      let (minX, minY) = (Int32(values[first]), Int32(values[first + 1]))
      let (maxX, maxY) = (Int32(values[first + 2]), Int32(values[first + 3]))
      let x = Int32((values[first + 4] * Float(size.width)).rounded())
      let y = Int32((values[first + 5] * Float(size.height)).rounded())
      let texels = PixelRect(minX: x, minY: y, maxX: x + maxX - minX, maxY: y + maxY - minY)
      device.copy(texels, of: source.framebuffer, toX: minX, y: minY)
    }
  }

  private func renderTarget(of pass: Pass, scene: FrameResources) -> RenderTarget? {
    switch pass.target {
    case .output: output
    case .target(let index): scene.target(Int(index))
    }
  }

  /// `pass 2 of 5, source 'Card'`.
  private func label(of pass: Pass, _ index: Int, in plan: FramePlan) -> String {
    let place = "pass \(index + 1) of \(plan.passes.count)"
    switch pass.target {
    case .output: return "\(place), output"
    case .target(let number):
      let target = plan.targets[Int(number)]
      return "\(place), \(target.purpose) '\(target.label)'"
    }
  }
}

extension Blending {
  fileprivate var function: Device.BlendFunction {
    switch self {
    case .replace, .over: .over
    case .mask: .mask
    case .erase: .erase
    case .add: .add
    case .screen: .screen
    }
  }
}
