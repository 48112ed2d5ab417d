import Geometry

/// Glass whose rim is round: light from behind is bent inwards there, and passes straight through the middle.
///
/// At a distance d inside of the outline, s = 1 − d / rim (0 from the rim inwards) is the sine of the surface's slope; what
/// shows there is what lies `thickness` · tan(asin s − asin(s / index)) points further in, in the direction in which d grows
/// fastest.
public struct Lens: Sendable, Hashable {
  /// What is seen through it.
  public enum Subject: String, Sendable, CaseIterable {
    /// What lies behind the layer, after its `backdropFilters`.
    case backdrop
    /// What the layer itself draws, with its sublayers and what a portal among them shows.
    case content
  }

  /// A rounded rectangle in the layer's space; a circle where the radius is half its side.
  public struct Shape: Sendable, Hashable {
    public var rect: Rect
    public var radius: Double

    public init(rect: Rect, radius: Double = 0) {
      self.rect = rect
      self.radius = radius
    }
  }

  /// The most shapes that a lens may have.
  public static let maxShapes = 5

  public var subject: Subject
  /// One outline together. None: the layer's bounds with their corner radius. What lies beyond the bounds is cut off.
  public var shapes: [Shape]
  /// Shapes less than so many points apart flow into each other; 0 for a plain union.
  public var smoothing: Double
  /// In points.
  public var rim: Double
  /// How far behind the glass the picture lies, in points.
  public var thickness: Double
  /// 1, no refraction, to 4.
  public var refractiveIndex: Double
  /// From 0 to 1: red's index is by this share of what it is above 1 smaller, and blue's larger.
  public var chromaticSpread: Double
  /// A line of light along the outline, where it faces the light or turns away from it.
  public var highlight: Color
  /// How far from the outline the highlight fades, in points.
  public var highlightWidth: Double
  /// Where the light comes from: radians, clockwise from the x axis.
  public var lightAngle: Double

  public init(
    subject: Subject = .backdrop, shapes: [Shape] = [], smoothing: Double = 0, rim: Double = 16, thickness: Double = 12,
    refractiveIndex: Double = 1.5, chromaticSpread: Double = 0, highlight: Color = .clear, highlightWidth: Double = 2,
    lightAngle: Double = -.pi * 3 / 4
  ) {
    self.subject = subject
    self.shapes = shapes
    self.smoothing = smoothing
    self.rim = rim
    self.thickness = thickness
    self.refractiveIndex = refractiveIndex
    self.chromaticSpread = chromaticSpread
    self.highlight = highlight
    self.highlightWidth = highlightWidth
    self.lightAngle = lightAngle
  }

  public var isFinite: Bool {
    shapes.allSatisfy { $0.rect.isFinite && $0.radius.isFinite } && highlight.isFinite
      && [smoothing, rim, thickness, refractiveIndex, chromaticSpread, highlightWidth, lightAngle]
        .allSatisfy(\.isFinite)
  }

  /// What is wrong with its numbers; nil for nothing.
  public var fault: String? {
    if shapes.count > Self.maxShapes { return "a lens of at most \(Self.maxShapes) shapes" }
    if shapes.contains(where: { $0.radius < 0 }) { return "a lens whose shapes have no negative radius" }
    if smoothing < 0 || thickness < 0 || highlightWidth < 0 || rim < 0 {
      return "a lens without a negative smoothing, rim, thickness or highlightWidth"
    }
    if !(1...4).contains(refractiveIndex) { return "a lens with a refractiveIndex from 1 to 4" }
    if !(0...1).contains(chromaticSpread) { return "a lens with a chromaticSpread from 0 to 1" }
    return nil
  }
}
