/// What `porthole-bench report` was asked for.
public struct ReportOptions: Sendable, Hashable {
  public var file: String
  public var formats: [OutputFormat]
  public var outputFolder: String

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(arguments, command: "report", flags: [], values: ["--format", "--out"])
    guard reader.words.count == 1 else { throw BenchError(.usage, "report takes one result.json.") }
    file = reader.words[0]
    formats =
      try reader.text("--format").map { text throws(BenchError) in try OutputFormat.list(text) } ?? [
        .html, .md, .junit, .csv,
      ]
    outputFolder = reader.text("--out") ?? "out/bench"
  }
}

/// What `porthole-bench merge` was asked for.
public struct MergeOptions: Sendable, Hashable {
  public var files: [String]
  public var formats: [OutputFormat]
  public var outputFolder: String
  public var printsJSON: Bool

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(arguments, command: "merge", flags: ["--json"], values: ["--format", "--out"])
    files = reader.words
    guard !files.isEmpty else { throw BenchError(.usage, "merge takes the result.json of each shard.") }
    formats = try reader.text("--format").map { text throws(BenchError) in try OutputFormat.list(text) } ?? []
    outputFolder = reader.text("--out") ?? "out/bench"
    printsJSON = reader.has("--json")
  }
}
