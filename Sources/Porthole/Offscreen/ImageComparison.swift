import Commit
import Geometry

/// How far a picture is from the one that it should be. Antialiased edges and shifts of up to a pixel count little; a
/// thing that is missing or wrong counts much.
///
/// Red, green and blue are compared as they are in a file, that is with straight alpha; alpha itself is not.
public struct ImageComparison: Sendable, Hashable {
  /// Which tolerance a scene is judged by: what it holds decides how closely two right renderers agree.
  public enum SceneClass: String, Sendable, CaseIterable {
    case flat, blur, resampled, perspective
  }

  /// The most that a picture of a class may be off.
  public struct Tolerance: Sendable, Hashable {
    public var interior: Int
    public var smooth2: Double
    public var tile: Double
    public var envelope: Int
    public var over32: Double
    public var over64: Double
  }

  /// The pictures are not of one size.
  public struct SizeMismatch: Error, Sendable, Hashable, CustomStringConvertible {
    public var expected: PixelSize
    public var got: PixelSize

    public var description: String {
      "the pictures differ in size: \(expected.width) × \(expected.height) expected, "
        + "\(got.width) × \(got.height) got; render at the size of the expected one"
    }
  }

  /// Largest channel difference where the expected picture is smooth: no edge within 2 pixels.
  public private(set) var interior = 0
  /// Largest amount by which a pixel leaves the range of values that the other picture has within 1 pixel of it.
  public private(set) var envelope = 0
  /// Share of pixels that leave that range by more than 8.
  public private(set) var env8 = 0.0
  /// Shares of pixels that differ by more than so much in a channel.
  public private(set) var over8 = 0.0
  public private(set) var over32 = 0.0
  public private(set) var over64 = 0.0
  /// Share of the smooth pixels that differ by more than 2.
  public private(set) var smooth2 = 0.0
  /// Largest mean difference of a tile of 16 × 16 pixels.
  public private(set) var tile = 0.0
  /// Mean channel difference.
  public private(set) var mean = 0.0

  /// A difference of neighbours beyond this is an edge.
  private static let edge: UInt8 = 24

  public init(expected: Image, got: Image) throws(SizeMismatch) {
    guard expected.size == got.size else { throw SizeMismatch(expected: expected.size, got: got.size) }
    let size = expected.size
    var worst = [UInt8](repeating: 0, count: size.area)
    var outside = [UInt8](repeating: 0, count: size.area)
    var spread = [UInt8](repeating: 0, count: size.area)
    var total = 0
    let (a, b) = (expected.straight.pixels, got.straight.pixels)
    for channel in 0..<3 {
      let (plane, other) = (Plane(a, channel, size), Plane(b, channel, size))
      let (low, high) = (plane.neighbourhood(min), plane.neighbourhood(max))
      let (otherLow, otherHigh) = (other.neighbourhood(min), other.neighbourhood(max))
      for index in 0..<size.area {
        let (p, q) = (plane.values[index], other.values[index])
        let (least, most) = (low.values[index], high.values[index])
        let difference = max(p, q) - min(p, q)
        total += Int(difference)
        worst[index] = max(worst[index], difference)
        let away = max(
          Self.distance(q, least, most), Self.distance(p, otherLow.values[index], otherHigh.values[index]))
        outside[index] = max(outside[index], away)
        spread[index] = max(spread[index], most - least)
      }
    }
    mean = Double(total) / Double(size.area * 3)
    let rough = Plane(values: spread.map { $0 > Self.edge ? 1 : 0 }, size: size).neighbourhood(max).values
    summarise(worst: worst, outside: outside, rough: rough, width: size.width)
  }

  private static func distance(_ value: UInt8, _ low: UInt8, _ high: UInt8) -> UInt8 {
    max(max(low, value) - value, value - min(high, value))
  }

  /// Fills in everything but the mean.
  private mutating func summarise(worst: [UInt8], outside: [UInt8], rough: [UInt8], width: Int) {
    var (left, above8, above32, above64, smooth, smoothAbove2) = (0, 0, 0, 0, 0, 0)
    let columns = (width + 15) / 16
    var tiles = [Int](repeating: 0, count: columns * ((worst.count / width + 15) / 16))
    var (row, column) = (0, 0)
    for index in worst.indices {
      let difference = Int(worst[index])
      envelope = max(envelope, Int(outside[index]))
      if outside[index] > 8 { left += 1 }
      if difference > 8 { above8 += 1 }
      if difference > 32 { above32 += 1 }
      if difference > 64 { above64 += 1 }
      if rough[index] == 0 {
        smooth += 1
        interior = max(interior, difference)
        if difference > 2 { smoothAbove2 += 1 }
      }
      tiles[(row >> 4) * columns + column >> 4] += difference
      column += 1
      if column == width { (row, column) = (row + 1, 0) }
    }
    let area = Double(worst.count)
    env8 = Double(left) / area
    over8 = Double(above8) / area
    over32 = Double(above32) / area
    over64 = Double(above64) / area
    smooth2 = smooth > 0 ? Double(smoothAbove2) / Double(smooth) : 0
    tile = Double(tiles.max() ?? 0) / 256
  }

  /// Whether the picture is as near as one of `scene`'s class must be.
  public func passes(_ scene: SceneClass) -> Bool { passes(scene.tolerance) }

  /// Whether the picture is off by no more than `most`.
  public func passes(_ most: Tolerance) -> Bool {
    interior <= most.interior && smooth2 <= most.smooth2 && tile <= most.tile && envelope <= most.envelope
      && over32 <= most.over32 && over64 <= most.over64
  }

  /// An opaque picture of the channel differences, four times as strong.
  public static func difference(expected: Image, got: Image) throws(SizeMismatch) -> Image? {
    guard expected.size == got.size else { throw SizeMismatch(expected: expected.size, got: got.size) }
    let (a, b) = (expected.straight.pixels, got.straight.pixels)
    var pixels = [UInt8](repeating: 255, count: a.count)
    for index in a.indices where index & 3 != 3 {
      pixels[index] = UInt8(min(255, abs(Int(a[index]) - Int(b[index])) * 4))
    }
    return Image(size: expected.size, alpha: .opaque, pixels: pixels)
  }
}

extension ImageComparison.SceneClass {
  /// Set just above what separates two right renderers.
  public var tolerance: ImageComparison.Tolerance {
    switch self {
    case .flat: .init(interior: 2, smooth2: 0.0002, tile: 4, envelope: 24, over32: 0.0015, over64: 0.0003)
    case .blur: .init(interior: 5, smooth2: 0.0100, tile: 4, envelope: 24, over32: 0.0015, over64: 0.0003)
    case .resampled: .init(interior: 8, smooth2: 0.0030, tile: 6.5, envelope: 48, over32: 0.0025, over64: 0.0003)
    case .perspective: .init(interior: 16, smooth2: 0.0040, tile: 6.5, envelope: 56, over32: 0.0080, over64: 0.0020)
    }
  }
}

extension ImageComparison: CustomStringConvertible {
  /// One line, shares in per cent.
  public var description: String {
    func percent(_ share: Double) -> String { "\((share * 100_000).rounded() / 1000)%" }
    func rounded(_ value: Double) -> Double { (value * 1000).rounded() / 1000 }
    return "interior \(interior)  envelope \(envelope)  env>8 \(percent(env8))  >8 \(percent(over8))  "
      + ">32 \(percent(over32))  >64 \(percent(over64))  smooth>2 \(percent(smooth2))  tile \(rounded(tile))  "
      + "mean \(rounded(mean))"
  }
}

/// One channel of a picture.
private struct Plane {
  var values: [UInt8]
  var size: PixelSize

  init(values: [UInt8], size: PixelSize) {
    self.values = values
    self.size = size
  }

  init(_ bytes: [UInt8], _ channel: Int, _ size: PixelSize) {
    var values = [UInt8](repeating: 0, count: size.area)
    for index in values.indices { values[index] = bytes[index * 4 + channel] }
    self.init(values: values, size: size)
  }

  /// The least or greatest value of each pixel and those around it; one direction after the other.
  ///
  /// Through buffers, whose bounds a release build does not check: so the loops become vector instructions.
  @inline(__always)
  func neighbourhood(_ choose: (UInt8, UInt8) -> UInt8) -> Plane {
    let (width, height) = (size.width, size.height)
    let across = [UInt8](unsafeUninitializedCapacity: values.count) { result, count in
      values.withUnsafeBufferPointer { values in
        for row in stride(from: 0, to: values.count, by: width) {
          for index in row..<row + width { result[index] = values[index] }
          for index in row + 1..<row + width { result[index] = choose(result[index], values[index - 1]) }
          for index in row..<row + width - 1 { result[index] = choose(result[index], values[index + 1]) }
        }
      }
      count = values.count
    }
    let both = [UInt8](unsafeUninitializedCapacity: values.count) { result, count in
      across.withUnsafeBufferPointer { across in
        for index in 0..<width * height { result[index] = across[index] }
        for index in width..<width * height { result[index] = choose(result[index], across[index - width]) }
        for index in 0..<width * (height - 1) { result[index] = choose(result[index], across[index + width]) }
      }
      count = values.count
    }
    return Plane(values: both, size: size)
  }
}
