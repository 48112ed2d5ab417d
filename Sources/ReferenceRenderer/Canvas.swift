import Geometry

/// A picture in the making: premultiplied colour, as the working space encodes it, in single precision. A group's canvas starts empty and
/// grows to what is drawn into it.
struct Canvas {
  private(set) var bounds: PixelRect
  /// Red, green, blue, alpha; a row of `bounds` after another.
  private(set) var pixels: [SIMD4<Float>]
  /// It never grows beyond.
  let limit: PixelRect

  /// An empty canvas for a group within a target of `limit`.
  init(limit: PixelRect) {
    self.limit = limit
    bounds = .empty
    pixels = []
  }

  /// A whole target of one colour.
  init(size: PixelSize, color: PremultipliedColor) {
    limit = PixelRect(size: size)
    bounds = limit
    pixels = Array(repeating: SIMD4(color), count: limit.area)
  }

  /// A group as it comes out of a filter.
  init(bounds: PixelRect, pixels: [SIMD4<Float>]) {
    self.limit = bounds
    self.bounds = bounds
    self.pixels = pixels
  }

  var byteCount: Int { pixels.count * MemoryLayout<SIMD4<Float>>.stride }

  /// Lays what `color` gives for a pixel (x, y) over what is there, as far as `coverage` and `alpha` say.
  @inline(__always)
  mutating func paint(_ coverage: Coverage, alpha: Float, _ color: (Int, Int) -> SIMD4<Float>) {
    guard !coverage.isEmpty, alpha > 0 else { return }
    reach(coverage.bounds)
    let area = coverage.bounds.intersection(bounds)
    let width = coverage.bounds.width
    for y in Int(area.minY)..<Int(area.maxY) {
      var source = (y - Int(coverage.bounds.minY)) * width + Int(area.minX) - Int(coverage.bounds.minX)
      var target = index(x: Int(area.minX), y: y)
      for x in Int(area.minX)..<Int(area.maxX) {
        let share = coverage.values[source]
        if share > 0 { blend(color(x, y) * (share * alpha), at: target) }
        source += 1
        target += 1
      }
    }
  }

  /// Lays a finished group over what is there.
  mutating func paint(_ group: Canvas, opacity: Float, within scissor: PixelRect) {
    let area = group.bounds.intersection(scissor).intersection(limit)
    guard !area.isEmpty else { return }
    reach(area)
    for y in Int(area.minY)..<Int(area.maxY) {
      var source = group.index(x: Int(area.minX), y: y)
      var target = index(x: Int(area.minX), y: y)
      for _ in 0..<area.width {
        blend(group.pixels[source] * opacity, at: target)
        source += 1
        target += 1
      }
    }
  }

  /// Lays a finished group over what is there, as far as `coverage` says. The coverage lies within the group.
  mutating func paint(_ group: Canvas, clippedTo coverage: Coverage) {
    paint(coverage, alpha: 1) { x, y in group.pixels[group.index(x: x, y: y)] }
  }

  /// Puts `color` of a pixel (x, y) in the place of what is there, as far as `coverage` and `alpha` say: where that is
  /// wholly, exactly.
  mutating func replace(_ coverage: Coverage, alpha: Float = 1, _ color: (Int, Int) -> SIMD4<Float>) {
    change(coverage.bounds) { x, y, behind in
      let share = coverage[x, y] * alpha
      if share == 0 { return behind }
      let new = color(x, y)
      return share == 1 ? new : behind + (new - behind) * share
    }
  }

  /// Puts what `body` makes of a pixel (x, y) and of what is there in its place.
  mutating func change(_ area: PixelRect, _ body: (Int, Int, SIMD4<Float>) -> SIMD4<Float>) {
    let area = area.intersection(limit)
    guard !area.isEmpty else { return }
    reach(area)
    for y in Int(area.minY)..<Int(area.maxY) {
      var target = index(x: Int(area.minX), y: y)
      for x in Int(area.minX)..<Int(area.maxX) {
        pixels[target] = body(x, y, pixels[target])
        target += 1
      }
    }
  }

  /// A copy of what is there in `area`, which is all that is drawn to there.
  func part(_ area: PixelRect) -> Canvas {
    var copy = Canvas(limit: area)
    // All of it, drawn in or not: its edges are those of what is captured.
    copy.reach(area)
    copy.change(area.intersection(bounds)) { x, y, _ in pixels[index(x: x, y: y)] }
    return copy
  }

  /// Four components a pixel, as half floats hold them, rows from the top.
  func halves() -> [Float] {
    var components: [Float] = []
    components.reserveCapacity(pixels.count * 4)
    for pixel in pixels {
      let kept = SIMD4<Float>(SIMD4<Float16>(pixel))
      for index in 0..<4 { components.append(kept[index]) }
    }
    return components
  }

  /// 8 bits a component, rounded to nearest, rows from the top.
  func quantized() -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(pixels.count * 4)
    for pixel in pixels {
      let alpha = Self.byte(pixel.w)
      bytes.append(min(alpha, Self.byte(pixel.x)))
      bytes.append(min(alpha, Self.byte(pixel.y)))
      bytes.append(min(alpha, Self.byte(pixel.z)))
      bytes.append(alpha)
    }
    return bytes
  }

  private static func byte(_ value: Float) -> UInt8 {
    value > 0 ? UInt8((min(value, 1) * 255).rounded()) : 0
  }

  @inline(__always)
  func index(x: Int, y: Int) -> Int { (y - Int(bounds.minY)) * bounds.width + x - Int(bounds.minX) }

  @inline(__always)
  private mutating func blend(_ color: SIMD4<Float>, at index: Int) {
    pixels[index] = color + pixels[index] * (1 - color.w)
  }

  /// Grows to hold `area`, in steps of some pixels so that a row of small things does not copy it each time.
  private mutating func reach(_ area: PixelRect) {
    guard !bounds.contains(area) else { return }
    let wanted = bounds.union(area)
    let step: Int32 = 32
    let grown = PixelRect(
      minX: wanted.minX & ~(step - 1), minY: wanted.minY & ~(step - 1),
      maxX: (wanted.maxX + step - 1) & ~(step - 1), maxY: (wanted.maxY + step - 1) & ~(step - 1)
    ).intersection(limit)
    guard !grown.isEmpty, !bounds.contains(grown) else { return }
    var result = [SIMD4<Float>](repeating: .zero, count: grown.area)
    if !bounds.isEmpty {
      for y in Int(bounds.minY)..<Int(bounds.maxY) {
        let target = (y - Int(grown.minY)) * grown.width + Int(bounds.minX) - Int(grown.minX)
        let source = index(x: Int(bounds.minX), y: y)
        for offset in 0..<bounds.width { result[target + offset] = pixels[source + offset] }
      }
    }
    bounds = grown
    pixels = result
  }
}

extension SIMD4<Float> {
  init(_ color: PremultipliedColor) { self.init(color.red, color.green, color.blue, color.alpha) }
}
