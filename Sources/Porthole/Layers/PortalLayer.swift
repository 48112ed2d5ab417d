import Commit
import Geometry

/// A layer that shows another one's drawing, live, in the place of contents (`CAPortalLayer`). The source is drawn once,
/// however many portals show it.
public final class PortalLayer: Layer {
  private struct Values {
    var hidesSourceLayer = false
    var hidesSourceLayerInOtherPortals = false
    var matchesPosition = false
    var matchesTransform = false
    var matchesOpacity = false
    var sourceLayerOpacityScale: Float = 1
    var sourceRect: Rect?
    var recursion = PortalRecursion.none
    var sampling = PortalSampling.automatic
    var forwardsHitTestingToSource = false
    var allowsBackdropGroups = false
    var overrides: [PortalOverride] = []
    var sourceLifetime = SourceLifetime.weak
  }

  private var portalValues = Values()

  private weak var source: Layer?

  /// The layer shown; it needs no place in a tree. See `sourceLifetime` for who keeps it alive.
  public var sourceLayer: Layer? {
    get { source }
    set {
      guard newValue !== source else { return }
      source = newValue
      retainedLayer = sourceLifetime == .retained ? newValue : nil
      if let newValue { for link in links { link.context.attach(newValue) } }
      note(.sourceLayer)
    }
  }

  /// The source is not drawn in its own place while this portal is in a drawn tree.
  public var hidesSourceLayer: Bool {
    get { portalValues.hidesSourceLayer }
    set { if changes(&portalValues.hidesSourceLayer, to: newValue) { note(.hidesSourceLayer) } }
  }
  /// Other portals of the source draw nothing.
  public var hidesSourceLayerInOtherPortals: Bool {
    get { portalValues.hidesSourceLayerInOtherPortals }
    set {
      if changes(&portalValues.hidesSourceLayerInOtherPortals, to: newValue) { note(.hidesSourceLayerInOtherPortals) }
    }
  }
  /// The picture lies where the source lies in the window. With `matchesTransform` too, exactly on it.
  public var matchesPosition: Bool {
    get { portalValues.matchesPosition }
    set { if changes(&portalValues.matchesPosition, to: newValue) { note(.matchesPosition) } }
  }
  /// The picture is turned and scaled as the source is in the window.
  public var matchesTransform: Bool {
    get { portalValues.matchesTransform }
    set { if changes(&portalValues.matchesTransform, to: newValue) { note(.matchesTransform) } }
  }
  /// The content has the source's own opacity, times `sourceLayerOpacityScale`; the portal's background and border do not.
  public var matchesOpacity: Bool {
    get { portalValues.matchesOpacity }
    set { if changes(&portalValues.matchesOpacity, to: newValue) { note(.matchesOpacity) } }
  }
  public var sourceLayerOpacityScale: Float {
    get { portalValues.sourceLayerOpacityScale }
    set { if changes(&portalValues.sourceLayerOpacityScale, to: newValue) { note(.sourceLayerOpacityScale) } }
  }
  /// The part of the source that is shown, in its layer space; nil for all. Its origin takes the place of the source's.
  public var sourceRect: Rect? {
    get { portalValues.sourceRect }
    set { if changes(&portalValues.sourceRect, to: newValue) { note(.sourceRect) } }
  }
  /// What the portal shows where it would show itself.
  public var recursion: PortalRecursion {
    get { portalValues.recursion }
    set { if changes(&portalValues.recursion, to: newValue) { note(.recursion) } }
  }
  public var sampling: PortalSampling {
    get { portalValues.sampling }
    set { if changes(&portalValues.sampling, to: newValue) { note(.sampling) } }
  }
  /// `retained`: the portal keeps its source alive. One that retains a layer it stands in is freed only once that is undone.
  public var sourceLifetime: SourceLifetime {
    get { portalValues.sourceLifetime }
    set {
      guard changes(&portalValues.sourceLifetime, to: newValue) else { return }
      note(.sourceLifetime)
      retainedLayer = newValue == .retained ? source : nil
    }
  }
  /// A hit test goes on inside the source, at the point that the portal shows there.
  public var forwardsHitTestingToSource: Bool {
    get { portalValues.forwardsHitTestingToSource }
    set { if changes(&portalValues.forwardsHitTestingToSource, to: newValue) { note(.forwardsHitTestingToSource) } }
  }
  /// What the portal shows sees what lies behind the portal: backdrops in it join the groups of that place, and blend modes
  /// meet it. Off: the source's content is a picture of its own.
  public var allowsBackdropGroups: Bool {
    get { portalValues.allowsBackdropGroups }
    set { if changes(&portalValues.allowsBackdropGroups, to: newValue) { note(.allowsBackdropGroups) } }
  }

  /// Values that take the place of those of the source's layers, in this portal alone.
  public var overrides: [PortalOverride] {
    get { portalValues.overrides }
    set { if changes(&portalValues.overrides, to: newValue) { note(.overrides) } }
  }

  override var kind: LayerKind { .portal }

  override func change(_ property: LayerProperty) -> PropertyChange? {
    switch property {
    case .sourceLayer: .sourceLayer(source?.id)
    case .hidesSourceLayer: .hidesSourceLayer(hidesSourceLayer)
    case .hidesSourceLayerInOtherPortals: .hidesSourceLayerInOtherPortals(hidesSourceLayerInOtherPortals)
    case .matchesPosition: .matchesPosition(matchesPosition)
    case .matchesTransform: .matchesTransform(matchesTransform)
    case .matchesOpacity: .matchesOpacity(matchesOpacity)
    case .sourceLayerOpacityScale: .sourceLayerOpacityScale(sourceLayerOpacityScale)
    case .sourceRect: .sourceRect(sourceRect)
    case .recursion: .recursion(recursion)
    case .sampling: .sampling(sampling)
    case .sourceLifetime: .sourceLifetime(sourceLifetime)
    case .forwardsHitTestingToSource: .forwardsHitTestingToSource(forwardsHitTestingToSource)
    case .allowsBackdropGroups: .allowsBackdropGroups(allowsBackdropGroups)
    case .overrides: .overrides(overrides)
    default: super.change(property)
    }
  }
}
