import Commit
import Geometry
import Porthole

/// Strategy `duplicate`: the source's subtree N times in the tree, each copy animated.
final class DuplicateContender: Contender {
  private let canvas: LibraryCanvas
  private let scene: BenchScene
  private let root = Layer()
  private var spinners: [Layer] = []
  private let stopwatch: GPUStopwatch?

  init(
    _ key: CellKey, scene: BenchScene, shape: OutputShape, stopwatch: GPUStopwatch?, target: BenchTarget = .embedded
  ) throws(BenchError) {
    canvas = try LibraryCanvas(shape.size, scale: shape.scale, background: scene.background, target: target)
    self.scene = scene
    self.stopwatch = stopwatch
    root.bounds = Rect(size: shape.size)
    root.position = root.bounds.center
    let layout = SuiteLayout(key.suite, n: key.n, output: shape.size, source: scene.size)
    for place in layout.places {
      let copy = try scene.copy()
      spinners.append(copy.spinner)
      switch key.suite {
      case .portalGrid:
        copy.root.anchorPoint = Point(0.5, 0.5)
        copy.root.position = place.target.center
        copy.root.transform = .scale(x: layout.scale, y: layout.scale)
        root.addSublayer(copy.root)
      case .portalWindow:
        let hole = Layer()
        // Its bounds' origin scrolls the copy to where the source would be in the window.
        hole.bounds = place.part
        hole.position = place.target.center
        hole.masksToBounds = true
        hole.addSublayer(copy.root)
        root.addSublayer(hole)
      }
    }
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    move(to: frame)
    return try canvas.draw(root)
  }

  func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64? {
    guard let stopwatch else { return nil }
    move(to: frame)
    return try stopwatch.nanoseconds(of: [try canvas.plan(root)])
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    move(to: frame)
    return try canvas.picture(root)
  }

  private func move(to frame: Int) {
    for spinner in spinners { scene.move(spinner, to: frame) }
  }
}
