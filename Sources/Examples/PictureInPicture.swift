import Porthole

/// A video in a page. Scrolled away, it goes on in a small portal above the page; scrolled back, it returns.
public final class PictureInPicture: Example {
  public static let name = "picture-in-picture"
  public static let duration = 4.8
  public let scene: Scene
  public let video: SurfaceLayer
  public let flight: PortalFlight
  public private(set) var isAway = false
  private let page: Layer
  private var timeline = Timeline()
  private var generation = 0

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene.takenOver()
    page = try scene.require("page")
    video = try scene.require("video", SurfaceLayer.self)
    flight = PortalFlight(of: video, over: try scene.require("overlay"))
    flight.window.shadow = Shadow(color: .black, opacity: 0, radius: 9, offset: Point(0, 4))
    timeline.at(0.6) { [unowned self] in away() }
    timeline.at(2.1) { [unowned self] in move(to: Rect(x: 16, y: 408, width: 128, height: 72)) }
    timeline.at(3.3) { [unowned self] in back() }
  }

  public func prepare(for time: Double) { timeline.run(until: time) }

  /// The page scrolls on, and the video flies into the corner.
  public func away() {
    guard !isAway else { return }
    isAway = true
    let place = video.convert(video.bounds, to: scene.root)
    move(to: Rect(x: 136, y: 408, width: 128, height: 72), from: flight.isOpen ? nil : place, scrollingTo: 250)
  }

  /// The page scrolls back, and the video flies to wherever it will be in it.
  public func back() {
    guard isAway else { return }
    isAway = false
    generation += 1
    let mine = generation
    // When the page stands still, too, and unless it was sent elsewhere meanwhile.
    let end = { [weak self] in if let self, generation == mine { flight.close() } }
    Transaction.animate(spring: Self.spring, completion: end) {
      page.bounds.y = 0
      guard let place = video.convert(video.bounds, to: scene.root) else { return }
      flight.show(place, cornerRadius: video.cornerRadius)
      flight.window.shadow?.opacity = 0
    }
  }

  private static let spring = Spring(stiffness: 150, damping: 24)

  private func move(to rect: Rect, from place: Rect? = nil, scrollingTo y: Double? = nil) {
    generation += 1
    Transaction.animate(spring: Self.spring) {
      if let y { page.bounds.y = y }
      if let place {
        flight.leave(place, video.cornerRadius, for: rect, 12, Self.spring)
      } else {
        flight.show(rect, cornerRadius: 12)
      }
      flight.window.shadow?.opacity = 0.4
    }
  }
}
