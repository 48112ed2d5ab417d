import Commit
import Geometry

/// An image as it is sampled: premultiplied first, smaller versions made when they are asked for.
struct Picture {
  let width: Int
  let height: Int
  private let alpha: AlphaState
  private let bytes: [UInt8]
  /// From the half-sized one on.
  private var smaller: [Level] = []

  struct Level {
    var width: Int
    var height: Int
    var texels: [SIMD4<Float>]
  }

  init(_ image: Image) {
    width = image.width
    height = image.height
    alpha = image.alpha
    bytes = image.pixels
  }

  /// Premultiplied bytes of a picture drawn before: four for each pixel of `size`.
  init(size: PixelSize, premultiplied bytes: [UInt8]) {
    width = size.width
    height = size.height
    alpha = .premultiplied
    self.bytes = bytes
  }

  /// The last level is one pixel.
  var lastLevel: Int { Int.bitWidth - 1 - max(1, max(width, height)).leadingZeroBitCount }

  /// Makes what `sample` of this level needs.
  mutating func prepare(level: Int) {
    while smaller.count < min(level, lastLevel) {
      let above = smaller.count
      let (w, h) = size(of: above)
      let half = (width: max(1, w / 2), height: max(1, h / 2))
      var texels: [SIMD4<Float>] = []
      texels.reserveCapacity(half.width * half.height)
      for y in 0..<half.height {
        for x in 0..<half.width {
          let (x0, y0) = (2 * x, 2 * y)
          let (x1, y1) = (min(x0 + 1, w - 1), min(y0 + 1, h - 1))
          let upper = texel(x: x0, y: y0, level: above) + texel(x: x1, y: y0, level: above)
          let lower = texel(x: x0, y: y1, level: above) + texel(x: x1, y: y1, level: above)
          texels.append((upper + lower) * 0.25)
        }
      }
      smaller.append(Level(width: half.width, height: half.height, texels: texels))
    }
  }

  func size(of level: Int) -> (width: Int, height: Int) {
    level == 0 ? (width, height) : (smaller[level - 1].width, smaller[level - 1].height)
  }

  /// One texel, premultiplied. It must exist.
  @inline(__always)
  func texel(x: Int, y: Int, level: Int) -> SIMD4<Float> {
    if level > 0 { return smaller[level - 1].texels[y * smaller[level - 1].width + x] }
    let index = (y * width + x) * 4
    let raw =
      SIMD4(Float(bytes[index]), Float(bytes[index + 1]), Float(bytes[index + 2]), Float(bytes[index + 3])) / 255
    switch alpha {
    case .opaque: return SIMD4(raw.x, raw.y, raw.z, 1)
    case .premultiplied: return raw
    case .straight: return SIMD4(raw.x * raw.w, raw.y * raw.w, raw.z * raw.w, raw.w)
    }
  }
}
