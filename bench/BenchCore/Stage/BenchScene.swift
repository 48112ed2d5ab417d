import Geometry
import Porthole

/// The scene that is shown N times: a layer `source`, of which the layer `spinner` moves.
final class BenchScene {
  let size: Size
  let background: Color
  private let source: Layer
  private let spinner: Layer

  /// Throws a sentence that says what is missing, and where.
  init(folder: String) throws(BenchError) {
    let path = folder + "/desk.json"
    let scene: Scene
    do {
      scene = try SceneFile.read(path)
    } catch {
      throw BenchError(.scene, "the scene can't be read: \(error)")
    }
    guard let source = scene.layer("source"), let spinner = scene.layer("spinner") else {
      throw BenchError(.scene, "\(path) must hold a layer `source` and in it a layer `spinner`")
    }
    self.source = source
    self.spinner = spinner
    size = source.bounds.size
    background = scene.background
    guard LayerCopy(of: source, spinner: spinner) != nil else {
      throw BenchError(.scene, "in \(path) the layer `spinner` must lie in `source`")
    }
  }

  /// A new copy of the source, at the place where the scene has it.
  func copy() throws(BenchError) -> LayerCopy {
    guard let copy = LayerCopy(of: source, spinner: spinner) else {
      throw BenchError(.scene, "the layer `spinner` must lie in `source`")
    }
    return copy
  }

  /// Where the moving layer is at a frame: its centre runs round an ellipse once an orbit while it turns twice.
  func move(_ spinner: Layer, to frame: Int) {
    let angle = 2 * Double.pi * Double(frame % Orbit.frameCount) / Double(Orbit.frameCount)
    spinner.position = Point(
      size.width * (0.5 + 0.3125 * cosine(angle)), size.height * (0.5 + 0.25 * sine(angle)))
    spinner.transform = .rotation(angle: 2 * angle)
  }
}
