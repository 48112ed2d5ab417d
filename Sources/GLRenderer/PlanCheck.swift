import FramePlan
import Geometry

/// Looks whether a plan holds together before anything of it reaches GL. Kept from frame to frame for its storage.
struct PlanCheck {
  private var written: [Bool] = []

  /// What is wrong with the plan; nil where all is well.
  mutating func fault(of plan: FramePlan) -> String? {
    written.removeAll(keepingCapacity: true)
    written.append(contentsOf: repeatElement(false, count: plan.targets.count))
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
      guard pass.firstBatch >= 0, pass.batchCount >= 0, pass.batchCount <= plan.batches.count,
        pass.firstBatch <= plan.batches.count - pass.batchCount
      else { return "pass \(index) has batches that are not there" }
      for number in pass.firstBatch..<(pass.firstBatch + pass.batchCount) {
        if let fault = fault(of: plan.batches[number], into: own, in: plan) {
          return "pass \(index), batch \(number): \(fault)"
        }
      }
      if let own { written[own] = true }
    }
    return nil
  }

  private func fault(of batch: Batch, into own: Int?, in plan: FramePlan) -> String? {
    let (floats, overflow) = batch.instanceCount.multipliedReportingOverflow(by: batch.variant.format.stride)
    guard batch.firstFloat >= 0, batch.instanceCount >= 0, !overflow, floats <= plan.instances.count,
      batch.firstFloat <= plan.instances.count - floats
    else { return "it has instances that are not there" }
    switch batch.texture {
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
