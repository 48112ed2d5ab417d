import Commit
import Geometry
import RenderTree

// What a layer draws itself.

extension Painter {
  mutating func drawBackground(_ node: SnapshotNode, _ visit: Visit) {
    let hasColor = node.backgroundColor.alpha > 0
    guard hasColor || node.gradient >= 0 else { return }
    let coverage = Coverage(of: node.shape, under: visit.matrix, within: scissor)
    guard !coverage.isEmpty else { return }
    if hasColor {
      let color = SIMD4(node.backgroundColor)
      canvas.paint(coverage, alpha: visit.alpha) { _, _ in color }
    }
    if node.gradient >= 0,
      let ramp = Ramp(snapshot.gradients[Int(node.gradient)], bounds: node.bounds, transform: visit.matrix)
    {
      canvas.paint(coverage, alpha: visit.alpha) { x, y in ramp.color(x: x, y: y) }
    }
  }

  mutating func drawBorder(_ visit: Visit) {
    let node = snapshot.nodes[Int(visit.node)]
    let coverage = Coverage(ofBorder: node.borderWidth, of: node.shape, under: visit.matrix, within: scissor)
    let color = SIMD4(node.borderColor)
    canvas.paint(coverage, alpha: visit.alpha) { _, _ in color }
  }

  mutating func drawImage(_ node: SnapshotNode, _ visit: Visit) {
    guard node.image >= 0 else { return }
    let image = snapshot.images[Int(node.image)]
    let picture = pictures[image.identity] ?? Picture(image)
    let coverage = Coverage(of: RoundedRect(rect: node.imageRect), under: visit.matrix, within: scissor)
    guard !coverage.isEmpty,
      let sampler = Sampler(
        picture, crop: node.imageCrop, place: node.imageRect, transform: visit.matrix,
        nearPixel: coverage.bounds.rect.center, magnifiesNearest: node.flags.contains(.magnifiesNearest),
        minification: .mipmapped)
    else { return }
    // Its smaller versions are kept with it.
    pictures[image.identity] = sampler.picture
    canvas.paint(coverage, alpha: visit.alpha) { x, y in sampler.color(x: x, y: y) }
  }

  /// The picture that the source's bounds showed at the end of the frame before; in the first frame nothing.
  mutating func drawFrameBefore(
    of source: LayerID, within sourceRect: Rect?, _ matrix: Homography, alpha: Float
  ) {
    guard let frame = feedback.frames[source] else { return }
    let shown = sourceRect.map { $0.standardized.intersection(frame.bounds) } ?? frame.bounds
    let coverage = Coverage(of: RoundedRect(rect: shown), under: matrix, within: scissor)
    let factor = frame.pixelsPerPoint
    let crop = Rect(x: 0, y: 0, width: frame.bounds.width * factor, height: frame.bounds.height * factor)
    guard !coverage.isEmpty,
      let sampler = Sampler(
        frame.picture, crop: crop, place: frame.bounds, transform: matrix, nearPixel: coverage.bounds.rect.center,
        magnifiesNearest: false, minification: .plain)
    else { return }
    canvas.paint(coverage, alpha: alpha) { x, y in sampler.color(x: x, y: y) }
  }
}
