import Geometry

// From a primitive to quads. An upright rectangle is cut into its interior, whole pixels that are covered wholly and
// need no question asked, and its corners and edges, which are antialiased; everything else is antialiased throughout.

extension FramePlanner {
  /// Interiors of fewer pixels are not worth quads of their own.
  static let smallestInterior = 512

  /// Primitives are large: they are handed on in place, and never copied.
  mutating func emit(_ p: inout Primitive) {
    guard !p.shape.rect.isEmpty, p.color.alpha > 0 || p.texture == .none else { return }
    if p.matrix.isAffine {
      p.matrix.m41 = p.matrix.m41.quantized
      p.matrix.m42 = p.matrix.m42.quantized
    }
    if !p.hardEdges.isEmpty {
      if !p.shape.radii.isZero { p.hardEdges = [] }
      if p.matrix.isScaleAndTranslation, p.borderWidth == 0 { p.hardenUpright(within: softWhole(p)) }
    }
    var box = p.matrix.boundingBox(of: p.shape.rect).snapped
    var bounds = PixelRect(enclosing: box).intersection(p.clip.scissor)
    if p.clip.shape >= 0 {
      let clip = clips[Int(p.clip.shape)]
      bounds = bounds.intersection(clip.bounds)
      if clip.safe.contains(bounds) {
        p.clip.shape = -1
      } else if let exchanged = p.exchangingShape(for: clip) {
        p = exchanged
        box = p.matrix.boundingBox(of: p.shape.rect).snapped
      }
    }
    guard !bounds.isEmpty else { return }
    if p.texture != .none { p.compareWithTexels() }
    if p.texture == .none, p.replacesBelow {
      // A backdrop of which nothing is left to show.
    } else if p.effect >= 0 && p.clip.shape < 0 || p.blending == .mask || p.blending == .replace {
      emitWhole(&p, bounds)
    } else if p.curve == .none, p.matrix.isScaleAndTranslation, p.borderWidth == 0, p.clip.shape < 0,
      p.textureLimits == Primitive.wholeTexture
    {
      emitUpright(&p, box)
    } else {
      emitClipped(&p, box, bounds)
    }
  }

  /// By the general program; but what lies wholly inside of an upright clip and of an upright picture needs none.
  private mutating func emitClipped(_ p: inout Primitive, _ box: Rect, _ bounds: PixelRect) {
    let shape = p.clip.shape
    guard shape >= 0, p.curve == .none, p.matrix.isScaleAndTranslation, p.borderWidth == 0, p.shape.radii.isZero,
      p.textureLimits == Primitive.wholeTexture
    else { return emitShape(&p, bounds) }
    let inner = (p.hasSoftEdges ? PixelRect(enclosing: box) : PixelRect(inside: box))
      .intersection(clips[Int(shape)].safe).intersection(bounds)
    guard inner.area >= Self.smallestInterior else { return emitShape(&p, bounds) }
    emitShape(&p, PixelRect(minX: bounds.minX, minY: bounds.minY, maxX: bounds.maxX, maxY: inner.minY))
    emitShape(&p, PixelRect(minX: bounds.minX, minY: inner.maxY, maxX: bounds.maxX, maxY: bounds.maxY))
    emitShape(&p, PixelRect(minX: bounds.minX, minY: inner.minY, maxX: inner.minX, maxY: inner.maxY))
    emitShape(&p, PixelRect(minX: inner.maxX, minY: inner.minY, maxX: bounds.maxX, maxY: inner.maxY))
    p.clip.shape = -1
    emitPlain(&p, inner)
    p.clip.shape = shape
  }

  /// A picture whose effect is for whole pixels: it is not cut, and needs no antialiasing.
  private mutating func emitWhole(_ p: inout Primitive, _ rect: PixelRect) {
    if p.replacesBelow {
      emitImage(&p, rect, .erase, drawsCoverage: true)
      emitImage(&p, rect, .add)
    } else {
      emitImage(&p, rect, p.blending)
    }
  }

  // MARK: Upright rectangles

  private mutating func emitUpright(_ p: inout Primitive, _ box: Rect) {
    let outer = PixelRect(enclosing: box)
    let inner = p.hasSoftEdges ? outer : PixelRect(inside: box)
    if p.shape.radii.isZero {
      if inner == outer {
        emitPlain(&p, outer)
      } else if inner.intersection(p.clip.scissor).area < Self.smallestInterior {
        emitEdge(&p, outer, isRounded: false)
      } else {
        emitPlain(&p, inner)
        emitEdge(
          &p, PixelRect(minX: outer.minX, minY: outer.minY, maxX: outer.maxX, maxY: inner.minY), isRounded: false)
        emitEdge(
          &p, PixelRect(minX: outer.minX, minY: inner.maxY, maxX: outer.maxX, maxY: outer.maxY), isRounded: false)
        emitEdge(
          &p, PixelRect(minX: outer.minX, minY: inner.minY, maxX: inner.minX, maxY: inner.maxY), isRounded: false)
        emitEdge(
          &p, PixelRect(minX: inner.maxX, minY: inner.minY, maxX: outer.maxX, maxY: inner.maxY), isRounded: false)
      }
      return
    }
    // Columns and rows that no corner reaches into.
    let radiusX = p.shape.radii.largest * p.matrix.m11.magnitude
    let radiusY = p.shape.radii.largest * p.matrix.m22.magnitude
    let middle = PixelRect(
      inside: Rect(
        minX: box.minX + radiusX, minY: box.minY + radiusY, maxX: box.maxX - radiusX, maxY: box.maxY - radiusY
      ).snapped)
    let interior = middle.isEmpty ? 0 : inner.intersection(p.clip.scissor).area
    guard interior >= Self.smallestInterior else {
      emitEdge(&p, outer, isRounded: true)
      return
    }
    let (left, right, top, bottom) = (middle.minX, middle.maxX, middle.minY, middle.maxY)
    emitPlain(&p, PixelRect(minX: inner.minX, minY: top, maxX: inner.maxX, maxY: bottom))
    emitPlain(&p, PixelRect(minX: left, minY: inner.minY, maxX: right, maxY: top))
    emitPlain(&p, PixelRect(minX: left, minY: bottom, maxX: right, maxY: inner.maxY))
    emitEdge(&p, PixelRect(minX: outer.minX, minY: outer.minY, maxX: left, maxY: top), isRounded: true)
    emitEdge(&p, PixelRect(minX: right, minY: outer.minY, maxX: outer.maxX, maxY: top), isRounded: true)
    emitEdge(&p, PixelRect(minX: outer.minX, minY: bottom, maxX: left, maxY: outer.maxY), isRounded: true)
    emitEdge(&p, PixelRect(minX: right, minY: bottom, maxX: outer.maxX, maxY: outer.maxY), isRounded: true)
    // Edges between pixels.
    emitEdge(&p, PixelRect(minX: outer.minX, minY: top, maxX: inner.minX, maxY: bottom), isRounded: false)
    emitEdge(&p, PixelRect(minX: inner.maxX, minY: top, maxX: outer.maxX, maxY: bottom), isRounded: false)
    emitEdge(&p, PixelRect(minX: left, minY: outer.minY, maxX: right, maxY: inner.minY), isRounded: false)
    emitEdge(&p, PixelRect(minX: left, minY: inner.maxY, maxX: right, maxY: outer.maxY), isRounded: false)
  }

  /// An edge or a corner; by the general program only where it must be.
  private mutating func emitEdge(_ p: inout Primitive, _ part: PixelRect, isRounded: Bool) {
    guard p.hasPlainEdges else { return emitShape(&p, part) }
    let bounds = part.intersection(p.clip.scissor)
    guard !bounds.isEmpty else { return }
    quads.addEdge(
      p.edge(bounds, isRounded: isRounded), texture: p.texture, filter: p.filter, blending: p.blending)
  }

  /// Whole pixels, all covered: what nothing shows through is drawn without blending.
  private mutating func emitPlain(_ p: inout Primitive, _ rect: PixelRect) {
    let rect = rect.intersection(p.clip.scissor)
    guard !rect.isEmpty else { return }
    if p.replacesBelow, p.color.alpha >= 1 { return emitImage(&p, rect, .replace) }
    if p.replacesBelow || p.blending != .over { return emitShape(&p, rect) }
    if p.texture == .none {
      quads.addFill(rect, p.color, isBlended: p.color.alpha < 1)
      return
    }
    var opaque = PixelRect.empty
    if !p.opaque.isEmpty {
      opaque = PixelRect(inside: p.matrix.boundingBox(of: p.opaque).snapped)
      if p.hasSoftEdges, p.filter == .linear { opaque = opaque.outset(by: -p.softPixels) }
      opaque = opaque.intersection(rect)
    }
    if opaque.area < Self.smallestInterior, opaque != rect {
      emitImage(&p, rect, .over)
      return
    }
    emitImage(&p, opaque, .replace)
    emitImage(&p, PixelRect(minX: rect.minX, minY: rect.minY, maxX: rect.maxX, maxY: opaque.minY), .over)
    emitImage(&p, PixelRect(minX: rect.minX, minY: opaque.maxY, maxX: rect.maxX, maxY: rect.maxY), .over)
    emitImage(&p, PixelRect(minX: rect.minX, minY: opaque.minY, maxX: opaque.minX, maxY: opaque.maxY), .over)
    emitImage(&p, PixelRect(minX: opaque.maxX, minY: opaque.minY, maxX: rect.maxX, maxY: opaque.maxY), .over)
  }

  private mutating func emitImage(
    _ p: inout Primitive, _ rect: PixelRect, _ blending: Blending, drawsCoverage: Bool = false
  ) {
    guard !rect.isEmpty else { return }
    let corner = p.map.apply(
      Point(x: (Double(rect.minX) - p.matrix.m41) / p.matrix.m11, y: (Double(rect.minY) - p.matrix.m42) / p.matrix.m22))
    let right = Point(x: p.map.ux / p.matrix.m11, y: p.map.vx / p.matrix.m11)
    let down = Point(x: p.map.uy / p.matrix.m22, y: p.map.vy / p.matrix.m22)
    // Beyond the texture's edge there is nothing to copy: there its edge goes on.
    let isInside =
      corner.x > -p.texelSize.width / 2 && corner.y > -p.texelSize.height / 2
      && corner.x + right.x * Double(rect.width) < 1 + p.texelSize.width / 2
      && corner.y + down.y * Double(rect.height) < 1 + p.texelSize.height / 2
    let level = Double(p.level) + Double(p.levelFraction)
    if p.effect < 0 {
      let key = QuadKey(
        variant: .image, texture: p.texture, filter: p.filter, blending: blending, isTexels: p.isTexels,
        isCopy: blending == .replace && isInside && p.isCopyOfTexels, isMirrored: p.isMirrored)
      return quads.addPlainImage(
        rect, corner: corner, right: right, down: down, factor: p.color.alpha, level: level, key)
    }
    quads.addImage(
      ImageQuad(
        rect: rect, corner: corner, right: right, down: down, factor: p.color.alpha, level: level,
        effect: pictureEffects[Int(p.effect)], range: ColorRange(space), drawsCoverage: drawsCoverage),
      texture: p.texture, filter: p.filter, blending: blending,
      isCopy: blending == .replace && isInside && p.isCopyOfTexels,
      isMirrored: p.isMirrored)
  }

  /// The picture whose antialiased edges a part keeps to.
  private func softWhole(_ p: Primitive) -> Rect? {
    guard p.whole >= 0, wholePictures[Int(p.whole)].hasSoftEdges else { return nil }
    return wholePictures[Int(p.whole)].rect
  }

  // MARK: Antialiased shapes

  private mutating func emitShape(_ p: inout Primitive, _ part: PixelRect) {
    var bounds = part.intersection(p.clip.scissor)
    let clip = p.clip.shape >= 0 ? clips[Int(p.clip.shape)] : nil
    if let clip { bounds = bounds.intersection(clip.bounds) }
    guard !bounds.isEmpty, let inverse = p.matrix.inverse else { return }
    let clipInverse = clip?.matrix.inverse
    if clip != nil, clipInverse == nil { return }
    let anchor = anchorPixel(p, bounds)
    let offset = Homography.translation(x: anchor.x, y: anchor.y)
    // Layer space is moved so that its numbers are small where they count: floats have seven digits.
    let origin = inverse.isAffine ? inverse.apply(anchor) ?? .zero : .zero
    let toLayer = offset * inverse * .translation(x: -origin.x, y: -origin.y)
    let textureOrigin = p.map.apply(origin)
    var shape = ShapeQuad(
      corners: quad(p, part, bounds, anchor), anchor: anchor, borderWidth: p.borderWidth, samples: p.samples,
      level: Double(p.level) + Double(p.levelFraction), toLayer: toLayer, radii: p.shape.radii, hardEdges: p.hardEdges,
      rect: p.shape.rect.offsetBy(dx: -origin.x, dy: -origin.y),
      scissor: bounds.rect.offsetBy(dx: -anchor.x, dy: -anchor.y), color: p.color,
      map: TextureMap(
        ux: p.map.ux, vx: p.map.vx, uy: p.map.uy, vy: p.map.vy, u0: textureOrigin.x, v0: textureOrigin.y),
      textureLimits: p.textureLimits)
    if let clip, let clipInverse {
      let clipOrigin = clipInverse.isAffine ? clipInverse.apply(anchor) ?? .zero : .zero
      shape.clip = ShapeQuad.ClipPart(
        toClip: offset * clipInverse * .translation(x: -clipOrigin.x, y: -clipOrigin.y),
        rect: clip.shape.rect.offsetBy(dx: -clipOrigin.x, dy: -clipOrigin.y), radii: clip.shape.radii)
    }
    if p.replacesBelow {
      // As far as it covers a pixel, what was there goes first.
      var coverage = shape
      coverage.color = .white * p.color.alpha
      quads.addShape(
        coverage, bounds: bounds, texture: .none, filter: .nearest, curve: .none, blending: .erase)
    }
    quads.addShape(
      shape, bounds: bounds, texture: p.texture, filter: p.filter, curve: p.curve,
      blending: p.replacesBelow ? .add : p.blending)
  }

  /// A whole pixel near what shows that moves with the picture.
  private func anchorPixel(_ p: Primitive, _ bounds: PixelRect) -> Point {
    if p.matrix.isAffine {
      let box = p.matrix.boundingBox(of: p.whole >= 0 ? wholePictures[Int(p.whole)].rect : p.shape.rect)
      let near = Point(x: box.minX.rounded(.down), y: box.minY.rounded(.down))
      if near.x.magnitude < 16384, near.y.magnitude < 16384 { return near }
    }
    if p.whole >= 0 { return Point(x: Double(p.clip.scissor.minX), y: Double(p.clip.scissor.minY)) }
    return Point(x: Double(bounds.minX), y: Double(bounds.minY))
  }

  /// The four corners that are drawn, in strip order, less the anchor: the part itself where it is upright, else a
  /// parallelogram a pixel larger than the shape.
  private func quad(_ p: Primitive, _ part: PixelRect, _ bounds: PixelRect, _ anchor: Point) -> QuadCorners {
    let m = p.matrix
    let box = m.boundingBox(of: p.shape.rect)
    let isModest = box.width < 8192 && box.height < 8192
    if m.isAffine, !m.isScaleAndTranslation, isModest {
      let determinant = (m.m11 * m.m22 - m.m12 * m.m21).magnitude
      // The distance of two opposite edges, in pixels a point.
      let (acrossX, acrossY) = (determinant / length(m.m21, m.m22), determinant / length(m.m11, m.m12))
      if acrossX > 1e-6, acrossY > 1e-6 {
        let rect = p.shape.rect.insetBy(dx: -1 / acrossX, dy: -1 / acrossY)
        return QuadCorners(rect).moved { (m.apply($0) ?? .zero) - anchor }
      }
    }
    return QuadCorners(bounds.rect).moved { $0 - anchor }
  }
}

extension Primitive {
  /// Each pixel is one texel of a target, as it is.
  fileprivate var isCopyOfTexels: Bool {
    switch texture {
    case .target, .output: break
    default: return false
    }
    guard filter == .nearest, level == 0, color.alpha == 1, effect < 0 else { return false }
    return isOneToOne
  }

  /// Finds whether each pixel is one texel as it is. Then filtering would give the same, and is left out.
  fileprivate mutating func compareWithTexels() {
    // A millionth of a texel over a few thousand of them is nothing.
    func isOne(_ change: Double, _ texel: Double) -> Bool { (change / texel - 1).magnitude < 1e-6 }
    isOneToOne =
      matrix.isScaleAndTranslation && map.uy == 0 && map.vx == 0 && texelSize.width > 0
      && isOne(map.ux / matrix.m11, texelSize.width) && isOne(map.vy / matrix.m22, texelSize.height)
    if isOneToOne, level == 0 {
      let corner = map.apply(Point(x: -matrix.m41 / matrix.m11, y: -matrix.m42 / matrix.m22))
      let isAligned = (corner.x / texelSize.width).isOnGrid && (corner.y / texelSize.height).isOnGrid
      if isAligned, filter == .linear, effect < 0 { filter = .nearest }
      isTexels = isAligned && filter == .nearest && !isMirrored
    }
    guard filter == .nearest else { return }
    map.settleTies(texelSize)
    // What is kept within a crop that ends between texels may be kept at the edge of one.
    if textureLimits != Self.wholeTexture {
      textureLimits = textureLimits.offsetBy(dx: texelSize.width / 4096, dy: texelSize.height / 4096)
    }
  }

  /// How many pixels from its edge a filtered texture mixes with what lies beyond: half a texel's worth.
  fileprivate var softPixels: Int32 {
    let texels = min(
      (map.ux / matrix.m11).magnitude / texelSize.width, (map.vy / matrix.m22).magnitude / texelSize.height)
    return Int32(min(1024, (Double(1 << level) / 2 / max(texels, 1e-3)).rounded(.up)))
  }

  /// Whether none of its own edges shows in the pixels that the clip touches: else these are antialiased twice, by what the
  /// picture covers of them and by what the clip does, as a mask would have it.
  private func coversWhollyAll(of clip: Clip, at covered: Rect, _ inverse: Homography) -> Bool {
    // A millionth of a point of slack is for rounding.
    if hasSoftEdges { return shape.rect.insetBy(dx: -1e-6, dy: -1e-6).contains(covered) }
    if matrix.isScaleAndTranslation, clip.matrix.isScaleAndTranslation {
      let touched = PixelRect(enclosing: clip.matrix.boundingBox(of: clip.shape.rect).snapped)
      return matrix.boundingBox(of: shape.rect).snapped.contains(touched.rect)
    }
    // How far a pixel reaches in the picture's own space.
    let (dx, dy) = (inverse.m11.magnitude + inverse.m21.magnitude, inverse.m12.magnitude + inverse.m22.magnitude)
    return shape.rect.contains(covered.insetBy(dx: -dx, dy: -dy))
  }

  /// The same picture with the clip's shape as its own, where it covers that shape wholly and all around it: an image in a
  /// rounded card is a rounded image. Nil where it does not.
  func exchangingShape(for clip: Clip) -> Primitive? {
    guard borderWidth == 0, shape.radii.isZero, matrix.isAffine, clip.matrix.isAffine, let inverse = matrix.inverse
    else {
      return nil
    }
    let fromClip = clip.matrix * inverse
    let covered = fromClip.boundingBox(of: clip.shape.rect)
    guard coversWhollyAll(of: clip, at: covered, inverse) else { return nil }
    var p = self
    p.shape = clip.shape
    p.matrix = clip.matrix
    p.map = map.after(fromClip)
    p.clip.shape = -1
    p.clip.scissor = p.clip.scissor.intersection(clip.bounds)
    p.hasSoftEdges = false
    p.hardEdges = []
    if !opaque.isEmpty {
      if fromClip.isScaleAndTranslation, let toClip = fromClip.inverse {
        p.opaque = toClip.boundingBox(of: opaque)
      } else {
        p.opaque = opaque.contains(covered) ? clip.shape.rect : .zero
      }
    }
    return p
  }
}
