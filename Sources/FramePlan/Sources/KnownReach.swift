import Commit
import Geometry
import RenderTree

// How far a content reaches in pixels of which it is known how they lie. In the content's own space that can be unknown: what
// is moved to whole pixels and stretched may lie anywhere until one knows the pixels, and what shows itself has no end.

extension Rect {
  /// Of a content's extent: it stands for anything at all.
  var isUnknown: Bool { max(width, height) > 1e6 }
}

extension FramePlanner {
  /// Contents within contents that are looked into; what is further in may lie anywhere.
  private static let deepest = 3

  /// The extent of a source in its layer space, as it is drawn in these pixels. Conservative, as all extents are.
  /// - Complexity: O(nodes of the source).
  func extent(of source: Int32, in context: RecursionContext, drawnIn pixels: SourcePixels) -> Rect {
    guard let back = pixels.matrix.inverse else { return extents.rects[Int(source)] }
    let reach = reach(of: source, in: context, under: pixels.matrix, depth: 0)
    return reach.isEmpty ? .zero : back.boundingBox(of: reach)
  }

  /// The box, in pixels, around all that the content draws under `matrix`.
  private func reach(
    of source: Int32, in context: RecursionContext, under matrix: Homography, depth: Int
  ) -> Rect {
    let first = Int(source)
    let end = Int(snapshot.nodes[first].end)
    guard extents.rects[first].isUnknown else { return box(of: extents.rects[first], under: matrix) }
    guard depth < Self.deepest else { return ContentExtents.everywhere }
    // Parents before children: where each lies. Then children before parents: how far each reaches.
    var matrices: [Homography] = []
    matrices.reserveCapacity(end - first)
    for index in first..<end {
      let node = snapshot.nodes[index]
      let outer = index == first ? matrix : node.local * matrices[Int(node.parent) - first]
      matrices.append(node.snapped(outer))
    }
    var boxes = [Rect](repeating: .zero, count: end - first)
    for index in (first..<end).reversed() {
      let node = snapshot.nodes[index]
      guard index == first || !node.isHidden && node.opacity > 0 else { continue }
      let placed = matrices[index - first]
      if !extents.rects[index].isUnknown {
        boxes[index - first] = box(of: extents.rects[index], under: placed)
        continue
      }
      var clipped = node.image >= 0 ? box(of: node.imageRect, under: placed) : .zero
      if node.portal >= 0 {
        clipped = clipped.union(reach(of: node.portal, shownIn: context, under: placed, depth: depth))
      }
      var child = Int32(index) + 1
      while child < node.end {
        clipped = clipped.union(boxes[Int(child) - first])
        child = snapshot.nodes[Int(child)].end
      }
      let bounds = box(of: node.bounds, under: placed)
      if node.masksToBounds { clipped = clipped.intersection(bounds) }
      boxes[index - first] = affected(clipped.union(bounds), node, under: placed)
    }
    return boxes[0]
  }

  /// What a portal shows, under the matrix of the portal's layer.
  private func reach(
    of portal: Int32, shownIn context: RecursionContext, under matrix: Homography, depth: Int
  ) -> Rect {
    let portal = (number: portal, value: snapshot.portals[Int(portal)])
    let placed = portal.value.matrix * matrix
    var shown: Rect
    switch snapshot.entry(of: portal.number, in: context) {
    case .nothing: return .zero
    case .previousFrame: shown = ContentExtents.everywhere
    case .content(let inner): shown = reach(of: portal.value.source, in: inner, under: placed, depth: depth + 1)
    }
    // A pixel of the source's own is shown wholly, and may be as large as two of these.
    if portal.value.sampling == .nearest { shown = shown.insetBy(dx: -2, dy: -2) }
    guard let part = portal.value.sourceRect else { return shown }
    return shown.intersection(box(of: part.standardized, under: placed))
  }

  /// What the layer's effects make of it.
  private func affected(_ reach: Rect, _ node: SnapshotNode, under matrix: Homography) -> Rect {
    guard node.effects >= 0 else { return reach }
    let effects = snapshot.effects[Int(node.effects)]
    var reach = effects.lens == nil ? reach : box(of: node.bounds, under: matrix)
    func blurred(_ rect: Rect, _ radius: Double) -> Rect {
      guard let gaussian = SnapshotEffects.gaussian(radius: radius, bounds: node.bounds, under: matrix) else {
        return rect
      }
      return rect.insetBy(dx: -Double(gaussian.reach.x), dy: -Double(gaussian.reach.y))
    }
    if let shadow = effects.shadow {
      let offset = SnapshotEffects.offset(of: shadow, bounds: node.bounds, under: matrix)
      let cast = shadow.path.map { box(of: $0.rect.standardized, under: matrix) } ?? reach
      reach = reach.union(blurred(cast, shadow.radius).offsetBy(dx: offset.x, dy: offset.y))
    }
    for case .gaussianBlur(let radius) in effects.filters { reach = blurred(reach, radius) }
    return reach.isFinite ? reach : ContentExtents.everywhere
  }

  private func box(of rect: Rect, under matrix: Homography) -> Rect {
    guard !rect.isEmpty, matrix.isFinite else { return .zero }
    let box = matrix.boundingBox(of: rect)
    return box.isFinite ? box : ContentExtents.everywhere
  }
}
