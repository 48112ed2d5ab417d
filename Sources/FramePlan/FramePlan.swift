import Commit
import Geometry

/// One frame, worked out to the last quad: passes in the order in which they run, each a range of batches, each a range
/// of instances. Pure values; whoever executes it makes no choice that changes a pixel.
///
/// Space: *target space* of the pass's target: pixels, y down, origin at the top left. Row 0 of every target and
/// texture is the top row, so nothing is ever flipped: y down in target space is y up in GL's framebuffer space.
public struct FramePlan: Sendable {
  /// Size of the output, in pixels.
  public var outputSize: PixelSize
  /// What output and targets are made of, and what their values and those of instances stand for.
  public var space = WorkingSpace.rgba8
  /// The targets besides the output; a batch refers to them by index.
  public var targets: [Target] = []
  /// The pictures that batches sample, by index. Uploaded premultiplied.
  public var images: [Image] = []
  /// In the order in which they must run. Empty: the output is as it was, nothing is to do.
  public var passes: [Pass] = []
  public var batches: [Batch] = []
  /// The instances of all batches, one after another; see `InstanceFormat`. One upload a frame.
  public var instances: [Float] = []
  public var counters = FrameCounters()
  /// What was chosen for each source, and why; for a person.
  public var sources: [SourceReport] = []

  /// Set where the plan draws anything.
  public var number: FrameNumber?
  /// The frame that the plan goes on from: what it does not draw must be as that left it. Nil where it draws everything.
  public var previous: FrameNumber?

  public init(outputSize: PixelSize) { self.outputSize = outputSize }

  /// Empties it for another frame; its arrays keep their storage.
  mutating func begin(outputSize: PixelSize) {
    self.outputSize = outputSize
    targets.removeAll(keepingCapacity: true)
    images.removeAll(keepingCapacity: true)
    // Reports are written over one by one, so that they keep their storage too.
    beginDrawing()
    counters = FrameCounters()
  }

  /// Empties it of what it draws.
  mutating func beginDrawing() {
    passes.removeAll(keepingCapacity: true)
    batches.removeAll(keepingCapacity: true)
    // Whoever makes them keeps their storage.
    instances = []
    (number, previous) = (nil, nil)
  }
}

/// Which frame of which planner.
public struct FrameNumber: Sendable, Hashable {
  public var planner: UInt64
  public var frame: UInt64
}

/// An off-screen picture that one pass writes and later ones sample. Premultiplied RGBA, in the plan's working space.
public struct Target: Sendable, Hashable {
  public enum Purpose: Sendable, Hashable {
    /// A source's content, drawn once for its portals.
    case source
    /// Layers that are composited as one.
    case group
  }

  public var size: PixelSize
  public var purpose: Purpose
  /// How many mip levels besides the first are made after the pass.
  public var mipLevels: Int
  /// Set for a source whose portals show the frame before: the picture is kept under this key for the next frame,
  /// where `TextureReference.history` finds it.
  public var historyKey: UInt64?
  /// The same in another frame: the target holds what it held then, but for what is drawn in it.
  public var identity: UInt64 = 0
  /// What it is the picture of.
  public var name: TargetName

  public init(size: PixelSize, purpose: Purpose, mipLevels: Int = 0, historyKey: UInt64? = nil, name: TargetName) {
    self.size = size
    self.purpose = purpose
    self.mipLevels = mipLevels
    self.historyKey = historyKey
    self.name = name
  }

  /// For a person: which layer.
  public var label: String { name.description }
}

/// What a target is the picture of. Several targets of a frame may have one name.
public enum TargetName: Sendable, Hashable, CustomStringConvertible {
  case source(LayerID)
  case history(LayerID)
  case group(LayerID)
  case mask(LayerID)
  /// What lies behind a layer that is blended with it, and behind backdrop layers.
  case behindBlended
  case backdrop
  /// Of a plan that no planner made.
  case named(String)

  public var description: String {
    switch self {
    case .source(let layer): "source \(layer)"
    case .history(let layer): "history of \(layer)"
    case .group(let layer): "group of \(layer)"
    case .mask(let layer): "mask \(layer)"
    case .behindBlended: "behind a blended layer"
    case .backdrop: "backdrop"
    case .named(let name): name
    }
  }
}

extension TargetName {
  func renamed(_ names: [LayerID: LayerID]) -> TargetName {
    switch self {
    case .source(let layer): .source(names[layer] ?? layer)
    case .history(let layer): .history(names[layer] ?? layer)
    case .group(let layer): .group(names[layer] ?? layer)
    case .mask(let layer): .mask(names[layer] ?? layer)
    case .behindBlended, .backdrop, .named: self
    }
  }
}

/// What a pass draws into.
public enum TargetReference: Sendable, Hashable {
  case output
  case target(Int32)
}

/// One target written, from a clear to its last quad; or on from where another pass has left it, since what lay there was
/// sampled in between.
public struct Pass: Sendable, Hashable {
  public var target: TargetReference
  public var size: PixelSize
  /// Premultiplied.
  public var clearColor: PremultipliedColor
  /// The target is not cleared: it goes on from what earlier passes have drawn in it.
  public var keepsContents = false
  /// Its quads cover all that it may draw, so what was there need not be cleared.
  public var isCovered = false
  /// The pixels that it may change; nil for all.
  public var scissor: PixelRect?
  /// Pixels that its quads cover, each counted as its bounds.
  public var shadedPixels = 0
  /// Range in `FramePlan.batches`.
  public var firstBatch: Int
  public var batchCount: Int

  public init(
    target: TargetReference, size: PixelSize, clearColor: PremultipliedColor, firstBatch: Int, batchCount: Int
  ) {
    self.target = target
    self.size = size
    self.clearColor = clearColor
    self.firstBatch = firstBatch
    self.batchCount = batchCount
  }
}

/// What a batch samples.
public enum TextureReference: Sendable, Hashable {
  case none
  case image(Int32)
  case target(Int32)
  /// As far as it is drawn.
  case output
  /// The last frame's target of this key. Transparent where there was none.
  case history(UInt64)
}

/// How a texture is sampled. Coordinates outside are clamped to the edge texel.
public enum TextureFilter: UInt8, Sendable, Hashable {
  case nearest
  /// Bilinear within one mip level, which the instance names.
  case linear
  /// Between the two mip levels that the instance's lies between.
  case trilinear
}

/// The layout of an instance: a row of 32-bit floats. Each is drawn as a strip of four vertices.
///
/// Fragment positions: `frag` is the fragment's centre in target space (`gl_FragCoord.xy`). To give the same bits
/// wherever a picture lies, a program works with `frag - anchor`, where the anchor is a whole pixel near the quad.
public enum InstanceFormat: UInt8, Sendable, Hashable {
  /// Whole pixels of one colour.
  /// - `0…3` minX, minY, maxX, maxY in target space, whole numbers
  /// - `4…7` premultiplied colour
  case fill
  /// Whole pixels of a texture.
  /// - `0…3` minX, minY, maxX, maxY in target space, whole numbers
  /// - `4, 5` texture coordinate (0…1) at the corner (minX, minY), *not* at a pixel's centre
  /// - `6, 7` change of (u, v) a pixel to the right
  /// - `8, 9` change of (u, v) a pixel down
  /// - `10` factor of all four components
  /// - `11` mip level, a whole number
  case image
  /// A rounded rectangle, or its border, under any transform, with antialiased edges and at most one clip.
  /// - `0…7` the quad: its four corners in strip order (top left, top right, bottom left, bottom right of a
  ///   quad around everything drawn), in target space less the anchor
  /// - `8, 9` anchor, whole numbers
  /// - `10` border width, in layer units; 0 draws the inside, else only the band within the outline; -n, the inside with n
  ///   samples of the texture for each pixel, side by side along the line on which it is smallest there
  /// - `11` mip level, with a fraction where it is sampled between two
  /// - `12…20` target space less anchor → layer space, rows m11 m12 m14 m21 m22 m24 m41 m42 m44 of a homography
  ///   in the row convention: `(x, y, 1) · H`
  /// - `21, 22` corner radius, corner mask (`CornerMask.rawValue`) and above its four bits the edges that are not antialiased
  ///   (`EdgeMask.rawValue`), of which there are none where a corner is round
  /// - `24…27` the rectangle: minX, minY, maxX, maxY in layer space
  /// - `28…31` scissor: minX, minY, maxX, maxY in target space less the anchor; outside, nothing is drawn
  /// - `32…35` premultiplied colour; for a textured variant the factor of each component
  /// - `36…41` layer space → texture coordinates: u = [36]·x + [38]·y + [40], v = [37]·x + [39]·y + [41]; for a curve
  ///   to the unit coordinates that it is of
  /// - `42, 43` clip: corner radius, corner mask
  /// - `44…52` clip: target space less anchor → clip space, as above
  /// - `23, 53, 54, 55` texture coordinates are kept within min u, min v, max u, max v; for a curve, `23` and `54` are the
  ///   places along the gradient at the centres of the row's first and last texel
  /// - `56…59` clip: minX, minY, maxX, maxY in clip space
  case shape
  /// Whole pixels of a texture, each colour through a matrix.
  /// - `0…11` as for `image`
  /// - `12…31` the matrix for straight colours: what a whole of red, green, blue and alpha makes, and the constant
  case colors
  /// Whole pixels of a texture, blurred along a line; what is drawn is not scaled.
  /// - `0…9` as for `image`
  /// - `10` the gaussian's standard deviation, in steps
  /// - `11` 0
  /// - `12, 13` change of (u, v) a step
  /// - `14` how many steps it reaches to either side, 64 at most
  /// - `15` 1 where steps go from texel to texel along an axis, so that two are read as one; else 0
  case blur
  /// Whole pixels of a texture, blended with a second one that lies as the target does; the result is all that shows.
  /// - `0…11` as for `image`
  /// - `12, 13` the second texture's coordinate at the corner (minX, minY)
  /// - `14, 15` change of its u a pixel to the right, of its v a pixel down
  /// - `16` `BlendMode.shaderNumber`
  /// - `17…19` 0
  case blend
  /// Whole pixels of a texture, seen through a lens.
  /// - `0…9` as for `image`
  /// - `10` factor of all four components
  /// - `11` 1: only how far the lens covers a pixel is drawn, in all components; else 0
  /// - `12…15` change of layer x and y a pixel to the right, and a pixel down
  /// - `16, 17` layer x and y at the corner (minX, minY)
  /// - `18, 19` towards the light, of length 1
  /// - `20…23` smoothing, rim, thickness, refractive index
  /// - `24…27` chromatic spread, highlight's width, how many shapes, radius of the fifth
  /// - `28…31` highlight, straight colour
  /// - `32…51` five shapes: minX, minY, maxX, maxY in layer space
  /// - `52…55` the radii of the first four
  /// - `56…59` bounds: minX, minY, maxX, maxY in layer space
  case lens
  /// The antialiased edge or corner of an upright rectangle whose corners, where they are round, are circles.
  /// - `0…3` minX, minY, maxX, maxY of what is drawn in target space, whole numbers
  /// - `4…7` the rectangle: minX, minY, maxX, maxY in pixels less the corner (minX, minY)
  /// - `8, 9` corner radius in pixels, at most half of a side; corner mask (`CornerMask.rawValue`)
  /// - `10, 11` factor of all four components; mip level
  /// - `12…15` premultiplied colour; for a textured variant the texture coordinate at the corner (minX, minY), the change of u a
  ///   pixel to the right, and of v a pixel down
  case edge

  /// Floats an instance.
  public var stride: Int {
    switch self {
    case .fill: 8
    case .image: 12
    case .shape: 60
    case .colors: 32
    case .blur, .edge: 16
    case .blend: 20
    case .lens: 60
    }
  }
}

/// What drawing does with what was there. Colours are premultiplied.
public enum Blending: UInt8, Sendable, Hashable {
  case replace
  /// Source-over.
  case over
  /// What was there is multiplied by the alpha of what is drawn, which does not show itself.
  case mask
  /// What was there is multiplied by what the alpha of what is drawn leaves, which does not show itself.
  case erase
  /// The sum.
  case add
  /// The sum less the product: `BlendMode.screen` of premultiplied colours.
  case screen
}

/// Instances that one draw call draws, in order.
public struct Batch: Sendable, Hashable {
  public var variant: ShaderVariant
  public var texture: TextureReference
  /// The second texture of `blend`: what is behind.
  public var backdrop = TextureReference.none
  public var filter: TextureFilter
  /// Coordinates outside are those mirrored at the edge, not the edge itself.
  public var isMirrored = false
  public var blending: Blending
  /// Every instance is whole texels of a target, moved to whole pixels and unchanged: it may be copied instead of drawn.
  public var isCopy: Bool
  /// Index in `FramePlan.instances` of the first float.
  public var firstFloat: Int
  public var instanceCount: Int

  public init(
    variant: ShaderVariant, texture: TextureReference, filter: TextureFilter, blending: Blending, isCopy: Bool = false,
    firstFloat: Int, instanceCount: Int
  ) {
    self.variant = variant
    self.texture = texture
    self.filter = filter
    self.blending = blending
    self.isCopy = isCopy
    self.firstFloat = firstFloat
    self.instanceCount = instanceCount
  }

  /// Whether what was there counts.
  public var isBlended: Bool { blending != .replace }
}

/// What a frame does, counted: exact, the same on every machine.
public struct FrameCounters: Sendable, Hashable {
  public var passes = 0
  public var batches = 0
  public var quads = 0
  /// Layers that the walk visited.
  public var layersVisited = 0
  /// Portals drawn: as a copy of their source's texture, or by drawing the source again.
  public var portalsSampled = 0
  public var portalsInlined = 0
  /// Source pictures drawn.
  public var sourcesDrawn = 0
  public var groups = 0
  /// Pictures taken, or mended, of what is behind a layer.
  public var captures = 0
  /// Pixels that quads cover, in every pass, counted as their bounds.
  public var shadedPixels = 0
  /// Pixels of targets besides the output.
  public var targetPixels = 0
  public var instanceBytes = 0

  public init() {}
}

/// What the plan chose for a source's content, and why.
public struct SourceReport: Sendable, Hashable {
  /// A picture of the source that was weighed against drawing its layers again.
  public struct Picture: Sendable, Hashable {
    public var size: PixelSize
    public var uses: Int
    /// One to one on the pixel grid; else it is resampled.
    public var isExact: Bool
    /// It was drawn; else its uses were drawn inline.
    public var isDrawn: Bool
    /// What either way costs, in pixels' worth of filling. A resampled picture is drawn for eight uses or more.
    public var inlineCost: Double
    public var textureCost: Double
  }

  public var layer: LayerID
  public var uses: Int
  public var primitives: Int
  public var pictures: [Picture]
  /// Uses in which the source's layers were drawn again.
  public var inlineUses: Int
}
