import Commit
import Geometry

/// What one frame shows, resolved: flat arrays of plain values, parents before children, siblings back to front, so
/// that a walk from first to last is painter's order. Portals know where their source lies. Everything that decides
/// *where* and *whether* something is drawn has been decided here; a renderer only decides how.
///
/// The first node is the drawn root. After its subtree follow the subtrees of sources that stand in no drawn tree.
public struct Snapshot: Sendable {
  public internal(set) var nodes: [SnapshotNode] = []
  public internal(set) var portals: [SnapshotPortal] = []
  /// The pictures that nodes refer to by index.
  public internal(set) var images: [Image] = []
  public internal(set) var gradients: [Gradient] = []
  public internal(set) var effects: [SnapshotEffects] = []
  public internal(set) var backdrops: [SnapshotBackdrop] = []
  /// In what order, and cut along which lines, sublayers are drawn that are sorted by depth: for each node of `depthSort`
  /// a range of `pieces`, each with a range of `cuts`.
  public internal(set) var depthSorts: [Range<Int>] = []
  public internal(set) var pieces: [SnapshotPiece] = []
  public internal(set) var cuts: [SnapshotCut] = []
  /// Of the nodes with that flag, in their order.
  public internal(set) var nineParts: [SnapshotNineParts] = []
  /// Something lies as the pixels do: a layer snaps to them, or has edges that are not antialiased, or a portal shows its
  /// source's pixels.
  public internal(set) var dependsOnPixels = false
  /// Some portal shows its source's own pixels; see `SourcePixels`.
  public internal(set) var showsSourcePixels = false
  /// Placeholders stand for secure layers, of which there are some.
  public internal(set) var hidesSecure = false
  /// The commit that last made a layer secure. What was kept of frames before it is not to be shown after it.
  public internal(set) var secureVersion: UInt64 = 0
  /// Counts commits; two snapshots of one tree with the same number are equal.
  public internal(set) var version: UInt64 = 0
  /// What a person should know: loops, for one.
  public internal(set) var diagnostics: [String] = []
  /// Whether there is a drawn root: else nothing is drawn, whatever `nodes` holds.
  public internal(set) var hasRoot = false
  /// Whether `changes` says in what it differs from the snapshot before.
  public internal(set) var hasChanges = false
  public internal(set) var changes = SnapshotChanges()
  var recursion = RecursionTable()

  public init() {}
}

/// Facts about a node that are either so or not.
public struct SnapshotFlags: OptionSet, Sendable, Hashable {
  public var rawValue: UInt32

  @inlinable
  public init(rawValue: UInt32) { self.rawValue = rawValue }

  /// The layer's own `isHidden`: neither in its place nor in a portal of it.
  public static let hidden = SnapshotFlags(rawValue: 1)
  /// A portal that is drawn hides it: it is skipped in its place, and shown by portals.
  public static let hiddenByPortal = SnapshotFlags(rawValue: 2)
  public static let masksToBounds = SnapshotFlags(rawValue: 4)
  /// Off: a view of its back shows neither it nor its sublayers.
  public static let doubleSided = SnapshotFlags(rawValue: 8)
  /// The local transform alone turns its back to its parent's plane.
  public static let turnsBack = SnapshotFlags(rawValue: 16)
  /// On: `opacity` applies to the layer with its sublayers as one picture. Off: to each layer's own drawing.
  public static let groupOpacity = SnapshotFlags(rawValue: 32)
  public static let allowsHitTesting = SnapshotFlags(rawValue: 64)
  public static let magnifiesNearest = SnapshotFlags(rawValue: 128)
  /// Something drawn in it, a backdrop or what blends, sees what lies below, in this layer and, unless the layer is a
  /// group, behind it.
  public static let readsBehind = SnapshotFlags(rawValue: 1 << 12)
  public static let minifiesNearest = SnapshotFlags(rawValue: 256)
  public static let minifiesTrilinear = SnapshotFlags(rawValue: 512)
  /// Seen upright, the layer is moved and stretched by less than a pixel so that its edges lie on the pixel grid.
  public static let snapsToPixels = SnapshotFlags(rawValue: 1024)
  /// `Snapshot.nineParts(of:)` has how its picture is cut.
  public static let hasNineParts = SnapshotFlags(rawValue: 2048)

  /// The edges that are not antialiased: a pixel is the layer's where its centre is. The upper eight bits.
  public var hardEdges: EdgeMask {
    get { EdgeMask(rawValue: UInt8(truncatingIfNeeded: rawValue >> 24)) }
    set { rawValue = rawValue & 0xFF_FFFF | UInt32(newValue.rawValue) << 24 }
  }
}

/// One layer of a frame.
public struct SnapshotNode: Sendable {
  public var layer: LayerID
  /// Index of the parent's node, or -1.
  public var parent: Int32
  /// One past the last node of its subtree.
  public var end: Int32
  public var flags: SnapshotFlags
  /// Group opacity, 0 to 1.
  public var opacity: Float
  public var bounds: Rect
  /// Corner radii that `backgroundColor`, gradient, border and, with `masksToBounds`, the clip have.
  public var radii: CornerRadii
  /// Layer space to the parent's layer space, flattened.
  public var local: Homography
  /// Layer space to window space (of the tree's own root, for a tree that is not drawn).
  public var window: Homography
  /// The layer's anchor point in its own space.
  public var anchor: Point
  public var backgroundColor: PremultipliedColor
  public var borderWidth: Double
  public var borderColor: PremultipliedColor
  /// Index in `images`, or -1.
  public var image: Int32
  /// Where the image's `imageCrop` lies in layer space. May reach beyond the bounds.
  public var imageRect: Rect
  /// The part of the image that is shown, in the image's pixels.
  public var imageCrop: Rect
  /// Index in `gradients`, or -1.
  public var gradient: Int32
  /// Index in `portals`, or -1.
  public var portal: Int32
  /// Index in `effects`, or -1.
  public var effects: Int32 = -1
  /// Index in `backdrops`, or -1.
  public var backdrop: Int32 = -1
  /// Index in `depthSorts`, or -1: then its sublayers, and those of transform layers among them, are drawn as the pieces say
  /// and not by the order of nodes. Transform layers draw nothing, and lie in the plane of what they stand in.
  public var depthSort: Int32 = -1

  /// The edges of its drawings that are not antialiased: none where corners are round.
  @inlinable public var hardEdges: EdgeMask { radii.isZero ? flags.hardEdges : [] }
  @inlinable public var shape: RoundedRect { RoundedRect(rect: bounds, radii: radii) }
  @inlinable public var isHidden: Bool { flags.contains(.hidden) }
  @inlinable public var masksToBounds: Bool { flags.contains(.masksToBounds) }
}

/// What is done to a layer with its sublayers as one picture, in this order, and after it its opacity. They are part of what
/// a portal of the layer shows.
public struct SnapshotEffects: Sendable, Hashable {
  /// Index of the layer's node.
  public var node: Int32
  /// Below the layer; part of what the filters are applied to.
  public var shadow: Shadow?
  /// In order. None that changes nothing.
  public var filters: [Filter]
  /// What the picture meets behind it, once it is complete.
  public var blendMode = BlendMode.normal
  /// Through which the picture is seen, before its filters.
  public var lens: Lens?
  /// Index of the node, the root of a tree of its own, whose alpha masks the layer; -1 for none. Its parent is this layer, so
  /// to say: its `local` leads to this layer's space.
  public var mask: Int32 = -1

  /// What a blur of `radius` of the layer of `bounds` is in pixels under `matrix`; nil where the layer's middle is not in
  /// view, or there is nothing to see of it.
  public static func gaussian(radius: Double, bounds: Rect, under matrix: Homography) -> Gaussian? {
    guard let map = matrix.scales(at: bounds.center) else { return nil }
    let gaussian = Gaussian(radius: radius, under: map)
    return gaussian.isVisible ? gaussian : nil
  }

  /// How far the shadow of a layer of `bounds` is moved under `matrix`, in pixels.
  public static func offset(of shadow: Shadow, bounds: Rect, under matrix: Homography) -> Point {
    guard let map = matrix.scales(at: bounds.center) else { return .zero }
    let offset = Point(
      shadow.offset.x * map.a + shadow.offset.y * map.c, shadow.offset.x * map.b + shadow.offset.y * map.d)
    // As good as a whole number of pixels is one.
    func settled(_ value: Double) -> Double { (value * 4096).rounded() / 4096 }
    return offset.isFinite ? Point(settled(offset.x), settled(offset.y)) : .zero
  }
}

/// A portal of a frame and what it shows.
public struct SnapshotPortal: Sendable {
  /// Index of the portal's own node.
  public var node: Int32
  /// Index of the source's node; -1 shows nothing (no source, hidden source, shown by another portal alone).
  public var source: Int32
  /// The source's layer space to the portal's layer space.
  public var matrix: Homography
  /// For a portal that lies exactly on its source (`matchesPosition` and `matchesTransform`): draw the content
  /// by the source's own window matrix rather than by `matrix · window`, whose rounding differs. Only where the portal
  /// is drawn in its own place.
  public var usesSourceWindow: Bool
  /// What of the source is shown, in its layer space; nil for all.
  public var sourceRect: Rect?
  /// For `matchesOpacity`: the source's own opacity times its scale, applied to the content alone, not to the portal's own
  /// background and border. As a group, or where the source allows none, to each layer's own drawing.
  public var contentOpacity: Float
  public var isContentOpacityGrouped: Bool
  public var recursion: PortalRecursion
  public var sampling: PortalSampling
  /// The source's content can reach this source again, so `recursion` has a say.
  public var isRecursive: Bool
  public var forwardsHitTesting: Bool
  /// It stands for an instance of a replicator's sublayer, and is no layer of its own.
  public var isInstance = false
  /// The content is a picture of its own: what in it reads what lies behind sees nothing but the content. Set where the
  /// source's own pixels are shown.
  public var isIsolated: Bool
}

/// What a layer shows of what lies behind it, below its background, within its bounds and corner radius. It sees what was
/// drawn so far in the group that the layer stands in; the layer's own group (its opacity, filters, mask) does not count.
public struct SnapshotBackdrop: Sendable, Hashable {
  public var node: Int32
  /// In order. None that changes nothing. At the edges of what is captured a blur sees it mirrored.
  public var filters: [Filter]
  /// Those of one number show one capture, made before the first of them that is drawn in the same group; their blur sees
  /// what lies beyond their bounds. -1: a capture of its own, of the pixels that its bounds touch.
  public var group: Int32
  public var lens: Lens?
}

/// A layer, or a part of one, among others that are sorted by depth.
public struct SnapshotPiece: Sendable, Hashable {
  public var node: Int32
  /// Of the transform layers that it stands in; goes on top of the layer's own.
  public var opacity: Float
  /// Range in `cuts`: all of them hold.
  public var cuts: Range<Int>
}

/// A line that a layer is cut along, in its own space: `a·x + b·y + c ≥ 0` is drawn.
public struct SnapshotCut: Sendable, Hashable {
  public var a: Double
  public var b: Double
  public var c: Double
  /// What lies before it here hides its edge: so that nothing shows between them, it is drawn a pixel further.
  public var isHidden: Bool
}
