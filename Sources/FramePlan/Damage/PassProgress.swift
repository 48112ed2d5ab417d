import Commit
import Geometry

// What of each pass is drawn anew. A pass that is looked at in its midst is compared run by run, from look to look: at a look
// what differs before it is known, and that is what a picture made there has to be made anew of. What the whole pass differs
// in is known at its end, and only then is anything drawn: each run within it, and between them the pictures, so that at each
// look the target shows there what it must.

/// A pass as far as it is made.
struct PassProgress {
  /// The items that are next, in a segment and those that it is drawn in.
  var stack: [Int32]
  var old: PassMemory?
  var new: PassMemory
  var comparison: PassComparison?
}

/// A run of a pass's quads, to be drawn.
struct PassRun {
  var pass: Int32
  var quads: Range<Int>
  /// None was drawn before it.
  var isFirst: Bool
}

extension FramePlanner {
  /// More looks than this, and what differs is joined to one rectangle, since each run is a pass for each of them.
  private static let manyLooks = 3

  /// Makes the quads of a pass, from where it was left to the next place at which it is looked at, or to its end.
  /// - Returns: the capture that it is left at; -1 at its end.
  mutating func emitRun(of pass: Int32) -> Int32 {
    var progress: PassProgress
    if let known = scratch.progress.removeValue(forKey: pass) {
      progress = known
      swap(&progress.new.quads, &quads)
    } else {
      progress = self.progress(of: pass)
      quads.removeAll()
    }
    let reached = emitItems(of: pass, &progress.stack)
    if reached >= 0 { captures[Int(reached)].look = Int32(progress.new.looks.count) }
    scratch.runs.append(compareRun(of: pass, &progress, isEnd: reached < 0))
    if reached >= 0 {
      captures[Int(reached)].isMade = true
      memory.setDamage(
        progress.comparison?.damage.settled(passes[Int(pass)].size) ?? .everything, of: passes[Int(pass)].target)
      swap(&progress.new.quads, &quads)
      scratch.progress[pass] = progress
    } else {
      end(pass, &progress)
      passOrder.append(pass)
    }
    return reached
  }

  /// Draws all runs of the frame, each within what of its pass is drawn anew.
  mutating func drawRuns() {
    for run in scratch.runs { draw(run) }
    scratch.runs.removeAll(keepingCapacity: true)
  }

  /// Begins to make a pass.
  private mutating func progress(of pass: Int32) -> PassProgress {
    let draft = passes[Int(pass)]
    let old = memory.take(draft.target)
    var new = PassMemory(size: draft.size, clearColor: draft.clearColor)
    if draft.capture >= 0 { new.look = captures[Int(draft.capture)].look }
    let isComparable =
      options.tracksDamage && old?.size == new.size && old?.clearColor == new.clearColor && old?.look == new.look
    var progress = PassProgress(stack: [segments[Int(draft.segment)].first], old: old, new: new)
    if isComparable, let old {
      var comparison = PassComparison()
      comparison.begin(old)
      progress.comparison = comparison
    }
    return progress
  }

  /// Compares what was added to `quads` since the last look, at another look or at the pass's end.
  private mutating func compareRun(of pass: Int32, _ progress: inout PassProgress, isEnd: Bool) -> PassRun {
    for index in progress.new.keys.count..<quads.keys.count {
      progress.new.keys.append(RememberedKey(quads.keys[index], plan))
      progress.new.revisions.append(plan.revision(quads.keys[index].texture))
    }
    let look = progress.new.looks.count
    let run = PassRun(pass: pass, quads: (progress.new.looks.last ?? 0)..<quads.quads.count, isFirst: look == 0)
    if !isEnd { progress.new.looks.append(run.quads.upperBound) }
    // Lists change places, so that none is copied.
    swap(&progress.new.quads, &quads)
    defer { swap(&progress.new.quads, &quads) }
    guard let old = progress.old, var comparison = progress.comparison else { return run }
    progress.comparison = nil
    guard isEnd ? old.looks.count == look : old.looks.count > look else { return run }
    let start = look > 0 ? old.looks[look - 1] : 0
    compare(&comparison, old, start..<(isEnd ? old.quads.quads.count : old.looks[look]), progress.new, run.quads)
    progress.comparison = comparison
    return run
  }

  /// Ends a pass whose last run was compared: what of it is drawn is settled.
  private mutating func end(_ pass: Int32, _ progress: inout PassProgress) {
    let draft = passes[Int(pass)]
    swap(&progress.new.quads, &quads)
    var damage = progress.comparison?.damage ?? .everything
    if progress.new.looks.count > Self.manyLooks { damage.join() }
    damage = damage.settled(draft.size)
    // What goes on from what lies there is drawn once.
    if !progress.new.looks.isEmpty { damage.separate() }
    memory.setDamage(damage, of: draft.target)
    if draft.looksAt >= 0 {
      // What it is made of must be there.
      let seen = passes[Int(draft.looksAt)]
      progress.new.quads.forEachCopy(of: seen.target.texture, seen.size, within: damage) { rect in
        scratch.progress[draft.looksAt]?.comparison?.damage.add(rect)
      }
    }
    memory.keep(progress.new, of: draft.target)
    // Its storage is the next pass's.
    var old: PassMemory?
    swap(&old, &progress.old)
    if let spare = old.take()?.quads { quads = spare }
  }

  /// Draws a run within what of its pass is drawn anew.
  private mutating func draw(_ run: PassRun) {
    let draft = passes[Int(run.pass)]
    let damage = memory.damage(of: draft.target)
    guard !damage.isEmpty, let kept = memory.take(draft.target) else { return }
    if run.isFirst, draft.looksAt >= 0 { plan.counters.captures += 1 }
    if damage.isEverything {
      append(draft, kept.quads, run.quads, scissor: nil, keepsContents: !run.isFirst)
    } else {
      for rect in damage.rects { append(draft, kept.quads, run.quads, scissor: rect, keepsContents: !run.isFirst) }
    }
    memory.keep(kept, of: draft.target)
  }
}

extension TargetReference {
  var texture: TextureReference {
    switch self {
    case .output: .output
    case .target(let index): .target(index)
    }
  }
}

extension QuadList {
  /// Where what is drawn within `damage` is copied from, in pixels of `texture`, which has this size.
  func forEachCopy(
    of texture: TextureReference, _ size: PixelSize, within damage: Damage, _ body: (PixelRect) -> Void
  ) {
    for quad in quads where keys[Int(quad.key)].texture == texture {
      guard let offset = copyOffset(of: quad, size) else {
        body(PixelRect(size: size))
        continue
      }
      if damage.isEverything { body(quad.bounds.offsetBy(dx: offset.x, dy: offset.y)) }
      for rect in damage.rects {
        let part = rect.intersection(quad.bounds)
        if !part.isEmpty { body(part.offsetBy(dx: offset.x, dy: offset.y)) }
      }
    }
  }
}
