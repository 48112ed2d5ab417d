import Geometry
import Porthole

/// The scene that is shown N times: a layer `source`, of which the layer `spinner` moves.
final class BenchScene {
  let size: Size
  let background: Color
  /// Where a copy comes from: the layers of the benchmark's own scene, or a user's file, read anew for each.
  private let makeCopy: () throws(BenchError) -> LayerCopy
  /// What moves is a layer within the source; else the opacity of all that it holds changes.
  private let turns: Bool

  /// Throws a sentence that says what is missing, and where.
  init(folder: String) throws(BenchError) {
    let path = folder + "/desk.json"
    let scene = try Self.read(path)
    guard let source = scene.layer("source"), let spinner = scene.layer("spinner") else {
      throw BenchError(.scene, "\(path) must hold a layer `source` and in it a layer `spinner`")
    }
    size = source.bounds.size
    background = scene.background
    turns = true
    let missing = BenchError(.scene, "in \(path) the layer `spinner` must lie in `source`")
    guard LayerCopy(of: source, spinner: spinner) != nil else { throw missing }
    makeCopy = { () throws(BenchError) in
      guard let copy = LayerCopy(of: source, spinner: spinner) else { throw missing }
      return copy
    }
  }

  /// A layer of the user's own scene. What its file holds is drawn, whatever it is: each copy is the file read again.
  init(_ user: ScaleOptions.UserScene) throws(BenchError) {
    let read = { () throws(BenchError) in
      let scene = try Self.read(user.path)
      guard let source = scene.layer(user.layer) else {
        throw BenchError(.scene, "\(user.path) holds no layer named “\(user.layer)”, which --multiply asks for.")
      }
      guard let mover = user.mover else { return (scene, LayerCopy(framing: source, of: scene)) }
      guard let moving = scene.layer(mover) else {
        throw BenchError(.scene, "\(user.path) holds no layer named “\(mover)”, which --move asks for.")
      }
      var above: Layer? = moving
      while let layer = above, layer !== source { above = layer.superlayer }
      guard above != nil, moving !== source else {
        throw BenchError(.scene, "in \(user.path) the layer “\(mover)” must lie in “\(user.layer)”.")
      }
      return (scene, LayerCopy(source, moving: moving, of: scene))
    }
    let (scene, copy) = try read()
    size = copy.root.bounds.size
    guard size.width > 0, size.height > 0 else {
      throw BenchError(.scene, "the layer “\(user.layer)” of \(user.path) has no size: nothing of it would be seen.")
    }
    background = scene.background
    turns = user.mover != nil
    makeCopy = { () throws(BenchError) in try read().1 }
  }

  private static func read(_ path: String) throws(BenchError) -> Scene {
    do {
      return try SceneFile.read(path)
    } catch {
      throw BenchError(.scene, "the scene can't be read: \(error)")
    }
  }

  /// A new copy of the source, at the place where the scene has it.
  func copy() throws(BenchError) -> LayerCopy { try makeCopy() }

  /// Where the moving layer is at a frame: its centre runs round an ellipse once an orbit while it turns twice.
  func move(_ spinner: Layer, to frame: Int) {
    let angle = 2 * Double.pi * Double(frame % Orbit.frameCount) / Double(Orbit.frameCount)
    guard turns else {
      // All of it changes, and is seen to: what the source holds is not known.
      spinner.opacity = Float(0.9 + 0.1 * sine(angle))
      return
    }
    spinner.position = Point(
      size.width * (0.5 + 0.3125 * cosine(angle)), size.height * (0.5 + 0.25 * sine(angle)))
    spinner.transform = .rotation(angle: 2 * angle)
  }
}
