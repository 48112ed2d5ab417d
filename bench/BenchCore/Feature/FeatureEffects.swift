import Commit
import Geometry
import Porthole

extension FeatureScene {
  /// Sixteen portals of the bench's source, and the effect on each of them; or panels of glass above them.
  static func effects(_ effect: FeatureEffect, _ scene: BenchScene, _ size: Size) throws(BenchError) -> FeatureScene {
    let made = FeatureScene(size: size, background: scene.background)
    let copy = try scene.copy()
    made.root.addSublayer(copy.root)
    made.move = { scene.move(copy.spinner, to: $0) }
    if effect == .strips {
      made.addStrips(64, of: copy.root, showing: scene.size)
      return made
    }
    let places = SuiteLayout(.portalGrid, n: 16, output: size, source: scene.size).places.map(\.target)
    for place in places {
      let portal = made.addPortal(of: copy.root, at: place, showing: scene.size)
      switch effect {
      case .rounded:
        portal.cornerRadius = 64
        portal.masksToBounds = true
      case .opacity: portal.opacity = 0.6
      case .blur: portal.filters = [.gaussianBlur(radius: 24)]
      case .none, .backdrop, .backdropGroup, .strips, .lens: break
      }
    }
    switch effect {
    case .backdrop, .backdropGroup, .lens:
      for place in places { made.addGlass(effect, over: place.insetBy(dx: place.width / 5, dy: place.height / 5)) }
    default: break
    }
    return made
  }

  private func addGlass(_ effect: FeatureEffect, over place: Rect) {
    let panel = effect == .lens ? LensLayer() : BackdropLayer()
    panel.bounds = Rect(size: place.size)
    panel.position = place.center
    panel.cornerRadius = 16
    if effect == .lens {
      panel.lens = Lens(shapes: [Lens.Shape(rect: Rect(size: place.size), radius: 24)])
    } else {
      panel.backdropFilters = [.gaussianBlur(radius: 8)]
      if effect == .backdropGroup { panel.groupName = "panels" }
    }
    root.addSublayer(panel)
  }

  /// The source cut into strips, each a portal of its own that is turned a little: a warp.
  private func addStrips(_ count: Int, of source: Layer, showing shown: Size) {
    let height = shown.height / Double(count)
    for index in 0..<count {
      let portal = PortalLayer()
      portal.sourceLayer = source
      portal.hidesSourceLayer = true
      portal.sourceRect = Rect(x: 0, y: Double(index) * height, width: shown.width, height: height)
      portal.bounds = Rect(x: 0, y: 0, width: shown.width, height: height)
      let phase = Double(index) / Double(count)
      portal.position = Point(size.width / 2, size.height * (0.05 + 0.9 * (phase + 0.5 / Double(count))))
      let scale = size.width / shown.width * 0.8
      portal.transform = .scale(x: scale, y: scale) * .rotation(angle: 0.08 * (phase - 0.5))
      root.addSublayer(portal)
    }
  }
}
