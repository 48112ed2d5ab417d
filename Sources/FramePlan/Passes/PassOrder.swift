import Commit
import Geometry

// The order of passes, and their batches. A pass comes after those whose targets it samples. Where it is looked at before it
// is complete, it ends, the passes that are made of what it has drawn follow, and another pass goes on in its target: see
// `PassProgress.swift`.

/// What is left to do.
enum PassStep {
  /// First what the pass samples.
  case prepare(Int32)
  /// To its end, or to the next place at which it is looked at.
  case draw(Int32)
}

extension FramePlanner {
  /// Puts the passes in order and makes their batches.
  mutating func finish() {
    spans.removeAll(keepingCapacity: true)
    spans.append(contentsOf: repeatElement(QuadSpan(), count: items.count))
    passOrder.removeAll(keepingCapacity: true)
    beginOrder()
    for index in passes.indices {
      if case .target(let target) = passes[index].target { scratch.passOfTarget[Int(target)] = Int32(index) }
    }
    // Where a pass is looked at, nothing can be drawn before all that differs is known.
    let isLookedAt = captures.contains { !$0.passes.isEmpty }
    // The output last; a history picture that nobody samples in this frame is drawn all the same.
    scratch.passSteps.append(.prepare(0))
    for index in passes.indices.dropFirst() {
      if case .target(let target) = passes[index].target, plan.targets[Int(target)].historyKey != nil {
        scratch.passSteps.append(.prepare(Int32(index)))
      }
    }
    while let step = scratch.passSteps.popLast() {
      switch step {
      case .prepare(let pass):
        guard !scratch.isPrepared[Int(pass)] else { continue }
        scratch.isPrepared[Int(pass)] = true
        scratch.passSteps.append(.draw(pass))
        prepareTargets(sampledBy: pass)
      case .draw(let pass):
        guard isLookedAt else {
          emit(pass)
          continue
        }
        let reached = emitRun(of: pass)
        guard reached >= 0 else { continue }
        scratch.passSteps.append(.draw(pass))
        for made in captures[Int(reached)].passes.reversed() { scratch.passSteps.append(.prepare(made)) }
      }
    }
    if isLookedAt { drawRuns() }
    finishCounters()
  }

  mutating func finishCounters() {
    plan.instances = batcher.instances
    plan.counters.passes = plan.passes.count
    plan.counters.batches = plan.batches.count
    plan.counters.instanceBytes = plan.instances.count * 4
  }

  private mutating func beginOrder() {
    func reset<Value>(_ array: inout [Value], _ value: Value, _ count: Int) {
      array.removeAll(keepingCapacity: true)
      array.append(contentsOf: repeatElement(value, count: count))
    }
    reset(&scratch.passOfTarget, -1, plan.targets.count)
    reset(&scratch.isPrepared, false, passes.count)
    scratch.progress.removeAll(keepingCapacity: true)
    scratch.runs.removeAll(keepingCapacity: true)
  }

  /// Has those passes come first whose targets a pass samples.
  private mutating func prepareTargets(sampledBy pass: Int32) {
    scratch.segments.append(passes[Int(pass)].segment)
    // Thousands of portals of one picture stand in a row: one look is enough for them.
    var last: Int32 = -1
    while let segment = scratch.segments.popLast() {
      var item = segments[Int(segment)].first
      while item >= 0 {
        let link = items[Int(item)]
        item = link.next
        var texture = TextureReference.none
        switch link.item {
        case .primitive(let index): texture = primitives[Int(index)].texture
        case .use(let index):
          if uses[Int(index)].isSampled { texture = .target(chosenTargets[picture(of: Int(index))]) }
          if uses[Int(index)].segment >= 0 { scratch.segments.append(uses[Int(index)].segment) }
        case .capture: break
        }
        guard case .target(let target) = texture, target != last else { continue }
        last = target
        prepare(target, for: pass)
      }
    }
  }

  private mutating func prepare(_ target: Int32, for pass: Int32) {
    let needed = scratch.passOfTarget[Int(target)]
    guard needed >= 0, !scratch.isPrepared[Int(needed)] else { return }
    // What is made of a capture has its place in the midst of the pass.
    let capture = passes[Int(needed)].capture
    if capture < 0 || capture == passes[Int(pass)].capture { scratch.passSteps.append(.prepare(needed)) }
  }

  /// Draws a pass that nothing looks at.
  private mutating func emit(_ pass: Int32) {
    let draft = passes[Int(pass)]
    quads.removeAll()
    // Taken out while it is written to.
    var stack: [Int32] = []
    swap(&stack, &scratch.nextItems)
    stack.removeAll(keepingCapacity: true)
    stack.append(segments[Int(draft.segment)].first)
    _ = emitItems(of: pass, &stack)
    swap(&stack, &scratch.nextItems)
    let old = memory.take(draft.target)
    var new = old ?? PassMemory(size: draft.size, clearColor: draft.clearColor)
    scratch.keys.removeAll(keepingCapacity: true)
    scratch.revisions.removeAll(keepingCapacity: true)
    for key in quads.keys {
      scratch.keys.append(RememberedKey(key, plan))
      scratch.revisions.append(plan.revision(key.texture))
    }
    let isKnown = old != nil && new.size == draft.size && new.clearColor == draft.clearColor
    let damage = isKnown ? damage(since: new, size: draft.size) : .everything
    (new.size, new.clearColor, new.look) = (draft.size, draft.clearColor, -1)
    new.looks.removeAll(keepingCapacity: true)
    // Lists change places, so that none is copied or made anew.
    swap(&new.keys, &scratch.keys)
    swap(&new.revisions, &scratch.revisions)
    swap(&new.quads, &quads)
    passOrder.append(pass)
    memory.setDamage(damage, of: draft.target)
    append(draft, new.quads, within: damage, since: isKnown)
    memory.keep(new, of: draft.target)
  }

  /// Makes quads of the items that are next, in a segment and those that it is drawn in, up to a look.
  /// - Returns: what the pass is looked at for; -1 at its end.
  mutating func emitItems(of pass: Int32, _ stack: inout [Int32]) -> Int32 {
    while let item = stack.last {
      guard item >= 0 else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1] = items[Int(item)].next
      switch items[Int(item)].item {
      case .primitive: emit(item, of: pass)
      case .use(let index):
        if uses[Int(index)].isSampled { emit(item, of: pass) }
        if uses[Int(index)].segment >= 0 { stack.append(segments[Int(uses[Int(index)].segment)].first) }
      case .capture(let capture):
        if !captures[Int(capture)].passes.isEmpty, !captures[Int(capture)].isMade { return capture }
      }
    }
    return -1
  }

  /// Makes the quads of an item that is one primitive.
  mutating func emit(_ item: Item) {
    var primitive: Primitive
    switch item {
    case .primitive(let index): primitive = primitives[Int(index)]
    case .use(let index): primitive = sampled(Int(index))
    case .capture: return
    }
    emit(&primitive)
  }

  /// Makes an item's quads, and notes where they stand.
  private mutating func emit(_ item: Int32, of pass: Int32) {
    let first = quads.quads.count
    emit(items[Int(item)].item)
    spans[Int(item)] = QuadSpan(pass: pass, first: Int32(first), count: Int32(quads.quads.count - first))
  }

  /// Draws a pass within what of it is damaged.
  /// - Parameter isKnown: the rest of it is as it was.
  mutating func append(_ draft: PassDraft, _ quads: QuadList, within damage: Damage, since isKnown: Bool) {
    if isKnown, appendSpots(draft, quads, damage) { return }
    if damage.isEverything {
      append(draft, quads, 0..<quads.quads.count, scissor: nil, keepsContents: false)
    } else {
      for rect in damage.rects { append(draft, quads, 0..<quads.quads.count, scissor: rect, keepsContents: false) }
    }
  }

  /// Draws nothing but the spots that the pass in hand differs in, where they are many and small; false where they are not.
  private mutating func appendSpots(_ draft: PassDraft, _ quads: QuadList, _ damage: Damage) -> Bool {
    guard scratch.spots.isComplete, scratch.spots.rects.count > Damage.mostRects else { return false }
    let whole = PixelRect(size: draft.size)
    let around = damage.rects.reduce(damage.isEverything ? whole : .empty) { $0.isEmpty ? $1 : $0.union($1) }
    guard scratch.spots.area * 4 < around.area else { return false }
    let (first, shaded) = (plan.batches.count, plan.counters.shadedPixels)
    guard batcher.batch(quads, in: scratch.spots, size: draft.size, clear: draft.clearColor, into: &plan)
    else { return false }
    addPass(
      draft, firstBatch: first, shaded: shaded, scissor: damage.isEverything ? nil : around, keepsContents: true)
    return true
  }

  mutating func append(
    _ draft: PassDraft, _ quads: QuadList, _ range: Range<Int>, scissor: PixelRect?, keepsContents: Bool
  ) {
    let first = plan.batches.count
    let shaded = plan.counters.shadedPixels
    let isCovered = batcher.batch(quads, range, area: scissor ?? PixelRect(size: draft.size), into: &plan)
    if keepsContents, plan.batches.count == first { return }
    addPass(draft, firstBatch: first, shaded: shaded, scissor: scissor, keepsContents: keepsContents)
    plan.passes[plan.passes.count - 1].isCovered = isCovered
  }

  /// Adds the pass of the batches from `firstBatch` on.
  private mutating func addPass(
    _ draft: PassDraft, firstBatch: Int, shaded: Int, scissor: PixelRect?, keepsContents: Bool
  ) {
    var result = Pass(
      target: draft.target, size: draft.size, clearColor: draft.clearColor, firstBatch: firstBatch,
      batchCount: plan.batches.count - firstBatch)
    result.keepsContents = keepsContents
    result.scissor = scissor
    result.shadedPixels = plan.counters.shadedPixels - shaded
    plan.passes.append(result)
  }
}
