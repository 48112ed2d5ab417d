import Commit
import Geometry
import RenderTree

// Filters, each applied by itself and in order. What one reads is a picture of the working space, of 8 bits as a rule: a strong
// filter makes its steps visible, so they belong to what the picture must be.

extension Canvas {
  func applying(_ group: EffectsGroup) -> Canvas {
    var result = group.effects.lens.map { seen(through: $0, group) } ?? self
    if let shadow = group.effects.shadow { result = result.casting(shadow, group) }
    for filter in group.effects.filters {
      if let matrix = filter.matrix {
        result = result.kept(in: group.space).applying(matrix, in: group.space)
      } else if let gaussian = group.gaussian(of: filter) {
        result = result.kept(in: group.space).blurred(gaussian, within: group.needed)
      }
    }
    return result
  }

  /// As a target of the space holds it.
  func kept(in space: WorkingSpace) -> Canvas { Canvas(bounds: bounds, pixels: pixels.map { $0.kept(in: space) }) }

  /// Through the layer's own lens; nothing beyond its outline.
  private func seen(through lens: Lens, _ group: EffectsGroup) -> Canvas {
    let area = group.glass.intersection(group.needed)
    guard !area.isEmpty, let glass = Glass(lens, over: group.layer, under: group.visit.matrix, in: group.space) else {
      return Canvas(limit: .empty)
    }
    let seen = glass.seeing(part(area), in: area)
    var result = Canvas(limit: area)
    result.paint(seen.picture, clippedTo: seen.coverage)
    return result
  }

  /// Over its shadow.
  private func casting(_ shadow: Shadow, _ group: EffectsGroup) -> Canvas {
    let area = group.needed
    var silhouette = self
    if let path = shadow.path {
      silhouette = Canvas(limit: area)
      let shape = RoundedRect(
        rect: path.rect.standardized,
        radii: CornerRadii(radius: path.radius, mask: .all, size: path.rect.standardized.size))
      silhouette.paint(Coverage(of: shape, under: group.visit.matrix, within: area), alpha: 1) { _, _ in .one }
    }
    if let gaussian = group.gaussian(radius: shadow.radius) {
      let whole = area.outset(by: gaussian)
      silhouette = silhouette.blurred(gaussian, within: whole)
    }
    let offset = SnapshotEffects.offset(of: shadow, bounds: group.layer.bounds, under: group.visit.matrix)
    var result = Canvas(limit: area)
    result.paint(silhouette.applying(shadow.tint, in: group.space).moved(by: offset), opacity: 1, within: area)
    result.paint(self, opacity: 1, within: area)
    return result
  }

  /// Between pixels as linear sampling has it.
  private func moved(by offset: Point) -> Canvas {
    guard !bounds.isEmpty, offset != .zero else { return self }
    let area = PixelRect(enclosing: bounds.rect.offsetBy(dx: offset.x, dy: offset.y))
    let (left, top) = (offset.x.rounded(.down), offset.y.rounded(.down))
    let (fx, fy) = (Float(offset.x - left), Float(offset.y - top))
    let inside = bounds
    func texel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      guard x >= Int(inside.minX), x < Int(inside.maxX), y >= Int(inside.minY), y < Int(inside.maxY) else {
        return .zero
      }
      return pixels[index(x: x, y: y)]
    }
    var result: [SIMD4<Float>] = []
    result.reserveCapacity(area.area)
    for y in Int(area.minY)..<Int(area.maxY) {
      for x in Int(area.minX)..<Int(area.maxX) {
        let (u, v) = (x - Int(left), y - Int(top))
        let upper = texel(u - 1, v - 1) * fx + texel(u, v - 1) * (1 - fx)
        let lower = texel(u - 1, v) * fx + texel(u, v) * (1 - fx)
        result.append(upper * fy + lower * (1 - fy))
      }
    }
    return Canvas(bounds: area, pixels: result)
  }

  /// As far as the mask covers it.
  func masked(by mask: Canvas) -> Canvas {
    let area = bounds.intersection(mask.bounds)
    var result: [SIMD4<Float>] = []
    result.reserveCapacity(area.area)
    guard !area.isEmpty else { return Canvas(bounds: .empty, pixels: []) }
    for y in Int(area.minY)..<Int(area.maxY) {
      for x in Int(area.minX)..<Int(area.maxX) {
        result.append(pixels[index(x: x, y: y)] * mask.pixels[mask.index(x: x, y: y)].w)
      }
    }
    return Canvas(bounds: area, pixels: result)
  }

  /// Each colour, without its transparency and encoded, through the matrix and clamped. Nothing stays nothing.
  func applying(_ matrix: ColorMatrix, in space: WorkingSpace) -> Canvas {
    let most = space.isExtended ? WorkingSpace.largestComponent : 1
    let (low, high) = (SIMD4(repeating: space.isExtended ? -most : 0), SIMD4(repeating: most))
    let isLinear = space.encoding == .linear
    let mapped = pixels.map { pixel -> SIMD4<Float> in
      guard pixel.w > 0 else { return .zero }
      let straight = SIMD4(pixel.x / pixel.w, pixel.y / pixel.w, pixel.z / pixel.w, pixel.w)
      var color = matrix.apply(isLinear ? straight.mapped(SRGBCurve.encode) : straight)
      color.clamp(lowerBound: low, upperBound: high)
      color.w = min(1, max(0, color.w))
      if isLinear { color = color.mapped(SRGBCurve.decode) }
      return SIMD4(color.x * color.w, color.y * color.w, color.z * color.w, color.w)
    }
    return Canvas(bounds: bounds, pixels: mapped)
  }

  /// Convolved with the gaussian, cut off where it reaches no further. Outside is nothing.
  func blurred(_ gaussian: Gaussian, within limit: PixelRect) -> Canvas {
    let area = bounds.outset(by: gaussian).intersection(limit)
    guard !bounds.isEmpty, !area.isEmpty else { return Canvas(bounds: .empty, pixels: []) }
    if gaussian.xy != 0 { return convolved(gaussian, to: area) }
    let rows = PixelRect(minX: area.minX, minY: bounds.minY, maxX: area.maxX, maxY: bounds.maxY)
    let wide = convolved(Self.kernel(gaussian.xx), step: (1, 0), to: rows)
    return wide.convolved(Self.kernel(gaussian.yy), step: (0, 1), to: area)
  }

  /// From the middle to one end; the other half is the same.
  private static func kernel(_ variance: Double) -> [Float] {
    let reach = Int(Gaussian(xx: variance, yy: 0).reach.x)
    guard variance > 0 else { return [1] }
    let weights = (0...reach).map { exponential(-Double($0 * $0) / (2 * variance)) }
    let sum = 2 * weights.reduce(0, +) - weights[0]
    return weights.map { Float($0 / sum) }
  }

  private func convolved(_ kernel: [Float], step: (x: Int, y: Int), to area: PixelRect) -> Canvas {
    var result = [SIMD4<Float>](repeating: .zero, count: area.area)
    var target = 0
    for y in Int(area.minY)..<Int(area.maxY) {
      for x in Int(area.minX)..<Int(area.maxX) {
        // The steps that lead to pixels that are there.
        let place = step.x * x + step.y * y
        let low = Int(step.x == 1 ? bounds.minX : bounds.minY) - place
        let high = Int(step.x == 1 ? bounds.maxX : bounds.maxY) - 1 - place
        let (first, last) = (max(low, 1 - kernel.count), min(high, kernel.count - 1))
        var sum = SIMD4<Float>.zero
        if first <= last {
          let stride = step.x + step.y * bounds.width
          var source = index(x: x + step.x * first, y: y + step.y * first)
          for offset in first...last {
            sum += pixels[source] * kernel[abs(offset)]
            source += stride
          }
        }
        result[target] = sum
        target += 1
      }
    }
    return Canvas(bounds: area, pixels: result)
  }

  /// With a gaussian whose axes are not the picture's.
  private func convolved(_ gaussian: Gaussian, to area: PixelRect) -> Canvas {
    let determinant = gaussian.xx * gaussian.yy - gaussian.xy * gaussian.xy
    guard determinant > 0 else { return self }
    if gaussian.reach.x > Self.shortReach || gaussian.reach.y > Self.shortReach { return slanted(gaussian, to: area) }
    let (reachX, reachY) = (Int(gaussian.reach.x), Int(gaussian.reach.y))
    var kernel: [(x: Int, y: Int, weight: Float)] = []
    var sum = 0.0
    for y in -reachY...reachY {
      for x in -reachX...reachX {
        let (u, v) = (Double(x), Double(y))
        let square = (gaussian.yy * u * u - 2 * gaussian.xy * u * v + gaussian.xx * v * v) / determinant
        guard square <= 12 else { continue }
        let weight = exponential(-square / 2)
        sum += weight
        kernel.append((x, y, Float(weight)))
      }
    }
    var result = [SIMD4<Float>](repeating: .zero, count: area.area)
    let inside = bounds
    var target = 0
    for y in Int(area.minY)..<Int(area.maxY) {
      for x in Int(area.minX)..<Int(area.maxX) {
        var value = SIMD4<Float>.zero
        for entry in kernel {
          let (px, py) = (x + entry.x, y + entry.y)
          guard px >= Int(inside.minX), px < Int(inside.maxX), py >= Int(inside.minY), py < Int(inside.maxY) else {
            continue
          }
          value += pixels[index(x: px, y: py)] * entry.weight
        }
        result[target] = value * Float(1 / sum)
        target += 1
      }
    }
    return Canvas(bounds: area, pixels: result)
  }

  /// Beyond, a gaussian is so smooth that reading between pixels is as good as its every value.
  private static let shortReach: Int32 = 18

  /// The same in two steps: along the rows, then along the slanted line on which the rows' gaussians have their middles.
  private func slanted(_ gaussian: Gaussian, to area: PixelRect) -> Canvas {
    let slope = gaussian.xy / gaussian.yy
    let along = max(0, gaussian.xx - gaussian.xy * slope)
    let rows = bounds.outset(by: Gaussian(xx: gaussian.xx, yy: 0)).outset(by: Gaussian(xx: along, yy: 0))
    let wide = convolved(Self.kernel(along), step: (1, 0), to: rows.intersection(area.outset(by: gaussian)))
    let kernel = Self.kernel(gaussian.yy)
    var result = [SIMD4<Float>](repeating: .zero, count: area.area)
    let inside = wide.bounds
    func texel(_ x: Int, _ y: Int) -> SIMD4<Float> {
      x >= Int(inside.minX) && x < Int(inside.maxX) ? wide.pixels[wide.index(x: x, y: y)] : .zero
    }
    var target = 0
    for y in Int(area.minY)..<Int(area.maxY) {
      let (first, last) = (max(Int(inside.minY) - y, 1 - kernel.count), min(Int(inside.maxY) - 1 - y, kernel.count - 1))
      for x in Int(area.minX)..<Int(area.maxX) {
        var sum = SIMD4<Float>.zero
        if first <= last {
          for offset in first...last {
            let place = Double(x) + slope * Double(offset)
            let (left, part) = (Int(place.rounded(.down)), Float(place - place.rounded(.down)))
            let value = texel(left, y + offset) * (1 - part) + texel(left + 1, y + offset) * part
            sum += value * kernel[abs(offset)]
          }
        }
        result[target] = sum
        target += 1
      }
    }
    return Canvas(bounds: area, pixels: result)
  }
}

extension SIMD4<Float> {
  /// Red, green and blue through a function.
  fileprivate func mapped(_ curve: (Float) -> Float) -> SIMD4<Float> { SIMD4(curve(x), curve(y), curve(z), w) }
}
