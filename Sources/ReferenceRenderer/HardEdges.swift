import Commit
import Geometry

// Edges that are not antialiased: a pixel is covered where its centre is on the edge's inner side. One whose centre lies on
// the edge itself is, at the left and the top alone.

extension Coverage {
  /// What of `shape`, whose corners are square where it has hard edges, shows in `clip` under `transform`.
  init(
    of shape: RoundedRect, under transform: Homography, within clip: PixelRect, hardEdges: EdgeMask
  ) {
    self.init(
      of: hardEdges.isEmpty ? shape : shape.grown(at: hardEdges, under: transform), under: transform, within: clip)
    if !hardEdges.isEmpty { cut(at: hardEdges, of: shape.rect, under: transform) }
  }

  /// The band within the outline of `shape` that is `width` points wide; its inner edge is antialiased.
  init(
    ofBorder width: Double, of shape: RoundedRect, under transform: Homography, within clip: PixelRect,
    hardEdges: EdgeMask
  ) {
    guard !hardEdges.isEmpty else {
      self.init(ofBorder: width, of: shape, under: transform, within: clip)
      return
    }
    self.init(of: shape, under: transform, within: clip, hardEdges: hardEdges)
    let inside = shape.rect.insetBy(dx: width, dy: width)
    guard !inside.isEmpty else { return }
    subtract(Coverage(of: RoundedRect(rect: inside), under: transform, within: clip))
  }

  private mutating func cut(at edges: EdgeMask, of rect: Rect, under transform: Homography) {
    guard let back = transform.inverse else { return }
    mapPixels { x, y, value in
      let p = back.project(Point(Double(x) + 0.5, Double(y) + 0.5))
      let (px, py) = (Outline.snapped(p.x / p.w), Outline.snapped(p.y / p.w))
      let isOut =
        edges.contains(.left) && px < Outline.snapped(rect.minX)
        || edges.contains(.right) && px >= Outline.snapped(rect.maxX)
        || edges.contains(.top) && py < Outline.snapped(rect.minY)
        || edges.contains(.bottom) && py >= Outline.snapped(rect.maxY)
      return isOut ? 0 : value
    }
  }

  private mutating func subtract(_ other: Coverage) {
    mapPixels { x, y, value in
      let isInside =
        x >= Int(other.bounds.minX) && x < Int(other.bounds.maxX) && y >= Int(other.bounds.minY)
        && y < Int(other.bounds.maxY)
      return isInside ? max(0, value - other[x, y]) : value
    }
  }
}

extension RoundedRect {
  /// With these edges so far out that they cover no pixel in part that is near the shape.
  fileprivate func grown(at edges: EdgeMask, under transform: Homography) -> RoundedRect {
    let scale = transform.scales(at: rect.center)?.singularValues.smallest ?? 1
    let reach = 4 * max(rect.width, rect.height) + 4 / max(scale, 1e-6)
    return RoundedRect(
      rect: Rect(
        minX: rect.minX - (edges.contains(.left) ? reach : 0), minY: rect.minY - (edges.contains(.top) ? reach : 0),
        maxX: rect.maxX + (edges.contains(.right) ? reach : 0), maxY: rect.maxY + (edges.contains(.bottom) ? reach : 0))
    )
  }
}
