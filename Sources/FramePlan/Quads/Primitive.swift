import Commit
import Geometry

/// An affine map from layer space to texture coordinates: `u = ux·x + uy·y + u0`.
struct TextureMap {
  var ux = 0.0, vx = 0.0
  var uy = 0.0, vy = 0.0
  var u0 = 0.0, v0 = 0.0

  /// The map that takes `rect` to `crop` of a texture of `size` pixels.
  init(from rect: Rect, to crop: Rect, of size: PixelSize) {
    let (w, h) = (Double(size.width), Double(size.height))
    ux = crop.width / rect.width / w
    vy = crop.height / rect.height / h
    u0 = crop.x / w - rect.x * ux
    v0 = crop.y / h - rect.y * vy
  }

  init(ux: Double, vx: Double, uy: Double, vy: Double, u0: Double, v0: Double) {
    self.ux = ux
    self.vx = vx
    self.uy = uy
    self.vy = vy
    self.u0 = u0
    self.v0 = v0
  }

  static let none = TextureMap(ux: 0, vx: 0, uy: 0, vy: 0, u0: 0, v0: 0)

  func apply(_ p: Point) -> Point {
    Point(x: ux * p.x + uy * p.y + u0, y: vx * p.x + vy * p.y + v0)
  }

  /// Moved by so little that a pixel's centre on the line between two texels is surely in the latter, as it is by the rule
  /// that a texel begins at its lower edge, and not in either by the last bit of a float.
  mutating func settleTies(_ texel: Size) {
    u0 += texel.width / 4096
    v0 += texel.height / 4096
  }

  /// `before` (which must be affine) first, then this map.
  func after(_ before: Homography) -> TextureMap {
    TextureMap(
      ux: before.m11 * ux + before.m12 * uy, vx: before.m11 * vx + before.m12 * vy,
      uy: before.m21 * ux + before.m22 * uy, vy: before.m21 * vx + before.m22 * vy,
      u0: before.m41 * ux + before.m42 * uy + u0, v0: before.m41 * vx + before.m42 * vy + v0)
  }
}

/// A rounded rectangle that cuts off what lies outside, in the target space of one pass.
struct Clip {
  var shape: RoundedRect
  /// Clip space to target space.
  var matrix: Homography
  /// The pixels that it touches.
  var bounds: PixelRect
  /// Pixels within it that it does not touch at all: safe to draw without asking it. May be empty.
  var safe: PixelRect
  /// All that it is meant for lies well inside.
  var isWhole = false

  init(_ shape: RoundedRect, under matrix: Homography) {
    self.shape = shape
    self.matrix = matrix
    let box = matrix.boundingBox(of: shape.rect)
    bounds = PixelRect(enclosing: box)
    safe = .empty
    guard matrix.isScaleAndTranslation else { return }
    let inset = shape.radii.largest * (1 - 0.5.squareRoot())
    let inner = shape.rect.insetBy(dx: inset, dy: inset)
    if !inner.isEmpty { safe = PixelRect(inside: matrix.boundingBox(of: inner).snapped) }
  }

  /// An upright rectangle whose edges lie on the pixel grid clips by whole pixels.
  var isHard: Bool {
    shape.radii.isZero && matrix.isScaleAndTranslation && matrix.boundingBox(of: shape.rect).isOnPixelGrid
  }
}

/// What clips a primitive: whole pixels, and at most one shape.
struct ClipState {
  var scissor: PixelRect
  /// Index in the planner's clips, or -1.
  var shape: Int32 = -1
}

/// What parts side by side are parts of, in layer space. Positions are counted from where it lies, so that the parts agree to
/// the bit on which of them has a pixel.
struct WholePicture {
  var rect: Rect
  /// Its own edges are antialiased: hard edges of parts don't go beyond them.
  var hasSoftEdges: Bool
}

/// One thing to draw in one pass: a rounded rectangle of one colour or texture, or its border.
struct Primitive {
  var shape: RoundedRect
  /// Layer space to the pass's target space.
  var matrix: Homography
  /// Premultiplied colour; for a texture its factor, the same in all components.
  var color: PremultipliedColor
  var texture = TextureReference.none
  var map = TextureMap.none
  /// For a gradient that is not axial: `map` then leads to its unit coordinates.
  var curve = TextureCurve.none
  var filter = TextureFilter.linear
  /// The size of one texel, in texture coordinates.
  var texelSize = Size.zero
  var level = 0
  var borderWidth = 0.0
  var clip: ClipState
  /// The part of the texture that may be sampled, in texture coordinates: beyond a crop's edge its edge goes on. For a gradient
  /// with a curve, x is the places along it that the texture's row is of.
  var textureLimits = Primitive.wholeTexture
  /// The part, in layer space, in which nothing behind shows; empty where that is unknown.
  var opaque = Rect.zero
  static let wholeTexture = Rect(x: 0, y: 0, width: 1, height: 1)

  /// Index of what is done to the texture's pixels in the planner's picture effects, or -1. Such a primitive is upright and
  /// under no clip but whole pixels.
  var effect: Int32 = -1

  /// How it meets what is below. What is not source-over is upright and plain, as with an effect.
  var blending = Blending.over

  /// It takes the place of what is below, as far as it covers a pixel, however see-through it is.
  var replacesBelow = false

  /// The texture is sampled beyond its edges as if mirrored there.
  var isMirrored = false

  /// Edges of the shape that are not antialiased; none where it has round corners.
  var hardEdges: EdgeMask = []

  /// How far between `level` and the next the texture is sampled.
  var levelFraction: Float = 0

  /// Of the texture for each pixel, side by side along the line on which it is smallest there.
  var samples = 1

  /// For a part of a picture, the index of all of it in the planner's `wholePictures`; else -1.
  var whole: Int32 = -1

  /// Found where it is drawn: a pixel is as large as a texel, and besides is one, as it is.
  var isOneToOne = false
  var isTexels = false

  /// The texture itself fades to nothing at the rectangle's edges, so they need no antialiasing.
  var hasSoftEdges = false
}

extension Rect {
  /// How far from a whole pixel an edge may lie and still count as on it: less than shows in 8 bits.
  static let gridTolerance = 1.0 / 1024

  /// With edges that lie on the pixel grid but for rounding put there exactly.
  var snapped: Rect {
    Rect(minX: minX.snappedToGrid, minY: minY.snappedToGrid, maxX: maxX.snappedToGrid, maxY: maxY.snappedToGrid)
  }

  var isOnPixelGrid: Bool {
    minX.isOnGrid && minY.isOnGrid && maxX.isOnGrid && maxY.isOnGrid
  }
}

extension Double {
  var isOnGrid: Bool { (self - rounded()).magnitude <= Rect.gridTolerance }
  var snappedToGrid: Double { isOnGrid ? rounded() : self }
  /// Rounded so finely that it can't be seen, so that the same picture a whole number of pixels away has the same bits.
  var quantized: Double { magnitude < 1_073_741_824 ? (self * 65536).rounded() / 65536 : self }
}
