/// What `porthole-bench ci` was asked for.
public struct GateOptions: Sendable, Hashable {
  /// The file; nil takes `porthole-bench.toml`, or `porthole-bench.json`, of the working folder.
  public var config: String?
  /// For the whole command, in seconds; nil as the file says.
  public var budgetSeconds: Double?
  /// porthole-bench of another build; nil as the file says.
  public var base: String?
  public var common = MeasureOptions()

  public static let names = ["porthole-bench.toml", "porthole-bench.json"]

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "ci", flags: MeasureOptions.flags,
      values: Watch.values.union(["--config", "--budget", "--base", "--out", "--scenes"]))
    try reader.refuseWords()
    config = reader.text("--config")
    budgetSeconds = try reader.number("--budget", 1...86_400, unit: "seconds")
    base = reader.text("--base")
    common = try MeasureOptions(reader)
  }
}
