import Commit
import Diagnostics
import FramePlan
import Geometry
import Porthole

/// A point of a feature suite with its layers and renderer: takes its times.
final class FeatureRunner {
  var cell: FeatureCell
  private let scene: FeatureScene
  private let canvas: SceneCanvas
  private let clock: any BenchClock
  private let instruments: FrameInstruments
  private var frame = 0
  private var pilotSeconds = 0.0

  init(_ key: FeatureKey, scene bench: BenchScene, shape: OutputShape, clock: any BenchClock) throws(BenchError) {
    cell = FeatureCell(key: key)
    scene = try FeatureScene.make(key, scene: bench, size: shape.size)
    canvas = try SceneCanvas(shape.size, scale: shape.scale, background: scene.background)
    self.clock = clock
    instruments = FrameInstruments { ProcessClock.monotonicNanoseconds }
  }

  /// The first frames, which compile shaders and upload pictures; whether the picture is what it should be.
  func warmUp() throws(BenchError) {
    scene.move(PictureJudge.frames[0])
    let first = try canvas.picture(scene.root)
    scene.move(PictureJudge.frames[1])
    let second = try canvas.picture(scene.root)
    if let fault = Self.fault(first, second, moves: scene.moves) { throw BenchError(.renderer, fault) }
    frame = 0
    for _ in 0..<3 {
      let begin = clock.monotonicNanoseconds
      cell.counters = try draw()
      pilotSeconds = Double(clock.monotonicNanoseconds - begin) / 1e9
    }
  }

  /// What is wrong with two frames; nil where nothing is.
  static func fault(_ first: Image, _ second: Image, moves: Bool) -> String? {
    guard first.pixels.count >= 4 else { return "the picture has no size" }
    let isPlain = stride(from: 0, to: first.pixels.count, by: 4).allSatisfy {
      first.pixels[$0..<$0 + 3] == first.pixels[0..<3]
    }
    if isPlain { return "the picture is all of one colour" }
    // Two pictures are one only where they are the same object; what they show is their pixels.
    let isSame = first.size == second.size && first.pixels == second.pixels
    if moves == isSame {
      return moves ? "the picture does not move" : "a picture of nothing that moves differs"
    }
    return nil
  }

  var roundSeconds: Double { pilotSeconds * Double(blockFrames + 2) }
  private var blockFrames: Int { max(1, min(8, Int(0.02 / max(1e-5, pilotSeconds)))) }

  /// A block of ordinary frames, after one that finds the caches full of the point before.
  func drawRound() throws(BenchError) {
    canvas.renderer.instruments = instruments
    defer { canvas.renderer.instruments = nil }
    _ = try draw()
    instruments.reset()
    let frames = blockFrames
    let (wall, cpu) = (clock.monotonicNanoseconds, clock.cpuNanoseconds)
    for _ in 0..<frames { cell.counters = try draw() }
    let scale = 1e6 * Double(frames)
    cell.samples.append(
      FeatureSample(
        cpuMilliseconds: Double(clock.cpuNanoseconds - cpu) / scale,
        wallMilliseconds: Double(clock.monotonicNanoseconds - wall) / scale,
        stages: instruments.nanoseconds.map { Double($0) / scale }))
  }

  /// Frames whose passes are timed one by one, at the least and at the most.
  static let fewestPartFrames = 15
  static let mostPartFrames = 31
  static let partSeconds = 0.3

  /// Frames whose passes are timed one by one; of each pass, the time in the middle counts.
  func attribute() throws(BenchError) {
    canvas.renderer.instruments = instruments
    instruments.timesPasses = true
    defer {
      instruments.timesPasses = false
      canvas.renderer.instruments = nil
    }
    var frames: [[FrameInstruments.Pass]] = []
    var outside: [Double] = []
    var shadedPixels = 0
    let wanted = Int(min(Double(Self.mostPartFrames), Self.partSeconds / max(1e-6, pilotSeconds)))
    for _ in 0..<max(Self.fewestPartFrames, wanted) {
      instruments.passes = []
      instruments.shares = []
      instruments.reset()
      shadedPixels = try draw().shadedPixels
      frames.append(instruments.passes)
      let gl = FeatureCell.stagesOfGL.reduce(0.0) { $0 + Double(instruments.nanoseconds[$1]) }
      let passes = instruments.passes.reduce(0.0) { $0 + Double($1.nanoseconds) }
      if gl > 0 { outside.append(1 - passes / gl) }
    }
    let renderer = canvas.renderer
    let passes = PassTimes(frames)
    cell.attribution = Attribution(
      stages: cell.stageMedians, passes: passes, unattributed: Quantile.median(outside),
      shadedPixels: shadedPixels,
      shares: instruments.shares.map {
        PortalShareOfFrame(
          portal: $0.portal.map(renderer.name(of:)), source: renderer.name(of: $0.source), pass: $0.pass,
          pixels: $0.pixels)
      })
  }

  private func draw() throws(BenchError) -> FrameCount {
    scene.move(frame)
    frame += 1
    return try canvas.draw(scene.root).count
  }
}
