import Commit
import Geometry

/// An image as it is sampled: premultiplied in the working space first, smaller versions made when they are asked for.
struct Picture {
  let width: Int
  let height: Int
  private let base: Base
  /// From the half-sized one on.
  private var smaller: [Level] = []

  private enum Base {
    /// Four bytes a texel, encoded, for a space that is.
    case bytes([UInt8], AlphaState)
    case texels([SIMD4<Float>])
  }

  struct Level {
    var width: Int
    var height: Int
    var texels: [SIMD4<Float>]
  }

  init(_ image: Image, in space: WorkingSpace) {
    width = image.width
    height = image.height
    if image.foreign != nil {
      // What only a GPU reads is not seen.
      base = .bytes([UInt8](repeating: 0, count: image.size.area * 4), .premultiplied)
    } else if !space.isExtended || image.components == nil && space.encoding == .encoded {
      base = .bytes(image.pixels, image.alpha)
    } else {
      base = .texels(Self.texels(of: image, in: space))
    }
  }

  /// A picture drawn before, in the same space.
  init(size: PixelSize, _ canvas: Canvas, in space: WorkingSpace) {
    width = size.width
    height = size.height
    base = space.isExtended ? .texels(canvas.pixels) : .bytes(canvas.quantized(), .premultiplied)
  }

  private static func texels(of image: Image, in space: WorkingSpace) -> [SIMD4<Float>] {
    let values = image.components ?? image.pixels.map { Float($0) / 255 }
    return stride(from: 0, to: values.count - 3, by: 4).map { index in
      let alpha = image.alpha == .opaque ? 1 : min(1, max(0, values[index + 3]))
      func component(_ value: Float) -> Float {
        let straight = image.alpha != .premultiplied ? value : alpha > 0 ? value / alpha : 0
        return space.component(straight, encoded: image.encoding) * alpha
      }
      return SIMD4(component(values[index]), component(values[index + 1]), component(values[index + 2]), alpha)
    }
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
      let (columns, rows) = (Self.pairs(of: w, for: half.width), Self.pairs(of: h, for: half.height))
      for row in rows {
        for column in columns {
          let (left, right) = (column.first, column.second)
          let upper =
            texel(x: left, y: row.first, level: above) * (1 - column.share)
            + texel(x: right, y: row.first, level: above) * column.share
          let lower =
            texel(x: left, y: row.second, level: above) * (1 - column.share)
            + texel(x: right, y: row.second, level: above) * column.share
          texels.append(upper * (1 - row.share) + lower * row.share)
        }
      }
      smaller.append(Level(width: half.width, height: half.height, texels: texels))
    }
  }

  /// The two texels between which the middle of each of `count` texels lies, and how much the second has of it: half, where
  /// the count is even.
  private static func pairs(of length: Int, for count: Int) -> [(first: Int, second: Int, share: Float)] {
    (0..<count).map { index in
      let place = (Double(index) + 0.5) * Double(length) / Double(count) - 0.5
      let first = Int(place.rounded(.down))
      return (max(0, first), min(length - 1, first + 1), Float(place - place.rounded(.down)))
    }
  }

  func size(of level: Int) -> (width: Int, height: Int) {
    level == 0 ? (width, height) : (smaller[level - 1].width, smaller[level - 1].height)
  }

  /// One texel, premultiplied. It must exist.
  @inline(__always)
  func texel(x: Int, y: Int, level: Int) -> SIMD4<Float> {
    if level > 0 { return smaller[level - 1].texels[y * smaller[level - 1].width + x] }
    switch base {
    case .texels(let texels): return texels[y * width + x]
    case .bytes(let bytes, let alpha):
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
}
