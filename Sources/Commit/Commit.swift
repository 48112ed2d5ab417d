import Geometry

/// One property of a layer and its new value. The names are Core Animation's.
public enum PropertyChange: Sendable, Hashable {
  /// What overrides find the layer by, and a person knows it by; nil for none.
  case name(String?)
  // Geometry.
  case bounds(Rect)
  case position(Point)
  case zPosition(Double)
  case anchorPoint(Point)
  case anchorPointZ(Double)
  case transform(Transform3D)
  case sublayerTransform(Transform3D)
  case isDoubleSided(Bool)
  // Appearance.
  case isHidden(Bool)
  case opacity(Float)
  case allowsGroupOpacity(Bool)
  case masksToBounds(Bool)
  case snapsToPixels(Bool)
  case allowsEdgeAntialiasing(Bool)
  case edgeAntialiasingMask(EdgeMask)
  /// Only secure outputs show it and its sublayers; elsewhere stands a placeholder.
  case isSecure(Bool)
  case backgroundColor(Color)
  case cornerRadius(Double)
  case maskedCorners(CornerMask)
  case borderWidth(Double)
  case borderColor(Color)
  // Contents.
  case contents(Image?)
  case contentsRect(Rect)
  /// In parts of what `contentsRect` leaves: the middle that is stretched, while what lies around it keeps its size.
  case contentsCenter(Rect)
  case contentsGravity(ContentsGravity)
  case contentsScale(Double)
  case magnificationFilter(MagnificationFilter)
  case minificationFilter(MinificationFilter)
  /// Where the contents lie, in layer space, whatever their gravity; nil: where that has them.
  case contentsFrame(Rect?)
  case gradient(Gradient?)
  // Effects on the layer with its sublayers as one picture.
  case shadow(Shadow?)
  case filters([Filter])
  /// Takes the mask out of where it was, a tree or another layer's mask.
  case mask(LayerID?)
  case blendMode(BlendMode)
  case lens(Lens?)
  /// Sublayers turned in space are drawn by depth and cut each other where they cross; off: by `zPosition` and order alone.
  case sortsSublayersByDepth(Bool)
  // Backdrops.
  case backdropFilters([Filter])
  /// Backdrops of one group show the same capture.
  case backdropGroup(String?)
  // Copies of the sublayers.
  indirect case replication(Replication)
  // Hit testing.
  case allowsHitTesting(Bool)
  // Portals.
  case sourceLayer(LayerID?)
  case hidesSourceLayer(Bool)
  case hidesSourceLayerInOtherPortals(Bool)
  case matchesPosition(Bool)
  case matchesTransform(Bool)
  case matchesOpacity(Bool)
  case sourceLayerOpacityScale(Float)
  case sourceRect(Rect?)
  case recursion(PortalRecursion)
  case sampling(PortalSampling)
  case sourceLifetime(SourceLifetime)
  case forwardsHitTestingToSource(Bool)
  /// What the portal shows sees what lies behind the portal: its backdrops join the groups of that place.
  case allowsBackdropGroups(Bool)
  case overrides([PortalOverride])
}

/// One step of a commit.
public enum Change: Sendable {
  case create(LayerID, LayerKind)
  /// Lets go of the layer: it leaves its parent, its sublayers stay alive but lose theirs. A portal of
  /// `retained` lifetime goes on showing it.
  case release(LayerID)
  case set(LayerID, PropertyChange)
  /// Puts `child` into `parent` at `index` of its sublayers, taking it out of where it was. An index past the end is
  /// the end.
  case insert(LayerID, into: LayerID, at: Int)
  case removeFromParent(LayerID)
  /// In the place of an animation that the layer has by this key.
  indirect case addAnimation(LayerID, key: String, Animation)
  /// What is shown is the layer's own value again; nothing happens where there is none by this key. Nil: all.
  case removeAnimation(LayerID, key: String?)
}

/// A set of changes that takes effect as one: a frame shows all of it or nothing of it.
public struct Commit: Sendable {
  public var changes: [Change]

  public init(_ changes: [Change] = []) { self.changes = changes }

  public var isEmpty: Bool { changes.isEmpty }
}

/// Why a commit was refused. The tree is as it was before.
public struct CommitError: Error, Sendable, CustomStringConvertible {
  public enum Code: Sendable, Hashable {
    case unknownLayer, layerExists, cycle, notFinite, outOfRange, notAPortal
  }

  public var code: Code
  public var layer: LayerID
  /// The property's name, as in `PropertyChange`, where the fault lies in one.
  public var property: String?
  public var description: String

  public init(_ code: Code, layer: LayerID, property: String? = nil, _ sentence: String) {
    self.code = code
    self.layer = layer
    self.property = property
    self.description = sentence
  }
}
