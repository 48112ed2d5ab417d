import Commit
import Geometry
import Porthole

/// A tree of layers that a point of a suite draws, and what moves in it.
final class FeatureScene {
  let root = Layer()
  let size: Size
  let background: Color
  /// Whether its frames differ; those of a scene that stands still must not.
  var moves = true
  var move: (_ frame: Int) -> Void = { _ in }

  init(size: Size, background: Color) {
    self.size = size
    self.background = background
    root.bounds = Rect(size: size)
    root.position = root.bounds.center
  }

  /// A portal of `source` in the root, its centre here, as large as this.
  @discardableResult
  func addPortal(of source: Layer, at place: Rect, showing size: Size) -> PortalLayer {
    let portal = PortalLayer()
    portal.sourceLayer = source
    portal.hidesSourceLayer = true
    portal.bounds = Rect(size: size)
    portal.position = place.center
    portal.transform = .scale(x: place.width / size.width, y: place.height / size.height)
    root.addSublayer(portal)
    return portal
  }
}

extension FeatureScene {
  /// The scene of a point. Throws a sentence where the bench's scene can't be copied.
  static func make(_ key: FeatureKey, scene: BenchScene, size: Size) throws(BenchError) -> FeatureScene {
    switch key.suite {
    case .area: try area(Int(key.value) ?? 1, scene, size)
    case .sources: sources(Int(key.value) ?? 1, scene, size)
    case .nesting: try nesting(Int(key.value) ?? 1, scene, size)
    case .damage: damage(percent: Int(key.value) ?? 0, portals: 1024, scene, size)
    case .effects: try effects(FeatureEffect(rawValue: key.value) ?? .none, scene, size)
    case .video: video(Int(key.value) ?? 1, scene, size)
    }
  }

  /// The bench's source, moving, hidden by its portals.
  private func addSource(_ scene: BenchScene) throws(BenchError) -> Layer {
    let copy = try scene.copy()
    root.addSublayer(copy.root)
    move = { scene.move(copy.spinner, to: $0) }
    return copy.root
  }

  /// Between pixels, so that none can be copied.
  private static func area(_ n: Int, _ scene: BenchScene, _ size: Size) throws(BenchError) -> FeatureScene {
    let made = FeatureScene(size: size, background: scene.background)
    let source = try made.addSource(scene)
    let layout = SuiteLayout(.portalGrid, n: n, output: size, source: scene.size)
    for place in layout.places {
      made.addPortal(of: source, at: place.target.offsetBy(dx: 0.37, dy: 0.61), showing: scene.size)
    }
    return made
  }

  /// A card of a few layers of which one turns; how many sources there are changes nothing of a card.
  private static func sources(_ n: Int, _ scene: BenchScene, _ size: Size) -> FeatureScene {
    let made = FeatureScene(size: size, background: scene.background)
    let cardSize = Size(width: 160, height: 90)
    var hands: [Layer] = []
    let layout = SuiteLayout(.portalGrid, n: n, output: size, source: cardSize)
    for (index, place) in layout.places.enumerated() {
      let card = Layer()
      card.bounds = Rect(size: cardSize)
      card.position = card.bounds.center
      card.backgroundColor = shade(index, of: n)
      for column in 0..<4 {
        let tile = Layer()
        tile.bounds = Rect(x: 0, y: 0, width: 30, height: 60)
        tile.position = Point(25 + Double(column) * 37, 45)
        tile.cornerRadius = 6
        tile.backgroundColor = shade(column, of: 4)
        card.addSublayer(tile)
      }
      let hand = Layer()
      hand.bounds = Rect(x: 0, y: 0, width: 8, height: 50)
      hand.position = Point(80, 45)
      hand.backgroundColor = .white
      card.addSublayer(hand)
      hands.append(hand)
      made.root.addSublayer(card)
      // Two portals would make a picture worth while everywhere; one is the question.
      made.addPortal(of: card, at: place.target, showing: cardSize)
    }
    made.move = { frame in
      for hand in hands { hand.transform = .rotation(angle: Double(frame) * 0.1) }
    }
    return made
  }

  /// Each level shows the one below it twice, side by side: without pictures that would be 2^depth sources.
  private static func nesting(_ depth: Int, _ scene: BenchScene, _ size: Size) throws(BenchError) -> FeatureScene {
    let made = FeatureScene(size: size, background: scene.background)
    var shown = try made.addSource(scene)
    var shownSize = scene.size
    for level in 1...max(1, depth) {
      let frame = level == depth ? made.root : Layer()
      let frameSize = level == depth ? size : scene.size
      if level < depth {
        frame.bounds = Rect(size: frameSize)
        frame.position = frame.bounds.center
        frame.backgroundColor = shade(level, of: 8)
        made.root.addSublayer(frame)
      }
      for side in 0..<2 {
        let portal = PortalLayer()
        portal.sourceLayer = shown
        portal.hidesSourceLayer = true
        portal.bounds = Rect(size: shownSize)
        portal.position = Point(frameSize.width * (0.26 + 0.48 * Double(side)), frameSize.height * 0.5)
        let scale = 0.46 * frameSize.width / shownSize.width
        portal.transform = .scale(x: scale, y: scale)
        frame.addSublayer(portal)
      }
      (shown, shownSize) = (frame, frameSize)
    }
    return made
  }

  /// A source of a hundred tiles, of which as many change colour as the percentage says.
  static func damage(percent: Int, portals: Int, _ scene: BenchScene, _ size: Size) -> FeatureScene {
    let made = FeatureScene(size: size, background: scene.background)
    let source = Layer()
    let sourceSize = Size(width: 1280, height: 720)
    source.bounds = Rect(size: sourceSize)
    source.position = source.bounds.center
    source.backgroundColor = shade(3, of: 8)
    var tiles: [Layer] = []
    for index in 0..<100 {
      let tile = Layer()
      tile.bounds = Rect(x: 0, y: 0, width: 128, height: 72)
      tile.position = Point(64 + Double(index % 10) * 128, 36 + Double(index / 10) * 72)
      tile.backgroundColor = shade(index, of: 100)
      source.addSublayer(tile)
      tiles.append(tile)
    }
    made.root.addSublayer(source)
    let layout = SuiteLayout(.portalGrid, n: portals, output: size, source: sourceSize)
    for place in layout.places { made.addPortal(of: source, at: place.target, showing: sourceSize) }
    let changing = tiles.prefix(max(0, min(100, percent)))
    made.moves = !changing.isEmpty
    made.move = { frame in
      for (index, tile) in changing.enumerated() { tile.backgroundColor = shade((index + frame * 7) % 100, of: 100) }
    }
    return made
  }

  private static func video(_ n: Int, _ scene: BenchScene, _ size: Size) -> FeatureScene {
    let made = FeatureScene(size: size, background: scene.background)
    let surface = SurfaceLayer()
    let pixels = PixelSize(width: 320, height: 180)
    let surfaceSize = Size(width: 320, height: 180)
    surface.bounds = Rect(size: surfaceSize)
    surface.position = surface.bounds.center
    surface.pacing = .latest
    made.root.addSublayer(surface)
    let layout = SuiteLayout(.portalGrid, n: n, output: size, source: surfaceSize)
    for place in layout.places { made.addPortal(of: surface, at: place.target, showing: surfaceSize) }
    made.move = { frame in
      guard let image = stripes(frame, pixels) else { return }
      surface.enqueue(SurfaceBuffer(image))
    }
    return made
  }

  /// A frame of the film: stripes that wander.
  private static func stripes(_ frame: Int, _ size: PixelSize) -> Image? {
    var bytes = [UInt8](repeating: 255, count: size.area * 4)
    for y in 0..<size.height {
      for x in 0..<size.width {
        let at = (y * size.width + x) * 4
        bytes[at] = UInt8(truncatingIfNeeded: x + frame * 5)
        bytes[at + 1] = UInt8(truncatingIfNeeded: y * 2)
        bytes[at + 2] = UInt8(truncatingIfNeeded: x / 16 * 40 + frame)
      }
    }
    return Image(size: size, alpha: .opaque, pixels: bytes)
  }

  static func shade(_ index: Int, of count: Int) -> Color {
    let part = Float(index) / Float(max(1, count))
    return Color(red: 0.2 + 0.6 * part, green: 0.35 + 0.3 * (1 - part), blue: 0.85 - 0.5 * part, alpha: 1)
  }
}
