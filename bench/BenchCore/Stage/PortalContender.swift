import Commit
import Geometry
import Porthole

/// Strategy `portal`: the source stands in the tree, hidden by its N portals.
package final class PortalContender: Contender {
  fileprivate let canvas: LibraryCanvas
  private let scene: BenchScene
  private let root = Layer()
  private let source: LayerCopy
  private let stopwatch: GPUStopwatch?

  init(
    _ key: CellKey, scene: BenchScene, shape: OutputShape, stopwatch: GPUStopwatch?, target: BenchTarget = .embedded
  ) throws(BenchError) {
    canvas = try LibraryCanvas(shape.size, scale: shape.scale, background: scene.background, target: target)
    self.scene = scene
    self.stopwatch = stopwatch
    source = try scene.copy()
    root.bounds = Rect(size: shape.size)
    root.position = root.bounds.center
    root.addSublayer(source.root)
    let layout = SuiteLayout(key.suite, n: key.n, output: shape.size, source: scene.size)
    for place in layout.places {
      let portal = PortalLayer()
      portal.sourceLayer = source.root
      portal.hidesSourceLayer = true
      portal.position = place.target.center
      switch key.suite {
      case .portalGrid:
        portal.bounds = Rect(size: scene.size)
        portal.transform = .scale(x: layout.scale, y: layout.scale)
      case .portalWindow:
        portal.bounds = Rect(size: place.target.size)
        portal.matchesPosition = true
        portal.masksToBounds = true
      }
      if let factor = key.factor { Self.apply(factor, to: portal, scale: key.suite == .portalGrid ? layout.scale : 1) }
      root.addSublayer(portal)
    }
  }

  /// - Parameter scale: output points in one of the portal's.
  private static func apply(_ level: FactorLevel, to portal: PortalLayer, scale: Double) {
    let (number, scale) = (Double(level.level), max(1e-6, scale))
    switch level.factor {
    case .blur: portal.filters = [.gaussianBlur(radius: 8 * number / scale)]
    case .opacity: portal.opacity = Float(1 - number / 100)
    case .rounded:
      portal.cornerRadius = number / scale
      portal.masksToBounds = true
    case .overlap: portal.transform = portal.transform * .scale(x: 1 + number / 100, y: 1 + number / 100)
    }
  }

  package func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    scene.move(source.spinner, to: frame)
    return try canvas.draw(root)
  }

  package func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64? {
    guard let stopwatch else { return nil }
    scene.move(source.spinner, to: frame)
    return try stopwatch.nanoseconds(of: [try canvas.plan(root)])
  }

  package func parts(frame: Int) throws(BenchError) -> [FramePart]? {
    scene.move(source.spinner, to: frame)
    return try canvas.parts(root)
  }

  package func picture(frame: Int) throws(BenchError) -> Image {
    scene.move(source.spinner, to: frame)
    return try canvas.picture(root)
  }
}

extension PortalContender {
  /// What a client has sent by now; nil in this process.
  package var sent: ConnectionCounters? { canvas.sent }
}

extension OutputShape {
  var size: Size { Size(width: Double(width), height: Double(height)) }
}
