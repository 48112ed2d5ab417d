import Commit
import Geometry
import RenderTree

/// A lens over the pixels that show it. The layer is taken for flat: its space is that which it has about the middle of its
/// bounds.
struct Glass {
  private let lens: Lens
  private let shapes: [Lens.Shape]
  private let bounds: RoundedRect
  /// Layer space → pixels, as flat as it is about the middle.
  private let matrix: Homography
  private let middle: Point
  private let image: Point
  /// Layer space → pixels, about the middle.
  private let map: LinearMap
  private let light: Point
  private let space: WorkingSpace
  /// Straight, in that space.
  private let highlight: Color

  /// Nil where the layer's middle is not in view, or it has no area.
  init?(_ lens: Lens, over node: SnapshotNode, under matrix: Homography, in space: WorkingSpace) {
    self.lens = lens
    self.space = space
    highlight = space.color(lens.highlight)
    bounds = RoundedRect(rect: node.bounds)
    shapes = lens.shapes.isEmpty ? [Lens.Shape(rect: node.bounds, radius: node.radii.largest)] : lens.shapes
    middle = node.bounds.center
    guard !node.bounds.isEmpty, let image = matrix.apply(middle), let map = matrix.scales(at: middle),
      image.isFinite, (map.a * map.d - map.b * map.c).isNormal
    else { return nil }
    self.image = image
    self.map = map
    self.matrix = matrix.isAffine ? matrix : map.placing(middle, at: image)
    light = Point(cosine(lens.lightAngle), sine(lens.lightAngle))
  }

  /// What of `picture` shows through it in `area`, and how far it covers that.
  func seeing(_ picture: Canvas, in area: PixelRect) -> (picture: Canvas, coverage: Coverage) {
    let picture = picture.kept(in: space)
    var coverage = Coverage(of: bounds, under: matrix, within: area)
    var result = Canvas(limit: coverage.bounds)
    result.change(coverage.bounds) { x, y, _ in
      let place = place(x, y)
      let outline = outline(at: place)
      coverage.limit(to: share(outline), x, y)
      return color(picture, at: place, outline)
    }
    return (result, coverage)
  }

  /// How far a place lies inside the outline, in points, and how that grows.
  private struct Distance {
    var value: Double
    var gradient: Point
  }

  /// The place in layer space that the middle of a pixel shows.
  private func place(_ x: Int, _ y: Int) -> Point {
    let (u, v) = (Double(x) + 0.5 - image.x, Double(y) + 0.5 - image.y)
    let determinant = map.a * map.d - map.b * map.c
    return Point(
      middle.x + (map.d * u - map.c * v) / determinant, middle.y + (map.a * v - map.b * u) / determinant)
  }

  // MARK: The outline

  /// Of two sides or shapes that are as near as this, in points, it is settled which counts as the nearer one.
  private static let tie = 1.0 / 4096

  private func outline(at place: Point) -> Distance {
    var all = Self.distance(to: shapes[0], from: place)
    for shape in shapes.dropFirst() {
      let next = Self.distance(to: shape, from: place)
      let (nearer, other) = next.value - all.value > Self.tie ? (next, all) : (all, next)
      let h = lens.smoothing > 0 ? max(lens.smoothing - (nearer.value - other.value), 0) / lens.smoothing : 0
      all.value = nearer.value + h * h * lens.smoothing / 4
      let share = h / 2
      all.gradient = Point(
        nearer.gradient.x * (1 - share) + other.gradient.x * share,
        nearer.gradient.y * (1 - share) + other.gradient.y * share)
    }
    return all
  }

  private static func distance(to shape: Lens.Shape, from place: Point) -> Distance {
    let rect = shape.rect.standardized
    let radius = max(0, min(shape.radius, min(rect.width, rect.height) / 2))
    let (dx, dy) = (place.x - rect.center.x, place.y - rect.center.y)
    let (sx, sy): (Double, Double) = (dx < -tie ? -1 : 1, dy < -tie ? -1 : 1)
    // Out of the rectangle on which the corners' middles lie.
    let (qx, qy) = (dx.magnitude - rect.width / 2 + radius, dy.magnitude - rect.height / 2 + radius)
    if qx > 0, qy > 0 {
      let away = length(qx, qy)
      return Distance(value: radius - away, gradient: Point(-sx * qx / away, -sy * qy / away))
    }
    return qx - qy > tie
      ? Distance(value: radius - qx, gradient: Point(-sx, 0)) : Distance(value: radius - qy, gradient: Point(0, -sy))
  }

  /// How much of a pixel lies inside.
  private func share(_ outline: Distance) -> Float {
    let determinant = map.a * map.d - map.b * map.c
    let (gx, gy) = (outline.gradient.x, outline.gradient.y)
    let change = length((gx * map.d - gy * map.b) / determinant, (gy * map.a - gx * map.c) / determinant)
    guard change > 1e-9 else { return outline.value > 0 ? 1 : 0 }
    return Float(min(1, max(0, Outline.snapped(outline.value / change) + 0.5)))
  }

  // MARK: What shows

  private func color(_ picture: Canvas, at place: Point, _ outline: Distance) -> SIMD4<Float> {
    let steepness = length(outline.gradient.x, outline.gradient.y)
    let inwards =
      steepness > 1e-9 ? Point(outline.gradient.x / steepness, outline.gradient.y / steepness) : Point(0, 0)
    func seen(_ index: Double) -> SIMD4<Float> {
      let shift = shift(at: outline.value, index: index)
      return picture.sample(pixel(Point(place.x + inwards.x * shift, place.y + inwards.y * shift)))
    }
    let bending = lens.refractiveIndex - 1
    var color = seen(lens.refractiveIndex)
    if lens.chromaticSpread > 0 {
      color.x = seen(1 + bending * (1 - lens.chromaticSpread)).x
      color.z = seen(1 + bending * (1 + lens.chromaticSpread)).z
    }
    guard highlight.alpha > 0, lens.highlightWidth > 0 else { return color }
    let fading = max(0, 1 - max(0, outline.value) / lens.highlightWidth)
    let facing = (inwards.x * light.x + inwards.y * light.y).magnitude
    let strength = highlight.alpha * Float(fading * fading * facing)
    let glow = SIMD4(highlight.red, highlight.green, highlight.blue, 1) * color.w
    return color + (glow - color) * strength
  }

  /// How much further in the picture lies, in points: thickness · tan(asin s − asin(s / index)).
  private func shift(at distance: Double, index: Double) -> Double {
    let s = lens.rim > 0 ? min(1, max(0, 1 - distance / lens.rim)) : 0
    let t = s / index
    let (cosine, refracted) = ((1 - s * s).squareRoot(), (1 - t * t).squareRoot())
    let slope = (s * refracted - cosine * t) / (cosine * refracted + s * t)
    return slope.isFinite ? lens.thickness * slope : 0
  }

  private func pixel(_ place: Point) -> Point {
    let (x, y) = (place.x - middle.x, place.y - middle.y)
    return Point(image.x + map.a * x + map.c * y, image.y + map.b * x + map.d * y)
  }
}

extension LinearMap {
  fileprivate func placing(_ point: Point, at place: Point) -> Homography {
    Homography.translation(x: -point.x, y: -point.y) * Homography(m11: a, m12: b, m21: c, m22: d)
      * .translation(x: place.x, y: place.y)
  }
}

extension Canvas {
  /// Between pixels, linearly; its edge pixels go on for ever.
  fileprivate func sample(_ place: Point) -> SIMD4<Float> {
    func held(_ value: Double, _ low: Int32, _ high: Int32) -> Double {
      // Without the rounding of the way there and back.
      let snapped = ((value - 0.5) * 0x1p20).rounded() * 0x1p-20
      return snapped > Double(low) ? min(snapped, Double(high - 1)) : Double(low)
    }
    let (x, y) = (held(place.x, bounds.minX, bounds.maxX), held(place.y, bounds.minY, bounds.maxY))
    let (left, top) = (Int(x.rounded(.down)), Int(y.rounded(.down)))
    let (fx, fy) = (Float(x - x.rounded(.down)), Float(y - y.rounded(.down)))
    func row(_ y: Int) -> SIMD4<Float> {
      let first = pixels[index(x: left, y: y)]
      return fx == 0 ? first : first + (pixels[index(x: left + 1, y: y)] - first) * fx
    }
    let upper = row(top)
    return fy == 0 ? upper : upper + (row(top + 1) - upper) * fy
  }
}
