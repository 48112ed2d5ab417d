import Commit
import Geometry
import RenderTree

// What becomes of each source's uses: textures, drawn once and sampled, or the source's layers drawn again in each.
//
// A source of one quad is always drawn again, one that is shown once too, and one of twenty layers that is shown a
// hundred times never is; a window onto a corner of a large source is drawn by itself sooner than a thumbnail of all of
// it. `DrawingCost` has the model.

extension FramePlanner {
  /// Looks at every source's uses, outermost sources first: by then all of its uses are known.
  mutating func resolveUses() {
    orderContents()
    for key in scratch.order {
      if let known = usesIndex[key] { resolve(key, from: usesOfContents[Int(known)].first) }
    }
    var next = 0
    while next < historyKeys.count {
      drawHistory(historyKeys[next])
      next += 1
      // What a history picture shows may itself bring uses.
      orderContents(from: historyKeys[next - 1])
      for key in scratch.order {
        if let known = usesIndex[key] { resolve(key, from: usesOfContents[Int(known)].first) }
      }
    }
  }

  /// Decides what becomes of those uses of a content that are not decided yet.
  private mutating func resolve(_ key: ContentKey, from first: Int32) {
    var first = first
    while first >= 0, uses[Int(first)].isResolved { first = uses[Int(first)].next }
    guard first >= 0 else { return }
    // Taken out while it is written to, so that nothing is copied.
    var pictures: [SourcePicture] = []
    swap(&pictures, &patch.pictures)
    choosePictures(key, from: first, into: &pictures)
    let firstPicture = chosen.count
    chosen.append(contentsOf: pictures)
    swap(&pictures, &patch.pictures)
    for number in firstPicture..<chosen.count {
      let target = chosen[number].isWorthwhile ? drawPicture(key, chosen[number]) : -1
      chosenTargets.append(target)
    }
    let choice = ContentChoice(
      key: key, first: first, firstPicture: firstPicture, pictureCount: chosen.count - firstPicture, report: reportCount
    )
    choices.append(choice)
    var (useCount, inlineUses) = (0, 0)
    var next = first
    while next >= 0 {
      let index = next
      next = uses[Int(index)].next
      if uses[Int(index)].isResolved { continue }
      useCount += 1
      uses[Int(index)].isResolved = true
      uses[Int(index)].choice = Int32(choices.count - 1)
      let picture = firstPicture + Int(uses[Int(index)].picture)
      if uses[Int(index)].picture >= 0, chosenTargets[picture] >= 0 {
        sample(index)
      } else {
        inlineUses += 1
        drawInline(index)
      }
    }
    report(choice, uses: useCount, inlineUses: inlineUses)
  }

  func primitiveCount(of key: ContentKey) -> Int { Int(min(1e15, contentCosts[key]?.primitives ?? 1)) }

  /// Says what was chosen.
  private mutating func report(_ choice: ContentChoice, uses: Int, inlineUses: Int) {
    let index = choice.report
    let layer = snapshot.nodes[Int(choice.key.source)].layer
    if index == plan.sources.count {
      plan.sources.append(SourceReport(layer: layer, uses: 0, primitives: 0, pictures: [], inlineUses: 0))
    }
    reportCount += 1
    plan.sources[index].layer = layer
    plan.sources[index].uses = uses
    plan.sources[index].primitives = primitiveCount(of: choice.key)
    plan.sources[index].inlineUses = inlineUses
    plan.sources[index].pictures.removeAll(keepingCapacity: true)
    for number in choice.firstPicture..<choice.firstPicture + choice.pictureCount {
      plan.sources[index].pictures.append(chosen[number].report)
    }
  }

  // MARK: Inline

  /// Whether drawing this use of several pictures inline takes a group of its own.
  func needsGroup(_ index: Int) -> Bool {
    if uses[index].groupAlpha < 1 || uses[index].portalClip >= 0 || uses[index].sourceClip >= 0 { return true }
    return uses[index].clip.shape >= 0 && isAtEdge(uses[index])
  }

  /// Whether the use meets the edge of the shape that clips where it stands, which then must cut it as a whole.
  private func isAtEdge(_ use: Use) -> Bool {
    use.clip.shape >= 0 && !clips[Int(use.clip.shape)].safe.contains(use.visible)
  }

  /// Draws the source's layers where the use stands.
  private mutating func drawInline(_ index: Int32) {
    let segment = addSegment(pass: uses[Int(index)].pass)
    uses[Int(index)].segment = segment
    let use = uses[Int(index)]
    if use.portal >= 0 { plan.counters.portalsInlined += 1 }
    var c = NodeContext(
      index: use.key.source, node: snapshot.nodes[Int(use.key.source)], matrix: use.matrix,
      windowMatrix: use.windowMatrix >= 0 ? windowMatrices[Int(use.windowMatrix)] : nil, alpha: use.alpha,
      clip: use.clip, segment: use.segment, showsBack: use.showsBack,
      visible: use.visible, recursion: use.key.context)
    var groups: [OpenGroup] = []
    let isMany = contentCosts[use.key]?.isMany ?? true || use.reading != .nothing
    let showsBehind = use.reading == .behind
    var portalClip = use.portalClip
    if use.reading == .isolated || isMany && (use.groupAlpha < 1 || isAtEdge(use) && !showsBehind) {
      groups.append(openGroup(&c, region: use.visible, alpha: use.groupAlpha, shape: -1))
      if portalClip >= 0 { portalClip = moved(portalClip, by: groups[0].region) }
    } else {
      c.alpha *= use.groupAlpha
    }
    openShape(portalClip, isMany, showsBehind, &c, &groups)
    if use.sourceClip >= 0 {
      openShape(addClip(Clip(clips[Int(use.sourceClip)].shape, under: c.matrix)), isMany, showsBehind, &c, &groups)
    }
    walk(
      use.key.source,
      WalkStart(
        matrix: c.matrix, windowMatrix: c.windowMatrix, alpha: c.alpha, clip: c.clip, showsBack: c.showsBack,
        isSource: true, context: use.key.context, segment: c.segment, place: groups.isEmpty ? -1 : -2, isPicture: true))
    for group in groups.reversed() { composite(group) }
  }

  /// Clips what follows by a shape: at once for a single picture under no other shape, else as a group.
  private mutating func openShape(
    _ shape: Int32, _ isMany: Bool, _ showsBehind: Bool, _ c: inout NodeContext, _ groups: inout [OpenGroup]
  ) {
    guard shape >= 0 else { return }
    let clip = clips[Int(shape)]
    if clip.safe.contains(c.clip.scissor) { return }
    let region = c.visible.intersection(clip.bounds)
    if !isMany, c.clip.shape < 0 {
      c.clip = ClipState(scissor: c.clip.scissor.intersection(clip.bounds), shape: shape)
    } else if c.clip.shape >= 0, !clip.matrix.isAffine {
      let outer = openGroup(&c, region: region, alpha: 1, shape: -1, showsBehind: showsBehind)
      groups.append(outer)
      groups.append(
        openGroup(
          &c, region: PixelRect(size: region.size), alpha: 1, shape: moved(shape, by: outer.region),
          showsBehind: showsBehind))
    } else {
      groups.append(openGroup(&c, region: region, alpha: 1, shape: shape, showsBehind: showsBehind))
    }
  }

  /// The same clip in the space of a group of `region`.
  private mutating func moved(_ shape: Int32, by region: PixelRect) -> Int32 {
    let clip = clips[Int(shape)]
    return addClip(
      Clip(clip.shape, under: clip.matrix.translated(x: -Double(region.minX), y: -Double(region.minY))))
  }

  // MARK: Order

  /// Puts contents in an order in which each comes after every content that can show it, from the root or from one content.
  private mutating func orderContents(from start: ContentKey? = nil) {
    scratch.order.removeAll(keepingCapacity: true)
    scratch.isOrdered.removeAll(keepingCapacity: true)
    scratch.contentSteps.append((start, false))
    while let (key, isLeaving) = scratch.contentSteps.popLast() {
      if isLeaving {
        if let key {
          scratch.order.append(key)
          contentCosts[key] = measure(key)
          patch.measured.append(key)
        }
        continue
      }
      if let key, !scratch.isOrdered.insert(key).inserted { continue }
      scratch.contentSteps.append((key, true))
      pushContents(shownBy: key)
    }
    scratch.order.reverse()
  }

  /// Notes the contents that a content shows, to be put in order before it.
  private mutating func pushContents(shownBy key: ContentKey?) {
    let source = key?.source ?? 0
    let context = key?.context ?? .outside
    if snapshot.effects.isEmpty {
      pushPortals(in: source, context)
      if context == .outside { pushShared(in: source) }
      return
    }
    let trees = snapshot.trees(of: source)
    for tree in trees { pushPortals(in: tree, context) }
    guard context == .outside else { return }
    for tree in trees { pushShared(in: tree) }
  }

  private mutating func pushPortals(in tree: Int32, _ context: RecursionContext) {
    var last: ContentKey?
    for index in snapshot.portalRange(within: tree) {
      guard case .content(let inner) = snapshot.entry(of: Int32(index), in: context) else { continue }
      let next = ContentKey(source: snapshot.portals[index].source, context: inner)
      // Thousands of portals of one source stand in a row: one look is enough for them.
      if next == last { continue }
      last = next
      if !scratch.isOrdered.contains(next) { scratch.contentSteps.append((next, false)) }
    }
  }

  /// The same for shared sources in their own place.
  private mutating func pushShared(in tree: Int32) {
    for node in (tree + 1)..<max(tree + 1, snapshot.nodes[Int(tree)].end) where isSharedSource[Int(node)] {
      let next = ContentKey(source: node, context: .outside)
      if !scratch.isOrdered.contains(next) { scratch.contentSteps.append((next, false)) }
    }
  }
}
