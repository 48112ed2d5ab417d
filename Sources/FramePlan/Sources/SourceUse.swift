import Commit
import Geometry
import RenderTree

// Where sources show: a walk notes each place, and decides nothing yet.

extension FramePlanner {
  /// Notes what a portal shows at the present place.
  mutating func addUse(_ c: NodeContext, groupAlpha: Float, portalClip: Int32) {
    let portal = snapshot.portals[Int(c.node.portal)]
    let key: ContentKey
    switch snapshot.entry(of: c.node.portal, in: c.recursion) {
    case .nothing: return
    case .previousFrame:
      addPreviousFrame(c, portal, alpha: c.alpha * groupAlpha * portal.contentOpacity, portalClip: portalClip)
      return
    case .content(let inner): key = ContentKey(source: portal.source, context: inner)
    }
    var matrix = portal.matrix * c.matrix
    // A hole in the wall: exactly where the source itself is drawn.
    if portal.usesSourceWindow, let windowMatrix = c.windowMatrix {
      matrix = snapshot.nodes[Int(portal.source)].window * windowMatrix
    }
    var use = Use(
      key: key, portal: c.node.portal, matrix: matrix, alpha: c.alpha, groupAlpha: groupAlpha, clip: c.clip,
      portalClip: portalClip, showsBack: c.showsBack,
      pass: segments[Int(c.segment)].pass)
    if let pixels = snapshot.sourcePixels(of: portal, scale: scale, under: matrix) {
      // The content is one picture, whatever is above it.
      use.groupAlpha *= use.alpha
      use.alpha = 1
      if ExactKey(matrix) != ExactKey(pixels.matrix) {
        use.pixels = Int32(sourcePixels.count)
        sourcePixels.append(pixels)
      }
    }
    if portal.isContentOpacityGrouped || portal.sampling == .nearest {
      use.groupAlpha *= portal.contentOpacity
    } else {
      use.alpha *= portal.contentOpacity
    }
    if portalClip >= 0 { use.clip.scissor = use.clip.scissor.intersection(clips[Int(portalClip)].bounds) }
    if let part = portal.sourceRect {
      guard !part.isEmpty else { return }
      let clip = Clip(RoundedRect(rect: part), under: matrix)
      if clip.isHard {
        use.clip.scissor = use.clip.scissor.intersection(PixelRect(enclosing: matrix.boundingBox(of: part).snapped))
      } else {
        use.clip.scissor = use.clip.scissor.intersection(clip.bounds)
        use.sourceClip = addClip(clip)
      }
    }
    if snapshot.nodes[Int(portal.source)].flags.contains(.readsBehind) {
      use.reading = portal.isIsolated ? .isolated : .behind
    }
    add(&use, to: c.segment)
  }

  /// Notes a shared source in its own place: served by the same picture as its portals where that fits exactly.
  mutating func addUseInPlace(_ c: NodeContext) {
    let opacity = c.node.opacity
    let isGroup = c.node.flags.contains(.groupOpacity)
    var use = Use(
      key: ContentKey(source: c.index, context: .outside), portal: -1, matrix: c.matrix,
      alpha: isGroup ? c.alpha : c.alpha * opacity, groupAlpha: isGroup ? opacity : 1, clip: c.clip,
      showsBack: c.showsBack, pass: segments[Int(c.segment)].pass)
    if let windowMatrix = c.windowMatrix {
      use.windowMatrix = Int32(windowMatrices.count)
      windowMatrices.append(windowMatrix)
    }
    add(&use, to: c.segment)
  }

  private mutating func add(_ use: inout Use, to segment: Int32) {
    let pixels = use.pixels >= 0 ? sourcePixels[Int(use.pixels)] : nil
    guard use.alpha * use.groupAlpha > 0,
      let showing = showing(
        of: use.key.source, use.matrix, use.clip.scissor, in: pixels, context: use.key.context)
    else { return }
    use.showing = showing
    append(&use, to: segment)
  }

  /// Notes a use of which it is known what it shows.
  mutating func append(_ use: inout Use, to segment: Int32) {
    let index = Int32(uses.count)
    use.item = Int32(items.count)
    uses.append(use)
    if !patch.isRunning { link(index) }
    append(.use(index), to: segment)
  }

  /// What a use of a source shows, and where; nil where that is nothing.
  /// - Parameter pixels: those of its own that it is shown in, each of them wholly; nil for those of the place.
  mutating func showing(
    of source: Int32, _ matrix: Homography, _ scissor: PixelRect, in pixels: SourcePixels? = nil,
    context: RecursionContext = .outside
  ) -> UseShowing? {
    var extent = extents.rects[Int(source)]
    if let pixels, extent.isUnknown { extent = self.extent(of: source, in: context, drawnIn: pixels) }
    guard !extent.isEmpty, matrix.isFinite else { return nil }
    let reach = pixels.map { extent.insetBy(dx: -1 / $0.scaleX, dy: -1 / $0.scaleY) } ?? extent
    let visible = self.pixels(enclosing: reach, matrix).intersection(scissor)
    guard !visible.isEmpty else { return nil }
    return UseShowing(
      visible: visible, part: part(of: extent, shownIn: visible, by: matrix),
      exactKey: pixels == nil ? ExactKey(matrix) : nil)
  }

  /// Puts a use at the end of its content's.
  private mutating func link(_ index: Int32) {
    let key = uses[Int(index)].key
    var known: Int32 = -1
    // Thousands of portals of one source come in a row.
    if let last = usesOfContents.last, last.key == key {
      known = Int32(usesOfContents.count - 1)
    } else if let found = usesIndex[key] {
      known = found
    }
    guard known >= 0 else {
      usesIndex[key] = Int32(usesOfContents.count)
      usesOfContents.append(ContentUses(key: key, first: index, last: index))
      return
    }
    uses[Int(usesOfContents[Int(known)].last)].next = index
    usesOfContents[Int(known)].last = index
  }

  /// What of a content of `extent` shows in `visible`, in its layer space.
  private func part(of extent: Rect, shownIn visible: PixelRect, by matrix: Homography) -> Rect {
    guard let inverse = matrix.inverse else { return .zero }
    let pixels = visible.rect.insetBy(dx: -1, dy: -1)
    if !inverse.isAffine {
      // In perspective a part behind the eye would be missed; all of the source is never too little.
      let corners = pixels.corners.map { inverse.project($0).w }
      if corners.contains(where: { $0 <= ProjectedPolygon.nearestW }) { return extent }
    }
    return inverse.boundingBox(of: pixels).intersection(extent)
  }

  /// The second level of a portal that shows the frame before: the picture that its source's bounds had then.
  private mutating func addPreviousFrame(_ c: NodeContext, _ portal: SnapshotPortal, alpha: Float, portalClip: Int32) {
    guard case .content(let first) = snapshot.entry(of: c.node.portal, in: .outside) else { return }
    let key = ContentKey(source: portal.source, context: first)
    let source = snapshot.nodes[Int(portal.source)]
    if !historyKeys.contains(key) { historyKeys.append(key) }
    // Where it had its bounds then, whatever they are by now.
    let bounds = historyBounds.before[historyKey(of: source.layer)] ?? source.bounds
    guard let layout = HistoryLayout(bounds, scale) else { return }
    let size = layout.size
    let matrix = portal.matrix * c.matrix
    let covered = Rect(
      x: bounds.x, y: bounds.y, width: Double(size.width) / layout.pixelsPerPoint,
      height: Double(size.height) / layout.pixelsPerPoint)
    var primitive = Primitive(
      shape: RoundedRect(rect: portal.sourceRect.map { $0.standardized.intersection(bounds) } ?? bounds),
      matrix: matrix,
      color: .white * alpha, texture: .history(historyKey(of: source.layer)),
      map: TextureMap(
        from: covered, to: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), of: size),
      filter: portal.sampling == .nearest ? .nearest : .linear, texelSize: size.texel, clip: c.clip)
    if portalClip >= 0 {
      primitive.clip.shape = portalClip
      if c.clip.shape >= 0 {
        var inner = c
        let group = openGroup(&inner, region: c.visible, alpha: 1, shape: -1)
        primitive.matrix = primitive.matrix.translated(
          x: -Double(group.region.minX), y: -Double(group.region.minY))
        let moved = Clip(c.node.shape, under: inner.matrix)
        primitive.clip = ClipState(scissor: inner.clip.scissor, shape: addClip(moved))
        append(primitive, to: group.segment)
        composite(group)
        return
      }
    }
    append(primitive, to: c.segment)
  }

  /// What a picture is kept under for the next frame: another one once more is secret than was then, so that nothing that has
  /// become so is shown again.
  func historyKey(of layer: LayerID) -> UInt64 {
    let secrecy = snapshot.hidesSecure ? snapshot.secureVersion &* 2 &+ 1 : 0
    return layer.rawValue ^ (secrecy &* 0x9E37_79B9_7F4A_7C15)
  }
}

/// The picture of a source's bounds that is kept for the next frame: at the output's scale, but no larger than a texture of
/// 4096.
struct HistoryLayout {
  var size: PixelSize
  var pixelsPerPoint: Double

  /// Nil for bounds of which there is no picture.
  init?(_ bounds: Rect, _ scale: Double) {
    guard !bounds.isEmpty, bounds.isFinite else { return nil }
    pixelsPerPoint = min(scale, 4096 / max(bounds.width, bounds.height))
    guard pixelsPerPoint.isFinite, pixelsPerPoint > 0 else { return nil }
    let factor = pixelsPerPoint
    func side(_ length: Double) -> Int {
      // What is a whole number of pixels but for rounding is one.
      Int(max(1, min(4096, ((length * factor * 0x1p24).rounded() * 0x1p-24).rounded(.up))))
    }
    size = PixelSize(width: side(bounds.width), height: side(bounds.height))
  }
}
