import Commit
import Geometry

/// A layer that draws a gradient above its background (`CAGradientLayer`).
public final class GradientLayer: Layer {
  private struct Values {
    var type = GradientType.axial
    var colors: [Color] = []
    var locations: [Double]?
    var startPoint = Point(0.5, 0)
    var endPoint = Point(0.5, 1)
  }

  private var gradientValues = Values()

  public var type: GradientType {
    get { gradientValues.type }
    set { if changes(&gradientValues.type, to: newValue) { note(.gradient) } }
  }
  /// From start to end. Fewer than one: nothing is drawn.
  public var colors: [Color] {
    get { gradientValues.colors }
    set { if changes(&gradientValues.colors, to: newValue) { note(.gradient) } }
  }
  /// Where each colour lies from 0 (start) to 1 (end), rising; nil, or as many as `colors`: else they lie evenly.
  public var locations: [Double]? {
    get { gradientValues.locations }
    set { if changes(&gradientValues.locations, to: newValue) { note(.gradient) } }
  }
  /// In fractions of the bounds; the middle of a radial or conic gradient.
  public var startPoint: Point {
    get { gradientValues.startPoint }
    set { if changes(&gradientValues.startPoint, to: newValue) { note(.gradient) } }
  }
  /// In fractions of the bounds.
  public var endPoint: Point {
    get { gradientValues.endPoint }
    set { if changes(&gradientValues.endPoint, to: newValue) { note(.gradient) } }
  }

  /// The five properties as one value; nil where there are no colours.
  public var gradient: Gradient? {
    guard !colors.isEmpty else { return nil }
    let places = locations.flatMap { $0.count == colors.count ? $0 : nil }
    let last = Double(max(1, colors.count - 1))
    var stops: [Gradient.Stop] = []
    var least = -Double.infinity
    for (index, color) in colors.enumerated() {
      // A location that falls back lies where the one before it lies. What is no number is left for the commit to refuse.
      let place = places?[index] ?? Double(index) / last
      least = place < least ? least : place
      stops.append(Gradient.Stop(location: least, color: color))
    }
    return Gradient(type: type, start: startPoint, end: endPoint, stops: stops)
  }

  override var kind: LayerKind { .gradient }

  override func change(_ property: LayerProperty) -> PropertyChange? {
    property == .gradient ? .gradient(gradient) : super.change(property)
  }
}
