import Commit
import Geometry
import RenderTree

/// Where and how a walk through a content begins.
struct WalkStart {
  var matrix: Homography
  /// Window space to target space, as long as no portal has been entered: then nodes are placed by their own window
  /// matrix, so that a portal that lies exactly on its source does.
  var windowMatrix: Homography?
  var alpha: Float
  var clip: ClipState
  var showsBack: Bool
  /// The first node is a portal's source: its place, opacity and what hides it don't count.
  var isSource: Bool
  var context: RecursionContext
  var segment: Int32
  /// -1 where what is drawn is drawn once in the frame; -2 where layers in it can't be drawn anew by themselves.
  var place: Int32 = -2
  /// How far a layer in it reaches decides how large a picture is.
  var isPicture = false
}

/// A layer whose sublayers a walk is among; or the place of one that is sorted by depth.
struct Frame {
  var node: Int32
  var end: Int32
  // What its sublayers are drawn by.
  var matrix: Homography
  var windowMatrix: Homography?
  var alpha: Float
  var clip: ClipState
  var segment: Int32
  var showsBack: Bool
  // What its border is drawn by, after them.
  var borderMatrix: Homography
  var borderAlpha: Float
  var borderClip: ClipState
  var borderSegment: Int32
  var opacityGroup: OpenGroup?
  var clipGroups: [OpenGroup]
  /// What is left of a layer's sublayers that are sorted by depth.
  var pieces: Range<Int>?
  /// Of a piece, on top of its layer's own.
  var opacity: Float = 1
  /// Index in the planner's places, or -1: what its sublayers are drawn by, for when one of them is drawn anew.
  var place: Int32 = -2
}

extension FramePlanner {
  /// Turns the content under `root` into items. No recursion: the depth of a tree is the client's to choose.
  mutating func walk(_ root: Int32, _ start: WalkStart) {
    var frames: [Frame] = []
    swap(&frames, &scratch.frames)
    defer { swap(&frames, &scratch.frames) }
    let end = snapshot.nodes[Int(root)].end
    var index = root
    while true {
      while !frames.isEmpty, index >= frames[frames.count - 1].end {
        close(frames.removeLast())
        if let next = beginPiece(&frames) { index = next }
      }
      guard index < end, !frames.isEmpty || index == root else { break }
      if !frames.isEmpty, frames[frames.count - 1].place >= 0, visitPortal(index, in: frames[frames.count - 1].place) {
        index += 1
        continue
      }
      var node = snapshot.nodes[Int(index)]
      let isRoot = index == root
      let isSource = isRoot && start.isSource
      let parent = frames.last
      if let opacity = parent?.opacity { node.opacity *= opacity }
      // What has no sublayers, in an ordinary place, may be drawn anew by itself in the next frame.
      let isLeaf = node.end == index + 1 && !frames.isEmpty && frames[frames.count - 1].place >= 0
      guard
        !node.isHidden, isSource || !node.flags.contains(.hiddenByPortal) && node.opacity > 0
      else {
        if isLeaf { noteNothing(node, index, in: frames[frames.count - 1]) }
        index = node.end
        continue
      }
      var windowMatrix = isRoot ? start.windowMatrix : parent?.windowMatrix
      var matrix: Homography
      if isRoot {
        matrix = start.matrix
      } else if let windowMatrix {
        matrix = node.window * windowMatrix
      } else {
        matrix = node.local * (parent?.matrix ?? .identity)
      }
      if node.flags.contains(.snapsToPixels) {
        let snapped = node.snapped(matrix)
        // What lies in it moves with it.
        if snapped != matrix { (matrix, windowMatrix) = (snapped, nil) }
      }
      let parentBack = parent?.showsBack ?? start.showsBack
      let showsBack = isSource ? parentBack : parentBack != node.flags.contains(.turnsBack)
      let clip = parent?.clip ?? start.clip
      let visible = pixels(enclosing: extents.rects[Int(index)], matrix).intersection(clip.scissor)
      guard
        matrix.isFinite, !visible.isEmpty, !extents.rects[Int(index)].isEmpty,
        !showsBack || node.flags.contains(.doubleSided)
      else {
        if isLeaf {
          noteNothing(node, index, in: frames[frames.count - 1])
        } else {
          noteUnpatchable(Int(index)..<Int(node.end))
        }
        index = node.end
        continue
      }
      var context = NodeContext(
        index: index, node: node, matrix: matrix, windowMatrix: windowMatrix, alpha: parent?.alpha ?? start.alpha,
        clip: clip, segment: parent?.segment ?? start.segment, showsBack: showsBack, visible: visible,
        recursion: start.context)
      if !isRoot, isSharedSource[Int(index)], start.context == .outside, !node.flags.contains(.readsBehind) {
        addUseInPlace(context)
        index = node.end
        continue
      }
      plan.counters.layersVisited += 1
      let opacity = isSource ? 1 : node.opacity
      if isLeaf {
        visit(&context, opacity: opacity, in: frames[frames.count - 1].place)
        index += 1
        continue
      }
      if node.end == index + 1 { noteUnpatchable(Int(index)..<Int(node.end)) }
      let parentPlace = frames.last?.place ?? start.place
      let passCount = passes.count
      frames.append(enter(&context, opacity: opacity))
      // A layer that is clipped as a group or by a shape, or stands in one that is, is drawn anew with all around it: how it is
      // clipped goes by all that is in it. The size of a group for opacity goes by how far that reaches.
      let isGroup = frames[frames.count - 1].opacityGroup != nil
      if parentPlace >= -1, node.depthSort < 0, node.effects < 0, passes.count == passCount + (isGroup ? 1 : 0),
        frames[frames.count - 1].clip.shape < 0
      {
        let isInGroup = isGroup || parentPlace >= 0 && places[Int(parentPlace)].isInGroup
        frames[frames.count - 1].place = addPlace(frames[frames.count - 1], start, isInGroup: isInGroup)
      } else {
        frames[frames.count - 1].place = -2
      }
      index += 1
      if node.depthSort >= 0 {
        frames[frames.count - 1].pieces = snapshot.depthSorts[Int(node.depthSort)]
        index = beginPiece(&frames) ?? node.end
      }
    }
  }

  /// Draws what comes before a layer's sublayers, and opens the groups that it needs.
  mutating func enter(_ c: inout NodeContext, opacity: Float) -> Frame {
    let node = c.node
    var opacityGroup: OpenGroup?
    var contentAlpha: Float = 1
    // The layer's own group does not come between it and what lies behind.
    let place = c
    let backdrop = node.backdrop >= 0 ? openBackdrop(c) : nil
    let capture = backdrop.map { backdrops[Int($0)].capture } ?? -1
    if node.effects >= 0 {
      let isGroup = node.flags.contains(.groupOpacity)
      if !isGroup { c.alpha *= opacity }
      opacityGroup = openEffects(&c, alpha: isGroup ? opacity : 1, after: capture)
    } else if opacity < 1 {
      if !node.flags.contains(.groupOpacity) {
        c.alpha *= opacity
      } else if node.hasSinglePrimitive(at: c.index) {
        if node.portal >= 0 { contentAlpha = opacity } else { c.alpha *= opacity }
      } else {
        // What an ancestor without groups hands down goes into each drawing, in here too.
        opacityGroup = openGroup(&c, region: c.visible, alpha: opacity, shape: -1, after: capture)
      }
    }
    let outer = c
    if let backdrop { drawBackdrop(backdrop, c, outer: place) }
    drawBackground(c)
    var clipGroups: [OpenGroup] = []
    var portalClip: Int32 = -1
    if node.masksToBounds { openClip(&c, &clipGroups, &portalClip) }
    if node.image >= 0 { drawImage(c) }
    if node.portal >= 0 { addUse(c, groupAlpha: contentAlpha, portalClip: portalClip) }
    return Frame(
      node: c.index, end: node.end, matrix: c.matrix, windowMatrix: c.windowMatrix, alpha: c.alpha, clip: c.clip,
      segment: c.segment, showsBack: c.showsBack, borderMatrix: outer.matrix, borderAlpha: outer.alpha,
      borderClip: outer.clip, borderSegment: outer.segment, opacityGroup: opacityGroup, clipGroups: clipGroups)
  }

  /// Draws what comes after a layer's sublayers.
  mutating func close(_ frame: Frame) {
    for group in frame.clipGroups.reversed() { composite(group) }
    guard frame.node >= 0 else { return }
    let node = snapshot.nodes[Int(frame.node)]
    if node.borderWidth > 0, node.borderColor.alpha > 0, !node.bounds.isEmpty {
      append(
        Primitive(
          shape: node.shape, matrix: frame.borderMatrix, color: space.color(node.borderColor) * frame.borderAlpha,
          borderWidth: node.borderWidth, clip: frame.borderClip, hardEdges: node.hardEdges),
        to: frame.borderSegment)
    }
    if let group = frame.opacityGroup { composite(group) }
  }

  // MARK: Clips

  /// Narrows the clip to the layer's bounds: by whole pixels where it can, by a shape where one picture alone meets
  /// the shape's edge, else by drawing what is clipped as a group.
  private mutating func openClip(_ c: inout NodeContext, _ groups: inout [OpenGroup], _ portalClip: inout Int32) {
    let node = c.node
    let hasSublayers = node.end > c.index + 1
    guard hasSublayers || node.image >= 0 || node.portal >= 0 else { return }
    let clip = Clip(node.shape, under: c.matrix)
    guard !clip.bounds.intersection(c.clip.scissor).isEmpty, !node.bounds.isEmpty else {
      c.clip.scissor = .empty
      return
    }
    if clip.isHard {
      c.clip.scissor = c.clip.scissor.intersection(
        PixelRect(enclosing: clip.matrix.boundingBox(of: clip.shape.rect).snapped))
      return
    }
    if clip.safe.contains(c.clip.scissor) { return }
    let shape = addClip(clip)
    if node.portal >= 0, !hasSublayers {
      // The portal's content is one picture; how it is clipped is decided with how it is drawn.
      portalClip = shape
      return
    }
    let showsBehind = node.flags.contains(.readsBehind)
    if c.clip.shape < 0, !showsBehind, primitivesAtEdge(of: clip, in: c) <= 1 {
      c.clip = ClipState(scissor: c.clip.scissor.intersection(clip.bounds), shape: shape)
      return
    }
    // What looks at what lies behind it sees all of that, however little is drawn.
    let region = (showsBehind ? c.clip.scissor : c.visible).intersection(clip.bounds)
    if c.clip.shape >= 0, !clip.matrix.isAffine {
      // Two shapes can't be asked at once where one is in perspective: a group for each.
      groups.append(openGroup(&c, region: region, alpha: 1, shape: -1, showsBehind: showsBehind))
      let moved = Clip(node.shape, under: c.matrix)
      let inner = PixelRect(size: region.size).intersection(moved.bounds)
      groups.append(openGroup(&c, region: inner, alpha: 1, shape: addClip(moved), showsBehind: showsBehind))
    } else {
      groups.append(openGroup(&c, region: region, alpha: 1, shape: shape, showsBehind: showsBehind))
    }
  }

  /// How many pictures below the layer reach the edge of its clip; more than one are as good as many.
  private func primitivesAtEdge(of clip: Clip, in c: NodeContext) -> Int {
    var count = c.node.image >= 0 && !clip.safe.contains(pixels(c.node.imageRect, c.matrix)) ? 1 : 0
    if c.node.portal >= 0 { count += 1 }
    var matrices: [(end: Int32, matrix: Homography)] = [(c.node.end, c.matrix)]
    var index = c.index + 1
    while index < c.node.end, count <= 1 {
      // A long list is not worth the count: it is a group.
      guard index - c.index <= 64 else { return 2 }
      while let last = matrices.last, index >= last.end { matrices.removeLast() }
      let node = snapshot.nodes[Int(index)]
      let matrix = node.local * (matrices.last?.matrix ?? c.matrix)
      if node.isHidden || node.flags.contains(.hiddenByPortal) || node.opacity == 0
        || clip.safe.contains(pixels(extents.rects[Int(index)], matrix))
      {
        index = node.end
        continue
      }
      count += node.primitiveCount
      if node.portal >= 0 { count += 1 }
      matrices.append((node.end, matrix))
      index += 1
    }
    return count
  }

  private func pixels(_ rect: Rect, _ matrix: Homography) -> PixelRect {
    let pixels = PixelRect(enclosing: matrix.boundingBox(of: rect).snapped)
    return widened(pixels)
  }

  /// A pixel more each way where something may be moved to whole pixels, and two where a source's pixels, which may be as
  /// large, are shown wholly.
  private func widened(_ pixels: PixelRect) -> PixelRect {
    guard snapshot.dependsOnPixels else { return pixels }
    return pixels.outset(by: snapshot.showsSourcePixels ? 2 : 1)
  }

  /// What a content of this extent can touch.
  func pixels(enclosing extent: Rect, _ matrix: Homography) -> PixelRect {
    let pixels = PixelRect(enclosing: matrix.boundingBox(of: extent))
    return widened(pixels)
  }
}

/// What a walk knows at one layer.
struct NodeContext {
  var index: Int32
  var node: SnapshotNode
  var matrix: Homography
  var windowMatrix: Homography?
  var alpha: Float
  var clip: ClipState
  var segment: Int32
  var showsBack: Bool
  /// Target pixels that its content can touch.
  var visible: PixelRect
  var recursion: RecursionContext
}

extension SnapshotNode {
  /// How many pictures the layer draws by itself, its portal's not counted. With effects it is never one that could be
  /// given another's opacity or clip.
  var primitiveCount: Int {
    (backgroundColor.alpha > 0 ? 1 : 0) + (gradient >= 0 ? 1 : 0) + (image >= 0 ? 1 : 0)
      + (borderWidth > 0 && borderColor.alpha > 0 ? 1 : 0) + (effects >= 0 || backdrop >= 0 ? 2 : 0)
  }

  /// Whether the layer is one picture, so that its opacity can be that picture's own.
  func hasSinglePrimitive(at index: Int32) -> Bool {
    end == index + 1 && primitiveCount + (portal >= 0 ? 1 : 0) <= 1
  }
}

extension PremultipliedColor {
  static let white = PremultipliedColor(red: 1, green: 1, blue: 1, alpha: 1)
}
