import Geometry

/// What lies below a layer: the blurred alpha of the layer with its sublayers, or of a shape, in one colour. It also shows
/// through what is see-through above it, and `masksToBounds` does not cut it.
public struct Shadow: Sendable, Hashable {
  /// A shape that casts the shadow in the layer's place, in its layer space.
  public struct Path: Sendable, Hashable {
    public var rect: Rect
    /// Of the corners.
    public var radius: Double

    public init(rect: Rect, radius: Double = 0) {
      self.rect = rect
      self.radius = radius
    }
  }

  public var color: Color
  /// From 0 to 1; times the colour's own.
  public var opacity: Float
  /// The gaussian's standard deviation, in the layer's points.
  public var radius: Double
  /// In the layer's points: it turns with the layer.
  public var offset: Point
  public var path: Path?

  public init(
    color: Color = .black, opacity: Float = 1, radius: Double = 3, offset: Point = .zero, path: Path? = nil
  ) {
    self.color = color
    self.opacity = opacity
    self.radius = radius
    self.offset = offset
    self.path = path
  }

  public var isFinite: Bool {
    color.isFinite && opacity.isFinite && radius.isFinite && offset.isFinite
      && (path.map { $0.rect.isFinite && $0.radius.isFinite } ?? true)
  }

  /// What it makes of a colour that covers it: its own, as see-through as that is.
  public var tint: ColorMatrix {
    let alpha = min(1, max(0, opacity)) * color.alpha
    return ColorMatrix(
      red: .zero, green: .zero, blue: .zero, alpha: SIMD4(0, 0, 0, alpha),
      constant: SIMD4(color.red, color.green, color.blue, 0))
  }
}
