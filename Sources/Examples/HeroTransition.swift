import Porthole

/// A card that grows into the head of its page and back. On its way it is a portal of the card's picture, which goes on
/// moving; it may be turned around at any moment.
public final class HeroTransition: Example {
  public static let name = "hero-transition"
  public static let duration = 4.6
  public let scene: Scene
  /// The card's picture.
  public let source: Layer
  /// In the head of the page; also a portal.
  public let header: PortalLayer
  public let flight: PortalFlight
  public private(set) var isOpen = false
  private let detail: Layer
  private let text: Layer
  private let grid: Layer
  private var timeline = Timeline()
  private var generation = 0

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene.takenOver()
    source = try scene.require("art-1")
    header = try scene.require("header", PortalLayer.self)
    detail = try scene.require("detail")
    text = try scene.require("text")
    grid = try scene.require("grid")
    flight = PortalFlight(of: source, over: try scene.require("overlay"))
    timeline.at(0.5) { [unowned self] in open() }
    timeline.at(0.72) { [unowned self] in close() }
    timeline.at(0.95) { [unowned self] in open() }
    timeline.at(3.1) { [unowned self] in close() }
  }

  public func prepare(for time: Double) { timeline.run(until: time) }

  public func open() {
    guard !isOpen, let card = source.convert(source.bounds, to: scene.root),
      let head = header.convert(header.bounds, to: scene.root)
    else { return }
    isOpen = true
    let isNew = !flight.isOpen
    if isNew { Transaction.withoutActions { text.position.y += 40 } }
    move {
      if isNew {
        flight.leave(card, source.cornerRadius, for: head, 0, Self.spring)
      } else {
        flight.show(head, cornerRadius: 0)
      }
      detail.opacity = 1
      text.position.y = 362
      grid.transform = Self.behind
    } then: { [self] in
      // The page's own head takes over, in the frame in which the flight leaves.
      header.isHidden = false
      flight.close()
    }
  }

  public func close() {
    guard isOpen else { return }
    isOpen = false
    // Where the card will be, not where it lies in the grid that stands back.
    let shrunken = grid.transform
    Transaction.withoutActions { grid.transform = .identity }
    let card = source.convert(source.bounds, to: scene.root)
    Transaction.withoutActions { grid.transform = shrunken }
    guard let card, let head = header.convert(header.bounds, to: scene.root) else { return }
    move {
      if flight.isOpen {
        flight.show(card, cornerRadius: source.cornerRadius)
      } else {
        Transaction.withoutActions { header.isHidden = true }
        flight.leave(head, 0, for: card, source.cornerRadius, Self.spring)
      }
      detail.opacity = 0
      text.position.y = 402
      grid.transform = .identity
    } then: { [self] in
      flight.close()
      text.position.y = 362
    }
  }

  private static let spring = Spring(stiffness: 210, damping: 26)
  /// How the grid stands while the page is open.
  private static let behind = Transform3D.scale(x: 0.94, y: 0.94)

  private func move(_ body: () -> Void, then end: @escaping () -> Void) {
    generation += 1
    let mine = generation
    Transaction.animate(
      spring: Self.spring, completion: { [weak self] in if let self, generation == mine { end() } }, body)
  }
}
