import FramePlan
import Geometry

/// Looks whether a plan holds together before anything of it reaches GL. Kept from frame to frame for its storage.
struct PlanCheck {
  private var written: [Bool] = []
  private var isOutputWritten = false

  /// What is wrong with the plan; nil where all is well.
  /// - Parameters:
  ///   - isKept: whether the target of an identity is as the last frame left it.
  ///   - output: the size of the output as it is.
  mutating func fault(of plan: FramePlan, keeping isKept: (UInt64) -> Bool, output: PixelSize?) -> String? {
    isOutputWritten = plan.previous != nil && output == plan.outputSize
    written.removeAll(keepingCapacity: true)
    for target in plan.targets { written.append(plan.previous != nil && isKept(target.identity)) }
    for (index, target) in plan.targets.enumerated() where target.size.isEmpty || target.mipLevels < 0 {
      return "target \(index) '\(target.label)' has no size"
    }
    for (index, pass) in plan.passes.enumerated() {
      var own: Int?
      switch pass.target {
      case .output:
        guard pass.size == plan.outputSize else { return "pass \(index) has another size than the output" }
      case .target(let number):
        guard let number = Int(exactly: number), plan.targets.indices ~= number else {
          return "pass \(index) draws into target \(number), which is not there"
        }
        guard pass.size == plan.targets[number].size else { return "pass \(index) has another size than its target" }
        own = number
      }
      if pass.keepsContents || pass.scissor != nil, !(own.map { written[$0] } ?? isOutputWritten) {
        return "pass \(index) goes on in a target that no earlier pass has drawn"
      }
      guard pass.firstBatch >= 0, pass.batchCount >= 0, pass.batchCount <= plan.batches.count,
        pass.firstBatch <= plan.batches.count - pass.batchCount
      else { return "pass \(index) has batches that are not there" }
      for number in pass.firstBatch..<(pass.firstBatch + pass.batchCount) {
        if let fault = fault(of: plan.batches[number], into: own, in: plan) {
          return "pass \(index), batch \(number): \(fault)"
        }
      }
      if let own { written[own] = true } else { isOutputWritten = true }
    }
    return nil
  }

  private func fault(of batch: Batch, into own: Int?, in plan: FramePlan) -> String? {
    let (floats, overflow) = batch.instanceCount.multipliedReportingOverflow(by: batch.variant.format.stride)
    guard batch.firstFloat >= 0, batch.instanceCount >= 0, !overflow, floats <= plan.instances.count,
      batch.firstFloat <= plan.instances.count - floats
    else { return "it has instances that are not there" }
    return fault(of: batch.texture, in: batch, into: own, plan)
      ?? (batch.backdrop == .none ? nil : fault(of: batch.backdrop, in: batch, into: own, plan))
  }

  private func fault(of texture: TextureReference, in batch: Batch, into own: Int?, _ plan: FramePlan) -> String? {
    switch texture {
    case .output:
      if own == nil { return "it samples the output that it draws into" }
      return isOutputWritten ? nil : "it samples the output, which no earlier pass has drawn"
    case .none:
      return batch.variant.isTextured ? "its variant samples a texture, and it has none" : nil
    case .image(let index):
      return plan.images.indices ~= Int(index) ? nil : "it samples image \(index), which is not there"
    case .target(let index):
      guard plan.targets.indices ~= Int(index) else { return "it samples target \(index), which is not there" }
      if Int(index) == own { return "it samples the target that it draws into" }
      return written[Int(index)] ? nil : "it samples target \(index), which no earlier pass has drawn"
    case .history:
      return nil
    }
  }
}
