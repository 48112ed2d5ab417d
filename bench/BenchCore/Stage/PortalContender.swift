import Commit
import Geometry
import Porthole

/// What the contenders that draw with the library's renderer share.
final class LibraryCanvas {
  let renderer: OffscreenRenderer

  init(_ size: Size, scale: Double, background: Color) throws(BenchError) {
    do {
      renderer = try OffscreenRenderer(size: size, scale: scale, background: background)
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  /// Draws and waits for the last pixel.
  func draw(_ root: Layer) throws(BenchError) -> DrawnFrame {
    do {
      let report = try renderer.update(root)
      renderer.finish()
      return DrawnFrame(count: FrameCount(report.counters))
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  func picture(_ root: Layer) throws(BenchError) -> Image {
    do { return try renderer.render(root) } catch { throw BenchError(.renderer, "\(error)") }
  }

  func plan(_ root: Layer) throws(BenchError) -> FramePlan {
    do { return try renderer.plan(root) } catch { throw BenchError(.renderer, "\(error)") }
  }
}

extension FrameCount {
  init(_ counters: FrameCounters) {
    self.init(
      passes: counters.passes, batches: counters.batches, quads: counters.quads,
      layersVisited: counters.layersVisited, shadedPixels: counters.shadedPixels)
  }

  static func + (a: FrameCount, b: FrameCount) -> FrameCount {
    FrameCount(
      passes: a.passes + b.passes, batches: a.batches + b.batches, quads: a.quads + b.quads,
      layersVisited: a.layersVisited + b.layersVisited, shadedPixels: a.shadedPixels + b.shadedPixels)
  }
}

/// Strategy `portal`: the source stands in the tree, hidden by its N portals.
final class PortalContender: Contender {
  private let canvas: LibraryCanvas
  private let scene: BenchScene
  private let root = Layer()
  private let source: LayerCopy
  private let stopwatch: GPUStopwatch?

  init(_ key: CellKey, scene: BenchScene, shape: OutputShape, stopwatch: GPUStopwatch?) throws(BenchError) {
    canvas = try LibraryCanvas(shape.size, scale: shape.scale, background: scene.background)
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
      root.addSublayer(portal)
    }
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    scene.move(source.spinner, to: frame)
    return try canvas.draw(root)
  }

  func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64? {
    guard let stopwatch else { return nil }
    scene.move(source.spinner, to: frame)
    return try stopwatch.nanoseconds(of: [try canvas.plan(root)])
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    scene.move(source.spinner, to: frame)
    return try canvas.picture(root)
  }
}

extension OutputShape {
  var size: Size { Size(width: Double(width), height: Double(height)) }
}
