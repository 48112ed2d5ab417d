import JSON
import WaylandProtocol

/// `porthole server stats`: counters.
struct ServerStatsCommand {
  private let arguments: Arguments

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: [], options: [.socket, .json, .prometheus])
    if arguments.has(.json), arguments.has(.prometheus) {
      throw UsageError("--json and --prometheus exclude each other")
    }
  }

  func run() throws -> ExitCode {
    let text = try ServerInspector(socket: arguments[.socket]).document(.metrics)
    if arguments.has(.prometheus) { return Output.data(text) }
    let values = text.split(separator: "\n").filter { !$0.hasPrefix("#") }.compactMap { line -> (String, String)? in
      guard let space = line.lastIndex(of: " ") else { return nil }
      let name = line[..<space]
      return (String(name.hasPrefix("porthole_") ? name.dropFirst(9) : name), String(line[line.index(after: space)...]))
    }
    if arguments.has(.json) {
      return Output.data(JSONValue.object(values.map { ($0.0, Self.number($0.1)) }).text)
    }
    var table = Table(["WHAT", "VALUE"], numbers: [1])
    for (name, value) in values { table.add([name, value]) }
    return Output.data(table.text)
  }

  private static func number(_ text: String) -> JSONValue {
    if let whole = Int(text) { return .integer(whole) }
    return .number(Double(text) ?? .nan)
  }
}
