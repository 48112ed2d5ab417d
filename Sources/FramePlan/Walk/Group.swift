import Commit
import Geometry
import RenderTree

// Groups: layers drawn into a target of their own, and composited as one picture.

/// A group's picture on its way to where it shows.
struct GroupPicture {
  var target: Int32
  var size: PixelSize
  /// What all of it covers, in the target space of the pass that it will be composited in.
  var rect: Rect
  /// Of the pass that draws it: what is appended is drawn on it.
  var segment: Int32
  /// Beyond its edges it goes on mirrored; else there is nothing.
  var isMirrored = false

  /// Texels a pixel; less than one where a blur has left nothing fine to show.
  var density: (x: Double, y: Double) { (Double(size.width) / rect.width, Double(size.height) / rect.height) }
  var isExact: Bool { density == (1, 1) }

  /// The texture coordinates between the outermost pixels' middles of a box in the compositing pass.
  func limits(of box: PixelRect) -> Rect {
    let inner = box.rect.insetBy(dx: 0.5, dy: 0.5)
    let (low, high) = (map.apply(inner.origin), map.apply(Point(inner.maxX, inner.maxY)))
    return Rect(minX: low.x, minY: low.y, maxX: high.x, maxY: high.y)
  }

  /// The compositing pass's target space to texture coordinates.
  var map: TextureMap {
    TextureMap(from: rect, to: Rect(x: 0, y: 0, width: Double(size.width), height: Double(size.height)), of: size)
  }
}

extension FramePlanner {
  /// Begins to draw into a target of its own: `region` of the present one. What follows has no clip but the target.
  /// - Parameters:
  ///   - coarseness: how many pixels of the region are one of the target's, each way.
  ///   - limit: what of the group there could be, in the present pass; nil for what its clip lets show there.
  ///   - showsBehind: what is behind the group is its ground, and the group takes the place of that in the end: so what
  ///     is drawn in it sees through it.
  ///   - capture: one that something in the group shows, of the pass that the group is composited in.
  mutating func openGroup(
    _ c: inout NodeContext, region: PixelRect, alpha: Float, shape: Int32, coarseness: Int = 1,
    limit: PixelRect? = nil, showsBehind: Bool = false, after capture: Int32 = -1
  ) -> OpenGroup {
    let size = PixelSize(
      width: max(1, region.width / coarseness), height: max(1, region.height / coarseness))
    let target = addTarget(
      Target(size: size, purpose: .group, mipLevels: 0, historyKey: nil, name: .group(c.node.layer)))
    let captured = showsBehind ? addCapture(in: c.segment) : -1
    // What begins with what is behind it is a picture of that and of nothing beyond it.
    let around = passes[Int(segments[Int(c.segment)].pass)].limit
    let there = limit ?? (showsBehind ? region : c.clip.scissor).intersection(around)
    let outer = capturing
    capturing = captured >= 0 ? captured : capture
    let pass = addPass(.target(target), size: size)
    capturing = outer
    plan.counters.groups += 1
    if coarseness == 1 || limit != nil {
      passes[Int(pass)].limit = there.offsetBy(dx: -region.minX, dy: -region.minY).divided(by: Double(coarseness))
    }
    var group = OpenGroup(
      target: target, region: region, segment: passes[Int(pass)].segment, parentSegment: c.segment, alpha: alpha,
      shape: shape, clip: c.clip, shown: region)
    group.capture = capture
    if captured >= 0 {
      group.showsBehind = true
      passes[Int(pass)].looksAt = captures[Int(captured)].pass
      append(captureQuad(of: captures[Int(captured)].pass, region: region), to: group.segment)
    }
    let (dx, dy) = (-Double(region.minX), -Double(region.minY))
    c.matrix = c.matrix.translated(x: dx, y: dy)
    c.windowMatrix = c.windowMatrix?.translated(x: dx, y: dy)
    if coarseness > 1 {
      let finer = Homography.scale(x: 1 / Double(coarseness), y: 1 / Double(coarseness))
      c.matrix = c.matrix * finer
      c.windowMatrix = c.windowMatrix.map { $0 * finer }
    }
    c.visible = c.visible.offsetBy(dx: -region.minX, dy: -region.minY)
    c.clip = ClipState(scissor: PixelRect(size: size))
    c.segment = group.segment
    return group
  }

  /// Draws the group's picture where it was opened.
  mutating func composite(_ group: OpenGroup) {
    var picture = GroupPicture(
      target: group.target, size: plan.targets[Int(group.target)].size, rect: group.region.rect,
      segment: group.segment)
    let outer = capturing
    capturing = group.capture
    let colors = apply(
      group.steps, to: &picture, shown: group.shown,
      mayLeaveColors: group.shape < 0 && group.clip.shape < 0 && group.blendMode == .normal)
    capturing = outer
    let shown = group.shown
    var primitive = Primitive(
      shape: RoundedRect(rect: shown.rect), matrix: .identity, color: .white * group.alpha,
      texture: .target(picture.target), map: picture.map, filter: picture.isExact ? .nearest : .linear,
      texelSize: picture.size.texel, clip: group.clip, hasSoftEdges: true)
    if let colors { primitive.effect = addEffect(.colors(colors)) }
    primitive.replacesBelow = group.showsBehind
    if group.blendMode != .normal { blend(&primitive, group) }
    if group.shape >= 0 {
      let clip = clips[Int(group.shape)]
      if clip.matrix.isAffine {
        primitive.shape = clip.shape
        primitive.matrix = clip.matrix
        primitive.map = picture.map.after(clip.matrix)
        primitive.hasSoftEdges = false
        primitive.clip.scissor = primitive.clip.scissor.intersection(shown)
      } else {
        primitive.clip.shape = group.shape
      }
    }
    append(primitive, to: group.parentSegment)
  }

  /// Has the group's picture meet what is behind it as its mode says.
  private mutating func blend(_ primitive: inout Primitive, _ group: OpenGroup) {
    // In half floats nothing else would hold alpha to 1.
    if !space.isExtended, let blending = group.blendMode.blending {
      primitive.blending = blending
      return
    }
    let region = group.shown.intersection(group.clip.scissor).intersection(pixels(of: group.parentSegment))
    guard !region.isEmpty, group.clip.shape < 0, group.shape < 0 else { return }
    let index = addCapture(in: group.parentSegment)
    let behind = capture(index, region: region, name: .behindBlended) { _, picture in picture }
    primitive.effect = addEffect(
      .blend(
        BlendPlace(mode: group.blendMode, behind: .target(behind.target), rect: behind.rect, size: behind.size)))
    primitive.clip.scissor = region
    primitive.blending = .replace
  }

  // MARK: Pictures made of pictures

  mutating func addEffect(_ effect: PictureEffect) -> Int32 {
    pictureEffects.append(effect)
    return Int32(pictureEffects.count - 1)
  }

  /// Draws the picture anew at this size, with an effect.
  mutating func redraw(_ picture: GroupPicture, size: PixelSize, effect: PictureEffect = .none) -> GroupPicture {
    let name = plan.targets[Int(picture.target)].name
    let target = addTarget(Target(size: size, purpose: .group, mipLevels: 0, historyKey: nil, name: name))
    let pass = addPass(.target(target), size: size)
    let whole = PixelRect(size: size)
    let drawn = GroupPicture(target: picture.target, size: picture.size, rect: whole.rect, segment: -1)
    var primitive = Primitive(
      shape: RoundedRect(rect: whole.rect), matrix: .identity, color: .white, texture: .target(picture.target),
      map: drawn.map, filter: .linear, texelSize: picture.size.texel, clip: ClipState(scissor: whole),
      hasSoftEdges: true)
    if case .none = effect {} else { primitive.effect = addEffect(effect) }
    primitive.isMirrored = picture.isMirrored
    let segment = passes[Int(pass)].segment
    append(primitive, to: segment)
    return GroupPicture(
      target: target, size: size, rect: picture.rect, segment: segment, isMirrored: picture.isMirrored)
  }

  /// Draws what shows of the picture anew, a texel for each pixel.
  mutating func redraw(_ picture: GroupPicture, showing shown: PixelRect) -> GroupPicture {
    let name = plan.targets[Int(picture.target)].name
    let size = shown.size
    let target = addTarget(Target(size: size, purpose: .group, mipLevels: 0, historyKey: nil, name: name))
    let pass = addPass(.target(target), size: size)
    let whole = PixelRect(size: size)
    var moved = picture
    moved.rect = picture.rect.offsetBy(dx: -Double(shown.minX), dy: -Double(shown.minY))
    let segment = passes[Int(pass)].segment
    append(
      Primitive(
        shape: RoundedRect(rect: whole.rect), matrix: .identity, color: .white, texture: .target(picture.target),
        map: moved.map, filter: .linear, texelSize: picture.size.texel, clip: ClipState(scissor: whole),
        hasSoftEdges: true),
      to: segment)
    return GroupPicture(target: target, size: size, rect: shown.rect, segment: segment)
  }
}
