import Commit
import Geometry

/// Gradients as pictures of one row, so that an axial gradient is a textured quad like any other: the place along the
/// line is an affine function of the place in the layer. For the others that leads to unit coordinates, whose length or
/// angle is the place.
struct GradientRamps {
  /// Texels of a ramp: fine enough that neighbours differ by less than a step of 8 bits in all but the steepest.
  static let width = 1024

  private let space: WorkingSpace
  private var images: [Gradient: Image] = [:]
  private var used: Set<Gradient> = []

  init(_ space: WorkingSpace = .rgba8) { self.space = space }

  /// Forgets the ramps that the last frame did not use.
  mutating func beginFrame() {
    if images.count > used.count { images = images.filter { used.contains($0.key) } }
    used.removeAll(keepingCapacity: true)
  }

  mutating func image(_ gradient: Gradient) -> Image {
    used.insert(gradient)
    if let image = images[gradient] { return image }
    let image = Self.render(gradient, in: space)
    images[gradient] = image
    return image
  }

  private static func render(_ gradient: Gradient, in space: WorkingSpace) -> Image {
    let stops = gradient.stops.map { Gradient.Stop(location: $0.location, color: space.color($0.color)) }
    let gradient = Gradient(stops: stops)
    var components: [Float] = []
    components.reserveCapacity(width * 4)
    for index in 0..<width {
      let color = gradient.color(at: Double(index) / Double(width - 1))
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

  /// Layer space to the ramp's texture coordinates, or to the curve's.
  static func map(_ gradient: Gradient, in bounds: Rect) -> (map: TextureMap, curve: TextureCurve) {
    let start = Point(x: bounds.x + gradient.start.x * bounds.width, y: bounds.y + gradient.start.y * bounds.height)
    let end = Point(x: bounds.x + gradient.end.x * bounds.width, y: bounds.y + gradient.end.y * bounds.height)
    let (dx, dy) = (end.x - start.x, end.y - start.y)
    let squared = dx * dx + dy * dy
    let hasLength = gradient.type == .radial ? dx != 0 && dy != 0 : squared > 0
    guard hasLength, squared.isFinite else {
      // A line of no length: everything lies beyond its end.
      return (TextureMap(ux: 0, vx: 0, uy: 0, vy: 0, u0: 1, v0: 0.5), .none)
    }
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
    // From 0…1 along the line to the centres of the first and the last texel.
    let k = Double(width - 1) / Double(width)
    let shift = 0.5 / Double(width)
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
    if t <= first.location { return first.color.premultiplied }
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
