import Porthole

/// A portal on its way: it shows a layer live, hides it in its place, and may have any rectangle and corner radius, by
/// itself or animated.
///
/// The portal fills its window, about the middle; the window has the radius that is seen.
public final class PortalFlight {
  public let window = Layer()
  public let portal = PortalLayer()
  private let overlay: Layer

  public init(of source: Layer, over overlay: Layer) {
    self.overlay = overlay
    window.masksToBounds = true
    window.addSublayer(portal)
    portal.bounds = source.bounds
    portal.position = .zero
    portal.sourceLayer = source
    portal.hidesSourceLayer = true
    // Its own corners would be seen, as large as the portal makes them.
    portal.overrides = [PortalOverride(.cornerRadius(0))]
  }

  public var isOpen: Bool { window.superlayer != nil }

  /// Leaves the source's place for another one, by a spring; in a transaction, if one is to hear of its end.
  ///
  /// It is shown now for the first time, and so has to be told where it begins.
  public func leave(_ place: Rect, _ radius: Double, for rect: Rect, _ cornerRadius: Double, _ spring: Spring) {
    var start: [(Layer, AnimationKeyPath.Property, AnimationValue)] = []
    Transaction.withoutActions {
      show(place, cornerRadius: radius)
      start = [
        (window, .position, .point(window.position)), (window, .bounds, .rect(window.bounds)),
        (window, .cornerRadius, .number(radius)), (portal, .transform, .transform(portal.transform)),
      ]
      show(rect, cornerRadius: cornerRadius)
      overlay.addSublayer(window)
    }
    for (layer, property, value) in start {
      let motion = PropertyAnimation.Motion.spring(PropertyAnimation.Interval(from: value), spring)
      // By the key that setting the property later goes by.
      layer.add(
        Animation(PropertyAnimation(AnimationKeyPath(whole: property), motion), timing: AnimationTiming(duration: 0)),
        forKey: property.name)
    }
  }

  /// Where and how it is seen, in the overlay's space.
  public func show(_ rect: Rect, cornerRadius: Double) {
    window.position = rect.center
    window.bounds = Rect(x: -rect.width / 2, y: -rect.height / 2, width: rect.width, height: rect.height)
    window.cornerRadius = cornerRadius
    let scale = max(rect.width / portal.bounds.width, rect.height / portal.bounds.height)
    portal.transform = .scale(x: scale, y: scale)
  }

  /// Gives the source's place back, at once.
  public func close() { window.removeFromSuperlayer() }
}
