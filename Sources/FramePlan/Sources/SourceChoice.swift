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
    for key in contentOrder() {
      if let indices = usesOfKey[key] { resolve(key, indices) }
    }
    var next = 0
    while next < historyKeys.count {
      drawHistory(historyKeys[next])
      next += 1
      // What a history picture shows may itself bring uses.
      for key in contentOrder(from: historyKeys[next - 1]) where usesOfKey[key] != nil {
        resolve(key, (usesOfKey[key] ?? []).filter { !uses[Int($0)].isResolved })
      }
    }
  }

  private mutating func resolve(_ key: ContentKey, _ indices: [Int32]) {
    guard !indices.isEmpty else { return }
    var pictures: [SourcePicture] = []
    choosePictures(key, indices, into: &pictures)
    let drafts = pictures.map { $0.isWorthwhile ? drawPicture(key, $0) : nil }
    choices.append(
      ContentChoice(
        key: key, uses: indices, pictures: pictures, targets: drafts.map { $0?.target ?? -1 },
        report: plan.sources.count))
    var inlineUses = 0
    for index in indices {
      uses[Int(index)].isResolved = true
      uses[Int(index)].choice = Int32(choices.count - 1)
      let picture = Int(uses[Int(index)].picture)
      if picture >= 0, let draft = drafts[picture] {
        sample(draft, for: index)
      } else {
        inlineUses += 1
        drawInline(index)
      }
    }
    plan.sources.append(
      SourceReport(
        layer: snapshot.nodes[Int(key.source)].layer, uses: indices.count,
        primitives: Int(min(1e15, contentCosts[key]?.primitives ?? 1)), pictures: pictures.map(\.report),
        inlineUses: inlineUses))
  }

  // MARK: Inline

  /// Whether drawing this use inline takes a group of its own.
  func needsGroup(_ use: Use, isMany: Bool) -> Bool {
    isMany && (use.groupAlpha < 1 || use.portalClip >= 0 || use.sourceClip >= 0 || isAtEdge(use))
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
      windowMatrix: use.windowMatrix, alpha: use.alpha, clip: use.clip, segment: use.segment, showsBack: use.showsBack,
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

  /// Contents in an order in which each comes after every content that can show it, from the root or from one content.
  private mutating func contentOrder(from start: ContentKey? = nil) -> [ContentKey] {
    var order: [ContentKey] = []
    var isDone: Set<ContentKey> = []
    var stack: [(key: ContentKey?, isLeaving: Bool)] = [(start, false)]
    while let (key, isLeaving) = stack.popLast() {
      if isLeaving {
        if let key {
          order.append(key)
          contentCosts[key] = measure(key)
          patch.measured.append(key)
        }
        continue
      }
      if let key, !isDone.insert(key).inserted { continue }
      stack.append((key, true))
      forEachContent(shownBy: key) { inner in
        if !isDone.contains(inner) { stack.append((inner, false)) }
      }
    }
    return order.reversed()
  }

  private func forEachContent(shownBy key: ContentKey?, _ body: (ContentKey) -> Void) {
    let source = key?.source ?? 0
    let context = key?.context ?? .outside
    var last: ContentKey?
    let trees = snapshot.trees(of: source)
    for index in trees.lazy.map({ snapshot.portalRange(within: $0) }).joined() {
      guard case .content(let inner) = snapshot.entry(of: Int32(index), in: context) else { continue }
      let next = ContentKey(source: snapshot.portals[index].source, context: inner)
      // Thousands of portals of one source stand in a row: one look is enough for them.
      if next == last { continue }
      last = next
      body(next)
    }
    guard context == .outside else { return }
    for tree in trees {
      for node in (tree + 1)..<max(tree + 1, snapshot.nodes[Int(tree)].end) where isSharedSource[Int(node)] {
        body(ContentKey(source: node, context: .outside))
      }
    }
  }
}
