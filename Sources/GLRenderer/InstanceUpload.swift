import FramePlan

/// What of a plan's instances goes to the GPU: all of them but those of batches that are copied, which it never reads.
struct InstanceUpload {
  /// By batch: where in what is uploaded its first float stands.
  private(set) var offsets: [Int] = []
  private var gathered: [Float] = []

  /// Finds what is to be uploaded.
  /// - Parameter isCopied: whether a batch is copied, and not drawn.
  mutating func prepare(_ plan: FramePlan, isCopied: (Batch) -> Bool) -> [Float] {
    offsets.removeAll(keepingCapacity: true)
    gathered.removeAll(keepingCapacity: true)
    guard plan.batches.contains(where: isCopied) else {
      for batch in plan.batches { offsets.append(batch.firstFloat) }
      return plan.instances
    }
    for batch in plan.batches {
      offsets.append(gathered.count)
      if isCopied(batch) { continue }
      // Only what passes draw was checked to be there.
      let range = batch.firstFloat..<max(batch.firstFloat, batch.firstFloat &+ batch.floatCount)
      gathered.append(contentsOf: plan.instances[range.clamped(to: plan.instances.indices)])
    }
    return gathered
  }
}

extension Batch {
  fileprivate var floatCount: Int { instanceCount &* variant.format.stride }
}
