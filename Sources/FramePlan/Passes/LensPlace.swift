import Commit
import Geometry
import RenderTree

/// A lens and where it lies in a pass.
struct LensPlace {
  var lens: Lens
  /// Straight, in the working space.
  var highlight: Color
  /// Its outline in layer space, at least one shape.
  var shapes: [RoundedRect]
  var bounds: Rect
  /// The pass's pixels to layer space. In perspective as it is in the middle of the layer.
  var toLayer: Homography
  /// How far from where it shows something lies that it bends there, in pixels.
  var reach: Int32
  /// The pixels around the bounds, in the pass that the layer stands in: of a layer's own content, what lies beyond shows only
  /// as its edge pixels, which go on.
  var box: PixelRect

  /// Nil where nothing of the layer shows.
  init?(_ lens: Lens, _ node: SnapshotNode, _ matrix: Homography, in space: WorkingSpace) {
    self.lens = lens
    highlight = space.color(lens.highlight)
    bounds = node.bounds
    box = PixelRect(enclosing: matrix.boundingBox(of: node.bounds).snapped)
    shapes = lens.shapes.map { shape in
      let rect = shape.rect.standardized
      return RoundedRect(rect: rect, radii: CornerRadii(radius: shape.radius, mask: .all, size: rect.size))
    }
    if shapes.isEmpty {
      shapes = [
        RoundedRect(
          rect: node.bounds, radii: CornerRadii(radius: node.radii.largest, mask: .all, size: node.bounds.size))
      ]
    }
    let middle = node.bounds.center
    guard let linear = matrix.scales(at: middle), let place = matrix.apply(middle) else { return nil }
    let flat = Homography(m11: linear.a, m12: linear.b, m21: linear.c, m22: linear.d)
    guard
      let inverse = (Homography.translation(x: -middle.x, y: -middle.y) * flat).translated(x: place.x, y: place.y)
        .inverse
    else { return nil }
    toLayer = inverse
    let index = 1 + (lens.refractiveIndex - 1) * (1 + lens.chromaticSpread)
    let shift = lens.thickness * max(0, index * index - 1).squareRoot() * linear.singularValues.largest
    reach = Int32(min(2048, max(0, shift.rounded(.up)))) + 2
  }

  /// As seen by a pass whose pixels `before` leads to those of this one.
  func moved(by before: Homography) -> LensPlace {
    var place = self
    place.toLayer = before * toLayer
    return place
  }

  /// The floats from the eleventh on of `InstanceFormat.lens`, but for the factor.
  func append(to floats: inout [Float], corner: Point, drawsCoverage: Bool) {
    let origin = toLayer.apply(corner) ?? .zero
    func radius(_ index: Int) -> Double { index < shapes.count ? shapes[index].radii.largest : 0 }
    func put(_ values: Double...) { for value in values { floats.append(Float(value)) } }
    put(drawsCoverage ? 1 : 0)
    put(toLayer.m11, toLayer.m12, toLayer.m21, toLayer.m22)
    put(origin.x, origin.y)
    let light = Transform3D.rotation(angle: lens.lightAngle)
    put(light.m11, light.m12)
    put(lens.smoothing, lens.rim, lens.thickness, lens.refractiveIndex)
    put(lens.chromaticSpread, lens.highlightWidth, Double(min(shapes.count, Lens.maxShapes)), radius(4))
    floats.append(highlight.red)
    floats.append(highlight.green)
    floats.append(highlight.blue)
    floats.append(highlight.alpha)
    for index in 0..<Lens.maxShapes {
      let rect = index < shapes.count ? shapes[index].rect : .zero
      put(rect.minX, rect.minY, rect.maxX, rect.maxY)
    }
    put(radius(0), radius(1), radius(2), radius(3))
    put(bounds.minX, bounds.minY, bounds.maxX, bounds.maxY)
  }
}
