import BenchCore
import Commit
import Geometry

/// A clock that stands still but for what a fake contender takes.
final class FakeClock: BenchClock {
  var monotonicNanoseconds: UInt64 = 1_000
  var cpuNanoseconds: UInt64 = 500

  func advance(milliseconds: Double) {
    monotonicNanoseconds += UInt64(milliseconds * 1e6)
    cpuNanoseconds += UInt64(milliseconds * 1.5e6)
  }
}

/// A strategy that takes `fixed + slope · N` and a little that depends on the seed.
final class FakeContender: Contender {
  private let key: CellKey
  private let stage: FakeStage
  private var random: SplitMix64
  private var drawn = 0

  init(_ key: CellKey, stage: FakeStage) {
    self.key = key
    self.stage = stage
    random = SplitMix64(seed: UInt64(key.n) + stage.noise &* 7919)
  }

  func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    drawn += 1
    if let limit = stage.framesUntilFailure[key.strategy], drawn > limit {
      throw BenchError(.renderer, "the fake broke down")
    }
    let (fixed, slope) = stage.costs[key.strategy] ?? (1, 0)
    let noise = 0.97 + 0.06 * Double(random.below(1000)) / 1000
    var cost = fixed + slope * Double(key.n)
    if let bend = stage.bend { cost += slope * (bend.factor - 1) * max(0, Double(key.n - bend.at)) }
    if drawn == 1 { cost += stage.firstFrameMilliseconds }
    stage.clock.advance(milliseconds: cost * noise)
    return DrawnFrame(
      count: FrameCount(
        passes: 2, batches: 3, quads: key.n * stage.quadsPerCopy, layersVisited: key.n + 20, shadedPixels: 1000))
  }

  func picture(frame: Int) throws(BenchError) -> Image {
    let moves = !stage.frozen.contains(key.strategy)
    let bytes: [UInt8] = [UInt8(moves ? frame : 0), 1, 2, 255, stage.wrong.contains(key.strategy) ? 99 : 5, 5, 5, 255]
    guard let image = Image(size: PixelSize(width: 2, height: 1), alpha: .opaque, pixels: bytes) else {
      throw BenchError(.renderer, "no picture")
    }
    return image
  }
}

final class FakeStage: Stage {
  let clock = FakeClock()
  /// Milliseconds: fixed, and a copy.
  var costs: [Strategy: (Double, Double)] = [
    .portal: (1.2, 0.006), .duplicate: (0.9, 0.9), .snapshot: (3.1, 0.008), .floor: (1, 0.004),
  ]
  /// Another number, another run of the same thing.
  var noise: UInt64 = 0
  var renderer = "renderer <of> tests"
  var cpu = "A CPU"
  var quadsPerCopy = 1
  /// What compiles and uploads in each strategy's first frame.
  var firstFrameMilliseconds = 0.0
  /// Beyond this N, a copy costs so many times as much.
  var bend: (at: Int, factor: Double)?
  var wrong: Set<Strategy> = []
  var frozen: Set<Strategy> = []
  var framesUntilFailure: [Strategy: Int] = [:]
  /// Every contender that was made, in order.
  private(set) var made: [CellKey] = []

  var environment: RunEnvironment {
    RunEnvironment(
      host: HostDescription(cpu: cpu, cores: 2, kernel: "Linux"),
      gpu: GPUDescription(vendor: "Vendor", renderer: renderer, version: "OpenGL ES 3.2", isSoftware: true),
      timer: TimerVerdict(isPresent: false, isValid: false, reason: "there is none"), pins: [])
  }

  func contender(_ key: CellKey) throws(BenchError) -> any Contender {
    made.append(key)
    return FakeContender(key, stage: self)
  }

  func compare(_ picture: Image, with reference: Image, of key: CellKey) -> PictureVerdict {
    PictureVerdict(agrees: picture.pixels == reference.pixels, note: "compared")
  }
}

enum FakeRun {
  static var options: ScaleOptions {
    var options = ScaleOptions()
    options.rounds = 12
    options.counts = [1, 16, 256, 1024]
    options.budgetSeconds = 600
    return options
  }

  static func result(
    _ stage: FakeStage = FakeStage(), _ options: ScaleOptions = options, lines: (String) -> Void = { _ in }
  ) -> BenchmarkResult {
    withoutActuallyEscaping(lines) { lines in
      ScaleRun(options: options, stage: stage, clock: stage.clock, console: Console(output: lines))
        .run(arguments: ["scale"], started: "2026-01-01T00:00:00Z")
    }
  }
}
