import Commit
import Foundation
import Geometry
import Porthole

/// What the frames of a gate's suites and scenes do, counted, and whether they show what they should.
struct GateLedger {
  let config: GateConfig
  /// Where the benchmark's own scenes lie; nil where no suite is counted.
  let scenesFolder: String?
  var watch = Watch()

  struct Count {
    var entries: [CounterBaseline.Entry] = []
    var scenes: [GateOutcome.SceneRecord] = []
    /// What could not be counted, or shows what it should not.
    var faults: [(id: String, sentence: String)] = []
    /// Of scenes whose picture was looked at.
    var pictures: [(id: String, sentence: String)] = []
  }

  func count() throws(BenchError) -> Count {
    var count = Count()
    if !config.exact.suites.isEmpty, let scenesFolder {
      let ledger = try CounterLedger(scenes: scenesFolder)
      for key in config.exact.suites.flatMap(\.keys) {
        do throws(BenchError) {
          try watch.enter(key.id)
          count.entries += try CounterBaseline.entries(try ledger.lines(of: key))
        } catch {
          count.faults.append((key.id, error.description))
        }
      }
    }
    for scene in config.scenes {
      // One scene that is broken says nothing of the others.
      do throws(BenchError) {
        try watch.enter(scene.name)
        try self.count(scene, into: &count)
      } catch {
        count.faults.append((scene.name, error.description))
      }
    }
    return count
  }

  private func count(_ scene: GateConfig.Scene, into count: inout Count) throws(BenchError) {
    let bench = try BenchScene(scene.user)
    let bytes = FileManager.default.contents(atPath: scene.user.path) ?? Data()
    var record = GateOutcome.SceneRecord(name: scene.name, hash: SHA256.hex([UInt8](bytes)), picture: nil)
    for n in scene.counts {
      let made = try FeatureScene.grid(n, bench, config.shape.size)
      let contender = try SceneContender(made, shape: config.shape)
      var frame = FrameCount(passes: 0, batches: 0, quads: 0, layersVisited: 0, shadedPixels: 0)
      for index in 0..<4 { frame = try contender.draw(frame: index).count }
      count.entries += frame.named.map { .init(id: Self.id(scene, n, config.shape), counter: $0, value: $1) }
    }
    defer { count.scenes.append(record) }
    guard let n = scene.counts.min() else { return }
    let id = Self.id(scene, n, config.shape)
    let verdict = try Self.picture(n, bench, config.shape)
    record.picture = verdict.hash
    if let fault = verdict.fault {
      count.faults.append((id, fault))
    } else {
      count.pictures.append((id, verdict.note))
    }
  }

  static func id(_ scene: GateConfig.Scene, _ n: Int, _ shape: OutputShape) -> String {
    "\(scene.name)/portals=\(n)/size=\(shape.width)x\(shape.height)/scale=\(NumberText.shortest(shape.scale))"
  }

  /// Two frames of the scene, by the GPU's renderer and, one of them, by the plain one, in few pixels: the plain one is slow.
  private static func picture(
    _ n: Int, _ bench: BenchScene, _ shape: OutputShape
  ) throws(BenchError) -> (hash: String, fault: String?, note: String) {
    var small = shape
    small.scale = min(shape.scale, 320 / Double(shape.width))
    let contender = try SceneContender(try FeatureScene.grid(n, bench, shape.size), shape: small)
    let first = try contender.picture(frame: PictureJudge.frames[0])
    let second = try contender.picture(frame: PictureJudge.frames[1])
    let hash = SHA256.hex(second.pixels)
    if let fault = FeatureRunner.fault(first, second, moves: true) { return (hash, fault, "") }
    let made = try FeatureScene.grid(n, bench, shape.size)
    made.move(PictureJudge.frames[1])
    do {
      let plain = try OffscreenRenderer(
        size: shape.size, scale: small.scale, background: bench.background, backend: .reference)
      defer { plain.close() }
      let comparison = try ImageComparison(expected: plain.render(made.root), got: second)
      guard comparison.passes(.resampled) else {
        return (hash, "what the GPU draws is not what the reference draws: \(comparison)", "")
      }
      return (hash, nil, "moves, and differs from the reference by \(NumberText.fixed(comparison.tile, 2)) at most")
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }
}

extension FeatureScene {
  /// N portals of a scene's layer, each scaled to its cell.
  static func grid(_ n: Int, _ bench: BenchScene, _ size: Size) throws(BenchError) -> FeatureScene {
    let made = FeatureScene(size: size, background: bench.background)
    let copy = try bench.copy()
    made.root.addSublayer(copy.root)
    let layout = SuiteLayout(.portalGrid, n: n, output: size, source: bench.size)
    for place in layout.places { made.addPortal(of: copy.root, at: place.target, showing: bench.size) }
    made.move = { bench.move(copy.spinner, to: $0) }
    return made
  }
}
