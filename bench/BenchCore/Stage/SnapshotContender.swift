import Commit
import Geometry
import Porthole

/// Strategy `snapshot`: the source drawn by a renderer of its own at the size at which it shows, read back to memory, and
/// uploaded again as contents of N layers.
final class SnapshotContender: Contender {
  private let camera: LibraryCanvas
  private let canvas: LibraryCanvas
  private let scene: BenchScene
  private let stand = Layer()
  private let source: LayerCopy
  private let root = Layer()
  private var copies: [Layer] = []
  private let stopwatch: GPUStopwatch?

  init(
    _ key: CellKey, scene: BenchScene, shape: OutputShape, stopwatch: GPUStopwatch?, target: BenchTarget = .embedded
  ) throws(BenchError) {
    let layout = SuiteLayout(key.suite, n: key.n, output: shape.size, source: scene.size)
    let scale = shape.scale * layout.scale
    camera = try LibraryCanvas(scene.size, scale: scale, background: scene.background, target: target)
    canvas = try LibraryCanvas(shape.size, scale: shape.scale, background: scene.background, target: target)
    self.scene = scene
    self.stopwatch = stopwatch
    source = try scene.copy()
    stand.bounds = Rect(size: scene.size)
    stand.position = stand.bounds.center
    stand.addSublayer(source.root)
    root.bounds = Rect(size: shape.size)
    root.position = root.bounds.center
    // The picture has whole pixels, so its last column and row may show a little more than the source.
    let width = (scene.size.width * scale).rounded(.up) / scale
    let height = (scene.size.height * scale).rounded(.up) / scale
    for place in layout.places {
      let copy = Layer()
      copy.bounds = Rect(size: place.target.size)
      copy.position = place.target.center
      copy.contentsRect = Rect(
        x: place.part.x / width, y: place.part.y / height, width: place.part.width / width,
        height: place.part.height / height)
      copies.append(copy)
      root.addSublayer(copy)
    }
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    scene.move(source.spinner, to: frame)
    // The plan's counters come with the frame; the picture then draws nothing and reads what is there.
    let count = try camera.draw(stand).count
    let picture = try camera.picture(stand)
    for copy in copies { copy.contents = picture }
    let drawn = try canvas.draw(root)
    return DrawnFrame(count: count + drawn.count)
  }

  /// Of the two drawings alone: reading back and uploading keep the GPU waiting more than working.
  func gpuNanoseconds(frame: Int) throws(BenchError) -> UInt64? {
    guard let stopwatch else { return nil }
    scene.move(source.spinner, to: frame)
    return try stopwatch.nanoseconds(of: [try camera.plan(stand), try canvas.plan(root)])
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    _ = try draw(frame: frame)
    return try canvas.picture(root)
  }
}
