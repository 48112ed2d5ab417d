import JSON

/// What a search of commits found. Schema "porthole-bench/bisect", version 1.
public struct BisectResult: Sendable {
  public struct Step: Sendable {
    public var commit: String
    public var judgement: Bisection.Judgement
    /// Against the good one.
    public var ratio: Estimate?
    public var note: String

    public init(commit: String, judgement: Bisection.Judgement, ratio: Estimate? = nil, note: String) {
      (self.commit, self.judgement, self.ratio, self.note) = (commit, judgement, ratio, note)
    }

    var word: String {
      switch judgement {
      case .good: "good"
      case .bad: "bad"
      case .unclear: "unclear"
      }
    }

    var line: String { word + (ratio.map { ", \(EstimateText.ratio($0))" } ?? "") + " (\(note))" }
  }

  public var good: String
  public var bad: String
  public var commits: [String]
  /// Of the bad one against the good one.
  public var effect: Estimate
  public var steps: [Step] = []
  /// The first bad commit; or several, of which one is it.
  public var left: [String] = []

  public init(good: String, bad: String, commits: [String], effect: Estimate) {
    (self.good, self.bad, self.commits, self.effect) = (good, bad, commits, effect)
  }

  public var exit: ExitStatus {
    guard left.count != 1 else { return ExitStatus() }
    return ExitStatus(code: .inconclusive, reasons: ["\(left.count) commits are left, and nothing tells them apart"])
  }

  public var line: String {
    left.count == 1
      ? "the first commit that costs more: \(left[0])"
      : "one of these costs more, and nothing tells them apart: \(left.joined(separator: ", "))"
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/bisect")), ("version", .integer(1)), ("good", .string(good)),
      ("bad", .string(bad)), ("commits", .strings(commits)), ("ratio", .number(effect.value)),
      ("ci95", effect.interval.json),
      (
        "steps",
        .array(
          steps.map { step in
            .object([
              ("commit", .string(step.commit)), ("judgement", .string(step.word)),
              ("ratio", .optional(step.ratio?.value)), ("ci95", step.ratio?.interval.json ?? .null),
              ("note", .string(step.note)),
            ])
          })
      ),
      ("left", .strings(left)), ("exit", exit.json),
    ])
  }
}
