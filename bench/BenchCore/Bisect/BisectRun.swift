/// `porthole-bench bisect`: which commit made it cost more.
public struct BisectRun {
  /// A commit's program, by its path; nil where it can't be built.
  public typealias Build = (_ commit: String) throws(BenchError) -> String?
  /// Two programs held against each other.
  public typealias Duel = (_ base: String, _ head: String, _ options: DuelOptions) throws(BenchError) -> DuelResult

  private let options: BisectOptions
  private let console: Console
  private let build: Build
  private let duel: Duel

  public init(options: BisectOptions, console: Console, build: @escaping Build, duel: @escaping Duel) {
    (self.options, self.console, self.build, self.duel) = (options, console, build, duel)
  }

  /// How often what stays open is compared again, each time for twice as long.
  static let mostRepeats = 2

  /// - Parameter commits: after the good one, up to the bad one, in their order.
  public func run(_ commits: [String]) throws(BenchError) -> BisectResult {
    guard let last = commits.last else {
      throw BenchError(.usage, "no commit lies between \(options.good) and \(options.bad).")
    }
    guard let good = try build(options.good) else { throw BenchError(.report, "\(options.good) can't be built.") }
    guard let bad = try build(last) else { throw BenchError(.report, "\(options.bad) can't be built.") }
    console.progress("bisect: the bad one against the good one")
    let whole = try duel(good, bad, options.duel)
    guard whole.exit.code == .regression, let cell = whole.cells.first(where: { $0.verdict == .regressed }),
      let effect = cell.effect
    else {
      throw BenchError(
        .report,
        "there is nothing to look for: \(options.bad) against \(options.good): "
          + whole.lines.joined(separator: "; ") + ".")
    }
    console.result("\(options.bad) against \(options.good): \(EstimateText.ratio(effect.estimate))")
    var result = BisectResult(good: options.good, bad: options.bad, commits: commits, effect: effect.estimate)
    // Halfway between the two: nearer to the good one is good, nearer to the bad one is bad.
    var halfway = options.duel
    let half = exponential(effect.value / 2) - 1
    (halfway.thresholds.margin, halfway.thresholds.tolerance) = (half, half)
    let left = try Bisection.firstBad(of: commits.count) { index throws(BenchError) in
      let step = try judge(commits[index], good: good, halfway)
      console.result("\(commits[index].prefix(12)): \(step.line)")
      result.steps.append(step)
      return step.judgement
    }
    result.left = left.map { commits[$0] }
    return result
  }

  private func judge(
    _ commit: String, good: String, _ options: DuelOptions
  ) throws(BenchError) -> BisectResult.Step {
    console.progress("bisect: building \(commit.prefix(12))")
    guard let program = try build(commit) else {
      return BisectResult.Step(commit: commit, judgement: .unclear, note: "it can't be built")
    }
    var asked = options
    var step = BisectResult.Step(commit: commit, judgement: .unclear, note: "nothing was measured")
    for attempt in 0...Self.mostRepeats {
      console.progress("bisect: \(commit.prefix(12)) against the good one")
      let result = try duel(good, program, asked)
      guard let cell = result.cells.first, let effect = cell.effect else {
        step.note = result.exit.reasons.first ?? step.note
        return step
      }
      step.ratio = effect.estimate
      step.note = "\(cell.starts.count) starts"
      switch cell.verdict {
      case .regressed: step.judgement = .bad
      case .pass, .improved: step.judgement = .good
      default: step.judgement = .unclear
      }
      if step.judgement != .unclear { break }
      asked.seconds *= 2
      asked.restarts = asked.restarts.map { min(1000, $0 * 2) }
      asked.common.seed &+= UInt64(attempt) &+ 1
    }
    return step
  }
}
