import Porthole

/// A list that bends away at its ends, as a drum does: strips of it, a portal each, stand along a quarter of a circle, and
/// blur, shade and fade there.
public final class WarpedList: Example {
  public static let name = "warp"
  public static let duration = 4.2
  public let scene: Scene
  public let list: Layer
  /// From the outermost to the flat part, at both ends.
  public private(set) var strips: [PortalLayer] = []
  public let container: Layer
  private let rows: Layer

  /// In points: the quarter of a circle, and the flat part between its two.
  public static let radius = 110.0
  public static let flat = Rect(x: 0, y: 104, width: 300, height: 232)
  private static let perspective = 250.0
  private var timeline = Timeline()

  public convenience init(_ scene: Scene) throws(ExampleError) { try self.init(scene, stripCount: 12) }

  /// - Parameters:
  ///   - stripCount: at each end.
  ///   - isDressed: with shade, blur and fade.
  public init(_ scene: Scene, stripCount: Int, isDressed: Bool = true) throws(ExampleError) {
    self.scene = scene.takenOver()
    list = try scene.require("list")
    container = try scene.require("warp")
    rows = try scene.require("rows")
    bend(stripCount)
    if isDressed { dress() }
    timeline.at(0.3) { [unowned self] in scroll(to: 380, in: 1.9) }
    timeline.at(2.3) { [unowned self] in scroll(to: 0, in: 1.6) }
  }

  public func prepare(for time: Double) { timeline.run(until: time) }

  public func scroll(to y: Double, in duration: Double) {
    Transaction.animate(duration: duration, function: .easeInEaseOut) { rows.bounds.y = y }
  }

  private func bend(_ count: Int) {
    let segments = WarpSegment.arc(count, radius: Self.radius)
    let bent = segments.reduce(0) { $0 + $1.length }
    let flat = Self.flat
    list.frame = Rect(x: 0, y: 0, width: flat.width, height: flat.height + 2 * bent)
    container.sortsSublayersByDepth = false
    for sign in [-1.0, 1.0] {
      var along = 0.0
      var parts: [PortalLayer] = []
      for segment in segments {
        // It also reaches a little under the next strip towards the middle, which covers that: so nothing shows between
        // the two where each covers a part of a pixel.
        let under = Self.overlap(count)
        let length = segment.length + under
        let top = sign > 0 ? bent + flat.height + along - under : bent - along - segment.length
        let strip = portal(of: Rect(x: 0, y: top, width: flat.width, height: length))
        let hinge = under / length
        strip.anchorPoint = Point(0.5, sign > 0 ? hinge : 1 - hinge)
        strip.position = Point(flat.center.x, sign > 0 ? flat.maxY : flat.minY)
        strip.transform = segment.transform(radius: Self.radius, sign: sign, perspective: Self.perspective)
        parts.append(strip)
        along += segment.length
      }
      strips += parts.reversed()
    }
    let middle = portal(of: Rect(x: 0, y: bent, width: flat.width, height: flat.height))
    middle.position = flat.center
    strips.append(middle)
    for strip in strips { container.addSublayer(strip) }
  }

  /// In points; the larger the turn from a strip to the next, the less, or it would stand out at the sides.
  public static func overlap(_ count: Int) -> Double { min(8, max(2, 1.1 * Double(count))) }

  private func portal(of part: Rect) -> PortalLayer {
    let portal = PortalLayer()
    portal.bounds = Rect(x: 0, y: 0, width: part.width, height: part.height)
    portal.sourceLayer = list
    portal.sourceRect = part
    portal.hidesSourceLayer = true
    return portal
  }

  /// Shade, blur and fade, over both ends.
  private func dress() {
    let size = scene.size
    for isTop in [true, false] {
      func band(_ height: Double) -> Rect {
        Rect(x: 0, y: isTop ? 0 : size.height - height, width: size.width, height: height)
      }
      let shade = Self.fade(band(112), isTop, Color(red: 0.05, green: 0.06, blue: 0.16), [0.85, 0.45, 0.12, 0])
      container.addSublayer(shade)
      for (height, radius) in [(62.0, 1.0), (46, 1.8)] {
        let blur = BackdropLayer()
        blur.frame = band(height)
        blur.backdropFilters = [.gaussianBlur(radius: radius)]
        blur.mask = Self.fade(Rect(x: 0, y: 0, width: size.width, height: height), isTop, .black, [1, 1, 0])
        container.addSublayer(blur)
      }
    }
    let mask = GradientLayer()
    mask.frame = Rect(x: 0, y: 0, width: size.width, height: size.height)
    mask.colors = [0, 0, 1, 1, 0, 0].map { Color(red: 0, green: 0, blue: 0, alpha: $0) }
    mask.locations = [0, 0.045, 0.1, 0.9, 0.955, 1]
    container.mask = mask
  }

  private static func fade(_ frame: Rect, _ isTop: Bool, _ color: Color, _ alphas: [Float]) -> GradientLayer {
    let layer = GradientLayer()
    layer.frame = frame
    layer.colors = (isTop ? alphas : alphas.reversed()).map {
      Color(red: color.red, green: color.green, blue: color.blue, alpha: $0)
    }
    return layer
  }
}
