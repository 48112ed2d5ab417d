import Commit
import Geometry

/// Strategies that cost what they are told to on a machine of numbers.
public final class SyntheticStage: Stage {
  public let machine: SyntheticMachine
  /// Milliseconds: fixed, and a copy.
  public var costs: [Strategy: (fixed: Double, slope: Double)] = [
    .portal: (1.2, 0.006), .duplicate: (0.9, 0.9), .snapshot: (3.1, 0.008), .floor: (1, 0.004),
  ]
  /// What a factor adds, at whatever level.
  public var factors: [Factor: (fixed: Double, slope: Double)] = [:]
  /// Strategies whose picture is wrong, does not move, or that break down after so many frames.
  public var wrong: Set<Strategy> = []
  public var frozen: Set<Strategy> = []
  public var framesUntilFailure: [Strategy: Int] = [:]
  public var cpu = "a processor of numbers"
  public var quadsPerCopy = 1

  public init(_ machine: SyntheticMachine) { self.machine = machine }

  /// No software renderer and no timer: times are wall times.
  public var environment: RunEnvironment {
    RunEnvironment(
      host: HostDescription(cpu: cpu, cores: 2, kernel: "none"),
      gpu: GPUDescription(vendor: "none", renderer: "numbers", version: "OpenGL ES 3.0 none", isSoftware: false),
      timer: TimerVerdict(isPresent: false, isValid: false, reason: "there is none"), pins: [])
  }

  public func contender(_ key: CellKey) throws(BenchError) -> any Contender {
    var (fixed, slope) = costs[key.strategy] ?? (1, 0)
    if let factor = key.factor.flatMap({ factors[$0.factor] }) {
      (fixed, slope) = (fixed + factor.fixed, slope + factor.slope)
    }
    let contender = SyntheticContender(machine, milliseconds: fixed + slope * Double(key.n))
    contender.quads = key.n * quadsPerCopy
    contender.isWrong = wrong.contains(key.strategy)
    contender.isFrozen = frozen.contains(key.strategy)
    contender.framesLeft = framesUntilFailure[key.strategy]
    return contender
  }

  public func compare(_ picture: Image, with reference: Image, of key: CellKey) -> PictureVerdict {
    PictureVerdict(agrees: picture.pixels == reference.pixels, note: "compared")
  }
}

/// A frame of so many milliseconds.
public final class SyntheticContender: Contender {
  private let machine: SyntheticMachine
  var milliseconds: Double
  var quads = 1
  var isWrong = false
  var isFrozen = false
  var framesLeft: Int?

  public init(_ machine: SyntheticMachine, milliseconds: Double) {
    (self.machine, self.milliseconds) = (machine, milliseconds)
  }

  public func draw(frame: Int) throws(BenchError) -> DrawnFrame {
    if let left = framesLeft {
      guard left > 0 else { throw BenchError(.renderer, "it broke down, as it was told to") }
      framesLeft = left - 1
    }
    machine.spend(milliseconds: milliseconds)
    return DrawnFrame(
      count: FrameCount(passes: 2, batches: 3, quads: quads, layersVisited: quads + 20, shadedPixels: 1000))
  }

  public func picture(frame: Int) throws(BenchError) -> Image {
    let pixels: [UInt8] = [UInt8(isFrozen ? 0 : frame % 251), 1, 2, 255, isWrong ? 99 : 5, 5, 5, 255]
    guard let image = Image(size: PixelSize(width: 2, height: 1), alpha: .opaque, pixels: pixels) else {
      throw BenchError(.renderer, "no picture")
    }
    return image
  }
}
