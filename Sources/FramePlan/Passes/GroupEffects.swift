import Commit
import Geometry
import RenderTree

// What is done to a group's picture between its last layer and its compositing.

/// One step, for as many of a layer's filters as can be taken at once.
enum GroupStep {
  case shadow(ShadowPlace)
  /// The matrix is for straight colours; the result is clamped.
  case colors(ColorMatrix)
  /// In pixels of the pass that the group is composited in.
  case blur(Gaussian)
  case mask(MaskPlace)
  case lens(LensPlace)
}

/// A shadow and where it falls, in the pass that the group is composited in.
struct ShadowPlace {
  var tint: ColorMatrix
  /// None: sharp.
  var gaussian: Gaussian?
  var offset: Point
  /// What casts it in the picture's place, and how it lies.
  var shape: RoundedRect?
  var matrix: Homography
}

/// A mask and where it lies, in the pass that the group is composited in.
struct MaskPlace {
  /// The root of its tree.
  var node: Int32
  /// The masked layer's space to target space.
  var matrix: Homography
  var showsBack: Bool
  var recursion: RecursionContext
}

extension FramePlanner {
  /// Opens the group of a layer that has effects.
  /// - Parameter capture: one that the layer shows, or -1.
  mutating func openEffects(_ c: inout NodeContext, alpha: Float, after capture: Int32) -> OpenGroup {
    let effects = snapshot.effects[Int(c.node.effects)]
    var steps = groupSteps(effects.filters, of: c.node.bounds, c.matrix)
    if let shadow = effects.shadow { steps.insert(.shadow(shadowPlace(shadow, c)), at: 0) }
    if let lens = effects.lens.flatMap({ LensPlace($0, c.node, c.matrix, in: space) }) {
      steps.insert(.lens(lens), at: 0)
    }
    if effects.mask >= 0 {
      steps.append(
        .mask(MaskPlace(node: effects.mask, matrix: c.matrix, showsBack: c.showsBack, recursion: c.recursion)))
    }
    let shown = c.visible
    var region = shown
    var coarseness = 1
    // What in it looks at what lies behind sees all of that, however little of the layer shows in the end.
    let seen = c.node.flags.contains(.readsBehind) ? content(of: c).intersection(c.clip.scissor) : shown
    region = region.union(seen)
    if let sum = steps.totalReach {
      // What shows of a blur is made of what lies within its reach, and is made within its reach of that.
      let picture = content(of: c)
      region = picture.outset(sum.x, sum.y).intersection(shown.outset(sum.x, sum.y)).union(shown)
      let isSharp = effects.lens != nil || snapshot.dependsOnPixels
      coarseness = isSharp ? 1 : Self.coarseness(steps)
      region = region.union(seen)
      while max(region.width, region.height) / coarseness > limits.maxTextureSize - 16 { coarseness *= 2 }
      region = region.aligned(
        to: Int64(coarseness) * steps.alignment, from: c.matrix.apply(c.node.bounds.origin) ?? .zero)
    }
    var group = openGroup(
      &c, region: region, alpha: alpha, shape: -1, coarseness: coarseness,
      limit: steps.needed(for: c.clip.scissor.intersection(passes[Int(segments[Int(c.segment)].pass)].limit)),
      after: capture)
    if region != shown { c.visible = PixelRect(size: plan.targets[Int(group.target)].size) }
    group.steps = steps
    group.shown = shown
    group.blendMode = effects.blendMode
    return group
  }

  /// The pixels around what the layer draws before its effects.
  private func content(of c: NodeContext) -> PixelRect {
    PixelRect(enclosing: c.matrix.boundingBox(of: extents.unaffected[c.index] ?? .zero).snapped)
  }

  func groupSteps(_ filters: [Filter], of bounds: Rect, _ matrix: Homography) -> [GroupStep] {
    var steps: [GroupStep] = []
    for filter in filters {
      if let next = filter.matrix {
        // Two as one where nothing is clamped between.
        if case .colors(let last)? = steps.last, last.clampsNothing(in: space) {
          steps[steps.count - 1] = .colors(last.followed(by: next))
        } else {
          steps.append(.colors(next))
        }
      } else if case .gaussianBlur(let radius) = filter,
        let next = SnapshotEffects.gaussian(radius: radius, bounds: bounds, under: matrix)
      {
        if case .blur(let last)? = steps.last {
          steps[steps.count - 1] = .blur(last + next)
        } else {
          steps.append(.blur(next))
        }
      }
    }
    return steps
  }

  /// Applies the steps. Where the last one is of colours and compositing can do it, it is left to that.
  mutating func apply(
    _ steps: [GroupStep], to picture: inout GroupPicture, shown: PixelRect, mayLeaveColors: Bool
  ) -> ColorMatrix? {
    for (index, step) in steps.enumerated() {
      switch step {
      case .blur(let gaussian): picture = blurred(picture, gaussian)
      case .shadow(let shadow): cast(shadow, by: &picture)
      case .mask(let mask): apply(mask, to: &picture, shown: shown)
      case .lens(let lens):
        picture = seen(through: lens, picture)
      case .colors(let matrix):
        if mayLeaveColors, index == steps.count - 1 { return matrix }
        picture = redraw(picture, size: picture.size, effect: .colors(matrix))
      }
    }
    return nil
  }
}

extension FramePlanner {
  /// What of a layer's content shows through its lens: of the box around its bounds and nothing else.
  private mutating func seen(through lens: LensPlace, _ picture: GroupPicture) -> GroupPicture {
    let box = lens.box.intersection(PixelRect(enclosing: picture.rect))
    let name = plan.targets[Int(picture.target)].name
    let target = addTarget(Target(size: picture.size, purpose: .group, mipLevels: 0, historyKey: nil, name: name))
    let content = box.isEmpty || box.rect == picture.rect ? picture : redraw(picture, showing: box)
    let pass = addPass(.target(target), size: picture.size)
    let segment = passes[Int(pass)].segment
    let (left, top) = (picture.rect.x, picture.rect.y)
    if !box.isEmpty {
      let place = box.rect.offsetBy(dx: -left, dy: -top)
      var primitive = Primitive(
        shape: RoundedRect(rect: place), matrix: .identity, color: .white, texture: .target(content.target),
        map: TextureMap(
          from: place, to: Rect(x: 0, y: 0, width: Double(content.size.width), height: Double(content.size.height)),
          of: content.size),
        filter: .linear, texelSize: content.size.texel, clip: ClipState(scissor: PixelRect(size: picture.size)),
        hasSoftEdges: true)
      primitive.effect = addEffect(.lens(lens.moved(by: .translation(x: left, y: top))))
      append(primitive, to: segment)
    }
    return GroupPicture(target: target, size: picture.size, rect: picture.rect, segment: segment)
  }

  /// Draws the mask's tree into a target of its own, and leaves of the picture what that covers.
  private mutating func apply(_ mask: MaskPlace, to picture: inout GroupPicture, shown: PixelRect) {
    if !picture.isExact { picture = redraw(picture, showing: shown) }
    let region = PixelRect(enclosing: picture.rect)
    let size = region.size
    let root = snapshot.nodes[Int(mask.node)]
    let target = addTarget(
      Target(size: size, purpose: .group, mipLevels: 0, historyKey: nil, name: .mask(root.layer)))
    let pass = addPass(.target(target), size: size)
    let matrix = (root.local * mask.matrix).translated(x: -Double(region.minX), y: -Double(region.minY))
    walk(
      mask.node,
      WalkStart(
        matrix: matrix, windowMatrix: nil, alpha: 1, clip: ClipState(scissor: PixelRect(size: size)),
        showsBack: mask.showsBack, isSource: false, context: mask.recursion, segment: passes[Int(pass)].segment))
    let whole = PixelRect(size: size)
    var primitive = Primitive(
      shape: RoundedRect(rect: whole.rect), matrix: .identity, color: .white, texture: .target(target),
      map: GroupPicture(target: target, size: size, rect: whole.rect, segment: -1).map, filter: .nearest,
      texelSize: size.texel, clip: ClipState(scissor: whole))
    primitive.blending = .mask
    append(primitive, to: picture.segment)
  }
}

extension [GroupStep] {
  /// How far what shows is from what makes it show, all steps together; nil where all stays in its place.
  var totalReach: (x: Int32, y: Int32)? {
    var sum: (x: Int32, y: Int32)?
    func add(_ x: Int32, _ y: Int32, most: Int32) {
      sum = (Swift.min(most, (sum?.x ?? 0) + x), Swift.min(most, (sum?.y ?? 0) + y))
    }
    for step in self {
      switch step {
      case .blur(let gaussian): add(gaussian.reach.x, gaussian.reach.y, most: 1 << 22)
      case .shadow(let shadow):
        // Layers that cast one are drawn sharp, so memory is bounded by how far away it may be cast from.
        let reach = shadow.gaussian?.reach ?? (x: 0, y: 0)
        func distance(_ value: Double) -> Int32 { Int32(Swift.min(2048, value.magnitude.rounded(.up))) }
        add(
          Swift.min(2048, reach.x) + distance(shadow.offset.x), Swift.min(2048, reach.y) + distance(shadow.offset.y),
          most: 1 << 22)
      case .lens(let lens): add(lens.reach, lens.reach, most: 1 << 22)
      case .colors, .mask: break
      }
    }
    return sum
  }

  /// What of the picture counts for what shows within `scissor`; no more than so many pixels beyond it, however far a blur
  /// reaches.
  func needed(for scissor: PixelRect) -> PixelRect {
    let most = scissor.outset(by: 1024)
    var needed = scissor
    for case .blur(let gaussian) in self { needed = needed.outset(gaussian.reach.x, gaussian.reach.y) }
    var all = needed
    for step in self {
      switch step {
      case .shadow(let shadow):
        let reach = shadow.gaussian?.reach ?? (x: 0, y: 0)
        all = all.union(
          PixelRect(enclosing: needed.rect.offsetBy(dx: -shadow.offset.x, dy: -shadow.offset.y)).outset(
            reach.x, reach.y))
      case .lens(let lens): all = all.union(lens.box.intersection(most))
      case .blur, .colors, .mask: break
      }
    }
    return all.intersection(most)
  }

  /// By what the sides of a picture must be divisible to be halved as often as the steps want.
  var alignment: Int64 {
    let isWide = contains {
      if case .shadow(let shadow) = $0 { return (shadow.gaussian?.smallestDeviation ?? 0) > 48 }
      return false
    }
    return isWide ? 64 : 8
  }
}

extension PixelRect {
  func outset(_ x: Int32, _ y: Int32) -> PixelRect {
    func held(_ value: Int64) -> Int32 { Int32(clamping: value) }
    return PixelRect(
      minX: held(Int64(minX) - Int64(x)), minY: held(Int64(minY) - Int64(y)), maxX: held(Int64(maxX) + Int64(x)),
      maxY: held(Int64(maxY) + Int64(y)))
  }

  /// What it is where so many pixels, each way, are one.
  func divided(by pixels: Double) -> PixelRect {
    if pixels == 1 { return self }
    return PixelRect(
      enclosing: Rect(
        minX: Double(minX) / pixels, minY: Double(minY) / pixels, maxX: Double(maxX) / pixels,
        maxY: Double(maxY) / pixels))
  }

  /// Grown to whole cells of a grid of `step` pixels that begins near `origin`, so that the same picture a whole number of
  /// pixels away has the same cells.
  func aligned(to step: Int64, from origin: Point) -> PixelRect {
    func start(_ value: Double) -> Int64 { value.magnitude < 1e9 ? Int64(value.rounded(.down)) : 0 }
    func down(_ value: Int64) -> Int64 { value >= 0 ? value / step : -((-value + step - 1) / step) }
    let (x, y) = (start(origin.x), start(origin.y))
    return PixelRect(
      minX: Int32(clamping: x + down(Int64(minX) - x) * step), minY: Int32(clamping: y + down(Int64(minY) - y) * step),
      maxX: Int32(clamping: x - down(x - Int64(maxX)) * step), maxY: Int32(clamping: y - down(y - Int64(maxY)) * step))
  }
}
