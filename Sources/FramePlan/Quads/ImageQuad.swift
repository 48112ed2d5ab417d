import Commit
import Geometry

/// What is done to a picture's pixels as they are drawn.
enum PictureEffect {
  case none
  /// The matrix is for straight colours; the result is clamped.
  case colors(ColorMatrix)
  case blur(BlurLine)
  case blend(BlendPlace)
  case lens(LensPlace)

  func variant(_ range: ColorRange) -> ShaderVariant {
    switch self {
    case .none: .image
    case .colors: .colors.with(range)
    case .blur: .blur
    case .blend: .blend.with(range)
    case .lens: .lens
    }
  }
}

/// What a picture is blended with.
struct BlendPlace {
  var mode: BlendMode
  /// What lies behind, and what of the pass's pixels it covers.
  var behind: TextureReference
  var rect: Rect
  var size: PixelSize
}

/// A gaussian along a line of samples.
struct BlurLine {
  /// From one sample to the next, in texture coordinates.
  var step: Point
  /// In steps.
  var deviation: Double
  /// To either side.
  var count: Int
  /// Steps go from texel to texel along an axis.
  var isOnAxis: Bool
}

/// The values of one instance of `InstanceFormat.image`, or of those that begin as it does, before they are laid out.
struct ImageQuad {
  var rect: PixelRect
  /// The texture coordinate at the rectangle's corner, and how it changes a pixel to the right and down.
  var corner: Point
  var right: Point
  var down: Point
  var factor: Float
  var level: Double
  var effect: PictureEffect
  /// Of the colours that the effect is for.
  var range = ColorRange.unit
  /// For a lens: how far it covers pixels is drawn, and nothing else.
  var drawsCoverage = false

  /// Appends what all of them begin with.
  static func append(_ rect: PixelRect, corner: Point, right: Point, down: Point, to floats: inout [Float]) {
    rect.append(to: &floats)
    floats.append(Float(corner.x))
    floats.append(Float(corner.y))
    floats.append(Float(right.x))
    floats.append(Float(right.y))
    floats.append(Float(down.x))
    floats.append(Float(down.y))
  }

  func append(to floats: inout [Float]) {
    Self.append(rect, corner: corner, right: right, down: down, to: &floats)
    switch effect {
    case .none:
      floats.append(factor)
      floats.append(Float(level))
    case .colors(let matrix):
      floats.append(factor)
      floats.append(Float(level))
      for column in [matrix.red, matrix.green, matrix.blue, matrix.alpha, matrix.constant] {
        for index in 0..<4 { floats.append(column[index]) }
      }
    case .blur(let line):
      floats.append(Float(line.deviation))
      floats.append(0)
      floats.append(Float(line.step.x))
      floats.append(Float(line.step.y))
      floats.append(Float(line.count))
      floats.append(line.isOnAxis ? 1 : 0)
    case .blend(let place):
      floats.append(factor)
      floats.append(Float(level))
      let map = TextureMap(
        from: place.rect, to: Rect(x: 0, y: 0, width: Double(place.size.width), height: Double(place.size.height)),
        of: place.size)
      let corner = map.apply(Point(Double(rect.minX), Double(rect.minY)))
      floats.append(Float(corner.x))
      floats.append(Float(corner.y))
      floats.append(Float(map.ux))
      floats.append(Float(map.vy))
      floats.append(place.mode.shaderNumber)
      for _ in 0..<3 { floats.append(0) }
    case .lens(let place):
      floats.append(factor)
      place.append(
        to: &floats, corner: Point(Double(rect.minX), Double(rect.minY)), drawsCoverage: drawsCoverage)
    }
  }
}

extension PixelRect {
  func append(to floats: inout [Float]) {
    floats.append(Float(minX))
    floats.append(Float(minY))
    floats.append(Float(maxX))
    floats.append(Float(maxY))
  }
}
