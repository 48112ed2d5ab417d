import Geometry

/// Gathers the quads of a pass into batches: quads of one program, texture and blending are drawn together as far as
/// painter's order allows, which is as long as they overlap nothing that was drawn in between. The picture is the same
/// as without.
struct Batcher {
  /// A quad that is drawn, or a part of one; or, for -1, of what the target is cleared to.
  private struct Shown {
    var quad: Int32
    var part: PixelRect
    var batch: Int32
  }
  private struct Draft {
    /// -1 for what the target is cleared to.
    var key: Int32
    var count = 0
    var pixels = 0
  }

  /// A copy after a draw has the driver end what it has gathered so far: so many copied pixels are worth that.
  private static let leastCopied = 8192

  /// The whole frame's instances, batch by batch.
  private(set) var instances: [Float] = []
  var options = PlanOptions()
  private var shown: [Shown] = []
  private var drafts: [Draft] = []
  private var latest: [Int32] = []
  private var overlap = OverlapGrid()
  private var occlusion = Occlusion()
  /// By spot: what lies behind does not count.
  private var isHidden: [Bool] = []
  private var clear = PremultipliedColor.clear
  private var offsets: [Int] = []
  private var scratch: [Float] = []

  mutating func beginFrame() { instances.removeAll(keepingCapacity: true) }

  /// Appends the batches of a pass that draws `range` of the quads in `area` of its target.
  /// - Returns: whether they cover all of the area, so that what was there does not matter.
  mutating func batch(_ list: QuadList, _ range: Range<Int>, area: PixelRect, into plan: inout FramePlan) -> Bool {
    let isCovered = findShown(list, range, area)
    batchShown(list, area, into: &plan)
    return isCovered
  }

  /// Appends the batches of a pass of this size that draws what of the quads lies in the spots, over what it is cleared to.
  /// - Returns: false, and nothing is appended, where a quad can't be cut to a spot.
  mutating func batch(
    _ list: QuadList, in spots: DamageSpots, size: PixelSize, clear: PremultipliedColor, into plan: inout FramePlan
  ) -> Bool {
    guard options.culls, findShown(list, spots) else { return false }
    self.clear = clear
    batchShown(list, PixelRect(size: size), into: &plan)
    return true
  }

  private mutating func batchShown(_ list: QuadList, _ area: PixelRect, into plan: inout FramePlan) {
    drafts.removeAll(keepingCapacity: true)
    latest.removeAll(keepingCapacity: true)
    latest.append(contentsOf: repeatElement(-1, count: list.keys.count))
    overlap.reset(area)
    // The last that was found is the furthest back.
    for index in shown.indices.reversed() { assign(index, list) }
    layOut(list, into: &plan)
  }

  /// Finds what of the quads shows in the spots, from front to back; false where one can't be cut.
  private mutating func findShown(_ list: QuadList, _ spots: DamageSpots) -> Bool {
    shown.removeAll(keepingCapacity: true)
    isHidden.removeAll(keepingCapacity: true)
    for rect in spots.rects { isHidden.append(rect.isEmpty) }
    var isPossible = true
    var index = list.quads.count - 1
    while index >= 0, isPossible {
      let quad = list.quads[index]
      let key = list.key(of: quad)
      spots.forEach(meeting: quad.bounds) { spot, part in
        if isHidden[spot] { return }
        if part != quad.bounds, !key.isCuttable { isPossible = false }
        shown.append(Shown(quad: Int32(index), part: part, batch: -1))
        if key.blending == .replace, part == spots.rects[spot] { isHidden[spot] = true }
      }
      index -= 1
    }
    for spot in spots.rects.indices where !isHidden[spot] {
      shown.append(Shown(quad: -1, part: spots.rects[spot], batch: -1))
    }
    return isPossible
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
    let quad = shown[index].quad
    // What the target is cleared to lies behind everything.
    let key = quad < 0 ? -1 : list.quads[Int(quad)].key
    let last = Int32(drafts.count) - 1
    var batch = last
    if last < 0 || drafts[Int(last)].key != key {
      let known = key < 0 ? -1 : latest[Int(key)]
      if options.batches, known >= 0, known >= overlap.latestBatch(under: part) {
        batch = known
      } else {
        batch = last + 1
        drafts.append(Draft(key: key))
        if key >= 0 { latest[Int(key)] = batch }
      }
    }
    drafts[Int(batch)].count += 1
    drafts[Int(batch)].pixels += part.area
    overlap.insert(part, batch: batch)
    shown[index].batch = batch
  }

  /// Whether what may be copied is: many copies of little between draws are dearer than draws.
  private func copiesPay(_ list: QuadList) -> Bool {
    var (turns, pixels) = (0, 0)
    var isAfterDraw = false
    for draft in drafts {
      let isCopy = draft.key >= 0 && list.keys[Int(draft.key)].isCopy
      if isCopy {
        turns += isAfterDraw ? 1 : 0
        pixels += draft.pixels
      }
      isAfterDraw = !isCopy
    }
    return turns <= 1 || pixels >= turns * Self.leastCopied
  }

  /// Lays the pass's instances out batch by batch.
  private mutating func layOut(_ list: QuadList, into plan: inout FramePlan) {
    offsets.removeAll(keepingCapacity: true)
    let copies = copiesPay(list)
    var end = instances.count
    for draft in drafts {
      let key = draft.key >= 0 ? list.keys[Int(draft.key)] : .clearing
      offsets.append(end)
      var batch = Batch(
        variant: key.variant, texture: key.texture, filter: key.filter, blending: key.blending,
        isCopy: key.isCopy && copies,
        firstFloat: end, instanceCount: draft.count)
      batch.isMirrored = key.isMirrored
      batch.backdrop = key.backdrop
      plan.batches.append(batch)
      end += draft.count * key.variant.format.stride
    }
    instances.append(contentsOf: repeatElement(0, count: end - instances.count))
    for index in shown.indices.reversed() {
      let entry = shown[index]
      guard entry.quad >= 0 else {
        putClear(entry)
        plan.counters.shadedPixels += entry.part.area
        continue
      }
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

  /// Puts down a fill with what the target is cleared to.
  private mutating func putClear(_ entry: Shown) {
    scratch.removeAll(keepingCapacity: true)
    entry.part.append(to: &scratch)
    scratch.append(clear.red)
    scratch.append(clear.green)
    scratch.append(clear.blue)
    scratch.append(clear.alpha)
    let target = offsets[Int(entry.batch)]
    for offset in scratch.indices { instances[target + offset] = scratch[offset] }
    offsets[Int(entry.batch)] = target + scratch.count
  }
}

extension QuadKey {
  fileprivate static let clearing = QuadKey(variant: .fill, texture: .none, filter: .nearest, blending: .replace)
}
