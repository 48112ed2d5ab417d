import WaylandClient

/// `porthole server`: the operator's tool.
enum ServerCommand: String, CaseIterable {
  case list, stats, dump, capture, portal, export, input, record, replay

  static var names: String { allCases.map(\.rawValue).joined(separator: ", ") }

  /// Runs what the words ask for; the first is the subcommand.
  static func run(_ arguments: [String]) throws -> ExitCode {
    guard let first = arguments.first else { throw UsageError("a subcommand is missing: \(names)") }
    guard let command = ServerCommand(rawValue: first) else {
      throw UsageError("unknown subcommand “\(first)”; expected one of \(names)")
    }
    let rest = Array(arguments.dropFirst())
    do {
      switch command {
      case .list: return try ServerListCommand(rest).run()
      case .stats: return try ServerStatsCommand(rest).run()
      case .dump: return try ServerDumpCommand(rest).run()
      case .capture: return try ServerCaptureCommand(rest).run()
      case .portal: return try ServerPortalCommand(rest).run()
      case .export: return try ServerExportCommand(rest).run()
      case .input: return try ServerInputCommand(rest).run()
      case .record: return try ServerRecordCommand(rest).run()
      case .replay: return try ServerReplayCommand(rest).run()
      }
    } catch let error as ServerCommandError {
      Output.message("server \(first): \(error.message)")
      return error.code
    } catch let error as WireError {
      Output.message(sentence(error))
      switch error {
      case .noAddress, .noServer: return .noDevice
      default: return .failure
      }
    }
  }

  private static func sentence(_ error: WireError) -> String {
    switch error {
    case .noServer(let path, _):
      "no server answers at \(path); start one with `portholed`, or name another with --socket"
    case .noAddress: "no server is known; start `portholed --socket PATH` and give its path by --socket"
    default: error.description
    }
  }
}
