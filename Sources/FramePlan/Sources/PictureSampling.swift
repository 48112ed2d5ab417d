import Commit
import Geometry
import RenderTree

// How a picture of a source is drawn, and shown in each place.

extension FramePlanner {
  /// Draws the picture; its target.
  mutating func drawPicture(_ key: ContentKey, _ picture: SourcePicture) -> Int32 {
    let size = picture.region.size
    let layer = snapshot.nodes[Int(key.source)].layer
    let target = addTarget(
      Target(size: size, purpose: .source, mipLevels: picture.mipLevels, historyKey: nil, name: .source(layer)))
    plan.counters.sourcesDrawn += 1
    let pass = addPass(.target(target), size: size)
    // All around it is nothing.
    passes[Int(pass)].limit =
      picture.limit?.offsetBy(dx: -picture.region.minX, dy: -picture.region.minY)
      ?? PixelRect(size: size).outset(1 << 14, 1 << 14)
    walk(
      key.source,
      WalkStart(
        matrix: picture.matrix, windowMatrix: nil, alpha: 1, clip: ClipState(scissor: PixelRect(size: size)),
        showsBack: false, isSource: true, context: key.context, segment: passes[Int(pass)].segment, place: -1,
        isPicture: true))
    return target
  }

  /// Draws a use by sampling a picture that was chosen.
  mutating func sample(_ number: Int, for index: Int32) {
    let use = uses[Int(index)]
    let picture = chosen[number]
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
      texture: .target(chosenTargets[number]), map: map, texelSize: size.texel, clip: use.clip, hasSoftEdges: true)
    if !picture.isExact, picture.pixels == nil, use.matrix.isScaleAndTranslation {
      // Of the nothing around it nothing is drawn where that is easily told.
      primitive.shape.rect = region.intersection(extents.rects[Int(use.key.source)])
    }
    if use.alpha * use.groupAlpha >= 1 { primitive.opaque = opaquePart(of: use.key.source) }
    primitive.filter = picture.isExact || picture.pixels != nil ? .nearest : .linear
    if picture.pixels != nil {
      // A pixel at an edge is opaque only as far as it is covered.
      primitive.opaque = primitive.opaque.insetBy(dx: 1 / picture.scaleX, dy: 1 / picture.scaleY)
    } else if picture.isExact {
      // Whole pixels from the picture: its region, moved.
      primitive.matrix.m41 = (use.matrix.m41 - picture.phaseX).rounded() + picture.phaseX
      primitive.matrix.m42 = (use.matrix.m42 - picture.phaseY).rounded() + picture.phaseY
    } else if picture.mipLevels > 0, let scale = use.matrix.scales(at: use.part.center) {
      let ratio = max(picture.scaleX, picture.scaleY) / max(1e-9, scale.singularValues.largest)
      primitive.level = min(picture.mipLevels, Self.mipLevel(ratio))
    }
    place(primitive, for: index)
  }

  /// The one that a use becomes, in the place of the one that it was.
  private mutating func set(_ primitive: Primitive, for index: Int32) {
    let known = uses[Int(index)].primitive
    if known >= 0 {
      primitives[Int(known)] = primitive
    } else {
      uses[Int(index)].primitive = addPrimitive(primitive)
    }
  }

  /// Puts a use's one primitive under its clips: at most one may be a shape besides the primitive's own.
  private mutating func place(_ primitive: Primitive, for index: Int32) {
    let use = uses[Int(index)]
    var primitive = primitive
    primitive.clip = ClipState(scissor: use.clip.scissor)
    if use.clip.shape < 0, use.portalClip < 0, use.sourceClip < 0 {
      set(primitive, for: index)
      return
    }
    var shapes = ShapeList()
    for index in 0..<3 {
      let shape = index == 0 ? use.clip.shape : index == 1 ? use.portalClip : use.sourceClip
      if shape >= 0, !clips[Int(shape)].safe.contains(use.visible) { shapes.append(shape) }
    }
    // One of the shapes may become the primitive's own, if the picture covers it and moves with it.
    if let last = shapes.last, let exchanged = primitive.exchangingShape(for: clips[Int(last)]) {
      primitive = exchanged
      shapes.removeLast()
    }
    if shapes.count <= 1 {
      primitive.clip.shape = shapes.first ?? -1
      set(primitive, for: index)
      return
    }
    let segment = addSegment(pass: use.pass)
    uses[Int(index)].segment = segment
    // Too many at once: the innermost within a group, the rest as it is composited.
    var c = NodeContext(
      index: use.key.source, node: snapshot.nodes[Int(use.key.source)], matrix: primitive.matrix, windowMatrix: nil,
      alpha: 1, clip: ClipState(scissor: use.clip.scissor, shape: shapes[0]), segment: segment,
      showsBack: use.showsBack, visible: use.visible, recursion: use.key.context)
    var groups: [OpenGroup] = []
    for index in 1..<shapes.count {
      groups.append(openGroup(&c, region: c.visible, alpha: 1, shape: -1))
      let offset = groups.reduce(into: (x: 0.0, y: 0.0)) { sum, group in
        sum.x -= Double(group.region.minX)
        sum.y -= Double(group.region.minY)
      }
      let clip = clips[Int(shapes[index])]
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
        size: size, purpose: .source, mipLevels: 0, historyKey: historyKey(of: node.layer),
        name: .history(node.layer)))
    let pass = addPass(.target(target), size: size)
    walk(
      key.source,
      WalkStart(
        matrix: Homography(m11: scale, m22: scale, m41: -node.bounds.x * scale, m42: -node.bounds.y * scale),
        windowMatrix: nil, alpha: 1, clip: ClipState(scissor: PixelRect(size: size)), showsBack: false, isSource: true,
        context: key.context, segment: passes[Int(pass)].segment))
  }
}

/// The shapes that clip a use, without storage of their own.
private struct ShapeList {
  private var shapes: (Int32, Int32, Int32) = (-1, -1, -1)
  private(set) var count = 0

  subscript(index: Int) -> Int32 { index == 0 ? shapes.0 : index == 1 ? shapes.1 : shapes.2 }
  var first: Int32? { count > 0 ? shapes.0 : nil }
  var last: Int32? { count > 0 ? self[count - 1] : nil }

  mutating func append(_ shape: Int32) {
    switch count {
    case 0: shapes.0 = shape
    case 1: shapes.1 = shape
    default: shapes.2 = shape
    }
    count = min(3, count + 1)
  }

  mutating func removeLast() { count = max(0, count - 1) }
}
