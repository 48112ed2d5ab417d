import Geometry
import RenderTree

/// A node on the way to being drawn, and all that its ancestors say about how.
struct Visit {
  /// Index in the snapshot's nodes.
  var node: Int32
  /// Layer space → pixels.
  var matrix: Homography
  /// What ungrouped opacities above leave of each drawing.
  var alpha: Float
  /// The node's plane is seen from behind.
  var showsBack: Bool
  /// Reached as what a portal shows, so that what makes up the layer's place in its parent does not count.
  var isSource: Bool
  /// Portals entered on the way.
  var depth: Int
  var context: RecursionContext
}

/// What is left to do. Steps lie on a stack of our own, so that no depth of layers or portals can overflow the thread's.
enum Step {
  case draw(Visit)
  /// The sublayers from the node `next` on.
  case sublayers(Visit, next: Int32)
  case border(Visit)
  /// Composites the canvas in hand, cut to the shape; drawing then goes on within `scissor`.
  case closeClip(RoundedRect, Homography, scissor: PixelRect)
  /// Ends a clip that needed no canvas.
  case widen(scissor: PixelRect)
  case closeGroup(opacity: Float)
}
