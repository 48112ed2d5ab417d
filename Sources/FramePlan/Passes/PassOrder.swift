import Commit
import Geometry

// The order of passes, and their batches. A pass comes after those whose targets it samples. Where it is looked at before it
// is complete, it ends, the passes that are made of what it has drawn follow, and another pass goes on in its target.

/// What is left to do.
private enum Step {
  /// First what the pass samples.
  case prepare(Int32)
  /// To its end, or to the next place at which it is looked at.
  case draw(Int32)
}

/// How far a pass is drawn: a segment within another, and in each the next item.
struct PassCursor {
  var stack: [(segment: Int32, next: Int)]
}

extension FramePlanner {
  /// Puts the passes in order and makes their batches.
  mutating func finish() {
    spans.removeAll(keepingCapacity: true)
    spans.append(contentsOf: repeatElement(QuadSpan(), count: primitives.count))
    passOrder.removeAll(keepingCapacity: true)
    var passOfTarget = [Int32](repeating: -1, count: plan.targets.count)
    for (index, pass) in passes.enumerated() {
      if case .target(let target) = pass.target { passOfTarget[Int(target)] = Int32(index) }
    }
    var isPrepared = [Bool](repeating: false, count: passes.count)
    var cursors: [Int32: PassCursor] = [:]
    var isLookedAt = [Bool](repeating: false, count: passes.count)
    for capture in captures where !capture.passes.isEmpty { isLookedAt[Int(capture.pass)] = true }
    // The output last; a history picture that nobody samples in this frame is drawn all the same.
    var stack: [Step] = [.prepare(0)]
    for index in passes.indices.dropFirst() {
      if case .target(let target) = passes[index].target, plan.targets[Int(target)].historyKey != nil {
        stack.append(.prepare(Int32(index)))
      }
    }
    while let step = stack.popLast() {
      switch step {
      case .prepare(let pass):
        guard !isPrepared[Int(pass)] else { continue }
        isPrepared[Int(pass)] = true
        stack.append(.draw(pass))
        forEachTarget(sampledBy: passes[Int(pass)].segment) { target in
          let needed = passOfTarget[Int(target)]
          guard needed >= 0, !isPrepared[Int(needed)] else { return }
          // What is made of a capture has its place in the midst of the pass.
          let capture = passes[Int(needed)].capture
          if capture < 0 || capture == passes[Int(pass)].capture { stack.append(.prepare(needed)) }
        }
      case .draw(let pass):
        let reached = emit(pass, &cursors, isLookedAt)
        guard reached >= 0 else { continue }
        stack.append(.draw(pass))
        for made in captures[Int(reached)].passes.reversed() { stack.append(.prepare(made)) }
      }
    }
    finishCounters()
  }

  mutating func finishCounters() {
    plan.instances = batcher.instances
    plan.counters.passes = plan.passes.count
    plan.counters.batches = plan.batches.count
    plan.counters.instanceBytes = plan.instances.count * 4
  }

  private func forEachTarget(sampledBy segment: Int32, _ body: (Int32) -> Void) {
    var stack = [segment]
    // Thousands of portals of one picture stand in a row: one look is enough for them.
    var last: Int32 = -1
    func visit(_ primitive: Int32) {
      guard case .target(let target) = primitives[Int(primitive)].texture, target != last else { return }
      last = target
      body(target)
    }
    while let segment = stack.popLast() {
      for item in segments[Int(segment)].items {
        switch item {
        case .primitive(let index): visit(index)
        case .use(let index):
          if uses[Int(index)].primitive >= 0 { visit(uses[Int(index)].primitive) }
          if uses[Int(index)].segment >= 0 { stack.append(uses[Int(index)].segment) }
        case .capture: break
        }
      }
    }
  }

  /// Draws a pass, from where it was left. The capture that it is left at; -1 at its end.
  private mutating func emit(_ pass: Int32, _ cursors: inout [Int32: PassCursor], _ isLookedAt: [Bool]) -> Int32 {
    let draft = passes[Int(pass)]
    quads.removeAll()
    let cursor = cursors.removeValue(forKey: pass)
    var stack = cursor?.stack ?? [(draft.segment, 0)]
    var reached: Int32 = -1
    while reached < 0, let (segment, next) = stack.last {
      guard next < segments[Int(segment)].items.count else {
        stack.removeLast()
        continue
      }
      stack[stack.count - 1].next += 1
      switch segments[Int(segment)].items[next] {
      case .primitive(let index): emit(index, of: pass)
      case .use(let index):
        if uses[Int(index)].primitive >= 0 { emit(uses[Int(index)].primitive, of: pass) }
        if uses[Int(index)].segment >= 0 { stack.append((uses[Int(index)].segment, 0)) }
      case .capture(let capture):
        if !captures[Int(capture)].passes.isEmpty, !captures[Int(capture)].isMade { reached = capture }
      }
    }
    if reached >= 0 {
      captures[Int(reached)].isMade = true
      cursors[pass] = PassCursor(stack: stack)
    }
    // Where a pass is looked at in its midst, and for what is made of that, all is drawn.
    let old = memory.take(draft.target)
    guard !isLookedAt[Int(pass)], draft.capture < 0 else {
      append(draft, quads, scissor: nil, keepsContents: cursor != nil)
      return reached
    }
    var new = PassMemory(
      size: draft.size, clearColor: draft.clearColor, keys: quads.keys.map { RememberedKey($0, plan) })
    new.revisions = quads.keys.map { plan.revision($0.texture) }
    // Lists change places, so that none is copied.
    swap(&new.quads, &quads)
    let damage = damage(from: old, to: new)
    passOrder.append(pass)
    memory.setDamage(damage, of: draft.target)
    if damage.isEverything {
      append(draft, new.quads, scissor: nil, keepsContents: false)
    } else {
      for rect in damage.rects { append(draft, new.quads, scissor: rect, keepsContents: false) }
    }
    memory.keep(new, of: draft.target)
    if let old { quads = old.quads }
    return reached
  }

  /// Makes a primitive's quads, and notes where they stand.
  private mutating func emit(_ primitive: Int32, of pass: Int32) {
    let first = quads.quads.count
    emit(primitives[Int(primitive)])
    spans[Int(primitive)] = QuadSpan(pass: pass, first: Int32(first), count: Int32(quads.quads.count - first))
  }

  mutating func append(_ draft: PassDraft, _ quads: QuadList, scissor: PixelRect?, keepsContents: Bool) {
    let first = plan.batches.count
    let shaded = plan.counters.shadedPixels
    let isCovered = batcher.batch(quads, area: scissor ?? PixelRect(size: draft.size), into: &plan)
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
