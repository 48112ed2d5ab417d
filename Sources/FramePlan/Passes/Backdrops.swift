import Commit
import Geometry
import RenderTree

// Layers that show what lies behind them. What a capture must hold is known once all that show it are: so a walk notes them,
// each with a primitive that is completed in the end.

/// A place at which what lies behind is shown.
struct BackdropDraft {
  var capture: Int32
  /// Set for those that share their capture: then their blurs see what lies beyond their bounds.
  var isShared: Bool
  /// The pixels that its bounds touch, in the captured pass.
  var box: PixelRect
  var steps: [GroupStep]
  /// Of its bounds more than that, which a blur or a shadow of the layer may show: there the edge pixels go on.
  var isCut: Bool
  /// What shows it, whose texture is not known yet.
  var primitive: Int32 = -1
  /// The primitive's own space to that of the captured pass.
  var toCaptured = Homography.identity
  var lens: LensPlace?
}

/// Which members of a group share a capture: those that stand in one pass.
struct BackdropGroup: Hashable {
  var group: Int32
  var pass: Int32
}

extension FramePlanner {
  /// Notes that a layer shows what is behind it at this place, in the pass that it stands in. Nil where nothing of it shows.
  mutating func openBackdrop(_ c: NodeContext) -> Int32? {
    let backdrop = snapshot.backdrops[Int(c.node.backdrop)]
    let whole = PixelRect(enclosing: c.matrix.boundingBox(of: c.node.bounds).snapped)
    let box = whole.intersection(c.clip.scissor).intersection(passes[Int(segments[Int(c.segment)].pass)].limit)
    guard !box.isEmpty else { return nil }
    var capture: Int32 = -1
    if backdrop.group >= 0 {
      capture = sharedCapture(of: backdrop.group, in: c.segment)
    } else {
      capture = addCapture(in: c.segment)
    }
    backdrops.append(
      BackdropDraft(
        capture: capture, isShared: backdrop.group >= 0, box: box,
        steps: groupSteps(backdrop.filters, of: c.node.bounds, c.matrix), isCut: box != whole,
        lens: backdrop.lens.flatMap { LensPlace($0, c.node, c.matrix, in: space) }))
    return Int32(backdrops.count - 1)
  }

  /// The capture that the group's members show, made where the first of them is drawn: a walk may come to another before.
  private mutating func sharedCapture(of group: Int32, in segment: Int32) -> Int32 {
    let key = BackdropGroup(group: group, pass: segments[Int(segment)].pass)
    if let known = captureOfGroup[key] {
      append(.capture(known), to: segment)
      return known
    }
    let capture = addCapture(in: segment)
    captureOfGroup[key] = capture
    return capture
  }

  /// Draws what was opened, below all else that the layer draws; its own group may have been opened since.
  mutating func drawBackdrop(_ index: Int32, _ c: NodeContext, outer: NodeContext) {
    let shape = c.node.shape
    var primitive = Primitive(
      shape: shape, matrix: c.matrix, color: .white * c.alpha, texture: .none, clip: c.clip)
    primitive.replacesBelow = true
    if backdrops[Int(index)].lens != nil || !c.matrix.isAffine {
      // Whole pixels: a lens has an outline of its own, and in perspective the shape clips.
      let pixels = PixelRect(enclosing: c.matrix.boundingBox(of: c.node.bounds)).intersection(c.clip.scissor)
      guard let fromOuter = outer.matrix.inverse else { return }
      primitive.shape = RoundedRect(rect: pixels.rect)
      primitive.matrix = .identity
      primitive.hasSoftEdges = true
      if backdrops[Int(index)].lens == nil { primitive.clip.shape = addClip(Clip(shape, under: c.matrix)) }
      // Both spaces lie in one plane, one pixel as large as the other or so many times: this is affine.
      let toInner = (fromOuter * c.matrix).normalized
      backdrops[Int(index)].toCaptured = toInner.inverse ?? .identity
    } else {
      backdrops[Int(index)].toCaptured = outer.matrix
    }
    backdrops[Int(index)].primitive = addPrimitive(primitive)
    append(.primitive(backdrops[Int(index)].primitive), to: c.segment)
  }

  // MARK: The end of a plan

  /// Makes the captures, and of each the pictures that those who show it want.
  mutating func finishBackdrops() {
    // In the order of their captures.
    let order = backdrops.indices.filter { backdrops[$0].primitive >= 0 }
      .sorted { (backdrops[$0].capture, $0) < (backdrops[$1].capture, $1) }
    var next = 0
    while next < order.count {
      let first = next
      let capture = backdrops[order[first]].capture
      while next < order.count, backdrops[order[next]].capture == capture { next += 1 }
      make(capture, for: Array(order[first..<next]))
    }
  }

  private mutating func make(_ index: Int32, for users: [Int]) {
    let limit = passes[Int(captures[Int(index)].pass)].limit
    var region = PixelRect.empty
    for user in users {
      let draft = backdrops[user]
      // Of a capture of its own a layer sees no more than its box.
      let reach = draft.isShared ? draft.steps.totalReach ?? (x: 0, y: 0) : (x: 0, y: 0)
      let bent = draft.isShared ? draft.lens?.reach ?? 0 : 0
      region = region.union(draft.box.outset(reach.x + bent, reach.y + bent))
    }
    region = region.intersection(limit)
    guard !region.isEmpty else { return }
    capture(index, region: region, name: .backdrop) { planner, picture in
      // One picture for all that want the same done to it.
      var made: [(steps: [GroupStep], picture: GroupPicture)] = []
      for user in users {
        let steps = planner.backdrops[user].steps
        var shown = picture
        shown.isMirrored = true
        if let known = made.first(where: { $0.steps.isSame(as: steps) }) {
          shown = known.picture
        } else {
          _ = planner.apply(steps, to: &shown, shown: region, mayLeaveColors: false)
          made.append((steps, shown))
        }
        planner.complete(user, with: shown)
      }
    }
  }

  private mutating func complete(_ index: Int, with picture: GroupPicture) {
    let draft = backdrops[index]
    let p = Int(draft.primitive)
    primitives[p].texture = .target(picture.target)
    primitives[p].texelSize = picture.size.texel
    primitives[p].map = picture.map.after(draft.toCaptured)
    primitives[p].filter = .linear
    if draft.isCut, draft.lens == nil, draft.isShared {
      primitives[p].textureLimits = picture.limits(of: draft.box)
    }
    if let lens = draft.lens {
      primitives[p].effect = addEffect(.lens(lens.moved(by: draft.toCaptured)))
    } else {
      primitives[p].opaque = primitives[p].shape.rect
    }
  }
}

extension Homography {
  /// The same map with m44 = 1, where it is affine but for rounding.
  fileprivate var normalized: Homography {
    let k = m44 == 0 ? 1 : 1 / m44
    return Homography(
      m11: m11 * k, m12: m12 * k, m14: 0, m21: m21 * k, m22: m22 * k, m24: 0, m41: m41 * k, m42: m42 * k, m44: 1)
  }
}

extension [GroupStep] {
  /// Whether they do the same to a picture. Only of filters is that known.
  fileprivate func isSame(as other: [GroupStep]) -> Bool {
    count == other.count
      && zip(self, other).allSatisfy {
        switch ($0, $1) {
        case (.colors(let a), .colors(let b)): a == b
        case (.blur(let a), .blur(let b)): a == b
        default: false
        }
      }
  }
}
