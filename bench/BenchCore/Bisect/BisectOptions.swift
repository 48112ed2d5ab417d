/// What `porthole-bench bisect` was asked for.
public struct BisectOptions: Sendable, Hashable {
  /// Commits: one that costs what it should, and a later one that costs more.
  public var good: String
  public var bad: String
  /// Of the sources' history.
  public var repository = "."
  /// Has a commit's program built, in a folder that holds its sources.
  public var buildCommand: [String]
  /// Of each comparison, at first; what stays open is compared for twice as long, and then again.
  public var duel = DuelOptions()

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "bisect", flags: MeasureOptions.flags,
      values: MeasureOptions.values.subtracting(["--deadline"]).union([
        "--good", "--bad", "--repository", "--n", "--seconds", "--budget", "--rounds", "--margin", "--tolerance",
        "--metric",
      ]))
    try reader.refuseWords()
    guard let good = reader.text("--good"), let bad = reader.text("--bad"), !reader.rest.isEmpty else {
      throw BenchError(
        .usage, "bisect takes two commits and what builds one: bisect --good v1 --bad HEAD -- ./build.sh.")
    }
    (self.good, self.bad, buildCommand) = (good, bad, reader.rest)
    repository = reader.text("--repository") ?? repository
    duel.common = try MeasureOptions(reader)
    if let n = try reader.whole("--n", 1...ScaleOptions.largestCount) { duel.counts = [n] }
    duel.seconds = try reader.number("--seconds", 1...86_400, unit: "seconds") ?? duel.seconds
    duel.seconds = try reader.number("--budget", 1...86_400, unit: "seconds") ?? duel.seconds
    duel.roundsPerRestart = try reader.whole("--rounds", 4...1000) ?? duel.roundsPerRestart
    duel.thresholds = try Thresholds(reader)
    duel.metric = try reader.choice("--metric", Metric.self)
    // Commits of a history that changed the picture are compared too: it is their cost that is asked for.
    duel.allowsOtherPictures = true
  }
}
