import Commit
import Geometry

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A video that is made as it is asked for: where there is no file and no camera, and for tests, which know each pixel.
public final class TestPattern: VideoSource {
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Colour bars, a line that sweeps over them once a second, and the frame's number as sixteen bright or dark squares
    /// below.
    case bars
    /// Hills that go by, at three speeds, under a sun.
    case hills
  }

  public let size: PixelSize
  public let kind: Kind
  /// Frames a second.
  public let rate: Double
  /// Nil: it never ends.
  public let frameCount: Int?
  private var position = 0

  /// - Parameter rate: frames a second; what is no number above 0 is 30.
  public init(_ kind: Kind = .bars, size: PixelSize, rate: Double = 30, frameCount: Int? = nil) {
    self.kind = kind
    self.size = PixelSize(width: min(8192, max(1, size.width)), height: min(8192, max(1, size.height)))
    self.rate = rate.isFinite && rate > 0 ? rate : 30
    self.frameCount = frameCount
  }

  public func next() throws(MediaError) -> VideoFrame? {
    if let frameCount, position >= frameCount { return nil }
    guard let image = image(position) else { return nil }
    defer { position += 1 }
    return VideoFrame(image: image, time: Double(position) / rate, duration: 1 / rate)
  }

  public func rewind() throws(MediaError) -> Bool {
    position = 0
    return true
  }

  /// The frame of that number, from 0: the same bytes for the same number, always.
  public func image(_ number: Int) -> Image? {
    var pixels = [UInt8](repeating: 255, count: size.area * 4)
    switch kind {
    case .bars: drawBars(number, &pixels)
    case .hills: drawHills(number, &pixels)
    }
    return Image(size: size, alpha: .opaque, pixels: pixels)
  }

  // MARK: Bars

  private static let barColors: [(UInt8, UInt8, UInt8)] = [
    (191, 191, 191), (191, 191, 0), (0, 191, 191), (0, 191, 0), (191, 0, 191), (191, 0, 0), (0, 0, 191),
  ]

  private func drawBars(_ number: Int, _ pixels: inout [UInt8]) {
    let sweep = Int(Double(size.width) * (Double(number) / rate).truncatingRemainder(dividingBy: 1))
    let below = size.height - size.height / 6
    for y in 0..<size.height {
      for x in 0..<size.width {
        var color = Self.barColors[x * 7 / size.width]
        if y >= below {
          let isSet = number >> (x * 16 / size.width) & 1 == 1
          color = isSet ? (235, 235, 235) : (16, 16, 16)
        } else if x == sweep {
          color = (255, 255, 255)
        }
        let at = (y * size.width + x) * 4
        (pixels[at], pixels[at + 1], pixels[at + 2]) = color
      }
    }
  }

  // MARK: Hills

  private typealias Shade = (Double, Double, Double)

  private func drawHills(_ number: Int, _ pixels: inout [UInt8]) {
    let time = Double(number) / rate
    let (width, height) = (Double(size.width), Double(size.height))
    let (sunX, sunY, sunSize) = (width * 0.68, height * (0.36 + 0.05 * sin(time * 0.9)), height * 0.13)
    let hills: [Shade] = [(0.70, 0.42, 0.60), (0.44, 0.27, 0.54), (0.19, 0.14, 0.36)]
    for x in 0..<size.width {
      let at = Double(x) / height
      let tops: [Double] = (0..<3).map { layer in
        let (depth, go) = (Double(layer), time * (0.12 + 0.16 * Double(layer)))
        let wave = sin((at + go) * (2.1 + depth)) * 0.07 + sin((at + go) * (4.7 + depth * 2) + depth * 2) * 0.03
        return height * (0.60 + 0.13 * depth + wave)
      }
      for y in 0..<size.height {
        let down = Double(y) / height
        var shade: Shade = (0.99 - down * 0.25, 0.62 + down * 0.15, 0.42 + down * 0.35)
        let distance = ((Double(x) - sunX) * (Double(x) - sunX) + (Double(y) - sunY) * (Double(y) - sunY)).squareRoot()
        let glow = max(0, 1 - distance / (sunSize * 4))
        shade = Self.mix(shade, (1, 0.88, 0.62), glow * glow * 0.7)
        shade = Self.mix(shade, (1, 0.97, 0.86), min(1, max(0, sunSize - distance + 0.5)))
        for layer in 0..<3 {
          let haze = Self.mix(hills[layer], (1, 0.72, 0.62), max(0, 0.3 - 1.4 * (Double(y) - tops[layer]) / height))
          shade = Self.mix(shade, haze, min(1, max(0, Double(y) - tops[layer] + 0.5)))
        }
        let place = (y * size.width + x) * 4
        pixels[place] = UInt8(max(0, min(255, shade.0 * 255)))
        pixels[place + 1] = UInt8(max(0, min(255, shade.1 * 255)))
        pixels[place + 2] = UInt8(max(0, min(255, shade.2 * 255)))
      }
    }
  }

  private static func mix(_ a: Shade, _ b: Shade, _ part: Double) -> Shade {
    (a.0 + (b.0 - a.0) * part, a.1 + (b.1 - a.1) * part, a.2 + (b.2 - a.2) * part)
  }
}
