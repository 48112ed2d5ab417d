import Commit
import Geometry
import Synchronization

/// A rectangle that draws, and holds layers that draw above it: Core Animation's `CALayer`, with its names and defaults.
///
/// A layer tree is the model of what a renderer shows. Setting a property only notes that it changed; the next frame of
/// each renderer that shows the layer picks up what was noted, all of it as one commit. An unchanged layer costs nothing.
///
/// Geometry is in points, y down. A tree belongs to one thread at a time.
public class Layer {
  /// Names the layer in plans, hit tests and errors. No two layers of a process share one.
  public final let id: LayerID
  /// For a person, in plans and errors; and for the paths of a portal's overrides.
  public final var name: String? { didSet { if name != oldValue { note(.name) } } }

  // MARK: Geometry

  /// The layer's own space: its origin is what shows at the layer's top left corner.
  public final var bounds = Rect.zero { didSet { if bounds != oldValue { note(.bounds) } } }
  /// Where the anchor point lies, in the superlayer's space.
  public final var position = Point.zero { didSet { if position != oldValue { note(.position) } } }
  /// Siblings are drawn by rising `zPosition`, then in their order.
  public final var zPosition = 0.0 { didSet { if zPosition != oldValue { note(.zPosition) } } }
  /// The point that `position` places and `transform` turns about, in fractions of the bounds.
  public final var anchorPoint = Point(0.5, 0.5) { didSet { if anchorPoint != oldValue { note(.anchorPoint) } } }
  /// The anchor point's distance from the layer's plane, in points.
  public final var anchorPointZ = 0.0 { didSet { if anchorPointZ != oldValue { note(.anchorPointZ) } } }
  /// Applied about the anchor point.
  public final var transform = Transform3D.identity { didSet { if transform != oldValue { note(.transform) } } }
  /// Applied to every sublayer about this layer's anchor point; the place for perspective.
  public final var sublayerTransform = Transform3D.identity {
    didSet { if sublayerTransform != oldValue { note(.sublayerTransform) } }
  }
  /// On: sublayers, once one of them is turned in space, are drawn from the furthest to the nearest and cut each other where
  /// they cross. Off: by `zPosition` and order alone.
  public final var sortsSublayersByDepth = true {
    didSet { if sortsSublayersByDepth != oldValue { note(.sortsSublayersByDepth) } }
  }
  /// Off: the layer is not drawn where it shows its back.
  public final var isDoubleSided = true { didSet { if isDoubleSided != oldValue { note(.isDoubleSided) } } }

  // MARK: Appearance

  /// Hides the layer and its sublayers, in their place and in every portal of the layer.
  public final var isHidden = false { didSet { if isHidden != oldValue { note(.isHidden) } } }
  /// From 0 to 1, of the layer and its sublayers as one picture.
  public final var opacity: Float = 1 { didSet { if opacity != oldValue { note(.opacity) } } }
  /// Off: `opacity` is multiplied into the drawing of each layer, so that overlapping ones show through each other.
  public final var allowsGroupOpacity = true {
    didSet { if allowsGroupOpacity != oldValue { note(.allowsGroupOpacity) } }
  }
  /// Clips contents and sublayers to the bounds with their rounded corners.
  public final var masksToBounds = false { didSet { if masksToBounds != oldValue { note(.masksToBounds) } } }
  public final var backgroundColor = Color.clear {
    didSet { if backgroundColor != oldValue { note(.backgroundColor) } }
  }
  /// In points. Rounds background, gradient and border, and with `masksToBounds` everything.
  public final var cornerRadius = 0.0 { didSet { if cornerRadius != oldValue { note(.cornerRadius) } } }
  /// Seen upright, the layer is moved and stretched by less than a pixel, with all that it shows, so that its edges lie on the
  /// grid of pixels.
  public final var snapsToPixels = false { didSet { if snapsToPixels != oldValue { note(.snapsToPixels) } } }
  /// Off, none of the layer's edges are antialiased; see `edgeAntialiasingMask`.
  public final var allowsEdgeAntialiasing = true {
    didSet { if allowsEdgeAntialiasing != oldValue { note(.allowsEdgeAntialiasing) } }
  }
  /// Which edges of background, gradient, contents and border are antialiased; at the others a pixel is the layer's where its
  /// centre is. Round corners are antialiased always, and so are their edges.
  public final var edgeAntialiasingMask = EdgeMask.all {
    didSet { if edgeAntialiasingMask != oldValue { note(.edgeAntialiasingMask) } }
  }
  /// Only secure outputs show the layer and its sublayers; elsewhere a grey placeholder of its shape stands for them.
  public final var isSecure = false { didSet { if isSecure != oldValue { note(.isSecure) } } }
  /// Which corners `cornerRadius` rounds.
  public final var maskedCorners = CornerMask.all { didSet { if maskedCorners != oldValue { note(.maskedCorners) } } }
  /// In points; the border lies inside the bounds and above the sublayers.
  public final var borderWidth = 0.0 { didSet { if borderWidth != oldValue { note(.borderWidth) } } }
  public final var borderColor = Color.black { didSet { if borderColor != oldValue { note(.borderColor) } } }

  // MARK: Contents

  /// A picture drawn above the background. A portal shows its source in its place.
  public final var contents: Image? { didSet { if contents !== oldValue { note(.contents) } } }
  /// The part of the picture that is shown, in fractions of it.
  public final var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1) {
    didSet { if contentsRect != oldValue { note(.contentsRect) } }
  }
  /// The middle of that part, in fractions of it: where the picture is resized, the middle alone is stretched, and what lies
  /// around keeps its size, of `contentsScale` pixels in a point.
  public final var contentsCenter = Rect(x: 0, y: 0, width: 1, height: 1) {
    didSet { if contentsCenter != oldValue { note(.contentsCenter) } }
  }
  /// Where the picture lies in the bounds.
  public final var contentsGravity = ContentsGravity.resize {
    didSet { if contentsGravity != oldValue { note(.contentsGravity) } }
  }
  /// Pixels of the picture in a point, for the gravities that don't resize.
  public final var contentsScale = 1.0 { didSet { if contentsScale != oldValue { note(.contentsScale) } } }
  public final var magnificationFilter = MagnificationFilter.linear {
    didSet { if magnificationFilter != oldValue { note(.magnificationFilter) } }
  }
  public final var minificationFilter = MinificationFilter.linear {
    didSet { if minificationFilter != oldValue { note(.minificationFilter) } }
  }

  // MARK: Effects

  /// What lies below the layer and its sublayers; nil for nothing.
  public final var shadow: Shadow? { didSet { if shadow != oldValue { note(.shadow) } } }
  /// What is done, in order, to the layer with its sublayers and border as one picture; before its opacity.
  public final var filters: [Filter] = [] {
    didSet {
      guard filters != oldValue else { return }
      note(.filters)
      act(on: .filters, from: oldValue, to: filters)
    }
  }
  /// How the finished picture meets what lies behind it in the group that the layer stands in (`compositingFilter`).
  public final var blendMode = BlendMode.normal { didSet { if blendMode != oldValue { note(.blendMode) } } }
  /// Glass: before the layer's filters, for a lens of its content; for one of what lies behind, in a `BackdropLayer` alone.
  public final var lens: Lens? { didSet { if lens != oldValue { note(.lens) } } }

  private var maskLayer: Layer?

  /// A layer whose alpha, with its sublayers', says how much of this one shows. It lies in this layer's space as a sublayer
  /// would, and leaves the superlayer or the layer that it was the mask of. Set to one that is or holds this layer, nothing
  /// changes but the log.
  public final var mask: Layer? {
    get { maskLayer }
    set { setMask(newValue) }
  }

  /// The layer that this one is the mask of.
  public internal(set) final weak var maskedLayer: Layer?

  // MARK: Contents that are made when they are shown

  /// What makes the contents at the scale at which they are shown, where the layer does.
  final var drawing: LayerDrawing?

  /// Whether the layer's kind makes contents without the application's help.
  var drawsByItself: Bool { false }

  /// What its drawing may cover, in layer space; nil for nothing.
  var drawnExtent: Rect? { bounds.standardized }

  /// Makes the pixels of `frame`, which is in layer space and holds `drawnExtent`.
  func drawContents(in frame: Rect, size: PixelSize, scale: Double) -> Image? { drawing?.content?(size, scale) }

  // MARK: Hit testing

  /// Off: a hit test passes over the layer and its sublayers.
  public final var allowsHitTesting = true { didSet { if allowsHitTesting != oldValue { note(.allowsHitTesting) } } }

  // MARK: The tree

  /// Back to front.
  public internal(set) final var sublayers: [Layer] = []
  public internal(set) final weak var superlayer: Layer?
  /// A portal's source, where the portal keeps it alive. Here so that a long chain is taken apart without recursion.
  final var retainedLayer: Layer?

  // MARK: What renderers know

  /// The properties that were ever set to something else: what a renderer that comes to show the layer must be told.
  final var modified = LayerPropertySet()
  /// The renderers that show the layer's tree, and what each has yet to be told.
  final var links: [ContextLink] = []
  /// Nil until the first is added.
  final var animations: LayerAnimations?

  private static let lastID = Atomic<UInt64>(0)

  public init() {
    id = LayerID(rawValue: Self.lastID.add(1, ordering: .relaxed).newValue)
  }

  deinit {
    for link in links { link.context.forget(self) }
    animations?.remove(nil)
    guard !sublayers.isEmpty || retainedLayer != nil || maskLayer != nil else { return }
    var doomed = sublayers
    sublayers = []
    if let mask = maskLayer {
      maskLayer = nil
      doomed.append(mask)
    }
    if let retained = retainedLayer {
      retainedLayer = nil
      doomed.append(retained)
    }
    // A tree may be deeper than the stack: what dies with this layer is taken apart in a list.
    while var layer = doomed.popLast() {
      guard isKnownUniquelyReferenced(&layer) else { continue }
      doomed.append(contentsOf: layer.sublayers)
      layer.sublayers = []
      if let mask = layer.maskLayer {
        layer.maskLayer = nil
        doomed.append(mask)
      }
      if let retained = layer.retainedLayer {
        layer.retainedLayer = nil
        doomed.append(retained)
      }
    }
  }

  /// What `mask` does, with both sides told.
  final func replaceMask(_ mask: Layer?) {
    maskLayer?.maskedLayer = nil
    maskLayer = mask
    mask?.maskedLayer = self
    note(.mask)
  }

  var kind: LayerKind { .layer }

  /// The property's value as a change; nil for one that this kind of layer lacks.
  func change(_ property: LayerProperty) -> PropertyChange? {
    switch property {
    case .name: .name(name)
    case .bounds: .bounds(bounds)
    case .position: .position(position)
    case .zPosition: .zPosition(zPosition)
    case .anchorPoint: .anchorPoint(anchorPoint)
    case .anchorPointZ: .anchorPointZ(anchorPointZ)
    case .transform: .transform(transform)
    case .sublayerTransform: .sublayerTransform(sublayerTransform)
    case .isDoubleSided: .isDoubleSided(isDoubleSided)
    case .isHidden: .isHidden(isHidden)
    case .opacity: .opacity(opacity)
    case .allowsGroupOpacity: .allowsGroupOpacity(allowsGroupOpacity)
    case .masksToBounds: .masksToBounds(masksToBounds)
    case .snapsToPixels: .snapsToPixels(snapsToPixels)
    case .allowsEdgeAntialiasing: .allowsEdgeAntialiasing(allowsEdgeAntialiasing)
    case .edgeAntialiasingMask: .edgeAntialiasingMask(edgeAntialiasingMask)
    case .isSecure: .isSecure(isSecure)
    case .backgroundColor: .backgroundColor(backgroundColor)
    case .cornerRadius: .cornerRadius(cornerRadius)
    case .maskedCorners: .maskedCorners(maskedCorners)
    case .borderWidth: .borderWidth(borderWidth)
    case .borderColor: .borderColor(borderColor)
    case .contents: .contents(contents)
    case .contentsRect: .contentsRect(contentsRect)
    case .contentsCenter: .contentsCenter(contentsCenter)
    case .contentsGravity: .contentsGravity(contentsGravity)
    case .contentsScale: .contentsScale(contentsScale)
    case .magnificationFilter: .magnificationFilter(magnificationFilter)
    case .minificationFilter: .minificationFilter(minificationFilter)
    case .contentsFrame: .contentsFrame(nil)
    case .shadow: .shadow(shadow)
    case .filters: .filters(filters)
    case .blendMode: .blendMode(blendMode)
    case .lens: .lens(lens)
    case .sortsSublayersByDepth: .sortsSublayersByDepth(sortsSublayersByDepth)
    case .mask: .mask(mask?.id)
    case .allowsHitTesting: .allowsHitTesting(allowsHitTesting)
    default: nil
    }
  }
}
