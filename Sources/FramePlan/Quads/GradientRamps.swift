import Commit
import Geometry

/// Gradients as pictures of one row, so that an axial gradient is a textured quad like any other: the place along the
/// line is an affine function of the place in the layer. For the others that leads to unit coordinates, whose length or
/// angle is the place.
///
/// A row is that of the places from 0 to 1, and of those beyond that have a stop beyond them and show.
struct GradientRamps {
  /// Texels of a ramp from 0 to 1: fine enough that neighbours differ by less than a step of 8 bits in all but the steepest.
  private static let width = 1024
  /// Of a longer way: what every texture can have.
  private static let longWidth = 2048
  /// Where a colour meets another at once, they are mixed over a texel: a quarter of a pixel of a gradient of 2,048.
  private static let steepWidth = 8192

  /// The places along a gradient that its row has, and how many texels that is.
  struct Row: Hashable {
    var span: ClosedRange<Double>
    var width: Int

    /// - Parameter limit: the widest that a texture may be.
    init(_ gradient: Gradient, in bounds: Rect, limit: Int) {
      span = GradientRamps.span(gradient, in: bounds)
      width = span == 0...1 ? GradientRamps.width : GradientRamps.longWidth
      let texel = (span.upperBound - span.lowerBound) / Double(width)
      let isSteep = zip(gradient.stops, gradient.stops.dropFirst()).contains { first, second in
        second.location - first.location < texel && first.color != second.color
      }
      if isSteep { width = max(width, min(GradientRamps.steepWidth, limit)) }
    }
  }

  private struct Key: Hashable {
    var gradient: Gradient
    var row: Row
  }

  private let space: WorkingSpace
  private var images: [Key: Image] = [:]
  private var used: Set<Key> = []

  init(_ space: WorkingSpace = .rgba8) { self.space = space }

  /// Forgets the ramps that the last frame did not use.
  mutating func beginFrame() {
    if images.count > used.count { images = images.filter { used.contains($0.key) } }
    used.removeAll(keepingCapacity: true)
  }

  mutating func image(_ gradient: Gradient, _ row: Row) -> Image {
    let key = Key(gradient: gradient, row: row)
    used.insert(key)
    if let image = images[key] { return image }
    let image = Self.render(gradient, row, in: space)
    images[key] = image
    return image
  }

  private static func render(_ gradient: Gradient, _ row: Row, in space: WorkingSpace) -> Image {
    let stops = gradient.stops.map { Gradient.Stop(location: $0.location, color: space.color($0.color)) }
    let gradient = Gradient(stops: stops)
    let (span, width) = (row.span, row.width)
    let length = span.upperBound - span.lowerBound
    var components: [Float] = []
    components.reserveCapacity(width * 4)
    for index in 0..<width {
      let color = gradient.color(at: span.lowerBound + length * (Double(index) / Double(width - 1)))
      components += [color.red, color.green, color.blue, color.alpha]
    }
    let size = PixelSize(width: width, height: 1)
    // They are as many as the size asks for, so this is never nil; a blank one keeps the promise all the same.
    if space.isExtended {
      return Image(size: size, alpha: .premultiplied, encoding: space.encoding, components: components) ?? .blank
    }
    let pixels = components.map { UInt8(max(0, min(255, ($0 * 255).rounded()))) }
    return Image(size: size, alpha: .premultiplied, pixels: pixels) ?? .blank
  }

  /// A gradient's line in layer space; nil where it has no length.
  private static func line(_ gradient: Gradient, in bounds: Rect) -> (start: Point, way: Point, square: Double)? {
    let start = Point(x: bounds.x + gradient.start.x * bounds.width, y: bounds.y + gradient.start.y * bounds.height)
    let end = Point(x: bounds.x + gradient.end.x * bounds.width, y: bounds.y + gradient.end.y * bounds.height)
    let way = Point(x: end.x - start.x, y: end.y - start.y)
    let square = way.x * way.x + way.y * way.y
    let hasLength = gradient.type == .radial ? way.x != 0 && way.y != 0 : square > 0
    return hasLength && square.isFinite ? (start, way, square) : nil
  }

  /// The places along the gradient that its row must have.
  private static func span(_ gradient: Gradient, in bounds: Rect) -> ClosedRange<Double> {
    guard let first = gradient.stops.first?.location, let last = gradient.stops.last?.location, first < 0 || last > 1
    else { return 0...1 }
    // Of no length it has its end everywhere, whatever its type.
    guard let line = line(gradient, in: bounds) else { return 0...max(1, last) }
    if gradient.type == .conic { return 0...1 }
    var (low, high) = (0.0, 1.0)
    for corner in bounds.corners {
      let (x, y) = (corner.x - line.start.x, corner.y - line.start.y)
      let place =
        gradient.type == .radial
        ? length(x / line.way.x, y / line.way.y) : (x * line.way.x + y * line.way.y) / line.square
      guard place.isFinite else { return 0...1 }
      (low, high) = (min(low, place), max(high, place))
    }
    return min(0, max(first, low))...max(1, min(last, high))
  }

  /// Layer space to the ramp's texture coordinates, or to the curve's.
  static func map(_ gradient: Gradient, in bounds: Rect, _ row: Row) -> (map: TextureMap, curve: TextureCurve) {
    guard let (start, way, squared) = line(gradient, in: bounds) else {
      // A line of no length: everything lies beyond its end.
      return (TextureMap(ux: 0, vx: 0, uy: 0, vy: 0, u0: 1, v0: 0.5), .none)
    }
    let (dx, dy) = (way.x, way.y)
    switch gradient.type {
    case .axial: break
    case .radial:
      return (
        TextureMap(ux: 1 / dx, vx: 0, uy: 0, vy: 1 / dy, u0: -start.x / dx, v0: -start.y / dy), .radial
      )
    case .conic:
      // Turned so that the end lies on the x axis; its distance does not matter.
      let (cosine, sine) = (dx / squared.squareRoot(), dy / squared.squareRoot())
      return (
        TextureMap(
          ux: cosine, vx: -sine, uy: sine, vy: cosine, u0: -(start.x * cosine + start.y * sine),
          v0: start.x * sine - start.y * cosine), .conic
      )
    }
    // From the span's ends along the line to the centres of the first and the last texel.
    let (span, width) = (row.span, Double(row.width))
    let k = (width - 1) / width / (span.upperBound - span.lowerBound)
    let shift = 0.5 / width - span.lowerBound * k
    return (
      TextureMap(
        ux: dx / squared * k, vx: 0, uy: dy / squared * k, vy: 0,
        u0: -(start.x * dx + start.y * dy) / squared * k + shift, v0: 0.5), .none
    )
  }
}

extension Gradient {
  /// The premultiplied colour at `t` along the line; the end colours go on beyond it.
  func color(at t: Double) -> PremultipliedColor {
    guard let first = stops.first, let last = stops.last else { return .clear }
    if t < first.location { return first.color.premultiplied }
    if t >= last.location { return last.color.premultiplied }
    for (a, b) in zip(stops, stops.dropFirst()) where t >= a.location && t < b.location {
      let k = Float((t - a.location) / (b.location - a.location))
      return a.color.premultiplied * (1 - k) + b.color.premultiplied * k
    }
    return last.color.premultiplied
  }

  var isOpaque: Bool { stops.allSatisfy { $0.color.alpha >= 1 } }
}

extension PremultipliedColor {
  static func + (a: PremultipliedColor, b: PremultipliedColor) -> PremultipliedColor {
    PremultipliedColor(red: a.red + b.red, green: a.green + b.green, blue: a.blue + b.blue, alpha: a.alpha + b.alpha)
  }
}

extension Image {
  /// One transparent pixel.
  static let blank: Image = {
    guard let image = Image(size: PixelSize(width: 1, height: 1), alpha: .premultiplied, pixels: [0, 0, 0, 0]) else {
      preconditionFailure("four bytes are one pixel")
    }
    return image
  }()
}
