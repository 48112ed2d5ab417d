import Commit
import Geometry
import RenderTree

/// What the sublayers of a layer are drawn by, kept so that one of them can be drawn anew by itself.
struct Place {
  var matrix: Homography
  var windowMatrix: Homography?
  var alpha: Float
  var clip: ClipState
  var segment: Int32
  var showsBack: Bool
  var recursion: RecursionContext
  var node: Int32
  /// Of the picture of a source, or within its layers drawn again.
  var isPicture: Bool
}

/// Where in the plan a layer without sublayers is.
struct LeafVisit {
  /// Index in the planner's places. -1: it was not drawn; -2: it can't be drawn anew by itself.
  var place: Int32 = -1
  /// What it became, of the place's segment.
  var firstItem: Int32 = 0
  var itemCount: Int32 = 0
  var firstClip: Int32 = 0
  var clipCount: Int32 = 0
  /// Index in the planner's further visits, or -1: the same layer, drawn in another picture.
  var next: Int32 = -1
}

extension FramePlanner {
  mutating func addPlace(_ frame: Frame, _ start: WalkStart) -> Int32 {
    places.append(
      Place(
        matrix: frame.matrix, windowMatrix: frame.windowMatrix, alpha: frame.alpha, clip: frame.clip,
        segment: frame.segment, showsBack: frame.showsBack, recursion: start.context, node: frame.node,
        isPicture: start.isPicture))
    return Int32(places.count - 1)
  }

  /// Notes that these layers are drawn, or would be if they lay elsewhere, where nothing is known of what they became: what
  /// else is known of them is then not all.
  mutating func noteUnpatchable(_ nodes: Range<Int>) {
    for index in nodes { visits[index].place = -2 }
  }

  /// Draws a layer that has no sublayers, and notes what it became.
  mutating func visit(_ context: inout NodeContext, opacity: Float, in place: Int32) {
    let index = Int(context.index)
    let segment = Int(context.segment)
    let (items, clipCount, passCount) = (segments[segment].items.count, clips.count, passes.count)
    close(enter(&context, opacity: opacity))
    if passes.count != passCount || context.node.backdrop >= 0
      || context.node.effects >= 0
    {
      visits[index].place = -2
    } else if visits[index].place != -2 {
      let isFirst = visits[index].place == -1
      if !isFirst { furtherVisits.append(visits[index]) }
      visits[index] = LeafVisit(
        place: place, firstItem: Int32(items), itemCount: Int32(segments[segment].items.count - items),
        firstClip: Int32(clipCount), clipCount: Int32(clips.count - clipCount),
        next: isFirst ? -1 : Int32(furtherVisits.count - 1))
    }
  }
}
