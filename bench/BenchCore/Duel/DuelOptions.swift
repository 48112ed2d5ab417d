/// What `porthole-bench duel` was asked for.
public struct DuelOptions: Sendable, Hashable {
  /// The programs of two builds.
  public var base = ""
  public var head = ""
  /// A second process of the base in each restart: what it seems to cost is what chance does.
  public var hasControl = false
  /// Numbers of portals, a cell each.
  public var counts = [64]
  public var restarts: Int?
  public var roundsPerRestart = 20
  public var framesPerRound = 4
  public var seconds = 90.0
  public var thresholds = Thresholds()
  public var metric: Metric?
  /// Two builds that draw other pictures do other work; to be allowed where that is meant.
  public var allowsOtherPictures = false
  public var common = MeasureOptions()

  /// Fewer starts say nothing of how starts differ.
  public static let fewestRestarts = 10

  public init() {}

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "duel", flags: MeasureOptions.flags.union(["--control", "--other-pictures"]),
      values: MeasureOptions.values.union([
        "--base", "--head", "--n", "--restarts", "--rounds", "--seconds", "--budget", "--margin", "--tolerance",
        "--metric",
      ]))
    try reader.refuseWords()
    guard let base = reader.text("--base"), let head = reader.text("--head") else {
      throw BenchError(.usage, "duel takes two programs: --base PATH --head PATH, each a build's porthole-bench.")
    }
    (self.base, self.head) = (base, head)
    common = try MeasureOptions(reader)
    hasControl = reader.has("--control")
    allowsOtherPictures = reader.has("--other-pictures")
    if let text = reader.text("--n") {
      let numbers = text.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard numbers.allSatisfy({ (1...ScaleOptions.largestCount).contains($0) }), numbers.count <= 16 else {
        throw BenchError(.usage, "--n takes up to 16 numbers from 1 to 65536, as in 16,256, but got \"\(text)\".")
      }
      counts = Set(numbers).sorted()
    }
    restarts = try reader.whole("--restarts", Self.fewestRestarts...1000)
    roundsPerRestart = try reader.whole("--rounds", 4...1000) ?? roundsPerRestart
    seconds = try reader.number("--seconds", 1...86_400, unit: "seconds") ?? seconds
    seconds = try reader.number("--budget", 1...86_400, unit: "seconds") ?? seconds
    if let deadline = common.deadlineSeconds { seconds = min(seconds, max(1, deadline * 0.85)) }
    thresholds = try Thresholds(reader)
    metric = try reader.choice("--metric", Metric.self)
  }
}
