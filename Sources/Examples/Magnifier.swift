import Porthole

/// A loupe over a page: a portal of the page, twice as large, that scrolls to whatever lies under the loupe's middle.
public final class Magnifier: Example {
  public static let name = "magnifier"
  public static let duration = 4.6
  public let scene: Scene
  public let loupe: Layer
  public let portal: PortalLayer
  private var timeline = Timeline()

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene.takenOver()
    loupe = try scene.require("loupe")
    portal = try scene.require("portal", PortalLayer.self)
    place(at: Point(96, 70))
    for (time, duration, x, y) in [
      (0.3, 1.4, 330.0, 70.0), (1.8, 0.6, 96, 138), (2.5, 1.2, 300, 138), (3.8, 0.7, 96, 70),
    ] {
      timeline.at(time) { [unowned self] in
        Transaction.animate(duration: duration, function: .easeInEaseOut) { place(at: Point(x, y)) }
      }
    }
  }

  public func prepare(for time: Double) { timeline.run(until: time) }

  /// Both move alike, so that the page stands still under the loupe.
  public func place(at point: Point) {
    loupe.position = point
    let size = portal.bounds.size
    portal.bounds = Rect(
      x: point.x - size.width / 2, y: point.y - size.height / 2, width: size.width, height: size.height)
  }
}
