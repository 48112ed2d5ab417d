import Foundation
import Media
import Porthole

/// How the tool ends; documented in `--help`.
enum ExitCode: Int32 {
  case success = 0
  /// Pictures differ, or something failed.
  case failure = 1
  /// A scene, picture or value that can't be used.
  case badInput = 2
  /// No display gave a device, or it was lost; or no render server answers.
  case noDevice = 3
  /// Arguments that the tool does not know (`EX_USAGE`).
  case usage = 64
}

/// The tool itself: picks the command, and turns errors into messages and exit codes.
enum Tool {
  static let version = "0.1.0"

  private static var names: String { Command.allCases.map(\.rawValue).joined(separator: ", ") }

  static func run(_ words: [String]) -> ExitCode {
    guard let first = words.first else {
      Output.message("no command; one of \(names) is needed. See porthole --help")
      return .usage
    }
    let rest = Array(words.dropFirst())
    switch first {
    case "--help", "-h", "help":
      guard let topic = rest.first else { return Output.data(Help.overview) }
      guard let command = Command(rawValue: topic) else { return unknown(topic) }
      return Output.data(Help.text(command))
    case "--version": return Output.data("porthole \(version)\n")
    default:
      guard let command = Command(rawValue: first) else { return unknown(first) }
      if rest.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
        return Output.data(Help.text(command))
      }
      return run(command, rest)
    }
  }

  private static func unknown(_ word: String) -> ExitCode {
    Output.message("unknown command “\(word)”; expected one of \(names). See porthole --help")
    return .usage
  }

  private static func run(_ command: Command, _ words: [String]) -> ExitCode {
    do {
      return try command.run(words)
    } catch let error as UsageError {
      Output.message("\(command.rawValue): \(error.message). See porthole \(command.rawValue) --help")
      return .usage
    } catch let error as SceneError {
      Output.message(error.description)
      return .badInput
    } catch let error as ImageFileError {
      Output.message(error.description)
      return error.code == .unwritable ? .failure : .badInput
    } catch let error as MediaError {
      Output.message(error.description)
      return error.code == .unwritable ? .failure : .badInput
    } catch let error as ServerCommandError {
      Output.message("\(command.rawValue): \(error.message)")
      return error.code
    } catch let error as OffscreenError {
      Output.message(error.description)
      switch error.code {
      case .noDisplay, .deviceLost: return .noDevice
      case .invalidSize, .invalidLayer: return .badInput
      default: return .failure
      }
    } catch {
      Output.message("\(error)")
      return .failure
    }
  }
}
