import Porthole

/// A tab bar of glass. Under its lens shows the selected form of what the bar shows, through a portal that matches its
/// place: the lens may be anywhere, and is stretched while it moves.
public final class GlassTabBar: Example {
  public static let name = "glass-tab-bar"
  public static let duration = 4.4
  public let scene: Scene
  /// The portal under the glass.
  public let lens: PortalLayer
  public let selected: Layer
  private let glass: Layer
  /// Below the portal, with the glass's shadow.
  private let shade: Layer
  private var timeline = Timeline()
  public private(set) var tab = 0
  private var stretches = 0

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene.takenOver()
    lens = try scene.require("lens", PortalLayer.self)
    selected = try scene.require("selected")
    glass = try scene.require("glass")
    shade = try scene.require("shade")
    for (time, tab) in [(0.5, 1), (1.4, 3), (2.5, 2), (3.4, 0)] {
      timeline.at(time) { [unowned self] in select(tab) }
    }
  }

  public func prepare(for time: Double) { timeline.run(until: time) }

  public func select(_ tab: Int) {
    let distance = Double(abs(tab - self.tab))
    self.tab = tab
    let x = 60 + Double(tab) * 80
    Transaction.animate(spring: Spring(stiffness: 260, damping: 22)) {
      lens.position.x = x
      glass.position.x = x
    }
    // Longer and flatter on its way. Each stretch is added to those that are not over yet, so that none is cut off.
    let longer = 6 + 5 * distance
    let stretch = PropertyAnimation(
      AnimationKeyPath(whole: .bounds),
      .keyframes(
        Keyframes(
          [
            .rect(.zero), .rect(Rect(x: -longer, y: 3, width: 2 * longer, height: -6)),
            .rect(Rect(x: 2, y: -2, width: -4, height: 4)), .rect(.zero),
          ],
          calculationMode: .cubic)), isAdditive: true)
    stretches += 1
    for layer in [lens, shade] {
      layer.add(Animation(stretch, timing: AnimationTiming(duration: 0.5)), forKey: "stretch \(stretches)")
    }
  }
}
