import Commit
import Geometry

// Gaussian blurs in passes whose number does not grow with the radius: what is blurred much is first made smaller, by
// halves, until the gaussian is a few texels wide; then it is convolved along two lines, and shown larger again.

extension FramePlanner {
  /// Standard deviations, in texels: from more than `widest` a picture is halved, so what is convolved has at least half of
  /// it, which is so smooth that enlarging it by linear sampling shows nothing.
  private static let widest = 6.0
  /// From more than this, in pixels, even the layers are drawn smaller: so memory is bounded by what shows.
  private static let widestDrawn = 24.0
  private static let longestLine = 64

  /// How many pixels can be one while the layers are drawn, for the first blur among `steps`.
  static func coarseness(_ steps: [GroupStep]) -> Int {
    for case .blur(let gaussian) in steps {
      var (coarseness, deviation) = (1, gaussian.smallestDeviation)
      while deviation > widestDrawn, coarseness < 1 << 16 {
        deviation /= 2
        coarseness *= 2
      }
      return coarseness
    }
    return 1
  }

  /// The picture convolved with a gaussian, given in pixels of the pass that shows it.
  mutating func blurred(_ picture: GroupPicture, _ gaussian: Gaussian) -> GroupPicture {
    var picture = picture
    let before = picture.density
    var size = picture.size
    var texels = gaussian.scaled(x: before.x, y: before.y)
    // An earlier blur may have left it too coarse for this one.
    if !picture.isExact, texels.smallestDeviation < Self.widest / 4 {
      size = PixelSize(width: max(1, Int(picture.rect.width)), height: max(1, Int(picture.rect.height)))
      picture = redraw(picture, size: size)
      texels = gaussian
    }
    while let next = Self.halved(size, texels, isMirrored: picture.isMirrored) {
      picture = halved(picture, &texels, to: next)
      texels = texels.scaled(
        x: Double(next.width) / Double(size.width), y: Double(next.height) / Double(size.height))
      size = next
    }
    // What halving and enlarging blur by themselves is taken off.
    let after = picture.density
    texels.xx = max(0, texels.xx - Self.ownBlur(after.x) * after.x * after.x)
    texels.yy = max(0, texels.yy - Self.ownBlur(after.y) * after.y * after.y)
    let (dx, dy) = (1 / Double(size.width), 1 / Double(size.height))
    if texels.xy == 0 {
      convolve(&picture, texels.xx, Point(dx, 0), isOnAxis: true)
      convolve(&picture, texels.yy, Point(0, dy), isOnAxis: true)
    } else if texels.yy >= texels.xx {
      // Along the rows, and then along the slanted line on which the rows' gaussians have their middles.
      let slope = texels.xy / texels.yy
      convolve(&picture, texels.xx - texels.xy * slope, Point(dx, 0), isOnAxis: true)
      convolve(&picture, texels.yy, Point(slope * dx, dy), isOnAxis: false)
    } else {
      let slope = texels.xy / texels.xx
      convolve(&picture, texels.yy - texels.xy * slope, Point(0, dy), isOnAxis: true)
      convolve(&picture, texels.xx, Point(dx, slope * dy), isOnAxis: false)
    }
    return picture
  }

  /// The picture half as large. Halves of a side that is odd lie now between two texels and now on one, and would have the one
  /// and not the next: along that it is smoothed on the way, which is a part of the gaussian. Where both sides are odd, one of them
  /// is enough for a picture that was halved before, and so has nothing as fine as that.
  private mutating func halved(_ picture: GroupPicture, _ texels: inout Gaussian, to next: PixelSize) -> GroupPicture {
    let size = picture.size
    let across = BlurLine(step: Point(1 / Double(size.width), 0), deviation: 1, count: 3, isOnAxis: false)
    let down = BlurLine(step: Point(0, 1 / Double(size.height)), deviation: 1, count: 3, isOnAxis: false)
    let isOddAcross = next.width < size.width && size.width % 2 == 1
    let isOddDown = next.height < size.height && size.height % 2 == 1 && (!isOddAcross || picture.isExact)
    if isOddAcross { texels.xx -= 1 }
    if isOddDown { texels.yy -= 1 }
    switch (isOddAcross, isOddDown) {
    case (true, true):
      let narrow = redraw(picture, size: PixelSize(width: next.width, height: size.height), effect: .blur(across))
      return redraw(narrow, size: next, effect: .blur(down))
    case (true, false): return redraw(picture, size: next, effect: .blur(across))
    case (false, true): return redraw(picture, size: next, effect: .blur(down))
    case (false, false): return redraw(picture, size: next)
    }
  }

  /// The size of a picture half as large in the directions in which the gaussian is wide enough; nil if in none.
  private static func halved(_ size: PixelSize, _ texels: Gaussian, isMirrored: Bool) -> PixelSize? {
    func isWide(_ variance: Double, _ length: Int) -> Bool {
      let deviation = texels.xy == 0 ? max(0, variance).squareRoot() : texels.smallestDeviation
      // An odd one is halved as nearly as can be where its edges may not be moved.
      return deviation > widest && (isMirrored || length % 2 == 0) && length > 2
    }
    let (x, y) = (isWide(texels.xx, size.width), isWide(texels.yy, size.height))
    guard x || y else { return nil }
    return PixelSize(width: x ? (size.width + 1) / 2 : size.width, height: y ? (size.height + 1) / 2 : size.height)
  }

  /// The variance, in pixels, that a picture of this density has by boxes of more than a pixel, and by linear sampling.
  private static func ownBlur(_ density: Double) -> Double {
    guard density < 1 else { return 0 }
    let side = 1 / density
    return (side * side - 1) / 12 + side * side / 6
  }

  private mutating func convolve(_ picture: inout GroupPicture, _ variance: Double, _ step: Point, isOnAxis: Bool) {
    guard variance > 1e-4 else { return }
    var line = BlurLine(step: step, deviation: variance.squareRoot(), count: 0, isOnAxis: isOnAxis)
    line.count = Int(min(1e6, (3 * line.deviation - 1e-6).rounded(.up)))
    if line.count > Self.longestLine {
      let stretch = Double(line.count) / Double(Self.longestLine)
      line.step = Point(step.x * stretch, step.y * stretch)
      line.deviation /= stretch
      line.count = Self.longestLine
      line.isOnAxis = false
    }
    picture = redraw(picture, size: picture.size, effect: .blur(line))
  }
}
