import Foundation
import JSON
import Porthole
import RenderServer

/// `porthole server replay`: a trace into a tree of this process, and its last frame.
struct ServerReplayCommand {
  private let arguments: Arguments
  private let number: UInt64?
  private let display: DisplayChoice

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: ["TRACE"], options: [.output, .outputNumber, .display, .json])
    number = arguments[.outputNumber].flatMap { UInt64($0) }
    if let text = arguments[.outputNumber], number == nil {
      throw UsageError("--output is an output's number, not “\(text)”")
    }
    display = try arguments.display()
  }

  func run() throws -> ExitCode {
    let bytes: [UInt8]
    do { bytes = try Array(Data(contentsOf: URL(filePath: arguments[0]))) } catch {
      throw ServerCommandError("\(arguments[0]) can't be read: \(error.localizedDescription)", code: .badInput)
    }
    let replay: TraceReplay
    do { replay = try TraceReplay(bytes) } catch {
      throw ServerCommandError("\(arguments[0]): \(error.description)", code: .badInput)
    }
    var image: Image?
    if let path = arguments[.output] {
      image = try draw(replay)
      if let image { try PNG.write(image, to: path) }
    }
    let seconds = Double(replay.nanoseconds) / 1e9
    if arguments.has(.json) {
      return Output.data(
        JSONValue.object([
          ("trace", .string(arguments[0])), ("commits", .integer(replay.commits)),
          ("changes", .integer(replay.changes)),
          ("layers", .integer(replay.layerCount)), ("seconds", .number(seconds)),
          ("outputs", .array(replay.outputNumbers.map { .integer(Int(clamping: $0)) })),
          ("picture", arguments[.output].map { .string($0) } ?? .null),
          ("width", image.map { .integer($0.width) } ?? .null), ("height", image.map { .integer($0.height) } ?? .null),
        ]).text)
    }
    let rounded = ServerLayerRow.number(seconds)
    return Output.data(
      "commits: \(replay.commits), changes: \(replay.changes), layers at the end: \(replay.layerCount), seconds: \(rounded)\n"
    )
  }

  private func draw(_ replay: TraceReplay) throws -> Image {
    guard let output = number ?? replay.lastOutput else {
      throw ServerCommandError("the trace has no output that could be drawn", code: .badInput)
    }
    do throws(ServerError) {
      if let image = try replay.draw(output: output, display: display) { return image }
    } catch {
      throw ServerCommandError(error.description, code: error.code == .noDevice ? .noDevice : .failure)
    }
    let numbers = replay.outputNumbers.map { "\($0)" }.joined(separator: ", ")
    throw ServerCommandError("the trace has no output \(output); it has \(numbers)", code: .badInput)
  }
}
