import GLES
import JSON

/// The process whose instructions are counted: draws so many frames of so many portals, and says on what.
enum InstructionWorker {
  static let command = "instruction-worker"

  /// `words`: N, frames, width, height, scale, the folder of the scenes.
  static func draw(_ words: [String]) throws(BenchError) -> String {
    guard words.count == 6, let n = Int(words[0]), let frames = Int(words[1]), let width = Int(words[2]),
      let height = Int(words[3]), let scale = Double(words[4]), n > 0, frames > 0
    else { throw BenchError(.usage, "\(command) takes N, frames, width, height, scale and a folder.") }
    let shape = OutputShape(width: width, height: height, scale: scale)
    let contender = try PortalContender(
      CellKey(suite: .portalGrid, strategy: .portal, n: n), scene: try BenchScene(folder: words[5]), shape: shape,
      stopwatch: nil)
    for frame in 0..<frames { _ = try contender.draw(frame: frame) }
    let device: Device
    do { device = try Device() } catch { throw BenchError(.renderer, "\(error)") }
    defer { device.shutdown() }
    let timer = TimerVerdict(isPresent: false, isValid: false, reason: "not asked")
    return RunEnvironment(device.report, timer: timer).json.line
  }
}
