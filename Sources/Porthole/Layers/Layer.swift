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
  public final var name: String? {
    get { values.name }
    set { if changes(&values.name, to: newValue) { note(.name) } }
  }

  /// What the properties hold that stand in extensions, in `LayerGeometry.swift` and beside it, and `name` and `allowsHitTesting`.
  final var values = LayerValues()

  // MARK: Mask

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
  public final var allowsHitTesting: Bool {
    get { values.allowsHitTesting }
    set { if changes(&values.allowsHitTesting, to: newValue) { note(.allowsHitTesting) } }
  }

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
