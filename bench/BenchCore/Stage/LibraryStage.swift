import Commit
import GLES
import Porthole

/// The stage of a real run: the scenes of a folder, the library's renderers, and a device of its own for the floor.
public final class LibraryStage: Stage {
  public let environment: RunEnvironment
  let scene: BenchScene
  private let shape: OutputShape
  let device: Device
  private var stopwatch: GPUStopwatch?
  private let target: BenchTarget

  /// Opens the display that the environment chooses and proves its timer.
  /// - Parameters:
  ///   - server: has a render server of its own draw, `portholed` by its path; nil for this process.
  ///   - user: shows a layer of a scene file instead of the benchmark's.
  public init(
    scenes folder: String, shape: OutputShape, server: ScaleOptions.Server? = nil, user: ScaleOptions.UserScene? = nil
  ) throws(BenchError) {
    target = if let server { .server(try ServerLaunch(program: server.program, hasLimits: false)) } else { .embedded }
    scene = if let user { try BenchScene(user) } else { try BenchScene(folder: folder) }
    self.shape = shape
    let device: Device
    do { device = try Device() } catch { throw BenchError(.renderer, "\(error)") }
    self.device = device
    do throws(BenchError) {
      let timer = try TimerChild.verdict(on: device)
      environment = RunEnvironment(device.report, timer: timer)
      stopwatch = timer.isValid && server == nil ? try GPUStopwatch(device: device) : nil
    } catch {
      device.shutdown()
      throw error
    }
    // The device's threads are there, and those of renderers are not yet. Another program's threads are its own affair.
    if server == nil, environment.isSoftware, TimerChild.program != nil { ProcessorPin.hold() }
  }

  public func contender(_ key: CellKey) throws(BenchError) -> any Contender {
    switch key.strategy {
    case .portal: try PortalContender(key, scene: scene, shape: shape, stopwatch: stopwatch, target: target)
    case .duplicate: try DuplicateContender(key, scene: scene, shape: shape, stopwatch: stopwatch, target: target)
    case .snapshot: try SnapshotContender(key, scene: scene, shape: shape, stopwatch: stopwatch, target: target)
    case .floor: try FloorContender(key, scene: scene, shape: shape, device: device, stopwatch: stopwatch)
    }
  }

  /// Copies that are scaled may differ as resampled pictures do; holes show the source's very pixels. Where copies lie
  /// between pixels, a snapshot and the floor are blurred by their filter, as they must be: they are not compared.
  public func compare(_ picture: Image, with reference: Image, of key: CellKey) -> PictureVerdict {
    let layout = SuiteLayout(key.suite, n: key.n, output: shape.size, source: scene.size)
    if key.strategy == .snapshot || key.strategy == .floor, !layout.liesOnPixels(scale: shape.scale) {
      return PictureVerdict(agrees: true, note: "not compared: its copies lie between pixels and are blurred")
    }
    do {
      let comparison = try ImageComparison(expected: reference, got: picture)
      let agrees = comparison.passes(key.suite == .portalGrid ? .resampled : .flat)
      let tile = NumberText.fixed(comparison.tile, 2)
      let note = agrees ? "differs by \(tile) in the worst tile" : "\(comparison)"
      return PictureVerdict(agrees: agrees, note: note)
    } catch {
      return PictureVerdict(agrees: false, note: "\(error)")
    }
  }

  /// Ends the device. To be called when every contender is gone.
  public func close() {
    stopwatch = nil
    device.shutdown()
    if case .server(let server) = target { server.stop() }
  }
}
