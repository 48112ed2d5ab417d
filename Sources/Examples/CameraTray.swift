import Porthole

/// A camera in a grid of pictures: it grows out of its cell to fill the tray, follows the finger, and goes back into the
/// cell, one live layer all the way. Where the cell has been scrolled away, it fades and shrinks instead.
public final class CameraTray: Example {
  public static let name = "camera-tray"
  public static let duration = 5.6
  public let scene: Scene
  public let camera: SurfaceLayer
  public let cell: Layer
  public let handOver: HandOver
  private let grid: Layer
  private let controls: Layer
  private let badge: Layer
  private let canvas: Layer
  private var timeline = Timeline()
  /// Where the finger has dragged it to; nil while none does.
  private var finger: (from: Double, to: Double, distance: Point)?

  public init(_ scene: Scene) throws(ExampleError) {
    self.scene = scene.takenOver()
    camera = try scene.require("camera", SurfaceLayer.self)
    cell = try scene.require("cell")
    grid = try scene.require("grid")
    controls = try scene.require("controls")
    badge = try scene.require("badge")
    canvas = try scene.require("canvas")
    handOver = HandOver(camera, over: canvas, canvas: canvas.bounds, canvasRadius: cell.cornerRadius)
    timeline.at(0.5) { [unowned self] in open() }
    // A short drag, which is let go.
    timeline.at(1.7) { [unowned self] in finger = (1.7, 2.1, Point(0, 42)) }
    timeline.at(2.1) { [unowned self] in release(velocity: 0) }
    // A long one.
    timeline.at(3) { [unowned self] in finger = (3, 3.45, Point(-18, 130)) }
    timeline.at(3.45) { [unowned self] in release(velocity: 300) }
  }

  public func prepare(for time: Double) {
    timeline.run(until: time)
    guard let finger else { return }
    let share = min(1, max(0, (time - finger.from) / (finger.to - finger.from)))
    drag(by: Point(finger.distance.x * share, finger.distance.y * share))
  }

  /// As the grid lays it out now; nil for a cell that is gone.
  public func destination() -> HandOver.Place? {
    HandOver.Place(in: cell, rect: cell.bounds, cornerRadius: cell.cornerRadius)
  }

  public func open() {
    handOver.open(from: destination())
    fade(controls, to: 1)
    fade(badge, to: 0)
  }

  public func drag(by distance: Point) {
    handOver.drag(by: distance, scale: 1 - min(0.35, max(0, distance.y / 420)))
    controls.opacity = Float(max(0, 1 - distance.y / 60))
  }

  /// Lets go: far or fast enough, it goes back into its cell, else it fills the tray again.
  public func release(velocity: Double) {
    let far = finger?.distance.y ?? 0
    finger = nil
    guard far + velocity * 0.2 > 100 else { return open() }
    fade(controls, to: 0)
    handOver.close(to: destination) { [weak self] in
      guard let self else { return }
      fade(badge, to: 1)
    }
  }

  public func scrollGrid(to y: Double) { grid.bounds.y = y }

  private func fade(_ layer: Layer, to opacity: Float) {
    Transaction.animate(duration: 0.25, function: .easeOut) { layer.opacity = opacity }
  }
}
