/// What a gate makes of two arms that were drawn in turns: whether `b` costs at most so many times what `a` costs.
public enum GatePairs {
  /// How much beyond the limit still passes, where it surely is not more: what a gate tolerates.
  public static let slack = 1.05

  public static func state(_ comparison: ArmComparison, atMost limit: Double, level: Double) -> GateRow.State {
    guard let effect = comparison.effect, let interval = effect.ratio.interval else { return .invalid }
    if interval.lower > limit, effect.p < level { return .failed }
    return interval.upper < limit * slack ? .passed : .unclear
  }

  /// A failure that a second measurement of both arms, in another order, does not show again is noise.
  public static func confirmed(_ first: GateRow, by second: GateRow) -> GateRow {
    guard first.state == .failed else { return first }
    var row = second
    row.properties.append(.init("first", first.sentence))
    switch second.state {
    case .failed: row.sentence = "\(second.sentence); measured twice"
    case .invalid: break
    default:
      row.state = .unclear
      row.sentence = "noise: first \(first.sentence); then \(second.sentence)"
    }
    return row
  }

  public static func row(_ pair: GateConfig.Pair, _ comparison: ArmComparison, level: Double) -> GateRow {
    // A machine that was held back for most of the rounds says nothing, which is nobody's fault.
    if comparison.effect == nil, comparison.verdict == .inconclusive, comparison.exit.code != .invalid {
      return GateRow(id: pair.name, metric: comparison.metric.rawValue, state: .unclear, sentence: comparison.line)
    }
    guard let effect = comparison.effect, comparison.exit.code != .invalid else {
      let reason = comparison.exit.reasons.first ?? "nothing was measured"
      return GateRow(id: pair.name, metric: comparison.metric.rawValue, state: .invalid, sentence: reason)
    }
    let state = state(comparison, atMost: pair.atMost, level: level)
    let seconds = comparison.secondsToDecide.map { "; about \(NumberText.significant($0, 2)) s would decide" } ?? ""
    let words = "\(EstimateText.ratio(effect.ratio)), at most \(NumberText.significant(pair.atMost, 3))x is allowed"
    var properties: [GateRow.Property] = [
      .init("ratio", "\(effect.ratio.value)"), .init("at_most", "\(pair.atMost)"), .init("p", "\(effect.p)"),
      .init("rounds", "\(effect.rounds)"),
    ]
    if let interval = effect.ratio.interval {
      properties += [.init("ci95_lower", "\(interval.lower)"), .init("ci95_upper", "\(interval.upper)")]
    }
    return GateRow(
      id: pair.name, metric: comparison.metric.rawValue, state: state,
      sentence: words + (state == .unclear ? seconds : ""), properties: properties)
  }
}
