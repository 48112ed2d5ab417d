import Commit
import Geometry

/// A layer as the tree keeps it: plain values and indices, no references, in one flat array.
struct LayerRecord {
  var id: LayerID
  var kind: LayerKind
  // Links by slot; -1 is none.
  var parent: Int32 = -1
  var firstChild: Int32 = -1
  var lastChild: Int32 = -1
  var nextSibling: Int32 = -1
  var previousSibling: Int32 = -1
  var childCount: Int32 = 0
  /// Index in the tree's portals, or -1.
  var portal: Int32 = -1
  /// The layer whose alpha masks this one, and the one that this masks. By slot; -1 is none.
  var mask: Int32 = -1
  var maskedLayer: Int32 = -1
  /// Index in the tree's animated layers, or -1. What animations move stands here as it is shown.
  var animations: Int32 = -1

  var bounds = Rect.zero
  var position = Point.zero
  var zPosition = 0.0
  var anchorPoint = Point(0.5, 0.5)
  var anchorPointZ = 0.0
  var transform = Transform3D.identity
  var sublayerTransform = Transform3D.identity
  var hasSublayerTransform = false
  var isDoubleSided = true
  var isHidden = false
  var opacity: Float = 1
  var allowsGroupOpacity = true
  var masksToBounds = false
  var snapsToPixels = false
  var allowsEdgeAntialiasing = true
  var edgeAntialiasingMask = EdgeMask.all
  var isSecure = false
  var backgroundColor = PremultipliedColor.clear
  var cornerRadius = 0.0
  var maskedCorners = CornerMask.all
  var borderWidth = 0.0
  var borderColor = Color.black.premultiplied
  var contentsRect = Rect(x: 0, y: 0, width: 1, height: 1)
  var contentsGravity = ContentsGravity.resize
  var contentsScale = 1.0
  var magnificationFilter = MagnificationFilter.linear
  var minificationFilter = MinificationFilter.linear
  var hasContents = false
  var hasContentsFrame = false
  var hasGradient = false
  var hasEffects = false
  var sortsSublayersByDepth = true
  var hasContentsCenter = false
  var allowsHitTesting = true

  /// Released by its owner, kept by portals that retain it.
  var isReleased = false
  /// How many portals of `retained` lifetime show it.
  var retainCount: Int32 = 0
  /// The commit that last changed what the layer and its sublayers draw in its own space.
  var contentVersion: UInt64 = 0
  /// The commit that last changed where the layer lies in its parent, or its own opacity.
  var placementVersion: UInt64 = 0
  // And when, by the tree's time.
  var contentTime = 0.0
  var placementTime = 0.0

  init(id: LayerID, kind: LayerKind) {
    self.id = id
    self.kind = kind
  }

  /// What it stands in: its parent, or the layer that it masks; -1 for neither. Never both.
  @inline(__always) var container: Int32 { parent >= 0 ? parent : maskedLayer }

  /// The anchor point in the layer's own space.
  var anchor: Point {
    Point(x: bounds.x + anchorPoint.x * bounds.width, y: bounds.y + anchorPoint.y * bounds.height)
  }

  /// Layer space to the parent's, in space: `T(-anchor) · transform · T(position)`.
  var localTransform: Transform3D {
    let a = anchor
    if transform.isIdentity {
      return .translation(x: position.x - a.x, y: position.y - a.y, z: zPosition - anchorPointZ)
    }
    if transform.isAffine2D, transform.m31 == 0, transform.m32 == 0, transform.m34 == 0 {
      // The same sums, less those with zeros in them.
      var local = transform
      local.m41 = -a.x * transform.m11 - a.y * transform.m21 + transform.m41 + position.x
      local.m42 = -a.x * transform.m12 - a.y * transform.m22 + transform.m42 + position.y
      local.m43 = -anchorPointZ * transform.m33 + zPosition
      return local
    }
    return .translation(x: -a.x, y: -a.y, z: -anchorPointZ) * transform
      * .translation(x: position.x, y: position.y, z: zPosition)
  }

  /// `sublayerTransform` about this layer's anchor: what each sublayer's own transform is followed by.
  var sublayerTransformAboutAnchor: Transform3D {
    let a = anchor
    return .translation(x: -a.x, y: -a.y, z: -anchorPointZ) * sublayerTransform
      * .translation(x: a.x, y: a.y, z: anchorPointZ)
  }
}

/// What a portal has beyond a layer.
struct PortalRecord {
  /// The slot of the portal's own layer.
  var slot: Int32
  var source: LayerID?
  var hidesSourceLayer = false
  var hidesSourceLayerInOtherPortals = false
  var matchesPosition = false
  var matchesTransform = false
  var matchesOpacity = false
  var sourceLayerOpacityScale: Float = 1
  var sourceRect: Rect?
  var recursion = PortalRecursion.none
  var sampling = PortalSampling.automatic
  var sourceLifetime = SourceLifetime.weak
  var forwardsHitTestingToSource = false
  var allowsBackdropGroups = false
}
