/// What `porthole-bench explain` was asked for.
public struct ExplainOptions: Sendable, Hashable {
  public var cell: String
  /// One file, or what was before and what is now.
  public var files: [String]
  public var printsJSON: Bool

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(arguments, command: "explain", flags: ["--json"], values: [])
    guard (2...3).contains(reader.words.count) else {
      throw BenchError(
        .usage, "explain takes a cell and a run.json or result.json, or two of them: explain effect=blur before after.")
    }
    cell = reader.words[0]
    files = Array(reader.words.dropFirst())
    printsJSON = reader.has("--json")
  }
}
