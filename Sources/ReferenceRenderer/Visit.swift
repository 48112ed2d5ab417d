import Commit
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
  /// Of the transform layers that it stands in; goes on top of the layer's own.
  var outerOpacity: Float = 1
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
  /// The sublayers that are sorted by depth, from the piece `next` on.
  case pieces(Visit, next: Int, end: Int)
  case border(Visit)
  /// Composites the canvas in hand, cut to the shape; drawing then goes on within `scissor`. The canvas began with a copy
  /// of what lies behind, or empty.
  case closeClip(Clip, scissor: PixelRect, isCopy: Bool)
  /// Shows the canvas in hand, which has pixels of its own, pixel for pixel.
  case closePicture(PicturePlace)
  /// Ends a clip that needed no canvas.
  case widen(scissor: PixelRect)
  case closeGroup(opacity: Float)
  /// Applies a layer's effects to the canvas in hand and composites it.
  case closeEffects(EffectsGroup)
  /// Masks the picture with the canvas in hand and composites it.
  case closeMask(Canvas, EffectsGroup)
}

/// A layer whose effects wait for its drawing to be complete.
struct EffectsGroup {
  var effects: SnapshotEffects
  var layer: SnapshotNode
  /// How the layer is drawn.
  var visit: Visit
  var opacity: Float
  var space: WorkingSpace
  /// Where drawing goes on afterwards.
  var scissor: PixelRect

  /// The pixels that count for what shows within `scissor`; no more than so many beyond it, however far a blur reaches.
  var needed: PixelRect {
    let all = effects.filters.reduce(scissor) { needed, filter in
      gaussian(of: filter).map { needed.outset(by: $0) } ?? needed
    }
    let most = scissor.outset(by: 1024)
    return all.union(casting(to: all)).union(glass.intersection(most)).intersection(most)
  }

  /// The pixels that may show through a lens.
  var glass: PixelRect {
    effects.lens == nil ? .empty : PixelRect(around: layer.bounds, under: visit.matrix)
  }

  /// The pixels whose shadow falls on `area`.
  private func casting(to area: PixelRect) -> PixelRect {
    guard let shadow = effects.shadow else { return .empty }
    let offset = SnapshotEffects.offset(of: shadow, bounds: layer.bounds, under: visit.matrix)
    let moved = PixelRect(enclosing: area.rect.offsetBy(dx: -offset.x, dy: -offset.y))
    return gaussian(radius: shadow.radius).map { moved.outset(by: $0) } ?? moved
  }

  func gaussian(radius: Double) -> Gaussian? {
    SnapshotEffects.gaussian(radius: radius, bounds: layer.bounds, under: visit.matrix)
  }

  func gaussian(of filter: Filter) -> Gaussian? {
    guard case .gaussianBlur(let radius) = filter else { return nil }
    return gaussian(radius: radius)
  }
}

extension PixelRect {
  /// Grown by how far a gaussian reaches.
  func outset(by gaussian: Gaussian) -> PixelRect {
    let (x, y) = gaussian.reach
    func held(_ value: Int64) -> Int32 { Int32(clamping: value) }
    return PixelRect(
      minX: held(Int64(minX) - Int64(x)), minY: held(Int64(minY) - Int64(y)), maxX: held(Int64(maxX) + Int64(x)),
      maxY: held(Int64(maxY) + Int64(y)))
  }
}
