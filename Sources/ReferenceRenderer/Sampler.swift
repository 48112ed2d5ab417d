import Geometry

/// Reads a picture under a transform. Texel centres lie at halves; nothing outside `crop` is read, its edge texels go
/// on for ever.
struct Sampler {
  private(set) var picture: Picture
  /// Pixels of the target → texels of level 0.
  private let map: Homography
  private let isNearest: Bool
  /// For each pixel, side by side along the line on which the picture is smallest there.
  private let samples: Int
  private let level: Level
  /// Mixed with it, so much of it.
  private let coarser: Level?
  private let fraction: Float

  /// One of the picture's versions.
  private struct Level {
    var number: Int
    var size: (width: Int, height: Int)
    /// Texels of the level for each of level 0.
    var ratio: (x: Double, y: Double)
    /// Where the level's texel coordinate is held, each way.
    var low: (x: Double, y: Double)
    var high: (x: Double, y: Double)

    init(_ number: Int, of picture: Picture, within crop: Rect) {
      self.number = number
      size = picture.size(of: number)
      ratio = (Double(size.width) / Double(picture.width), Double(size.height) / Double(picture.height))
      let x = Self.range(from: crop.minX * ratio.x, to: crop.maxX * ratio.x, count: size.width)
      let y = Self.range(from: crop.minY * ratio.y, to: crop.maxY * ratio.y, count: size.height)
      low = (x.low, y.low)
      high = (x.high, y.high)
    }

    /// Half a texel within the crop's ends, and within the picture.
    private static func range(from start: Double, to end: Double, count: Int) -> (low: Double, high: Double) {
      let limit = 0.5...(Double(count) - 0.5)
      let (low, high) = end - start >= 1 ? (start + 0.5, end - 0.5) : ((start + end) / 2, (start + end) / 2)
      return (min(max(low, limit.lowerBound), limit.upperBound), min(max(high, limit.lowerBound), limit.upperBound))
    }
  }

  /// What lies so near before the edge of a texel, in texels, is in it: no rounding decides.
  private static let tie = 1.0 / 4096
  /// Beyond this a picture counts as made larger, or as made smaller by two, whatever rounding says.
  private static let slack = 1e-9

  /// What is read of a picture shown smaller: a smaller version, two of them, or the picture itself.
  enum Minification { case mipmapped, trilinear, nearest, plain }

  /// - Parameters:
  ///   - crop: what of the picture is shown, in its texels.
  ///   - limits: what may be read of it; nil for the crop.
  ///   - place: where the crop lies in layer space.
  ///   - transform: layer space → pixels.
  ///   - nearPixel: a pixel that shows the picture, for where its centre lies behind the eye.
  /// - Returns: nil where the picture has no extent.
  init?(
    _ picture: Picture, crop: Rect, within limits: Rect? = nil, place: Rect, transform: Homography, nearPixel: Point,
    magnifiesNearest: Bool, minification: Minification
  ) {
    guard !crop.isEmpty || limits != nil, !place.isEmpty, let back = transform.inverse else { return nil }
    let toTexels =
      Homography.translation(x: -place.x, y: -place.y)
      * .scale(x: crop.width / place.width, y: crop.height / place.height) * .translation(x: crop.x, y: crop.y)
    let map = back * toTexels
    guard map.isFinite else { return nil }
    let stretches = map.stretches(at: transform.apply(place.center) ?? nearPixel)
    var texelsPerPixel = stretches.largest
    self.map = map
    self.picture = picture
    let isSmaller = texelsPerPixel > 1 + Self.slack
    isNearest = isSmaller ? minification == .nearest : magnifiesNearest
    if isSmaller, minification == .mipmapped, !transform.isAffine {
      // As sharp as the picture is across the line along which it is smallest; along it, the mean of so many samples.
      texelsPerPixel = max(1, stretches.smallest)
      let ratio = stretches.largest / texelsPerPixel
      samples = ratio > 1 + Self.slack ? Int(min(16, (2 * ratio - Self.slack).rounded(.up))) : 1
    } else {
      samples = 1
    }
    let wanted = texelsPerPixel * (1 + Self.slack)
    let hasVersions = (minification == .mipmapped || minification == .trilinear) && isSmaller
    let number = hasVersions && wanted >= 2 ? min(Int(wanted.exponent), picture.lastLevel) : 0
    let share = hasVersions && minification == .trilinear ? logarithm2(texelsPerPixel) - Double(number) : 0
    let isMixed = share > 1e-6 && number < picture.lastLevel
    self.picture.prepare(level: number + (isMixed ? 1 : 0))
    level = Level(number, of: self.picture, within: limits ?? crop)
    coarser = isMixed ? Level(number + 1, of: self.picture, within: limits ?? crop) : nil
    fraction = Float(min(1, share))
  }

  /// The premultiplied colour at the centre of a pixel.
  @inline(__always)
  func color(x: Int, y: Int) -> SIMD4<Float> {
    let p = map.project(Point(Double(x) + 0.5, Double(y) + 0.5))
    if samples > 1 { return mean(about: Point(p.x / p.w, p.y / p.w), w: p.w) }
    let color = texel(p.x / p.w, p.y / p.w, level)
    return coarser.map { Self.mix(color, texel(p.x / p.w, p.y / p.w, $0), fraction) } ?? color
  }

  /// The mean of what is read on a line as long as a pixel.
  private func mean(about place: Point, w: Double) -> SIMD4<Float> {
    let (right, down) = map.steps(at: place, w: w)
    let (a, b, c) = (
      right.x * right.x + right.y * right.y, right.x * down.x + right.y * down.y, down.x * down.x + down.y * down.y
    )
    let angle = Geometry.angle(x: a - c, y: 2 * b) / 2
    let (u, v) = (cosine(angle), sine(angle))
    let step = Point(right.x * u + down.x * v, right.y * u + down.y * v)
    var sum = SIMD4<Float>.zero
    for index in 0..<samples {
      let part = (Double(index) + 0.5) / Double(samples) - 0.5
      sum += texel(place.x + part * step.x, place.y + part * step.y, level)
    }
    return sum / Float(samples)
  }

  /// What a level has at a place in texels of level 0.
  @inline(__always)
  private func texel(_ x: Double, _ y: Double, _ level: Level) -> SIMD4<Float> {
    let u = Self.held(x * level.ratio.x, level.low.x, level.high.x)
    let v = Self.held(y * level.ratio.y, level.low.y, level.high.y)
    let number = level.number
    if isNearest {
      return picture.texel(
        x: min(Int(u + Self.tie), level.size.width - 1), y: min(Int(v + Self.tie), level.size.height - 1), level: number
      )
    }
    let (left, top) = ((u - 0.5).rounded(.down), (v - 0.5).rounded(.down))
    let (fx, fy) = (Float(u - 0.5 - left), Float(v - 0.5 - top))
    let (x0, y0) = (Int(left), Int(top))
    let (x1, y1) = (min(x0 + 1, level.size.width - 1), min(y0 + 1, level.size.height - 1))
    let upper = Self.mix(picture.texel(x: x0, y: y0, level: number), picture.texel(x: x1, y: y0, level: number), fx)
    if fy == 0 { return upper }
    let lower = Self.mix(picture.texel(x: x0, y: y1, level: number), picture.texel(x: x1, y: y1, level: number), fx)
    return Self.mix(upper, lower, fy)
  }

  /// Without the rounding that transforms leave, so that one to one on the pixel grid is the texel itself. What is not
  /// a number is the low end.
  @inline(__always)
  private static func held(_ coordinate: Double, _ low: Double, _ high: Double) -> Double {
    let snapped = (coordinate * 0x1p20).rounded() * 0x1p-20
    return snapped > low ? min(snapped, high) : low
  }

  /// Exact at both ends.
  @inline(__always)
  private static func mix(_ a: SIMD4<Float>, _ b: SIMD4<Float>, _ t: Float) -> SIMD4<Float> {
    t == 0 ? a : a * (1 - t) + b * t
  }
}

extension Homography {
  /// How much it lengthens a short line at `point` at most and at least: the singular values of its derivative there.
  func stretches(at point: Point) -> (largest: Double, smallest: Double) {
    let p = project(point)
    let (right, down) = steps(at: Point(p.x / p.w, p.y / p.w), w: p.w)
    let determinant = right.x * down.y - right.y * down.x
    // The map as a turn with one scale and a mirrored one; a mere turn is 1 to the last bits.
    let largest =
      (Geometry.length(right.x + down.y, right.y - down.x) + Geometry.length(right.x - down.y, right.y + down.x)) / 2
    return largest.isFinite && largest > 0 ? (largest, determinant.magnitude / largest) : (1, 1)
  }

  /// Where a step to the right and one down lead from the point whose image is `place`, with that w.
  fileprivate func steps(at place: Point, w: Double) -> (right: Point, down: Point) {
    (
      Point((m11 - place.x * m14) / w, (m12 - place.y * m14) / w),
      Point((m21 - place.x * m24) / w, (m22 - place.y * m24) / w)
    )
  }
}
