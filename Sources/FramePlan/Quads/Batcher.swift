import Geometry

/// Gathers the quads of a pass into batches: quads of one program, texture and blending are drawn together as far as
/// painter's order allows, which is as long as they overlap nothing that was drawn in between. The picture is the same
/// as without.
struct Batcher {
  /// A quad that is drawn, or a part of one.
  private struct Shown {
    var quad: Int32
    var part: PixelRect
    var batch: Int32
  }
  private struct Draft {
    var key: Int32
    var count = 0
  }

  /// The whole frame's instances, batch by batch.
  private(set) var instances: [Float] = []
  var options = PlanOptions()
  private var shown: [Shown] = []
  private var drafts: [Draft] = []
  private var latest: [Int32] = []
  private var overlap = OverlapGrid()
  private var occlusion = Occlusion()
  private var offsets: [Int] = []
  private var scratch: [Float] = []

  mutating func beginFrame() { instances.removeAll(keepingCapacity: true) }

  /// Appends the batches of a pass that draws `range` of the quads in `area` of its target.
  /// - Returns: whether they cover all of the area, so that what was there does not matter.
  mutating func batch(_ list: QuadList, _ range: Range<Int>, area: PixelRect, into plan: inout FramePlan) -> Bool {
    let isCovered = findShown(list, range, area)
    drafts.removeAll(keepingCapacity: true)
    latest.removeAll(keepingCapacity: true)
    latest.append(contentsOf: repeatElement(-1, count: list.keys.count))
    overlap.reset(area)
    // The last that was found is the furthest back.
    for index in shown.indices.reversed() { assign(index, list) }
    layOut(list, into: &plan)
    return isCovered
  }

  /// Finds what of the quads shows, from front to back.
  private mutating func findShown(_ list: QuadList, _ range: Range<Int>, _ area: PixelRect) -> Bool {
    shown.removeAll(keepingCapacity: true)
    occlusion.reset(area)
    var index = range.upperBound - 1
    while index >= range.lowerBound {
      let quad = list.quads[index]
      let key = list.key(of: quad)
      var part = quad.bounds.intersection(area)
      if !part.isEmpty, options.culls { part = occlusion.visiblePart(of: part) }
      if !part.isEmpty {
        let isCut = key.isCuttable
        shown.append(Shown(quad: Int32(index), part: isCut ? part : quad.bounds, batch: -1))
        if key.blending == .replace, options.culls { occlusion.hide(quad.bounds) }
      }
      index -= 1
    }
    return options.culls && occlusion.isComplete
  }

  /// Finds the batch for what shows of a quad.
  private mutating func assign(_ index: Int, _ list: QuadList) {
    let part = shown[index].part
    let key = list.quads[Int(shown[index].quad)].key
    let last = Int32(drafts.count) - 1
    var batch = last
    if last < 0 || drafts[Int(last)].key != key {
      let known = latest[Int(key)]
      if options.batches, known >= 0, known >= overlap.latestBatch(under: part) {
        batch = known
      } else {
        batch = last + 1
        drafts.append(Draft(key: key))
        latest[Int(key)] = batch
      }
    }
    drafts[Int(batch)].count += 1
    overlap.insert(part, batch: batch)
    shown[index].batch = batch
  }

  /// Lays the pass's instances out batch by batch.
  private mutating func layOut(_ list: QuadList, into plan: inout FramePlan) {
    offsets.removeAll(keepingCapacity: true)
    var end = instances.count
    for draft in drafts {
      let key = list.keys[Int(draft.key)]
      offsets.append(end)
      var batch = Batch(
        variant: key.variant, texture: key.texture, filter: key.filter, blending: key.blending, isCopy: key.isCopy,
        firstFloat: end, instanceCount: draft.count)
      batch.isMirrored = key.isMirrored
      batch.backdrop = key.backdrop
      plan.batches.append(batch)
      end += draft.count * key.variant.format.stride
    }
    instances.append(contentsOf: repeatElement(0, count: end - instances.count))
    for index in shown.indices.reversed() {
      let entry = shown[index]
      let quad = list.quads[Int(entry.quad)]
      let stride = list.key(of: quad).variant.format.stride
      let target = offsets[Int(entry.batch)]
      if entry.part == quad.bounds {
        list.copy(quad, to: &instances, at: target)
      } else {
        scratch.removeAll(keepingCapacity: true)
        list.append(quad, cutTo: entry.part, to: &scratch)
        for offset in 0..<stride { instances[target + offset] = scratch[offset] }
      }
      offsets[Int(entry.batch)] = target + stride
      plan.counters.shadedPixels += entry.part.area
    }
    plan.counters.quads += shown.count
  }
}
