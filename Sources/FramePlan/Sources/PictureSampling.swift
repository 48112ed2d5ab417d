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

  /// Has a use be drawn by sampling the picture that was chosen for it.
  mutating func sample(_ index: Int32) {
    let i = Int(index)
    if uses[i].portal >= 0 { plan.counters.portalsSampled += 1 }
    uses[i].isSampled = true
    guard uses[i].hasShapes else { return }
    var primitive = picturePrimitive(of: i)
    let shapes = clip(&primitive, i)
    if shapes.count > 1 {
      uses[i].isSampled = false
      sampleInGroups(i, &primitive, shapes)
    }
  }

  /// Whether the use, which is sampled, is one primitive.
  func isOnePrimitive(_ use: Int) -> Bool {
    guard uses[use].hasShapes else { return true }
    var primitive = picturePrimitive(of: use)
    return clip(&primitive, use).count <= 1
  }

  /// The one primitive that a sampled use is.
  func sampled(_ use: Int) -> Primitive {
    var primitive = picturePrimitive(of: use)
    if uses[use].hasShapes { primitive.clip.shape = clip(&primitive, use).first ?? -1 }
    return primitive
  }

  /// Where in `chosen` the picture of a use is that is sampled.
  func picture(of use: Int) -> Int { choices[Int(uses[use].choice)].firstPicture + Int(uses[use].picture) }

  /// A use's picture where it shows, under no shape.
  private func picturePrimitive(of use: Int) -> Primitive {
    let number = picture(of: use)
    let (scaleX, scaleY) = (chosen[number].scaleX, chosen[number].scaleY)
    let (phaseX, phaseY) = (chosen[number].phaseX, chosen[number].phaseY)
    let pixels = chosen[number].region
    let (width, height) = (Double(pixels.width), Double(pixels.height))
    let (isExact, hasPixels) = (chosen[number].isExact, chosen[number].pixels != nil)
    // The region in the source's layer space, and there from layer space to the texture.
    let region = Rect(
      x: (Double(pixels.minX) - phaseX) / scaleX, y: (Double(pixels.minY) - phaseY) / scaleY, width: width / scaleX,
      height: height / scaleY)
    let map = TextureMap(
      ux: scaleX / width, vx: 0, uy: 0, vy: scaleY / height, u0: (phaseX - Double(pixels.minX)) / width,
      v0: (phaseY - Double(pixels.minY)) / height)
    let alpha = uses[use].alpha * uses[use].groupAlpha
    var primitive = Primitive(
      shape: RoundedRect(rect: region), matrix: uses[use].matrix, color: .white * alpha,
      texture: .target(chosenTargets[number]), map: map, texelSize: pixels.size.texel,
      clip: ClipState(scissor: uses[use].clip.scissor), hasSoftEdges: true)
    if !isExact, !hasPixels, primitive.matrix.isScaleAndTranslation {
      // Of the nothing around it nothing is drawn where that is easily told.
      primitive.shape.rect = region.intersection(extents.rects[Int(uses[use].key.source)])
    }
    if alpha >= 1 { primitive.opaque = opaquePart(of: uses[use].key.source) }
    primitive.filter = isExact || hasPixels ? .nearest : .linear
    if hasPixels {
      // A pixel at an edge is opaque only as far as it is covered.
      primitive.opaque = primitive.opaque.insetBy(dx: 1 / scaleX, dy: 1 / scaleY)
    } else if isExact {
      // Whole pixels from the picture: its region, moved.
      primitive.matrix.m41 = (primitive.matrix.m41 - phaseX).rounded() + phaseX
      primitive.matrix.m42 = (primitive.matrix.m42 - phaseY).rounded() + phaseY
    } else if let scale = primitive.matrix.scales(at: uses[use].part.center) {
      if chosen[number].mipLevels > 0 {
        let ratio = max(scaleX, scaleY) / max(1e-9, scale.singularValues.largest)
        primitive.level = min(chosen[number].mipLevels, Self.mipLevel(ratio))
      }
      // Leaning away it has more texels for a pixel along one line than across it: along that the mean of several shows.
      let map = LinearMap(a: scale.a / scaleX, b: scale.b / scaleX, c: scale.c / scaleY, d: scale.d / scaleY)
      let texels = 1 / max(1e-6, map.singularValues.smallest) / Double(1 << primitive.level)
      if !primitive.matrix.isScaleAndTranslation, texels >= 1.5 { primitive.samples = Int(min(16, texels.rounded())) }
    }
    return primitive
  }

  /// Finds the shapes that clip a use's primitive: at most one may be that besides the primitive's own.
  private func clip(_ primitive: inout Primitive, _ use: Int) -> ShapeList {
    var shapes = ShapeList()
    for index in 0..<3 {
      let shape = index == 0 ? uses[use].clip.shape : index == 1 ? uses[use].portalClip : uses[use].sourceClip
      if shape >= 0, !clips[Int(shape)].safe.contains(uses[use].visible) { shapes.append(shape) }
    }
    // One of the shapes may become the primitive's own, if the picture covers it and moves with it.
    if let last = shapes.last, let exchanged = primitive.exchangingShape(for: clips[Int(last)]) {
      primitive = exchanged
      shapes.removeLast()
    }
    return shapes
  }

  /// Draws a use's primitive under several shapes: under the innermost within a group, under the rest as that is composited.
  private mutating func sampleInGroups(_ index: Int, _ primitive: inout Primitive, _ shapes: ShapeList) {
    let use = uses[index]
    let segment = addSegment(pass: use.pass)
    uses[index].segment = segment
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
    let s = Int(source)
    guard snapshot.nodes[s].effects < 0 else { return .zero }
    let gradient = snapshot.nodes[s].gradient
    guard snapshot.nodes[s].backgroundColor.alpha >= 1 || gradient >= 0 && snapshot.gradients[Int(gradient)].isOpaque
    else { return .zero }
    return snapshot.nodes[s].bounds.insetBy(dx: 0, dy: snapshot.nodes[s].radii.largest)
  }

  /// Draws a source's bounds for the portals that show them in the next frame.
  mutating func drawHistory(_ key: ContentKey) {
    let node = snapshot.nodes[Int(key.source)]
    guard let layout = HistoryLayout(node.bounds, scale) else { return }
    let (size, factor) = (layout.size, layout.pixelsPerPoint)
    historyBounds.now[historyKey(of: node.layer)] = node.bounds
    let target = addTarget(
      Target(
        size: size, purpose: .source, mipLevels: 0, historyKey: historyKey(of: node.layer),
        name: .history(node.layer)))
    let pass = addPass(.target(target), size: size)
    walk(
      key.source,
      WalkStart(
        matrix: Homography(m11: factor, m22: factor, m41: -node.bounds.x * factor, m42: -node.bounds.y * factor),
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
