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
  /// Within a group whose size goes by how far what is in it reaches.
  var isInGroup: Bool
}

/// Where in the plan a layer without sublayers is.
struct LeafVisit {
  /// Index in the planner's places. -1: it was not drawn; -2: it can't be drawn anew by itself.
  var place: Int32 = -1
  /// What it became, of the planner's items.
  var firstItem: Int32 = 0
  var itemCount: Int32 = 0
  var firstClip: Int32 = 0
  var clipCount: Int32 = 0
  /// Index in the planner's further visits, or -1: the same layer, drawn in another picture.
  var next: Int32 = -1
}

extension FramePlanner {
  mutating func addPlace(_ frame: Frame, _ start: WalkStart, isInGroup: Bool) -> Int32 {
    places.append(
      Place(
        matrix: frame.matrix, windowMatrix: frame.windowMatrix, alpha: frame.alpha, clip: frame.clip,
        segment: frame.segment, showsBack: frame.showsBack, recursion: start.context, node: frame.node,
        isPicture: start.isPicture, isInGroup: isInGroup))
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
    let (itemCount, clipCount, passCount) = (items.count, clips.count, passes.count)
    close(enter(&context, opacity: opacity))
    if passes.count != passCount || context.node.backdrop >= 0
      || context.node.effects >= 0
    {
      visits[index].place = -2
    } else {
      note(
        LeafVisit(
          place: place, firstItem: Int32(itemCount), itemCount: Int32(items.count - itemCount),
          firstClip: Int32(clipCount), clipCount: Int32(clips.count - clipCount)),
        of: index)
    }
  }

  /// Notes that a layer without sublayers is not to be seen in a place.
  mutating func noteNothing(_ node: SnapshotNode, _ index: Int32, in frame: Frame) {
    guard node.effects < 0, node.backdrop < 0, !isSharedSource[Int(index)] else {
      visits[Int(index)].place = -2
      return
    }
    note(LeafVisit(place: frame.place), of: Int(index))
  }

  mutating func note(_ visit: LeafVisit, of index: Int) {
    guard visits[index].place != -2 else { return }
    let isFirst = visits[index].place == -1
    if !isFirst { furtherVisits.append(visits[index]) }
    visits[index] = visit
    if !isFirst { visits[index].next = Int32(furtherVisits.count - 1) }
  }
}
