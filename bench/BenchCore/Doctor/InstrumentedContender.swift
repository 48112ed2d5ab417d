import Commit
import Diagnostics
import GLES
import Geometry
import Porthole

/// The portals of a suite, drawn with an instrument that may be switched on: what measuring costs is what the two differ in.
final class InstrumentedContender: Contender {
  enum Instrument {
    case none
    /// The clock of the frame's stages.
    case stages
    /// One pass finished before the next is begun.
    case passes
  }

  private let scene: FeatureScene
  private let canvas: SceneCanvas

  init(
    _ instrument: Instrument, n: Int, scene bench: BenchScene, shape: OutputShape
  ) throws(BenchError) {
    let layout = BarLayout(.gridBetweenPixels, n: n, output: shape.size, source: bench.size)
    scene = try FeatureScene.bar(layout, bench, shape.size)
    canvas = try SceneCanvas(shape.size, scale: shape.scale, background: scene.background)
    guard instrument != .none else { return }
    let instruments = FrameInstruments { ProcessClock.monotonicNanoseconds }
    instruments.timesPasses = instrument == .passes
    canvas.renderer.instruments = instruments
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    canvas.renderer.instruments?.passes = []
    canvas.renderer.instruments?.shares = []
    scene.move(frame)
    return try canvas.draw(scene.root)
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    scene.move(frame)
    return try canvas.picture(scene.root)
  }
}
