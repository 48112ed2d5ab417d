import Commit
import GLES
import Geometry
import JSON

/// One side of a duel, alive: draws when it is told to, and at no other time.
public protocol DuelWorker: AnyObject {
  /// What it runs on and what it draws.
  var identity: DuelIdentity { get }
  /// A block of frames of one of its cells, by the cell's index.
  func sample(_ cell: Int, frames: Int) throws(BenchError) -> RoundSample
  func end()
}

/// What a side says of itself when it is ready.
public struct DuelIdentity: Sendable, Hashable {
  public var environment: [EnvironmentField]
  public var version: String
  /// SHA-256 of the same frame of each cell.
  public var pictures: [String]
  /// Of the program's file: another file, or one that was written anew, has another name. Nil of builds that do not tell.
  public var program: String?

  public init(environment: [EnvironmentField], version: String, pictures: [String], program: String? = nil) {
    (self.environment, self.version, self.pictures, self.program) = (environment, version, pictures, program)
  }

  /// From the line that the worker's process writes. Nil for another line.
  init?(_ line: String) {
    guard let document = try? JSONParser.parse([UInt8](line.utf8)) else { return nil }
    let reader = RecordReader(document: document, name: "the worker")
    guard let duel = try? reader.number("duel", of: 0), duel == 1, let version = try? reader.text("version", of: 0),
      let pictures = try? reader.texts("pictures", of: 0), let node = try? reader.member("env", of: 0),
      let environment = try? reader.environment(node)
    else { return nil }
    self.init(
      environment: environment, version: version, pictures: pictures, program: reader.optionalText("program", of: 0))
  }
}

/// The process of a side: a line in, a block of frames, a line out. What the lines are is all that two builds must agree on.
enum DuelService {
  static let command = "duel-worker"

  /// `words`: N with commas between, width, height, scale, the folder of the scenes.
  static func serve(_ words: [String]) throws(BenchError) {
    guard words.count == 5, let width = Int(words[1]), let height = Int(words[2]), let scale = Double(words[3]) else {
      throw BenchError(.usage, "\(command) takes numbers of portals, width, height, scale and a folder.")
    }
    let counts = words[0].split(separator: ",").compactMap { Int($0) }.filter { $0 > 0 }
    let shape = OutputShape(width: width, height: height, scale: scale)
    let stage = try LibraryStage(scenes: words[4], shape: shape)
    defer { stage.close() }
    try serve(stage, counts)
  }

  private static func serve(_ stage: LibraryStage, _ counts: [Int]) throws(BenchError) {
    var cells: [DuelCell] = []
    for n in counts {
      let key = CellKey(suite: .portalGrid, strategy: .portal, n: n)
      cells.append(DuelCell(contender: try stage.contender(key), clock: SystemClock()))
    }
    var pictures: [String] = []
    for cell in cells { pictures.append(SHA256.hex(try cell.contender.picture(frame: PictureJudge.frames[0]).pixels)) }
    for cell in cells { for _ in 0..<4 { _ = try cell.sample(frames: 1) } }
    let greeting = JSONValue.object([
      ("duel", .integer(1)), ("version", .string(ToolIdentity.version)), ("pictures", .strings(pictures)),
      ("program", .optional(ProgramFile.name(of: "/proc/self/exe"))), ("env", stage.environment.json),
    ])
    write(greeting)
    while let line = readLine() {
      let numbers = line.split(separator: " ").map { Int($0) ?? -1 }
      guard numbers.count == 2, cells.indices.contains(numbers[0]), (1...1000).contains(numbers[1]) else { return }
      let sample = try cells[numbers[0]].sample(frames: numbers[1])
      write(
        .object([
          ("wall", .array(sample.wallMilliseconds.map { .milliseconds($0) })),
          ("cpu", .milliseconds(sample.cpuMilliseconds)), ("gpu", .optional(sample.gpuMilliseconds)),
        ]))
    }
  }

  private static func write(_ value: JSONValue) {
    print(value.line, terminator: "")
    StandardOutput.flush()
  }
}

/// A cell of a duel's side, and the frame where it is.
final class DuelCell {
  let contender: any Contender
  private let clock: any BenchClock
  private var frame = 0

  init(contender: any Contender, clock: any BenchClock) { (self.contender, self.clock) = (contender, clock) }

  /// So many frames that count, after one that finds the caches as another process has left them.
  func sample(frames: Int) throws(BenchError) -> RoundSample {
    try draw()
    var walls: [Double] = []
    let cpu = clock.cpuNanoseconds
    for _ in 0..<frames {
      let begin = clock.monotonicNanoseconds
      try draw()
      walls.append(Double(clock.monotonicNanoseconds &- begin) / 1e6)
    }
    let used = Double(clock.cpuNanoseconds &- cpu) / 1e6 / Double(max(1, frames))
    let gpu = try contender.gpuNanoseconds(frame: frame % Orbit.frameCount)
    return RoundSample(wallMilliseconds: walls, cpuMilliseconds: used, gpuMilliseconds: gpu.map { Double($0) / 1e6 })
  }

  private func draw() throws(BenchError) {
    _ = try contender.draw(frame: frame % Orbit.frameCount)
    frame += 1
  }
}
