import Commit
import Geometry
import RenderTree

// A frame that goes on from the last one's plan: of the layers, only those that differ are walked; of the quads, only theirs
// are made anew. Wherever a change could reach further than to the layer's own quads, all is planned anew: nothing here
// decides anything that a whole plan decides otherwise.

/// What was chosen for one content's uses.
struct ContentChoice {
  var key: ContentKey
  /// The first of its uses.
  var first: Int32
  /// Range in the planner's `chosen`.
  var firstPicture: Int
  var pictureCount: Int
  /// Index in the plan's sources.
  var report: Int
  var isTouched = false
}

/// Where an item's quads stand in its pass.
struct QuadSpan {
  var pass: Int32 = -1
  var first: Int32 = 0
  var count: Int32 = 0
}

/// What going on from a plan needs, kept from frame to frame.
struct PatchScratch {
  /// The last plan can be gone on from.
  var isPossible = false
  /// Layers are being walked to take the place of what they were.
  var isRunning = false
  /// No layer differs from the last frame.
  var isSameTree = false
  /// How often in a row a plan with many changes could not be gone on from, and how many frames that is not tried in.
  private(set) var failures = 0
  private var rest = 0
  /// The contents in the order in which they were measured.
  var measured: [ContentKey] = []
  /// Of the last whole plan.
  var counters = FrameCounters()
  /// The segment that a layer is walked into.
  var segment: Int32 = -1
  /// The layers that those that differ stand in, where it counts how far they reach; and the same by node.
  var parents: [Int32] = []
  var isParent: [Bool] = []
  var uses: [Int32] = []
  var items: [Int32] = []
  var touched: [Int32] = []
  var pictures: [SourcePicture] = []
  var edits: [QuadList.Edit] = []
  /// By edit: how many quads more there are after it.
  var shifts: [Int32] = []
  var visited = 0

  /// Whether to try to go on with so many changes: all tried, and then to plan all, is twice the work, and what moves all sources
  /// to other pixels in a frame does so in the next.
  mutating func isWorthTrying(_ changes: Int) -> Bool {
    if changes < Self.manyChanges || rest == 0 { return true }
    rest -= 1
    return false
  }

  mutating func note(success: Bool, _ changes: Int) {
    if success { failures = 0 } else if changes >= Self.manyChanges { failures = min(4, failures + 1) }
    rest = success ? 0 : (1 << failures) - 1
  }

  private static let manyChanges = 64

  mutating func begin() {
    parents.removeAll(keepingCapacity: true)
    (isPossible, isRunning, segment) = (false, false, -1)
    measured.removeAll(keepingCapacity: true)
    beginFrame()
  }

  mutating func beginFrame() {
    for parent in parents { isParent[Int(parent)] = false }
    parents.removeAll(keepingCapacity: true)
    uses.removeAll(keepingCapacity: true)
    items.removeAll(keepingCapacity: true)
    touched.removeAll(keepingCapacity: true)
    visited = 0
  }
}

extension FramePlanner {
  /// After a whole plan. What looks at a target in its midst, or at the frame before, is planned whole.
  mutating func noteWhatCanBePatched() {
    patch.isPossible =
      options.tracksDamage && captures.isEmpty && backdrops.isEmpty && historyKeys.isEmpty && !snapshot.dependsOnPixels
    patch.counters = plan.counters
    patch.counters.quads = 0
    patch.counters.shadedPixels = 0
    patch.segment = addSegment(pass: 0)
    patch.isParent.removeAll(keepingCapacity: true)
    patch.isParent.append(contentsOf: repeatElement(false, count: snapshot.nodes.count))
  }

  /// Makes the plan of a snapshot that says in what it differs, over this colour. False, and nothing drawn, where all must be
  /// planned anew.
  mutating func patchPlan(_ snapshot: Snapshot, clear: PremultipliedColor) -> Bool {
    self.snapshot = snapshot
    guard patch.isWorthTrying(changedCount) else { return false }
    // The output's is the first pass.
    passes[0].clearColor = clear
    patch.beginFrame()
    patch.isRunning = true
    defer { patch.isRunning = false }
    let isPossible = extentsHold() && visitAgain() && chooseAgain()
    patch.note(success: isPossible, changedCount)
    guard isPossible else { return false }
    plan.beginDrawing()
    plan.counters = patch.counters
    plan.counters.layersVisited = patch.visited
    batcher.beginFrame()
    memory.beginSameFrame()
    sortItems()
    var next = 0
    for pass in passOrder { drawAgain(pass, &next) }
    finishCounters()
    return true
  }

  /// How many of the nodes differ.
  private var changedCount: Int { patch.isSameTree ? 0 : snapshot.changes.nodes.count }

  /// Measures what differs. False where that changes how far a source, or a layer in one, reaches.
  private mutating func extentsHold() -> Bool {
    var isInPicture = false
    for position in 0..<changedCount {
      let index = snapshot.changes.nodes[position]
      guard visits[Int(index)].place >= 0 else { return false }
      extents.update(index, of: snapshot)
      var visit = visits[Int(index)]
      while true {
        let place = Int(visit.place)
        isInPicture = isInPicture || places[place].isPicture
        if places[place].isPicture || places[place].isInGroup {
          // Wherever the layer lies now, what it stands in may reach elsewhere.
          let parent = places[place].node
          if !patch.isParent[Int(parent)] {
            patch.isParent[Int(parent)] = true
            patch.parents.append(parent)
          }
        }
        guard visit.next >= 0 else { break }
        visit = furtherVisits[Int(visit.next)]
      }
    }
    for parent in patch.parents where !extents.isSettled(parent, in: snapshot) { return false }
    if isInPicture {
      for key in patch.measured {
        let cost = measure(key)
        // Whether it takes a group to show it goes by that.
        guard cost.isMany == contentCosts[key]?.isMany else { return false }
        contentCosts[key] = cost
      }
      for index in choices.indices { touch(Int32(index)) }
    }
    return true
  }

  mutating func touch(_ choice: Int32) {
    guard !choices[Int(choice)].isTouched else { return }
    choices[Int(choice)].isTouched = true
    patch.touched.append(choice)
  }

  // MARK: Layers

  private mutating func visitAgain() -> Bool {
    for position in 0..<changedCount {
      let index = snapshot.changes.nodes[position]
      var visit = visits[Int(index)]
      guard visitAgain(index, visit) else { return false }
      while visit.next >= 0 {
        visit = furtherVisits[Int(visit.next)]
        guard visitAgain(index, visit) else { return false }
      }
    }
    return true
  }

  /// Walks one layer, and puts what it becomes in the place of what it was.
  private mutating func visitAgain(_ index: Int32, _ visit: LeafVisit) -> Bool {
    if movePortal(index, visit) {
      patch.visited += 1
      return true
    }
    let place = places[Int(visit.place)]
    guard var context = context(of: index, in: place) else {
      // Nothing was to be seen of it, and nothing is.
      return visit.itemCount == 0 && visit.clipCount == 0
    }
    let scratch = Int(patch.segment)
    (segments[scratch].first, segments[scratch].last) = (-1, -1)
    segments[scratch].pass = segments[Int(context.segment)].pass
    context.segment = patch.segment
    let (itemCount, primitiveCount, useCount, clipCount) = (items.count, primitives.count, uses.count, clips.count)
    let before = (passes.count, segments.count, wholePictures.count, pictureEffects.count, plan.images.count)
    let opacity = context.node.opacity
    close(enter(&context, opacity: opacity))
    patch.visited += 1
    guard before == (passes.count, segments.count, wholePictures.count, pictureEffects.count, plan.images.count),
      items.count - itemCount == Int(visit.itemCount), clips.count - clipCount == Int(visit.clipCount)
    else { return false }
    /// The same clip in the place of the old.
    func moved(_ clip: Int32) -> Int32 {
      clip < Int32(clipCount) ? clip : clip - Int32(clipCount) + visit.firstClip
    }
    for offset in 0..<Int(visit.clipCount) { clips[Int(visit.firstClip) + offset] = clips[clipCount + offset] }
    for offset in 0..<Int(visit.itemCount) {
      let item = visit.firstItem + Int32(offset)
      switch (items[Int(item)].item, items[itemCount + offset].item) {
      case (.primitive(let old), .primitive(let new)):
        guard spans[Int(item)].count > 0 else { return false }
        primitives[Int(old)] = primitives[Int(new)]
        primitives[Int(old)].clip.shape = moved(primitives[Int(new)].clip.shape)
        patch.items.append(item)
      case (.use(let old), .use(let new)):
        guard takeOver(old, from: new) else { return false }
        uses[Int(old)].clip.shape = moved(uses[Int(old)].clip.shape)
        uses[Int(old)].portalClip = moved(uses[Int(old)].portalClip)
        uses[Int(old)].sourceClip = moved(uses[Int(old)].sourceClip)
      default: return false
      }
    }
    items.removeLast(items.count - itemCount)
    primitives.removeLast(primitives.count - primitiveCount)
    uses.removeLast(uses.count - useCount)
    clips.removeLast(clips.count - clipCount)
    return true
  }

  /// A use that is one quad of a picture goes on being that.
  private mutating func takeOver(_ old: Int32, from new: Int32) -> Bool {
    let (o, n) = (Int(old), Int(new))
    guard uses[o].key == uses[n].key, uses[o].pass == uses[n].pass, uses[o].isSampled else { return false }
    (uses[n].choice, uses[n].isSampled, uses[n].isResolved) = (uses[o].choice, true, true)
    (uses[n].next, uses[n].item) = (uses[o].next, uses[o].item)
    uses[o] = uses[n]
    patch.uses.append(old)
    touch(uses[o].choice)
    return true
  }

  /// What a layer is drawn by, as a walk would have it; nil where it is not drawn there by itself.
  private mutating func context(of index: Int32, in place: Place) -> NodeContext? {
    let node = snapshot.nodes[Int(index)]
    guard !node.isHidden, !node.flags.contains(.hiddenByPortal), node.opacity > 0, !isSharedSource[Int(index)] else {
      return nil
    }
    let matrix = place.windowMatrix.map { node.window * $0 } ?? node.local * place.matrix
    let showsBack = place.showsBack != node.flags.contains(.turnsBack)
    let extent = extents.rects[Int(index)]
    let visible = pixels(enclosing: extent, matrix).intersection(place.clip.scissor)
    guard matrix.isFinite, !visible.isEmpty, !extent.isEmpty, !showsBack || node.flags.contains(.doubleSided) else {
      return nil
    }
    return NodeContext(
      index: index, node: node, matrix: matrix, windowMatrix: place.windowMatrix, alpha: place.alpha, clip: place.clip,
      segment: place.segment, showsBack: showsBack, visible: visible, recursion: place.recursion)
  }

  // MARK: Sources

  /// Looks whether the sources are drawn as they were, and samples them where portals have moved.
  private mutating func chooseAgain() -> Bool {
    // Taken out while they are written to, so that nothing is copied.
    var pictures: [SourcePicture] = []
    swap(&pictures, &patch.pictures)
    defer { swap(&pictures, &patch.pictures) }
    for index in patch.touched {
      let i = Int(index)
      choices[i].isTouched = false
      choosePictures(choices[i].key, from: choices[i].first, into: &pictures)
      guard pictures.count == choices[i].pictureCount else { return false }
      plan.sources[choices[i].report].primitives = primitiveCount(of: choices[i].key)
      for number in pictures.indices {
        guard pictures[number].isDrawn(as: chosen[choices[i].firstPicture + number]) else { return false }
        chosen[choices[i].firstPicture + number] = pictures[number]
        plan.sources[choices[i].report].pictures[number] = pictures[number].report
      }
    }
    for use in patch.uses {
      let u = Int(use)
      guard uses[u].picture >= 0, chosenTargets[picture(of: u)] >= 0, spans[Int(uses[u].item)].count > 0,
        isOnePrimitive(u)
      else { return false }
      patch.items.append(uses[u].item)
    }
    return true
  }

  // MARK: Quads

  /// Puts what has changed in the order in which it is drawn.
  private mutating func sortItems() {
    func isBefore(_ a: Int32, _ b: Int32) -> Bool {
      let (p, q) = (spans[Int(a)], spans[Int(b)])
      return p.pass == q.pass ? p.first < q.first : rank(p.pass) < rank(q.pass)
    }
    var isSorted = true
    for index in 1..<max(1, patch.items.count) where !isBefore(patch.items[index - 1], patch.items[index]) {
      isSorted = false
    }
    if isSorted { return }
    var items: [Int32] = []
    swap(&items, &patch.items)
    items.sort(by: isBefore)
    swap(&items, &patch.items)
  }

  private func rank(_ pass: Int32) -> Int { passOrder.firstIndex(of: pass) ?? -1 }

  /// Draws what of a pass differs: the quads of what has changed, and those that show what has.
  private mutating func drawAgain(_ pass: Int32, _ next: inout Int) {
    let draft = passes[Int(pass)]
    guard var new = memory.take(draft.target) else { return }
    // Lists change places, so that none is copied.
    swap(&quads, &new.quads)
    var damage = replaceQuads(of: pass, &next)
    for index in new.keys.count..<quads.keys.count {
      new.keys.append(RememberedKey(quads.keys[index], plan))
      new.revisions.append(plan.revision(quads.keys[index].texture))
    }
    addSampledDamage(to: &damage, in: draft.size)
    swap(&quads, &new.quads)
    let isKnown = new.clearColor == draft.clearColor
    if !isKnown { damage = .everything }
    new.clearColor = draft.clearColor
    damage = damage.settled(draft.size)
    memory.setDamage(damage, of: draft.target)
    append(draft, new.quads, within: damage, since: isKnown)
    memory.keep(new, of: draft.target)
  }

  /// Makes the quads of a pass's changed items anew.
  private mutating func replaceQuads(of pass: Int32, _ next: inout Int) -> Damage {
    var damage = Damage()
    patch.edits.removeAll(keepingCapacity: true)
    patch.shifts.removeAll(keepingCapacity: true)
    let end = quads.quads.count
    var shift: Int32 = 0
    var isShifted = false
    while next < patch.items.count, spans[Int(patch.items[next])].pass == pass {
      let item = Int(patch.items[next])
      let first = quads.quads.count
      emit(items[item].item)
      let edit = QuadList.Edit(
        old: Int(spans[item].first)..<Int(spans[item].first + spans[item].count),
        new: first..<quads.quads.count)
      isShifted = isShifted || edit.old.count != edit.new.count
      shift += Int32(edit.new.count - edit.old.count)
      spans[item].count = Int32(edit.new.count)
      add(edit, to: &damage)
      patch.edits.append(edit)
      patch.shifts.append(shift)
      next += 1
    }
    if isShifted { shiftSpans(of: pass) }
    quads.replace(patch.edits, end: end)
    return damage
  }

  private func add(_ edit: QuadList.Edit, to damage: inout Damage) {
    if edit.old.count == edit.new.count {
      for offset in 0..<edit.old.count {
        let (i, j) = (edit.old.lowerBound + offset, edit.new.lowerBound + offset)
        if quads.isSame(i, j) { continue }
        damage.add(quads.quads[i].bounds)
        damage.add(quads.quads[j].bounds)
      }
    } else {
      for index in edit.old { damage.add(quads.quads[index].bounds) }
      for index in edit.new { damage.add(quads.quads[index].bounds) }
    }
  }

  /// Has the pass's primitives know where their quads are once more or fewer take the place of some.
  private mutating func shiftSpans(of pass: Int32) {
    for index in spans.indices where spans[index].pass == pass {
      // How many edits come before it.
      var (low, high) = (0, patch.edits.count)
      while low < high {
        let middle = (low + high) / 2
        if patch.edits[middle].old.lowerBound < Int(spans[index].first) { low = middle + 1 } else { high = middle }
      }
      if low > 0 { spans[index].first += patch.shifts[low - 1] }
    }
  }
}
