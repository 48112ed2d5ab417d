import Commit
import Geometry
import Porthole

/// A scene of the benchmark's, drawn by the library's renderer.
final class SceneContender: Contender {
  let scene: FeatureScene
  let canvas: SceneCanvas

  init(_ scene: FeatureScene, shape: OutputShape) throws(BenchError) {
    self.scene = scene
    canvas = try SceneCanvas(shape.size, scale: shape.scale, background: scene.background)
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    scene.move(frame)
    return try canvas.draw(scene.root)
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    scene.move(frame)
    return try canvas.picture(scene.root)
  }
}

/// Where the copies of a bar lie, and how they move from frame to frame.
struct BarLayout {
  enum Kind {
    /// Each shows the whole source in its cell, between pixels.
    case gridBetweenPixels
    /// On whole pixels, all of one size.
    case gridOnPixels
    /// Holes of 64 × 64 onto a source of a quarter of the window's size, magnified to it; between pixels.
    case window
    /// Holes of 64 × 64 on whole pixels onto a source as large as the window, which stands still.
    case oneToOne(radius: Double)
  }

  var kind: Kind
  var places: [SuiteLayout.Place]
  /// Output points in a point of the source's picture.
  var scale: Double

  init(_ kind: Kind, n: Int, output: Size, source: Size) {
    self.kind = kind
    switch kind {
    case .gridBetweenPixels:
      let layout = SuiteLayout(.portalGrid, n: n, output: output, source: source)
      (places, scale) = (layout.places, layout.scale)
    case .gridOnPixels:
      let columns = Int(Double(n).squareRoot().rounded(.up))
      // As wide as a whole number of sixteenths, so that the height is whole too.
      let width = (output.width / Double(columns) / 16).rounded(.down) * 16
      let ratio = width / source.width
      scale = ratio
      let size = Size(width: width, height: source.height * ratio)
      places = (0..<n).map { index in
        let x = (Double(index % columns) * output.width / Double(columns)).rounded()
        let y = (Double(index / columns) * output.height / Double(columns)).rounded()
        return SuiteLayout.Place(
          target: Rect(x: x, y: y, width: size.width, height: size.height), part: Rect(size: source))
      }
    case .window:
      let layout = SuiteLayout(.portalWindow, n: n, output: output, source: output)
      scale = 0.25
      places = layout.places.map { place in
        let p = place.target
        // In the points of the source as it is copied, which is as large as the window.
        return SuiteLayout.Place(target: p, part: p)
      }
    case .oneToOne:
      let layout = SuiteLayout(.portalWindow, n: n, output: output, source: source)
      (places, scale) = (layout.places, 1)
    }
  }

  /// How far all copies have moved at a frame.
  func shift(_ frame: Int) -> Point {
    switch kind {
    case .gridBetweenPixels, .window:
      Point(0.37 + 0.25 * Double(frame % 5), 0.61 + 0.125 * Double(frame % 3))
    case .gridOnPixels: Point(Double(frame % 2), Double(frame / 2 % 2))
    case .oneToOne: .zero
    }
  }
}

extension FeatureScene {
  /// The portals of a bar.
  static func bar(_ layout: BarLayout, _ bench: BenchScene, _ size: Size) throws(BenchError) -> FeatureScene {
    let made = FeatureScene(size: size, background: bench.background)
    let copy = try bench.copy()
    var source = copy.root
    if case .window = layout.kind {
      // A quarter of the size, magnified where it stands.
      source = Layer()
      source.bounds = Rect(x: 0, y: 0, width: bench.size.width * layout.scale, height: bench.size.height * layout.scale)
      source.position = Point(size.width / 2, size.height / 2)
      // As opaque as the floor's.
      source.backgroundColor = bench.background
      source.transform = .scale(x: 1 / layout.scale, y: 1 / layout.scale)
      copy.root.anchorPoint = .zero
      copy.root.position = .zero
      copy.root.transform = .scale(x: layout.scale, y: layout.scale)
      source.addSublayer(copy.root)
    }
    made.root.addSublayer(source)
    var portals: [(layer: PortalLayer, center: Point)] = []
    for place in layout.places {
      let portal = PortalLayer()
      portal.sourceLayer = source
      portal.hidesSourceLayer = true
      portal.position = place.target.center
      switch layout.kind {
      case .gridBetweenPixels, .gridOnPixels:
        portal.bounds = Rect(size: bench.size)
        portal.transform = .scale(
          x: place.target.width / bench.size.width, y: place.target.height / bench.size.height)
      case .window:
        portal.bounds = Rect(size: place.target.size)
        portal.matchesPosition = true
        portal.matchesTransform = true
        portal.masksToBounds = true
      case .oneToOne(let radius):
        portal.bounds = Rect(size: place.target.size)
        portal.matchesPosition = true
        portal.masksToBounds = true
        portal.cornerRadius = radius
      }
      made.root.addSublayer(portal)
      portals.append((portal, place.target.center))
    }
    if case .oneToOne = layout.kind {
      made.move = { _ in }
    } else {
      made.move = { frame in
        bench.move(copy.spinner, to: frame)
        let shift = layout.shift(frame)
        for (portal, center) in portals { portal.position = Point(center.x + shift.x, center.y + shift.y) }
      }
    }
    return made
  }

  /// Opaque portals of one source, each hiding all of those below.
  static func overlap(_ depth: Int, _ bench: BenchScene, _ size: Size) throws(BenchError) -> FeatureScene {
    let made = FeatureScene(size: size, background: bench.background)
    let copy = try bench.copy()
    made.root.addSublayer(copy.root)
    for _ in 0..<depth {
      made.addPortal(of: copy.root, at: Rect(x: 40, y: 22.5, width: 1200, height: 675), showing: bench.size)
    }
    made.move = { bench.move(copy.spinner, to: $0) }
    return made
  }
}

/// A scene that stands still, all of which is drawn in each frame, since what lies behind it changes.
final class RedrawnContender: Contender {
  private let inner: SceneContender
  private let first: Color

  init(_ scene: FeatureScene, shape: OutputShape) throws(BenchError) {
    inner = try SceneContender(scene, shape: shape)
    first = scene.background
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    inner.canvas.renderer.background = frame % 2 == 0 ? first : Color(red: 0.1, green: 0.1, blue: 0.1, alpha: 1)
    return try inner.draw(frame: frame)
  }

  func picture(frame: Int) throws(BenchError) -> Image { try inner.picture(frame: frame) }
}
