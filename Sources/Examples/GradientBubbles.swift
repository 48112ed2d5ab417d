import Porthole

/// A chat of which a hundred bubbles are holes in the wall: each is a portal of one gradient, hidden in its own place, and
/// shows the part of it that lies where the bubble is.
public final class GradientBubbles: Example {
  public static let name = "gradient-bubbles"
  public static let duration = 3.4
  public let scene: Scene
  public let chat: Layer
  public let gradient: Layer
  public let bubbles: [PortalLayer]
  private var timeline = Timeline()

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene.takenOver()
    chat = try scene.require("chat")
    gradient = try scene.require("gradient")
    bubbles = chat.sublayers.compactMap { $0 as? PortalLayer }
    timeline.at(0.3) { [unowned self] in scroll(to: 420, in: 1.3) }
    timeline.at(1.7) { [unowned self] in scroll(to: 0, in: 1.4) }
  }

  public func prepare(for time: Double) { timeline.run(until: time) }

  public func scroll(to y: Double, in duration: Double) {
    Transaction.animate(duration: duration, function: .easeInEaseOut) { chat.bounds.y = y }
  }
}
