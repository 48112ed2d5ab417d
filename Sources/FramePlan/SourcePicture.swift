import Commit
import Geometry
import RenderTree

/// A picture of a source's content that is drawn once: at which scale, and of which part.
struct SourcePicture {
  /// Pixels a point.
  var scaleX: Double
  var scaleY: Double
  /// Where the layer space's origin lies between pixels, 0 ..< 1.
  var phaseX: Double
  var phaseY: Double
  /// Its uses show it one to one on the pixel grid.
  var isExact: Bool
  /// The uses that it serves.
  var members: Set<Int32> = []
  /// Pixels of the source's space at this scale and phase that the uses can show.
  var region = PixelRect.empty
  var mipLevels = 0

  /// The source's layer space to the region's pixels.
  var matrix: Homography {
    Homography(
      m11: scaleX, m22: scaleY, m41: phaseX - Double(region.minX), m42: phaseY - Double(region.minY))
  }
}

/// What makes two uses be served by the same pixels: scale, and place between pixels.
private struct ExactKey: Hashable {
  var scaleX: Double
  var scaleY: Double
  var phaseX: Double
  var phaseY: Double

  init?(_ matrix: Homography) {
    guard matrix.isScaleAndTranslation, matrix.m11 > 0, matrix.m22 > 0 else { return nil }
    func phase(_ value: Double) -> Double {
      let snapped = value.snappedToGrid
      return ((snapped - snapped.rounded(.down)) * 1024).rounded() / 1024
    }
    scaleX = matrix.m11.quantized
    scaleY = matrix.m22.quantized
    phaseX = phase(matrix.m41)
    phaseY = phase(matrix.m42)
    if phaseX >= 1 { phaseX = 0 }
    if phaseY >= 1 { phaseY = 0 }
  }
}

extension FramePlanner {
  /// The pictures that `indices` would be served by; none where no texture could.
  ///
  /// Upright uses of few different scales get a picture each, made at that very scale and place, so that they are
  /// plain copies. All others share one at the scale of the most demanding, which the rest sample smaller. Uses in
  /// place are never resampled: they share an exact picture or are drawn.
  func choosePictures(_ key: ContentKey, _ indices: [Int32]) -> [SourcePicture] {
    var exact: [ExactKey: SourcePicture] = [:]
    var order: [ExactKey] = []
    var rest: Set<Int32> = []
    let isMany = contentCosts[key]?.isMany ?? true
    for index in indices {
      let use = uses[Int(index)]
      // What multiplies into each layer by itself can't be done to their picture.
      if use.alpha < 1, isMany { continue }
      if let exactKey = ExactKey(use.matrix) {
        if exact[exactKey] == nil {
          if use.portal < 0 { continue }
          order.append(exactKey)
          exact[exactKey] = SourcePicture(
            scaleX: use.matrix.m11, scaleY: use.matrix.m22, phaseX: exactKey.phaseX, phaseY: exactKey.phaseY,
            isExact: true)
        }
        exact[exactKey]?.members.insert(index)
      } else if use.portal >= 0 {
        rest.insert(index)
      }
    }
    // A source in place that came before the portals it could share with.
    for index in indices where uses[Int(index)].portal < 0 && (uses[Int(index)].alpha >= 1 || !isMany) {
      if let exactKey = ExactKey(uses[Int(index)].matrix) { exact[exactKey]?.members.insert(index) }
    }
    var pictures: [SourcePicture] = []
    if order.count <= Self.exactPictures {
      for exactKey in order {
        guard var picture = exact[exactKey] else { continue }
        if size(&picture, key) { pictures.append(picture) }
      }
    } else {
      for exactKey in order {
        rest.formUnion(exact[exactKey]?.members.filter { uses[Int($0)].portal >= 0 } ?? [])
      }
    }
    if !rest.isEmpty, let shared = sharedPicture(key, rest) { pictures.append(shared) }
    return pictures
  }

  /// One picture for uses of any transform.
  private func sharedPicture(_ key: ContentKey, _ members: Set<Int32>) -> SourcePicture? {
    var (largestX, largestY) = (0.0, 0.0)
    var smallest = Double.infinity
    for index in members {
      let use = uses[Int(index)]
      let visible = visiblePart(use)
      guard !visible.isEmpty else { continue }
      for corner in visible.corners + [visible.center] {
        guard let map = use.matrix.scales(at: corner) else { continue }
        largestX = max(largestX, length(map.a, map.b))
        largestY = max(largestY, length(map.c, map.d))
        smallest = min(smallest, map.singularValues.largest)
      }
    }
    guard largestX > 0, largestY > 0, largestX.isFinite, largestY.isFinite else { return nil }
    var picture = SourcePicture(
      scaleX: largestX, scaleY: largestY, phaseX: 0, phaseY: 0, isExact: false, members: members)
    if smallest > 0, smallest.isFinite { picture.mipLevels = min(6, Self.mipLevel(max(largestX, largestY) / smallest)) }
    // At two texels for each pixel, what bilinear sampling blurs is about what a pixel's own area would: fewer look soft
    // once turned, more look jagged. That costs little where many uses share them: no more than what they cover.
    let shown = members.reduce(0) { $0 + uses[Int($1)].visible.area }
    var finer = picture
    finer.scaleX *= 2.0.squareRoot()
    finer.scaleY *= 2.0.squareRoot()
    if finer.mipLevels > 0 { finer.mipLevels += 1 }
    if size(&finer, key), finer.region.area <= shown { return finer }
    // Too large: coarser, until it fits.
    for _ in 0..<24 {
      if size(&picture, key) { return picture }
      picture.scaleX *= 0.75
      picture.scaleY *= 0.75
    }
    return nil
  }

  /// Finds the picture's region; false where it would be larger than a texture or than the frame can want.
  private func size(_ picture: inout SourcePicture, _ key: ContentKey) -> Bool {
    var visible = Rect.zero
    for index in picture.members { visible = visible.union(visiblePart(uses[Int(index)])) }
    visible = visible.intersection(extents.rects[Int(key.source)])
    guard !visible.isEmpty else { return false }
    let pixels = Rect(
      x: visible.x * picture.scaleX + picture.phaseX, y: visible.y * picture.scaleY + picture.phaseY,
      width: visible.width * picture.scaleX, height: visible.height * picture.scaleY)
    // Where it is filtered, a pixel of nothing around it at every mip level: what is sampled beyond the edge.
    picture.region = PixelRect(enclosing: pixels.snapped)
    if !picture.isExact { picture.region = picture.region.outset(by: 1 << picture.mipLevels) }
    let size = picture.region.size
    let limit = max(4 * plan.outputSize.area, 1 << 20)
    return size.width <= limits.maxTextureSize && size.height <= limits.maxTextureSize && size.area <= limit
  }

  /// What a use can show, in the source's layer space.
  private func visiblePart(_ use: Use) -> Rect {
    let extent = extents.rects[Int(use.key.source)]
    guard let inverse = use.matrix.inverse else { return .zero }
    let pixels = use.visible.rect.insetBy(dx: -1, dy: -1)
    if !inverse.isAffine {
      // In perspective a part behind the eye would be missed; all of the source is never too little.
      let corners = pixels.corners.map { inverse.project($0).w }
      if corners.contains(where: { $0 <= ProjectedPolygon.nearestW }) { return extent }
    }
    return inverse.boundingBox(of: pixels).intersection(extent)
  }

  // MARK: Drawing and sampling

  /// Draws the picture; its target.
  mutating func drawPicture(_ key: ContentKey, _ picture: SourcePicture) -> (picture: SourcePicture, target: Int32) {
    let size = picture.region.size
    let layer = snapshot.nodes[Int(key.source)].layer
    let target = addTarget(
      Target(size: size, purpose: .source, mipLevels: picture.mipLevels, historyKey: nil, label: "source \(layer)"))
    plan.counters.sourcesDrawn += 1
    let pass = addPass(.target(target), size: size)
    walk(
      key.source,
      WalkStart(
        matrix: picture.matrix, windowMatrix: nil, alpha: 1, clip: ClipState(scissor: PixelRect(size: size)),
        showsBack: false, isSource: true, context: key.context, segment: passes[Int(pass)].segment))
    return (picture, target)
  }

  /// Draws a use by sampling the picture.
  mutating func sample(_ draft: (picture: SourcePicture, target: Int32), for index: Int32) {
    let use = uses[Int(index)]
    let picture = draft.picture
    if use.portal >= 0 { plan.counters.portalsSampled += 1 }
    let size = picture.region.size
    // The region in the source's layer space, and there from layer space to the texture.
    let region = Rect(
      x: (Double(picture.region.minX) - picture.phaseX) / picture.scaleX,
      y: (Double(picture.region.minY) - picture.phaseY) / picture.scaleY,
      width: Double(size.width) / picture.scaleX, height: Double(size.height) / picture.scaleY)
    let map = TextureMap(
      ux: picture.scaleX / Double(size.width), vx: 0, uy: 0, vy: picture.scaleY / Double(size.height),
      u0: (picture.phaseX - Double(picture.region.minX)) / Double(size.width),
      v0: (picture.phaseY - Double(picture.region.minY)) / Double(size.height))
    var primitive = Primitive(
      shape: RoundedRect(rect: region), matrix: use.matrix, color: .white * (use.alpha * use.groupAlpha),
      texture: .target(draft.target), map: map, texelSize: size.texel, clip: use.clip, hasSoftEdges: true)
    if !picture.isExact, use.matrix.isScaleAndTranslation {
      // Of the nothing around it nothing is drawn where that is easily told.
      primitive.shape.rect = region.intersection(extents.rects[Int(use.key.source)])
    }
    if use.alpha * use.groupAlpha >= 1 { primitive.opaque = opaquePart(of: use.key.source) }
    switch use.sampling {
    case .automatic: primitive.filter = picture.isExact ? .nearest : .linear
    case .nearest: primitive.filter = .nearest
    case .linear: primitive.filter = .linear
    }
    if picture.isExact {
      // Whole pixels from the picture: its region, moved.
      primitive.matrix.m41 = (use.matrix.m41 - picture.phaseX).rounded() + picture.phaseX
      primitive.matrix.m42 = (use.matrix.m42 - picture.phaseY).rounded() + picture.phaseY
    } else if picture.mipLevels > 0, let scale = use.matrix.scales(at: visiblePart(use).center) {
      let ratio = max(picture.scaleX, picture.scaleY) / max(1e-9, scale.singularValues.largest)
      primitive.level = min(picture.mipLevels, Self.mipLevel(ratio))
    }
    place(primitive, for: use)
  }

  /// Puts a use's one primitive under its clips: at most one may be a shape besides the primitive's own.
  private mutating func place(_ primitive: Primitive, for use: Use) {
    var primitive = primitive
    var shapes: [Int32] = []
    for shape in [use.clip.shape, use.portalClip, use.sourceClip] where shape >= 0 {
      if !clips[Int(shape)].safe.contains(use.visible) { shapes.append(shape) }
    }
    primitive.clip = ClipState(scissor: use.clip.scissor)
    // One of the shapes may become the primitive's own, if the picture covers it and moves with it.
    if let last = shapes.last, let exchanged = primitive.exchangingShape(for: clips[Int(last)]) {
      primitive = exchanged
      shapes.removeLast()
    }
    if shapes.count <= 1 {
      primitive.clip.shape = shapes.first ?? -1
      append(primitive, to: use.segment)
      return
    }
    // Too many at once: the innermost within a group, the rest as it is composited.
    var c = NodeContext(
      index: use.key.source, node: snapshot.nodes[Int(use.key.source)], matrix: primitive.matrix, windowMatrix: nil,
      alpha: 1, clip: ClipState(scissor: use.clip.scissor, shape: shapes[0]), segment: use.segment,
      showsBack: use.showsBack, visible: use.visible, recursion: use.key.context)
    var groups: [OpenGroup] = []
    for shape in shapes.dropFirst() {
      groups.append(openGroup(&c, region: c.visible, alpha: 1, shape: -1))
      let offset = groups.reduce(into: (x: 0.0, y: 0.0)) { sum, group in
        sum.x -= Double(group.region.minX)
        sum.y -= Double(group.region.minY)
      }
      let clip = clips[Int(shape)]
      c.clip.shape = addClip(Clip(clip.shape, under: clip.matrix.translated(x: offset.x, y: offset.y)))
    }
    primitive.matrix = c.matrix
    primitive.clip = c.clip
    append(primitive, to: c.segment)
    for group in groups.reversed() { composite(group) }
  }

  /// The largest rectangle known in which nothing shows through the source's content.
  private func opaquePart(of source: Int32) -> Rect {
    let node = snapshot.nodes[Int(source)]
    guard node.effects < 0 else { return .zero }
    let isOpaque =
      node.backgroundColor.alpha >= 1 || node.gradient >= 0 && snapshot.gradients[Int(node.gradient)].isOpaque
    guard isOpaque else { return .zero }
    return node.bounds.insetBy(dx: 0, dy: node.radii.largest)
  }

  /// Draws a source's bounds for the portals that show them in the next frame.
  mutating func drawHistory(_ key: ContentKey) {
    let node = snapshot.nodes[Int(key.source)]
    let size = historySize(node.bounds)
    guard !size.isEmpty else { return }
    let target = addTarget(
      Target(
        size: size, purpose: .source, mipLevels: 0, historyKey: node.layer.rawValue, label: "history of \(node.layer)"))
    let pass = addPass(.target(target), size: size)
    walk(
      key.source,
      WalkStart(
        matrix: Homography(m11: scale, m22: scale, m41: -node.bounds.x * scale, m42: -node.bounds.y * scale),
        windowMatrix: nil, alpha: 1, clip: ClipState(scissor: PixelRect(size: size)), showsBack: false, isSource: true,
        context: key.context, segment: passes[Int(pass)].segment))
  }
}
