import Commit
import Geometry
import RenderTree

/// A source's content in one context of recursion: what can be drawn once and shown many times.
struct ContentKey: Hashable {
  var source: Int32
  var context: RecursionContext
}

/// One thing in a segment, in painter's order.
enum Item {
  /// Index in the planner's primitives.
  case primitive(Int32)
  /// A portal's content, or a source in its own place: what it becomes is decided once all of the source's uses are known.
  case use(Int32)
  /// Index in the planner's captures: what was drawn so far is looked at here.
  case capture(Int32)
}

/// An item, and which is the next of its segment; -1 after the last. Those of all segments stand in one array.
struct ItemLink {
  var item: Item
  var next: Int32 = -1
}

/// A run of items of one pass. An inlined use has a segment of its own, drawn where the use stands.
struct Segment {
  var first: Int32 = -1
  var last: Int32 = -1
  var pass: Int32
}

/// The uses of one content, linked in the order in which they were noted.
struct ContentUses {
  var key: ContentKey
  var first: Int32
  var last: Int32
}

/// A pass while it is made.
struct PassDraft {
  var target: TargetReference
  var size: PixelSize
  var clearColor = PremultipliedColor.clear
  var segment: Int32
  /// The pixels that what lies behind a layer could have, beyond the target's edges too, as far as what is done to its picture
  /// looks there: beyond the target there is nothing, and beyond these, what is captured is mirrored.
  var limit: PixelRect
  /// The capture that it is made of, in the midst of another pass; -1 for none.
  var capture: Int32 = -1
  /// The pass that it begins with a copy of, as that then is; -1 for none.
  var looksAt: Int32 = -1
}

/// What of a content sees what lies behind.
enum Reading {
  case nothing
  /// No further than to the content's own ground.
  case isolated
  /// What lies behind the portal.
  case behind
}

/// One place where a source's content shows.
struct Use {
  var key: ContentKey
  /// Index of the portal; -1 for the source in its own place.
  var portal: Int32
  /// The source's layer space to the target space of the pass.
  var matrix: Homography
  /// Multiplied into each layer's own drawing.
  var alpha: Float
  /// Applied to the content as a whole.
  var groupAlpha: Float
  var clip: ClipState
  /// The portal's own bounds as a clip of the content as a whole, or -1.
  var portalClip: Int32 = -1
  /// The clip by `sourceRect`, or -1.
  var sourceClip: Int32 = -1
  var showsBack: Bool
  /// Index in the planner's `sourcePixels`: it shows pixels that the source has by itself, and these are not those of the place;
  /// else -1.
  var pixels: Int32 = -1
  /// Whether something in the content sees what lies behind it, and how far.
  var reading = Reading.nothing
  /// For a source in its own place, index in the planner's `windowMatrices` of what leads from window space to target space where
  /// the walk has been through no portal; else -1.
  var windowMatrix: Int32 = -1
  var pass: Int32
  var showing = UseShowing()
  var visible: PixelRect { showing.visible }
  var part: Rect { showing.part }
  var exactKey: ExactKey? { showing.exactKey }

  /// The next use of the same content, or -1.
  var next: Int32 = -1
  /// Index in the planner's items.
  var item: Int32 = -1

  /// Something clips it besides whole pixels.
  var hasShapes: Bool { clip.shape >= 0 || portalClip >= 0 || sourceClip >= 0 }

  // What it becomes.
  var isResolved = false
  /// Index in the planner's choices, or -1.
  var choice: Int32 = -1
  /// Which of its source's pictures would serve it, or -1.
  var picture: Int32 = -1
  /// It is one primitive, which is made where it is drawn: that picture, sampled.
  var isSampled = false
  /// The items that it becomes, or -1.
  var segment: Int32 = -1
}

/// What a use shows.
struct UseShowing {
  /// The target pixels that can show any of it.
  var visible = PixelRect.empty
  /// What of the source they show, in its layer space.
  var part = Rect.zero
  /// Set where it shows the source upright: what pixels it wants.
  var exactKey: ExactKey?
}

/// A group that a walk has opened and will composite when it is through with it.
struct OpenGroup {
  var target: Int32
  /// What the target shows, in the parent's target space.
  var region: PixelRect
  var segment: Int32
  var parentSegment: Int32
  var alpha: Float
  /// Shape that cuts the composited picture, in the parent's target space; -1 for none.
  var shape: Int32
  var clip: ClipState
  /// What is done to the picture first.
  var steps: [GroupStep] = []
  var blendMode = BlendMode.normal
  /// Its picture began with what is behind it, and takes its place.
  var showsBehind = false
  /// The capture that must have been made before it is drawn, or -1.
  var capture: Int32 = -1
  /// What of the picture is composited: all of the region unless a step takes in more than it shows.
  var shown: PixelRect
}

/// What may be asked of the device.
public struct PlanLimits: Sendable, Hashable {
  /// The largest side of a texture, in pixels.
  public var maxTextureSize: Int

  public init(maxTextureSize: Int) { self.maxTextureSize = maxTextureSize }
}
