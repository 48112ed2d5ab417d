import Commit
import Geometry
import RenderTree

/// One walk over a snapshot in painter's order, drawing each layer where it comes.
///
/// Everything is drawn anew in every portal: nothing is kept, nothing is sampled but images and the frame before. Memory
/// is that of the target, of the groups that are open at a time, and of one step for each level of nesting.
struct Painter {
  let snapshot: Snapshot
  /// Points → pixels.
  let toPixels: Homography
  let target: PixelRect
  private var canvas: Canvas
  /// Canvases that wait for the group in hand.
  private var waiting: [Canvas] = []
  private var waitingBytes = 0
  private var scissor: PixelRect
  private var steps: [Step] = []
  private var visits = 0
  private(set) var pictures: [UInt64: Picture]
  private let feedback: Feedback
  /// The sources that show themselves: with their context nearest to the window, to be kept for the frame after.
  private(set) var feedbackSources: [Int32: (context: RecursionContext, depth: Int)] = [:]

  /// Groups open at a time may hold this many times the target's bytes, and a few more. Beyond, an opacity goes to each
  /// drawing and a clip is cut at whole pixels: thousands of groups deep, where nothing visible is left.
  private static let groupBudget = (targets: 256, bytes: 1 << 24)
  /// Layers drawn in a frame, copies counted. Portals that show portals double with each level; somewhere it must end.
  static let visitLimit = 1 << 20

  init(
    _ snapshot: Snapshot, canvas: Canvas, toPixels: Homography, feedback: Feedback, pictures: [UInt64: Picture] = [:]
  ) {
    self.snapshot = snapshot
    self.canvas = canvas
    self.toPixels = toPixels
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
      case .border(let visit): drawBorder(visit)
      case .closeClip(let shape, let matrix, let outer):
        let group = endGroup()
        scissor = outer
        canvas.paint(group, clippedTo: Coverage(of: shape, under: matrix, within: group.bounds.intersection(outer)))
      case .widen(let outer): scissor = outer
      case .closeGroup(let opacity):
        let group = endGroup()
        canvas.paint(group, opacity: opacity, within: scissor)
      case .closeEffects(let effects):
        let picture = endGroup().applying(effects)
        scissor = effects.scissor
        if effects.effects.mask >= 0 {
          beginMask(effects, of: picture)
        } else {
          canvas.paint(picture, opacity: effects.opacity, within: scissor)
        }
      case .closeMask(let picture, let opacity):
        let mask = endGroup()
        canvas.paint(picture.masked(by: mask), opacity: opacity, within: scissor)
      }
    }
    return canvas
  }

  // MARK: Groups

  private mutating func beginGroup() {
    waitingBytes += canvas.byteCount
    waiting.append(canvas)
    canvas = Canvas(limit: scissor)
  }

  /// What is drawn from here to the matching step is one picture, to which the effects are applied.
  private mutating func beginEffects(_ effects: SnapshotEffects, of bounds: Rect, _ visit: Visit, opacity: Float) {
    let group = EffectsGroup(effects: effects, bounds: bounds, visit: visit, opacity: opacity, scissor: scissor)
    steps.append(.closeEffects(group))
    scissor = group.needed
    beginGroup()
  }

  private mutating func endGroup() -> Canvas {
    let group = canvas
    if let outer = waiting.popLast() {
      canvas = outer
      waitingBytes -= outer.byteCount
    }
    return group
  }

  /// Draws the layer's mask next, and then the picture as far as the mask covers it.
  private mutating func beginMask(_ effects: EffectsGroup, of picture: Canvas) {
    let mask = effects.effects.mask
    steps.append(.closeMask(picture, opacity: effects.opacity))
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

  /// Cuts what is drawn from here to the matching step to `shape`. False where nothing of it shows.
  private mutating func beginClip(_ shape: RoundedRect, _ matrix: Homography) -> Bool {
    let visible = Outline(shape, under: matrix, within: scissor)
    let inner = visible.points.count > 2 ? visible.pixelBounds.intersection(scissor) : .empty
    guard !inner.isEmpty else { return false }
    if Outline.isOnPixelGrid(shape, under: matrix) || !mayBeginGroup {
      steps.append(.widen(scissor: scissor))
    } else {
      steps.append(.closeClip(shape, matrix, scissor: scissor))
      beginGroup()
    }
    scissor = inner
    return true
  }

  // MARK: Layers

  private mutating func drawLayer(_ start: Visit) {
    var visit = start
    visits += 1
    guard visits <= max(Self.visitLimit, 2 * snapshot.nodes.count) else { return }
    let node = snapshot.nodes[Int(visit.node)]
    guard !node.isHidden, node.flags.contains(.doubleSided) || !visit.showsBack else { return }
    let determinant = visit.matrix.determinant
    guard visit.matrix.isFinite, determinant.isFinite, determinant != 0, !scissor.isEmpty else { return }
    var opacity = visit.isSource ? 1 : min(1, node.opacity)
    guard visit.isSource || !node.flags.contains(.hiddenByPortal) && opacity > 0 else { return }
    if !node.flags.contains(.groupOpacity) || !mayBeginGroup {
      visit.alpha *= opacity
      opacity = 1
    }
    if node.effects >= 0, mayBeginGroup {
      beginEffects(snapshot.effects[Int(node.effects)], of: node.bounds, visit, opacity: opacity)
    } else if opacity < 1 {
      steps.append(.closeGroup(opacity: opacity))
      beginGroup()
    }
    drawBackground(node, visit)
    if node.borderWidth > 0, node.borderColor.alpha > 0 { steps.append(.border(visit)) }
    guard node.image >= 0 || node.portal >= 0 || node.end > visit.node + 1 else { return }
    if node.masksToBounds, !beginClip(node.shape, visit.matrix) { return }
    drawImage(node, visit)
    if node.end > visit.node + 1 { steps.append(.sublayers(visit, next: visit.node + 1)) }
    if node.portal >= 0 { drawPortal(node.portal, visit) }
  }

  private mutating func drawNextSublayer(of visit: Visit, _ next: Int32) {
    let child = snapshot.nodes[Int(next)]
    if child.end < snapshot.nodes[Int(visit.node)].end { steps.append(.sublayers(visit, next: child.end)) }
    var inner = visit
    inner.node = next
    inner.matrix = child.local * visit.matrix
    inner.showsBack = visit.showsBack != child.flags.contains(.turnsBack)
    inner.isSource = false
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
      if portal.contentOpacity < 1, portal.isContentOpacityGrouped, mayBeginGroup {
        steps.append(.closeGroup(opacity: portal.contentOpacity))
        beginGroup()
      } else {
        alpha *= portal.contentOpacity
      }
      if portal.recursion == .previousFrame, portal.isRecursive { keep(portal.source, context, visit.depth) }
      if let rect = portal.sourceRect, !beginClip(RoundedRect(rect: rect.standardized), matrix) { return }
      steps.append(
        .draw(
          Visit(
            node: portal.source, matrix: matrix, alpha: alpha, showsBack: visit.showsBack, isSource: true,
            depth: visit.depth + 1, context: context)))
    case .previousFrame:
      keep(portal.source, visit.context, visit.depth + 1)
      drawFrameBefore(of: source.layer, within: portal.sourceRect, matrix, alpha: alpha * portal.contentOpacity)
    }
  }

  private mutating func keep(_ source: Int32, _ context: RecursionContext, _ depth: Int) {
    if let known = feedbackSources[source], known.depth <= depth { return }
    feedbackSources[source] = (context, depth)
  }

  // MARK: Drawings

  private mutating func drawBackground(_ node: SnapshotNode, _ visit: Visit) {
    let hasColor = node.backgroundColor.alpha > 0
    guard hasColor || node.gradient >= 0 else { return }
    let coverage = Coverage(of: node.shape, under: visit.matrix, within: scissor)
    guard !coverage.isEmpty else { return }
    if hasColor {
      let color = SIMD4(node.backgroundColor)
      canvas.paint(coverage, alpha: visit.alpha) { _, _ in color }
    }
    if node.gradient >= 0,
      let ramp = Ramp(snapshot.gradients[Int(node.gradient)], bounds: node.bounds, transform: visit.matrix)
    {
      canvas.paint(coverage, alpha: visit.alpha) { x, y in ramp.color(x: x, y: y) }
    }
  }

  private mutating func drawBorder(_ visit: Visit) {
    let node = snapshot.nodes[Int(visit.node)]
    let coverage = Coverage(ofBorder: node.borderWidth, of: node.shape, under: visit.matrix, within: scissor)
    let color = SIMD4(node.borderColor)
    canvas.paint(coverage, alpha: visit.alpha) { _, _ in color }
  }

  private mutating func drawImage(_ node: SnapshotNode, _ visit: Visit) {
    guard node.image >= 0 else { return }
    let image = snapshot.images[Int(node.image)]
    let picture = pictures[image.identity] ?? Picture(image)
    let coverage = Coverage(of: RoundedRect(rect: node.imageRect), under: visit.matrix, within: scissor)
    guard !coverage.isEmpty,
      let sampler = Sampler(
        picture, crop: node.imageCrop, place: node.imageRect, transform: visit.matrix,
        nearPixel: coverage.bounds.rect.center, magnifiesNearest: node.flags.contains(.magnifiesNearest),
        minification: .mipmapped)
    else { return }
    // Its smaller versions are kept with it.
    pictures[image.identity] = sampler.picture
    canvas.paint(coverage, alpha: visit.alpha) { x, y in sampler.color(x: x, y: y) }
  }

  /// The picture that the source's bounds showed at the end of the frame before; in the first frame nothing.
  private mutating func drawFrameBefore(
    of source: LayerID, within sourceRect: Rect?, _ matrix: Homography, alpha: Float
  ) {
    guard let frame = feedback.frames[source] else { return }
    let shown = sourceRect.map { $0.standardized.intersection(frame.bounds) } ?? frame.bounds
    let coverage = Coverage(of: RoundedRect(rect: shown), under: matrix, within: scissor)
    let factor = frame.pixelsPerPoint
    let crop = Rect(x: 0, y: 0, width: frame.bounds.width * factor, height: frame.bounds.height * factor)
    guard !coverage.isEmpty,
      let sampler = Sampler(
        frame.picture, crop: crop, place: frame.bounds, transform: matrix, nearPixel: coverage.bounds.rect.center,
        magnifiesNearest: false, minification: .plain)
    else { return }
    canvas.paint(coverage, alpha: alpha) { x, y in sampler.color(x: x, y: y) }
  }
}
