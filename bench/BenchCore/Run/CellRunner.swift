/// A cell with its contender: takes its times.
final class CellRunner {
  var cell: Cell
  private let contender: any Contender
  private let clock: any BenchClock
  private var frame = 0
  /// What a frame takes, by the frames before the first round, in seconds.
  private(set) var pilotSeconds = 0.0

  /// Frames shorter than this are drawn several to a round, after one that does not count: it finds the caches, and the
  /// driver, full of the cell before.
  static let shortFrame = 0.05
  static let blockSeconds = 0.02
  static let mostFrames = 8

  init(cell: Cell, contender: any Contender, clock: any BenchClock) {
    self.cell = cell
    self.contender = contender
    self.clock = clock
  }

  /// Frames of a round that count.
  var blockFrames: Int {
    guard pilotSeconds > 0, pilotSeconds < Self.blockSeconds else { return 1 }
    return max(1, min(Self.mostFrames, Int((Self.blockSeconds / pilotSeconds).rounded(.up))))
  }

  private var leadFrames: Int { pilotSeconds < Self.shortFrame ? 1 : 0 }

  var roundSeconds: Double { pilotSeconds * Double(blockFrames + leadFrames) }

  /// Draws the first frames, which compile shaders and upload pictures, then times up to three more.
  func warmUp() throws(BenchError) {
    let first = try timed()
    cell.counters = first.drawn.count
    cell.coldMilliseconds = first.wall
    var seconds = [first.wall / 1000]
    if seconds[0] < 1 {
      seconds = []
      _ = try timed()
      for _ in 0..<3 where seconds.reduce(0, +) < 0.3 {
        let (wall, drawn) = try timed()
        cell.counters = drawn.count
        seconds.append(wall / 1000)
      }
    }
    cell.warmupFrames = frame
    pilotSeconds = Quantile.median(seconds) ?? 0
  }

  /// One round's block of frames.
  func drawRound() throws(BenchError) {
    for _ in 0..<leadFrames {
      _ = try timed()
      cell.warmupFrames += 1
    }
    var walls: [Double] = []
    let cpu = clock.cpuNanoseconds
    let frames = blockFrames
    for _ in 0..<frames {
      walls.append(try timed().wall)
    }
    let used = Self.milliseconds(from: cpu, to: clock.cpuNanoseconds)
    let gpu = try contender.gpuNanoseconds(frame: frame % Orbit.frameCount)
    cell.rounds.append(
      RoundSample(
        wallMilliseconds: walls, cpuMilliseconds: used / Double(frames),
        gpuMilliseconds: gpu.map { Double($0) / 1e6 }))
  }

  /// Takes the rounds so far for warming up.
  func dropRounds() {
    cell.warmupFrames += cell.rounds.reduce(0) { $0 + $1.wallMilliseconds.count }
    cell.rounds = []
  }

  /// The parts of several frames; empty where there are no instruments.
  func parts(frames count: Int) throws(BenchError) -> [[FramePart]] {
    var frames: [[FramePart]] = []
    for _ in 0..<count {
      guard let parts = try contender.parts(frame: frame % Orbit.frameCount) else { return [] }
      frame += 1
      frames.append(parts)
    }
    return frames
  }

  private func timed() throws(BenchError) -> (wall: Double, drawn: DrawnFrame) {
    let begin = clock.monotonicNanoseconds
    let drawn = try contender.draw(frame: frame % Orbit.frameCount)
    let wall = Self.milliseconds(from: begin, to: clock.monotonicNanoseconds)
    frame += 1
    return (wall, drawn)
  }

  /// A clock that ran backwards gives a negative time, which no cell passes with.
  private static func milliseconds(from begin: UInt64, to end: UInt64) -> Double {
    end >= begin ? Double(end - begin) / 1e6 : -Double(begin - end) / 1e6
  }
}
