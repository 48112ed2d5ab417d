import Commit
import Geometry
import RenderTree

/// One walk over a snapshot in painter's order, drawing each layer where it comes.
///
/// Everything is drawn anew in every portal: nothing is kept, nothing is sampled but images and the frame before. Memory
/// is that of the target, of the groups that are open at a time, and of one step for each level of nesting.
struct Painter {
  let snapshot: Snapshot
  /// What is drawn in.
  let space: WorkingSpace
  /// Points → pixels.
  let toPixels: Homography
  /// The output's pixels a point.
  let scale: Double
  let target: PixelRect
  var canvas: Canvas
  /// What groups of backdrops see in the canvas in hand.
  private var captures: [Int32: Canvas] = [:]
  /// Canvases that wait for the group in hand, and what groups of backdrops see in them.
  private var waiting: [(canvas: Canvas, captures: [Int32: Canvas])] = []
  private var waitingBytes = 0
  private(set) var scissor: PixelRect
  private var steps: [Step] = []
  private var visits = 0
  var pictures: [UInt64: Picture]
  let feedback: Feedback
  /// The sources whose pictures are kept for the frame after, each with the context of a copy that no other is around.
  private(set) var feedbackSources: [Int32: RecursionContext] = [:]

  /// Groups open at a time may hold this many times the target's bytes, and a few more. Beyond, an opacity goes to each
  /// drawing and a clip is cut at whole pixels: thousands of groups deep, where nothing visible is left.
  private static let groupBudget = (targets: 256, bytes: 1 << 24)
  /// Layers drawn in a frame, copies counted. Portals that show portals double with each level; somewhere it must end.
  static let visitLimit = 1 << 20

  init(
    _ snapshot: Snapshot, canvas: Canvas, toPixels: Homography, scale: Double, feedback: Feedback,
    pictures: [UInt64: Picture] = [:], in space: WorkingSpace
  ) {
    self.snapshot = snapshot
    self.space = space
    self.canvas = canvas
    self.toPixels = toPixels
    self.scale = scale
    self.feedback = feedback
    self.pictures = pictures
    target = canvas.bounds
    scissor = canvas.bounds
  }

  /// Draws `visit` and all below it.
  mutating func draw(_ visit: Visit) -> Canvas {
    steps.append(.draw(visit))
    while let step = steps.popLast() {
      switch step {
      case .draw(let visit): drawLayer(visit)
      case .sublayers(let visit, let next): drawNextSublayer(of: visit, next)
      case .pieces(let visit, let next, let end): drawNextPiece(of: visit, next, end)
      case .border(let visit): drawBorder(visit)
      case .closeClip(let clip, let outer, let isCopy): endClip(clip, outer, isCopy: isCopy)
      case .widen(let outer): scissor = outer
      case .closePicture(let place):
        let picture = endGroup()
        scissor = place.scissor
        canvas.paint(picture, place)
      case .closeGroup(let opacity):
        let group = endGroup()
        canvas.paint(group, opacity: opacity, within: scissor)
      case .closeEffects(let effects):
        let picture = endGroup().applying(effects)
        scissor = effects.scissor
        if effects.effects.mask >= 0 {
          beginMask(effects, of: picture)
        } else {
          canvas.paint(
            picture, opacity: effects.opacity, within: scissor, mode: effects.effects.blendMode, in: space)
        }
      case .closeMask(let picture, let effects):
        let mask = endGroup()
        canvas.paint(
          picture.masked(by: mask), opacity: effects.opacity, within: scissor, mode: effects.effects.blendMode,
          in: space)
      }
    }
    return canvas
  }

  // MARK: Groups

  private mutating func beginGroup() {
    waitingBytes += canvas.byteCount
    waiting.append((canvas, captures))
    canvas = Canvas(limit: scissor)
    captures = [:]
  }

  /// What is drawn from here to the matching step is one picture, to which the effects are applied.
  private mutating func beginEffects(_ effects: SnapshotEffects, of node: SnapshotNode, _ visit: Visit, opacity: Float)
  {
    let group = EffectsGroup(
      effects: effects, layer: node, visit: visit, opacity: opacity, space: space, scissor: scissor)
    steps.append(.closeEffects(group))
    scissor = group.needed
    beginGroup()
  }

  private mutating func endGroup() -> Canvas {
    let group = canvas
    waitingBytes -= captures.values.reduce(0) { $0 + $1.byteCount }
    if let outer = waiting.popLast() {
      canvas = outer.canvas
      captures = outer.captures
      waitingBytes -= outer.canvas.byteCount
    }
    return group
  }

  /// What a group of backdrops sees in the canvas in hand: all of it, as it was before the first of them that shows.
  mutating func capture(of group: Int32) -> Canvas {
    if let known = captures[group] { return known }
    let capture = canvas.part(canvas.limit)
    if mayBeginGroup {
      captures[group] = capture
      waitingBytes += capture.byteCount
    }
    return capture
  }

  /// Draws the layer's mask next, and then the picture as far as the mask covers it.
  private mutating func beginMask(_ effects: EffectsGroup, of picture: Canvas) {
    let mask = effects.effects.mask
    steps.append(.closeMask(picture, effects))
    beginGroup()
    var visit = effects.visit
    visit.node = mask
    visit.matrix = snapshot.nodes[Int(mask)].local * visit.matrix
    visit.showsBack = visit.showsBack != snapshot.nodes[Int(mask)].flags.contains(.turnsBack)
    visit.isSource = false
    visit.alpha = 1
    // It is drawn in no place of its own.
    visit.depth = max(1, visit.depth)
    steps.append(.draw(visit))
  }

  private var mayBeginGroup: Bool {
    let pixel = MemoryLayout<SIMD4<Float>>.stride
    return waitingBytes <= target.area * pixel * Self.groupBudget.targets + Self.groupBudget.bytes
  }

  /// Cuts what is drawn from here to the matching step to `clip`. False where nothing of it shows.
  ///
  /// Where what is drawn reads what lies behind, a copy of that is drawn onto.
  private mutating func beginClip(_ clip: Clip, readsBehind: Bool) -> Bool {
    let visible = clip.outline(within: scissor)
    let inner = visible.points.count > 2 ? visible.pixelBounds.intersection(scissor) : .empty
    guard !inner.isEmpty else { return false }
    if clip.isWhole(within: scissor) || !mayBeginGroup {
      steps.append(.widen(scissor: scissor))
      scissor = inner
      return true
    }
    steps.append(.closeClip(clip, scissor: scissor, isCopy: readsBehind))
    let copy = readsBehind ? canvas.part(inner) : nil
    scissor = inner
    beginGroup()
    if let copy { canvas = copy }
    return true
  }

  private mutating func endClip(_ clip: Clip, _ outer: PixelRect, isCopy: Bool) {
    let group = endGroup()
    scissor = outer
    let coverage = Coverage(of: clip.outline(within: group.bounds.intersection(outer)))
    if isCopy {
      canvas.replace(coverage) { x, y in group.pixels[group.index(x: x, y: y)] }
    } else {
      canvas.paint(group, clippedTo: coverage)
    }
  }

  // MARK: Layers

  private mutating func drawLayer(_ start: Visit) {
    var visit = start
    visits += 1
    guard visits <= max(Self.visitLimit, 2 * snapshot.nodes.count) else { return }
    let node = snapshot.nodes[Int(visit.node)]
    guard !node.isHidden, node.flags.contains(.doubleSided) || !visit.showsBack else { return }
    if node.flags.contains(.snapsToPixels) {
      let snapped = node.snapped(visit.matrix)
      // What lies in it moves with it, and so is in no place of its own.
      if snapped != visit.matrix { (visit.matrix, visit.depth) = (snapped, max(1, visit.depth)) }
    }
    let determinant = visit.matrix.determinant
    guard visit.matrix.isFinite, determinant.isFinite, determinant != 0, !scissor.isEmpty else { return }
    var opacity = visit.isSource ? 1 : min(1, node.opacity)
    opacity *= visit.outerOpacity
    visit.outerOpacity = 1
    guard visit.isSource || !node.flags.contains(.hiddenByPortal) && opacity > 0 else { return }
    if !node.flags.contains(.groupOpacity) || !mayBeginGroup {
      visit.alpha *= opacity
      opacity = 1
    }
    // What lies behind is looked at before the layer's own group hides it.
    let backdrop = node.backdrop >= 0 ? backdrop(of: node, visit) : nil
    if node.effects >= 0, mayBeginGroup {
      beginEffects(snapshot.effects[Int(node.effects)], of: node, visit, opacity: opacity)
    } else if opacity < 1 {
      steps.append(.closeGroup(opacity: opacity))
      beginGroup()
    }
    if let backdrop { draw(backdrop, of: node, visit) }
    drawBackground(node, visit)
    if node.borderWidth > 0, node.borderColor.alpha > 0 { steps.append(.border(visit)) }
    guard node.image >= 0 || node.portal >= 0 || node.end > visit.node + 1 else { return }
    let readsBehind = node.flags.contains(.readsBehind)
    if node.masksToBounds, !beginClip(.shape(node.shape, visit.matrix), readsBehind: readsBehind) { return }
    drawImage(node, visit)
    if node.depthSort >= 0 {
      let pieces = snapshot.depthSorts[Int(node.depthSort)]
      if !pieces.isEmpty { steps.append(.pieces(visit, next: pieces.lowerBound, end: pieces.upperBound)) }
    } else if node.end > visit.node + 1 {
      steps.append(.sublayers(visit, next: visit.node + 1))
    }
    if node.portal >= 0 { drawPortal(node.portal, visit) }
  }

  private mutating func drawNextSublayer(of visit: Visit, _ next: Int32) {
    let child = snapshot.nodes[Int(next)]
    if child.end < snapshot.nodes[Int(visit.node)].end { steps.append(.sublayers(visit, next: child.end)) }
    steps.append(.draw(self.visit(next, in: visit)))
  }

  /// A layer that lies in the plane of `outer`.
  private func visit(_ node: Int32, in outer: Visit) -> Visit {
    let child = snapshot.nodes[Int(node)]
    var inner = outer
    inner.node = node
    inner.matrix = child.local * outer.matrix
    inner.showsBack = outer.showsBack != child.flags.contains(.turnsBack)
    inner.isSource = false
    return inner
  }

  /// A layer, or a part of it, that is sorted by depth among others: those of transform layers lie in the same plane.
  private mutating func drawNextPiece(of visit: Visit, _ next: Int, _ end: Int) {
    let piece = snapshot.pieces[next]
    if next + 1 < end { steps.append(.pieces(visit, next: next + 1, end: end)) }
    guard piece.opacity > 0 else { return }
    var inner = self.visit(piece.node, in: visit)
    inner.outerOpacity = piece.opacity
    if !piece.cuts.isEmpty {
      let readsBehind = snapshot.nodes[Int(piece.node)].flags.contains(.readsBehind)
      guard beginClip(.cuts(snapshot.cuts[piece.cuts], inner.matrix), readsBehind: readsBehind) else { return }
    }
    steps.append(.draw(inner))
  }

  private mutating func drawPortal(_ index: Int32, _ visit: Visit) {
    let portal = snapshot.portals[Int(index)]
    guard portal.source >= 0, portal.contentOpacity > 0 else { return }
    let source = snapshot.nodes[Int(portal.source)]
    // A copy of the portal is the picture that it makes in its own place, so only there the source's own matrix holds.
    let isInPlace = portal.usesSourceWindow && visit.depth == 0
    let matrix = isInPlace ? source.window * toPixels : portal.matrix * visit.matrix
    var alpha = visit.alpha
    switch snapshot.entry(of: index, in: visit.context) {
    case .nothing: break
    case .content(let context):
      if portal.recursion == .previousFrame, portal.isRecursive { keep(index) }
      if let pixels = snapshot.sourcePixels(of: portal, scale: scale, under: matrix), mayBeginGroup {
        return drawPixels(pixels, of: portal, visit, context, under: matrix)
      }
      let readsBehind = source.flags.contains(.readsBehind)
      let isFaded = portal.contentOpacity < 1 && portal.isContentOpacityGrouped
      if isFaded || portal.isIsolated && readsBehind, mayBeginGroup {
        steps.append(.closeGroup(opacity: isFaded ? portal.contentOpacity : 1))
        beginGroup()
        if !isFaded { alpha *= portal.contentOpacity }
      } else {
        alpha *= portal.contentOpacity
      }
      if let rect = portal.sourceRect {
        let shape = RoundedRect(rect: rect.standardized)
        guard beginClip(.shape(shape, matrix), readsBehind: readsBehind) else { return }
      }
      steps.append(
        .draw(
          Visit(
            node: portal.source, matrix: matrix, alpha: alpha, showsBack: visit.showsBack, isSource: true,
            depth: visit.depth + 1, context: context)))
    case .previousFrame:
      keep(index)
      drawFrameBefore(
        of: source.layer, within: portal.sourceRect, matrix, alpha: alpha * portal.contentOpacity,
        isNearest: portal.sampling == .nearest)
    }
  }

  /// Draws the source on pixels of its own, which are then shown as one picture.
  private mutating func drawPixels(
    _ pixels: SourcePixels, of portal: SnapshotPortal, _ visit: Visit, _ context: RecursionContext,
    under matrix: Homography
  ) {
    if let rect = portal.sourceRect {
      guard beginClip(.shape(RoundedRect(rect: rect.standardized), matrix), readsBehind: false) else { return }
    }
    let opacity = visit.alpha * portal.contentOpacity
    guard let place = PicturePlace(pixels, under: matrix, opacity: opacity, within: scissor) else { return }
    steps.append(.closePicture(place))
    scissor = place.region
    beginGroup()
    steps.append(
      .draw(
        Visit(
          node: portal.source, matrix: pixels.matrix, alpha: 1, showsBack: visit.showsBack, isSource: true,
          depth: visit.depth + 1, context: context)))
  }

  private mutating func keep(_ portal: Int32) {
    guard case .content(let context) = snapshot.entry(of: portal, in: .outside) else { return }
    feedbackSources[snapshot.portals[Int(portal)].source] = context
  }
}
