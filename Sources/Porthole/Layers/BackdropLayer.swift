import Commit

/// A layer that shows what lies behind it, filtered, within its bounds and corner radius (`CABackdropLayer`); above that it
/// draws what any layer does.
///
/// What lies behind is what was drawn so far in the group that the layer stands in: the nearest layer above it with an
/// opacity, a filter, a shadow, a mask or a blend mode is such a group.
public class BackdropLayer: Layer {
  private struct Values {
    var groupName: String?
    var backdropFilters: [Filter] = []
  }

  private final var backdropValues = Values()

  /// What is done, in order, to what lies behind. Without any, it shows as it is.
  public final var backdropFilters: [Filter] {
    get { backdropValues.backdropFilters }
    set {
      let old = backdropValues.backdropFilters
      guard changes(&backdropValues.backdropFilters, to: newValue) else { return }
      note(.backdropFilters)
      act(on: .backdropFilters, from: old, to: newValue)
    }
  }
  /// Backdrop layers of one name in one group show the same picture of what lies behind, made before the first of them is
  /// drawn; their blur sees what lies beyond their bounds. Nil: the layer's own, mirrored at the edges of its bounds. At
  /// most 256 bytes.
  public final var groupName: String? {
    get { backdropValues.groupName }
    set { if changes(&backdropValues.groupName, to: newValue) { note(.backdropGroup) } }
  }

  override var kind: LayerKind { .backdrop }

  override func change(_ property: LayerProperty) -> PropertyChange? {
    switch property {
    case .backdropFilters: .backdropFilters(backdropFilters)
    case .backdropGroup: .backdropGroup(groupName)
    default: super.change(property)
    }
  }
}

/// A backdrop layer of glass: what lies behind, after `backdropFilters`, is seen through its `lens`, which is `Lens()` to
/// begin with. For glass above a layer's own picture, set any layer's `lens` to one whose subject is its content.
public final class LensLayer: BackdropLayer {
  override public init() {
    super.init()
    lens = Lens()
  }
}
