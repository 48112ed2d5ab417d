import Commit
import Geometry

/// A layer that shows another one's drawing, live, in the place of contents (`CAPortalLayer`). The source is drawn once,
/// however many portals show it.
public final class PortalLayer: Layer {
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
  public var hidesSourceLayer = false { didSet { if hidesSourceLayer != oldValue { note(.hidesSourceLayer) } } }
  /// Other portals of the source draw nothing.
  public var hidesSourceLayerInOtherPortals = false {
    didSet { if hidesSourceLayerInOtherPortals != oldValue { note(.hidesSourceLayerInOtherPortals) } }
  }
  /// The picture lies where the source lies in the window. With `matchesTransform` too, exactly on it.
  public var matchesPosition = false { didSet { if matchesPosition != oldValue { note(.matchesPosition) } } }
  /// The picture is turned and scaled as the source is in the window.
  public var matchesTransform = false { didSet { if matchesTransform != oldValue { note(.matchesTransform) } } }
  /// The content has the source's own opacity, times `sourceLayerOpacityScale`; the portal's background and border do not.
  public var matchesOpacity = false { didSet { if matchesOpacity != oldValue { note(.matchesOpacity) } } }
  public var sourceLayerOpacityScale: Float = 1 {
    didSet { if sourceLayerOpacityScale != oldValue { note(.sourceLayerOpacityScale) } }
  }
  /// The part of the source that is shown, in its layer space; nil for all. Its origin takes the place of the source's.
  public var sourceRect: Rect? { didSet { if sourceRect != oldValue { note(.sourceRect) } } }
  /// What the portal shows where it would show itself.
  public var recursion = PortalRecursion.none { didSet { if recursion != oldValue { note(.recursion) } } }
  public var sampling = PortalSampling.automatic { didSet { if sampling != oldValue { note(.sampling) } } }
  /// `retained`: the portal keeps its source alive. One that retains a layer it stands in is freed only once that is undone.
  public var sourceLifetime = SourceLifetime.weak {
    didSet {
      guard sourceLifetime != oldValue else { return }
      note(.sourceLifetime)
      retainedLayer = sourceLifetime == .retained ? source : nil
    }
  }
  /// A hit test goes on inside the source, at the point that the portal shows there.
  public var forwardsHitTestingToSource = false {
    didSet { if forwardsHitTestingToSource != oldValue { note(.forwardsHitTestingToSource) } }
  }
  /// What the portal shows sees what lies behind the portal: backdrops in it join the groups of that place, and blend modes
  /// meet it. Off: the source's content is a picture of its own.
  public var allowsBackdropGroups = false {
    didSet { if allowsBackdropGroups != oldValue { note(.allowsBackdropGroups) } }
  }

  /// Values that take the place of those of the source's layers, in this portal alone.
  public var overrides: [PortalOverride] = [] { didSet { if overrides != oldValue { note(.overrides) } } }

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
