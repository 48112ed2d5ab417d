/// What `porthole-bench baseline` was asked for.
public struct BaselineOptions: Sendable, Hashable {
  public enum Action: String, Sendable, CaseIterable {
    case save, show, check, bless, expire
  }

  public var action: Action
  public var file: String
  public var reason: String?
  public var maximumAge: Int?
  /// By how much counters may grow, as a part of themselves.
  public var budget = 0.0
  public var isStrictAboutImprovement = false
  public var formats: [OutputFormat] = []
  public var outputFolder = "out/bench"
  public var scenesFolder: String?
  /// The file of a gate, whose suites and scenes are counted; nil counts the benchmark's own suites.
  public var config: String?

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "baseline", flags: ["--strict-improvement"],
      values: ["--reason", "--max-age", "--budget", "--format", "--out", "--scenes", "--config"])
    guard reader.words.count == 2, let action = Action(rawValue: reader.words[0]) else {
      throw BenchError(.usage, "baseline takes save, show, check, bless or expire, and a file.")
    }
    (self.action, file) = (action, reader.words[1])
    reason = reader.text("--reason")
    maximumAge = try reader.whole("--max-age", 0...100_000)
    budget = (try reader.number("--budget", 0...1000, unit: "per cent") ?? 0) / 100
    isStrictAboutImprovement = reader.has("--strict-improvement")
    outputFolder = reader.text("--out") ?? outputFolder
    scenesFolder = reader.text("--scenes")
    config = reader.text("--config")
    if let text = reader.text("--format") { formats = try OutputFormat.list(text) }
    if let other = formats.first(where: { ![.md, .junit, .annotations].contains($0) }) {
      throw BenchError(.usage, "--format of baseline knows md, junit and annotations, but got \"\(other.rawValue)\".")
    }
    if action == .bless, reason == nil {
      throw BenchError(.usage, "bless needs --reason, which whoever reads the file will ask for.")
    }
    if action == .expire, maximumAge == nil { throw BenchError(.usage, "expire needs --max-age, in days.") }
  }
}
