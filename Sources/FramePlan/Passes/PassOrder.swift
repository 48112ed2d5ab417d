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
    spans.append(contentsOf: repeatElement(QuadSpan(), count: primitives.count))
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
        var primitive: Int32 = -1
        switch link.item {
        case .primitive(let index): primitive = index
        case .use(let index):
          primitive = uses[Int(index)].primitive
          if uses[Int(index)].segment >= 0 { scratch.segments.append(uses[Int(index)].segment) }
        case .capture: break
        }
        guard primitive >= 0, case .target(let target) = primitives[Int(primitive)].texture, target != last else {
          continue
        }
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
    if damage.isEverything {
      append(draft, new.quads, 0..<new.quads.quads.count, scissor: nil, keepsContents: false)
    } else {
      for rect in damage.rects {
        append(draft, new.quads, 0..<new.quads.quads.count, scissor: rect, keepsContents: false)
      }
    }
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
      case .primitive(let index): emit(index, of: pass)
      case .use(let index):
        if uses[Int(index)].primitive >= 0 { emit(uses[Int(index)].primitive, of: pass) }
        if uses[Int(index)].segment >= 0 { stack.append(segments[Int(uses[Int(index)].segment)].first) }
      case .capture(let capture):
        if !captures[Int(capture)].passes.isEmpty, !captures[Int(capture)].isMade { return capture }
      }
    }
    return -1
  }

  /// Makes a primitive's quads, and notes where they stand.
  private mutating func emit(_ primitive: Int32, of pass: Int32) {
    let first = quads.quads.count
    emit(primitives[Int(primitive)])
    spans[Int(primitive)] = QuadSpan(pass: pass, first: Int32(first), count: Int32(quads.quads.count - first))
  }

  mutating func append(
    _ draft: PassDraft, _ quads: QuadList, _ range: Range<Int>, scissor: PixelRect?, keepsContents: Bool
  ) {
    let first = plan.batches.count
    let shaded = plan.counters.shadedPixels
    let isCovered = batcher.batch(quads, range, area: scissor ?? PixelRect(size: draft.size), into: &plan)
    if keepsContents, plan.batches.count == first { return }
    var result = Pass(
      target: draft.target, size: draft.size, clearColor: draft.clearColor, firstBatch: first,
      batchCount: plan.batches.count - first)
    result.keepsContents = keepsContents
    result.isCovered = isCovered
    result.scissor = scissor
    result.shadedPixels = plan.counters.shadedPixels - shaded
    plan.passes.append(result)
  }
}
