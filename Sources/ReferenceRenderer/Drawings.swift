import Commit
import Geometry
import RenderTree

// What a layer draws itself.

extension Painter {
  mutating func drawBackground(_ node: SnapshotNode, _ visit: Visit) {
    let hasColor = node.backgroundColor.alpha > 0
    guard hasColor || node.gradient >= 0 else { return }
    let coverage = Coverage(of: node.shape, under: visit.matrix, within: scissor, hardEdges: node.hardEdges)
    guard !coverage.isEmpty else { return }
    if hasColor {
      let color = SIMD4(space.color(node.backgroundColor))
      canvas.paint(coverage, alpha: visit.alpha) { _, _ in color }
    }
    if node.gradient >= 0,
      let ramp = Ramp(snapshot.gradients[Int(node.gradient)], bounds: node.bounds, transform: visit.matrix, in: space)
    {
      canvas.paint(coverage, alpha: visit.alpha) { x, y in ramp.color(x: x, y: y) }
    }
  }

  mutating func drawBorder(_ visit: Visit) {
    let node = snapshot.nodes[Int(visit.node)]
    let coverage = Coverage(
      ofBorder: node.borderWidth, of: node.shape, under: visit.matrix, within: scissor, hardEdges: node.hardEdges)
    let color = SIMD4(space.color(node.borderColor))
    canvas.paint(coverage, alpha: visit.alpha) { _, _ in color }
  }

  mutating func drawImage(_ node: SnapshotNode, _ visit: Visit) {
    guard node.image >= 0 else { return }
    let image = snapshot.images[Int(node.image)]
    let picture = pictures[image.identity] ?? Picture(image, in: space)
    let coverage = Coverage(
      of: RoundedRect(rect: node.imageRect), under: visit.matrix, within: scissor, hardEdges: node.hardEdges)
    guard !coverage.isEmpty else { return }
    var kept = picture
    func sampler(_ crop: Rect, _ place: Rect) -> Sampler? {
      let sampler = Sampler(
        kept, crop: crop, within: node.imageCrop, place: place, transform: visit.matrix,
        nearPixel: coverage.bounds.rect.center, magnifiesNearest: node.flags.contains(.magnifiesNearest),
        minification: node.flags.contains(.minifiesNearest)
          ? .nearest : node.flags.contains(.minifiesTrilinear) ? .trilinear : .mipmapped)
      if let sampler { kept = sampler.picture }
      return sampler
    }
    // Its smaller versions are kept with it.
    defer { pictures[image.identity] = kept }
    if let parts = snapshot.nineParts(of: visit.node) {
      drawParts(parts, coverage, visit, sampler)
    } else if let sampler = sampler(node.imageCrop, node.imageRect) {
      canvas.paint(coverage, alpha: visit.alpha) { x, y in sampler.color(x: x, y: y) }
    }
  }

  /// A picture in nine parts: each pixel is of the part in which its centre lies.
  private mutating func drawParts(
    _ parts: SnapshotNineParts, _ coverage: Coverage, _ visit: Visit, _ sampler: (Rect, Rect) -> Sampler?
  ) {
    guard let back = visit.matrix.inverse else { return }
    var samplers: [Sampler?] = []
    for row in parts.rows.parts {
      for column in parts.columns.parts {
        samplers.append(
          sampler(
            Rect(minX: column.texels.0, minY: row.texels.0, maxX: column.texels.1, maxY: row.texels.1),
            Rect(minX: column.points.0, minY: row.points.0, maxX: column.points.1, maxY: row.points.1)))
      }
    }
    func part(_ place: Double, _ points: (Double, Double, Double, Double)) -> Int {
      // What has no length at an end is no part.
      if place < points.1, points.1 > points.0 { return 0 }
      if place < points.2 || points.3 == points.2 { return points.2 > points.1 ? 1 : 0 }
      return 2
    }
    canvas.paint(coverage, alpha: visit.alpha) { x, y in
      let p = back.project(Point(Double(x) + 0.5, Double(y) + 0.5))
      let column = part(Outline.snapped(p.x / p.w), parts.columns.points)
      let row = part(Outline.snapped(p.y / p.w), parts.rows.points)
      return samplers[3 * row + column]?.color(x: x, y: y) ?? .zero
    }
  }

  /// The picture that the source's bounds showed at the end of the frame before; in the first frame nothing.
  mutating func drawFrameBefore(
    of source: LayerID, within sourceRect: Rect?, _ matrix: Homography, alpha: Float, isNearest: Bool
  ) {
    guard let frame = feedback.frames[source] else { return }
    let shown = sourceRect.map { $0.standardized.intersection(frame.bounds) } ?? frame.bounds
    let coverage = Coverage(of: RoundedRect(rect: shown), under: matrix, within: scissor)
    let factor = frame.pixelsPerPoint
    let crop = Rect(x: 0, y: 0, width: frame.bounds.width * factor, height: frame.bounds.height * factor)
    guard !coverage.isEmpty,
      let sampler = Sampler(
        frame.picture, crop: crop, place: frame.bounds, transform: matrix, nearPixel: coverage.bounds.rect.center,
        magnifiesNearest: isNearest, minification: isNearest ? .nearest : .plain)
    else { return }
    canvas.paint(coverage, alpha: alpha) { x, y in sampler.color(x: x, y: y) }
  }
}
