import JSON

/// Two arms of one process held against each other. Schema "porthole-bench/ab", version 1.
public struct ArmComparison: Sendable {
  public var a: String
  public var b: String
  public var environment: RunEnvironment
  public var seed: UInt64
  public var metric: Metric
  public var thresholds: Thresholds
  public var rounds: PairedRounds
  /// Nil where there were too few rounds, or a number is none.
  public var effect: PairedEffect?
  public var verdict: Verdict
  /// At which part of the planned rounds it was decided.
  public var decidedAt: Double
  public var exit: ExitStatus
  /// That the machine was throttled, and why; nil where it was not.
  public var warning: String?
  static let fewestCounted = 8

  /// - Parameters:
  ///   - level: of the look that decided; the whole of alpha without looks.
  ///   - faults: what is wrong with the arms' pictures.
  public init(
    a: String, b: String, environment: RunEnvironment, seed: UInt64, metric: Metric, thresholds: Thresholds,
    rounds: PairedRounds, level: Double? = nil, decidedAt: Double = 1, faults: [String] = [], isStrict: Bool = false
  ) {
    (self.a, self.b, self.environment, self.seed, self.metric) = (a, b, environment, seed, metric)
    (self.rounds, self.decidedAt) = (rounds, decidedAt)
    var asked = thresholds
    asked.alpha = level ?? thresholds.alpha
    self.thresholds = thresholds
    let counted = rounds.counted
    let (first, second) = counted.costs(metric)
    let isMeasured = (rounds.first + rounds.second).allSatisfy(\.isMeasured)
    effect = isMeasured ? PairedEffect(first, second, thresholds: thresholds) : nil
    var verdict = effect.map { asked.verdict($0.ratio, adjusted: $0.p) } ?? .missing
    let held = rounds.first.count - counted.first.count
    warning = rounds.sensors.warning(of: rounds.first.count)
    // What is left of a run that was mostly throttled says nothing; that it was is no fault of the arms.
    if held > 0, isMeasured, counted.first.count < max(Self.fewestCounted, rounds.first.count / 2) {
      (effect, verdict) = (nil, .inconclusive)
    }
    self.verdict = verdict
    var found: [(ExitStatus.Code, String)] = faults.map { (.invalid, $0) }
    switch verdict {
    case .missing: found.append((.invalid, "too few rounds, or a time that is no number"))
    case .regressed: found.append((.regression, Self.sentence(a, b, effect, verdict, thresholds, rounds)))
    case .inconclusive where isStrict:
      found.append(
        (.inconclusive, Self.sentence(a, b, effect, verdict, thresholds, rounds) + (warning.map { "; \($0)" } ?? "")))
    default: break
    }
    exit = ExitStatus(found)
  }

  /// How long it would take to see what a gate tolerates, in seconds.
  public var secondsToDecide: Double? {
    effect?.rounds(toSee: thresholds.tolerance, thresholds).map { $0 * rounds.unitSeconds }
  }

  public var line: String {
    Self.sentence(a, b, effect, verdict, thresholds, rounds) + (warning.map { "; \($0)" } ?? "")
  }

  private static func sentence(
    _ a: String, _ b: String, _ effect: PairedEffect?, _ verdict: Verdict, _ thresholds: Thresholds,
    _ rounds: PairedRounds
  ) -> String {
    guard let effect else {
      return "\(b) against \(a): " + (verdict == .inconclusive ? "nothing can be said" : "nothing was measured")
    }
    let word =
      switch verdict {
      case .regressed: "costs surely more"
      case .improved: "costs surely less"
      case .pass: "costs surely not \(ComparisonText.percent(thresholds.tolerance)) % more"
      default: "nothing can be said"
      }
    let small = verdict == .pass ? DuelResult.smallChange(effect.ratio).map { "; \($0)" } ?? "" : ""
    let all = "\(rounds.first.count) rounds"
    let counted = rounds.starts.count > 1 ? "\(all) of \(effect.rounds) pairs" : all
    let seen = ComparisonText.percent(effect.detectable(rounds: Double(effect.rounds), thresholds))
    return
      "\(b) against \(a): \(EstimateText.ratio(effect.ratio)): \(word) (\(counted); sees +\(seen) %)\(small)"
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/ab")), ("version", .integer(1)), ("seed", .unsigned(seed)),
      ("env", environment.json), ("a", .string(a)), ("b", .string(b)),
      (
        "design",
        .object([
          ("kind", .string("in-process, paired rounds in an order of chance, contenders made anew")),
          ("metric", .string(metric.rawValue)),
          ("rounds", .integer(rounds.first.count)), ("pairs", .integer(max(1, rounds.pairs.count))),
          ("margin", .number(thresholds.margin)),
          ("tolerance", .number(thresholds.tolerance)), ("alpha", .number(thresholds.alpha)),
          ("decided_at", .number(decidedAt)),
        ])
      ),
      (
        "result",
        .object([
          ("ratio", .optional(effect?.ratio.value)), ("ci95", effect?.ratio.interval.json ?? .null),
          ("p", .optional(effect?.p)), ("verdict", .string(verdict.rawValue)),
          ("mde", .optional(effect?.detectable(rounds: Double(effect?.rounds ?? 1), thresholds))),
          ("seconds_to_decide", .optional(secondsToDecide)), ("autocorr", .optional(effect?.correlation)),
        ])
      ),
      ("order_log", .string(rounds.orderLog)), ("pair_starts", .array(rounds.starts.map { .integer($0) })),
      ("sensors", rounds.sensors.json),
      ("raw", .object([("a", Self.raw(rounds.first)), ("b", Self.raw(rounds.second))])), ("exit", exit.json),
    ])
  }

  private static func raw(_ samples: [RoundSample]) -> JSONValue {
    .object([
      ("frame_wall_ms", .array(samples.map { .array($0.wallMilliseconds.map { .milliseconds($0) }) })),
      ("cpu_ms", .array(samples.map { .milliseconds($0.cpuMilliseconds) })),
      ("gpu_ms", .array(samples.compactMap(\.gpuMilliseconds).map { .milliseconds($0) })),
    ])
  }
}
