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
      let color = node.backgroundColor * c.alpha
      append(
        Primitive(
          shape: node.shape, matrix: c.matrix, color: color, clip: c.clip,
          opaque: color.alpha >= 1 ? node.bounds : .zero),
        to: c.segment)
    }
    guard node.gradient >= 0 else { return }
    let gradient = snapshot.gradients[Int(node.gradient)]
    let ramp = ramps.image(gradient)
    let place = GradientRamps.map(gradient, in: node.bounds)
    append(
      Primitive(
        shape: node.shape, matrix: c.matrix, color: .white * c.alpha, texture: imageReference(ramp),
        map: place.map, curve: place.curve, clip: c.clip,
        opaque: c.alpha >= 1 && gradient.isOpaque ? node.bounds : .zero),
      to: c.segment)
  }

  mutating func drawImage(_ c: NodeContext) {
    let node = c.node
    let image = snapshot.images[Int(node.image)]
    let map = TextureMap(from: node.imageRect, to: node.imageCrop, of: image.size)
    let ratio = texelsPerPixel(c.matrix, node.imageRect, node.imageCrop)
    var level = 0
    if ratio > 1, ratio.isFinite {
      let largest =
        Int(max(image.width, image.height).bitWidth - max(image.width, image.height).leadingZeroBitCount) - 1
      level = min(Self.mipLevel(ratio), largest)
    }
    let isNearest = ratio <= 1 && node.flags.contains(.magnifiesNearest)
    var primitive = Primitive(
      shape: RoundedRect(rect: node.imageRect), matrix: c.matrix, color: .white * c.alpha,
      texture: imageReference(image), map: map, filter: isNearest ? .nearest : .linear,
      texelSize: image.size.texel, level: level, clip: c.clip,
      opaque: c.alpha >= 1 && image.alpha == .opaque ? node.imageRect : .zero)
    primitive.textureLimits = textureLimits(node.imageCrop, image.size, level)
    append(primitive, to: c.segment)
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

  /// The larger of the two ratios of texture to target, at the middle of the picture.
  private func texelsPerPixel(_ matrix: Homography, _ rect: Rect, _ crop: Rect) -> Double {
    guard let scale = matrix.scales(at: rect.center) else { return 1 }
    // The picture's own stretch comes before the matrix; both at once, as a linear map of texels to pixels.
    let (kx, ky) = (rect.width / crop.width, rect.height / crop.height)
    let (a, b, c, d) = (scale.a * kx, scale.b * kx, scale.c * ky, scale.d * ky)
    return 1 / max(1e-12, LinearMap(a: a, b: b, c: c, d: d).singularValues.smallest)
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
