import Commit
import Geometry
import RenderTree

// What a layer draws by itself, as primitives.

extension FramePlanner {
  /// The background colour and the gradient, both within the corner radius.
  mutating func drawBackground(_ c: NodeContext) {
    let node = c.node
    guard !node.bounds.isEmpty else { return }
    if node.backgroundColor.alpha > 0 {
      let color = space.color(node.backgroundColor) * c.alpha
      append(
        Primitive(
          shape: node.shape, matrix: c.matrix, color: color, clip: c.clip,
          opaque: color.alpha >= 1 ? node.bounds : .zero, hardEdges: node.hardEdges),
        to: c.segment)
    }
    guard node.gradient >= 0 else { return }
    let gradient = snapshot.gradients[Int(node.gradient)]
    let row = GradientRamps.Row(gradient, in: node.bounds, limit: limits.maxTextureSize)
    let place = GradientRamps.map(gradient, in: node.bounds, row)
    var primitive = Primitive(
      shape: node.shape, matrix: c.matrix, color: .white * c.alpha,
      texture: imageReference(ramps.image(gradient, row)),
      map: place.map, curve: place.curve, clip: c.clip,
      opaque: c.alpha >= 1 && gradient.isOpaque ? node.bounds : .zero, hardEdges: node.hardEdges)
    if place.curve != .none {
      primitive.textureLimits = Rect(minX: row.span.lowerBound, minY: 0, maxX: row.span.upperBound, maxY: 1)
    }
    append(primitive, to: c.segment)
  }

  mutating func drawImage(_ c: NodeContext) {
    guard let parts = snapshot.nineParts(of: c.index) else {
      return drawImage(c, crop: c.node.imageCrop, place: c.node.imageRect, hardEdges: c.node.hardEdges, whole: -1)
    }
    let whole = Int32(wholePictures.count)
    wholePictures.append(WholePicture(rect: c.node.imageRect, hasSoftEdges: c.node.hardEdges.isEmpty))
    // Side by side with hard edges, so that each pixel is in one of them.
    for column in parts.columns.parts {
      for row in parts.rows.parts {
        let crop = Rect(minX: column.texels.0, minY: row.texels.0, maxX: column.texels.1, maxY: row.texels.1)
        let place = Rect(minX: column.points.0, minY: row.points.0, maxX: column.points.1, maxY: row.points.1)
        guard !place.isEmpty else { continue }
        // Its edges but those that are the picture's own.
        var hardEdges = c.node.hardEdges
        if column.points.0 > parts.columns.points.0 { hardEdges.insert(.left) }
        if column.points.1 < parts.columns.points.3 { hardEdges.insert(.right) }
        if row.points.0 > parts.rows.points.0 { hardEdges.insert(.top) }
        if row.points.1 < parts.rows.points.3 { hardEdges.insert(.bottom) }
        drawImage(c, crop: crop, place: place, hardEdges: hardEdges, whole: whole)
      }
    }
  }

  /// Draws a part of the layer's picture, or all of it.
  private mutating func drawImage(_ c: NodeContext, crop: Rect, place: Rect, hardEdges: EdgeMask, whole: Int32) {
    let node = c.node
    let flags = node.flags
    let image = snapshot.images[Int(node.image)]
    let map = TextureMap(from: place, to: crop, of: image.size)
    let ratios = texelsPerPixel(c.matrix, place, crop)
    let ratio = ratios.largest
    var primitive = Primitive(
      shape: RoundedRect(rect: place), matrix: c.matrix, color: .white * c.alpha, texture: imageReference(image),
      map: map, filter: .linear, texelSize: image.size.texel, clip: c.clip,
      opaque: c.alpha >= 1 && image.alpha == .opaque ? place : .zero)
    primitive.hardEdges = hardEdges
    primitive.whole = whole
    // What is as large but for rounding is not smaller.
    if ratio > 1 + 1e-9, ratio.isFinite {
      if !c.matrix.isAffine, flags.isDisjoint(with: [.minifiesNearest, .minifiesTrilinear]) {
        // As sharp as it is across the line along which it is smallest; along it, the mean of so many samples.
        let across = max(1, ratios.smallest)
        primitive.samples = ratio / across > 1 + 1e-9 ? Int(min(16, (2 * ratio / across - 1e-9).rounded(.up))) : 1
        minify(&primitive, image, across, flags)
      } else {
        minify(&primitive, image, ratio, flags)
      }
    } else if flags.contains(.magnifiesNearest) {
      primitive.filter = .nearest
    }
    // Where a coarser level is mixed with it, the shader keeps within that one's too.
    primitive.textureLimits = textureLimits(node.imageCrop, image.size, primitive.level)
    append(primitive, to: c.segment)
  }

  private func minify(_ primitive: inout Primitive, _ image: Image, _ ratio: Double, _ flags: SnapshotFlags) {
    if flags.contains(.minifiesNearest) {
      primitive.filter = .nearest
      return
    }
    let side = max(image.width, image.height)
    let largest = side.bitWidth - side.leadingZeroBitCount - 1
    primitive.level = min(Self.mipLevel(ratio), largest)
    guard flags.contains(.minifiesTrilinear), primitive.level < largest else { return }
    let fraction = logarithm2(ratio) - Double(primitive.level)
    // The level is the lower one even where rounding says that it is just not reached.
    guard fraction > 1e-6 else { return }
    primitive.filter = .trilinear
    primitive.levelFraction = Float(min(1, fraction))
  }

  /// What keeps a crop from mixing with what lies beside it: the centres of its outermost texels.
  private func textureLimits(_ crop: Rect, _ size: PixelSize, _ level: Int) -> Rect {
    let (width, height) = (Double(size.width), Double(size.height))
    if crop.minX <= 0, crop.minY <= 0, crop.maxX >= width, crop.maxY >= height { return Primitive.wholeTexture }
    let half = Double(1 << level) / 2
    let inner = crop.insetBy(dx: min(half, crop.width / 2), dy: min(half, crop.height / 2))
    return Rect(
      x: inner.x / width, y: inner.y / height, width: inner.width / width, height: inner.height / height)
  }

  /// The ratios of texture to target at the middle of the picture: along the line where it is smallest, and across that.
  private func texelsPerPixel(
    _ matrix: Homography, _ rect: Rect, _ crop: Rect
  ) -> (largest: Double, smallest: Double) {
    guard let scale = matrix.scales(at: rect.center) else { return (1, 1) }
    // The picture's own stretch comes before the matrix; both at once, as a linear map of texels to pixels.
    let (kx, ky) = (rect.width / crop.width, rect.height / crop.height)
    let (a, b, c, d) = (scale.a * kx, scale.b * kx, scale.c * ky, scale.d * ky)
    let values = LinearMap(a: a, b: b, c: c, d: d).singularValues
    return (1 / max(1e-12, values.smallest), 1 / max(1e-12, values.largest))
  }

  /// The level whose texels are no larger than a pixel.
  static func mipLevel(_ texelsPerPixel: Double) -> Int {
    var level = 0
    var ratio = texelsPerPixel
    // A ratio that is a power of two but for rounding counts as one.
    while ratio >= 2 * (1 - 1e-6), level < 30 {
      ratio /= 2
      level += 1
    }
    return level
  }
}

extension PixelSize {
  /// One texel of a texture of this size, in texture coordinates.
  var texel: Size { Size(width: 1 / Double(width), height: 1 / Double(height)) }
}
