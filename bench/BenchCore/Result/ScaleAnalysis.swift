/// What a sweep's cells say together: a pure function of them, so that a file, or several of them merged, give what the run
/// itself gave.
public enum ScaleAnalysis {
  /// Lines, capacities, ratios and the exit code, anew.
  public static func analyze(_ result: inout BenchmarkResult) {
    let bootstrap = RoundBootstrap(seed: result.seed)
    (result.scaling, result.capacities, result.ratios, result.interactions) = ([], [], [], [])
    for suite in result.suites {
      for strategy in result.strategies {
        let cells = result.cells(suite, strategy)
        for metric in Metric.allCases {
          if let series = ScalingSeries(cells, metric: metric, bootstrap: bootstrap) { result.scaling.append(series) }
        }
        for hertz in Capacity.rates {
          if let capacity = Capacity(cells, hertz: hertz, bootstrap: bootstrap) { result.capacities.append(capacity) }
        }
      }
      result.ratios += ratios(suite, result)
      for factor in result.factors {
        let (plain, with) = (result.cells(suite, .portal), result.cells(suite, .portal, factor))
        for metric in Metric.allCases {
          if let interaction = Interaction(plain, with: with, metric: metric, bootstrap: bootstrap) {
            result.interactions.append(interaction)
          }
        }
      }
    }
    result.exit = verdict(result)
  }

  /// The portal against each other strategy.
  private static func ratios(_ suite: Suite, _ result: BenchmarkResult) -> [RatioCell] {
    let portals = result.cells(suite, .portal)
    return [Strategy.floor, .duplicate, .snapshot].flatMap { other in
      portals.flatMap { portal -> [RatioCell] in
        guard let cell = result.cells(suite, other).first(where: { $0.key.n == portal.key.n }) else { return [] }
        return Metric.allCases.compactMap { RatioCell(portal, over: cell, metric: $0) }
      }
    }
  }

  private static func verdict(_ result: BenchmarkResult) -> ExitStatus {
    var reasons: [String] = []
    if let interruption = result.interruption { reasons.append("incomplete: \(interruption)") }
    for check in result.pictures where !check.passed {
      reasons.append(
        "\(check.suite.rawValue)/\(check.strategy.rawValue) at N = \(check.n), frame \(check.frame): \(check.note)")
    }
    for cell in result.cells where [.invalid, .crashed, .missing].contains(cell.status) {
      reasons.append("\(cell.id): \(cell.reason ?? cell.status.rawValue)")
    }
    let measured = Set(result.cells.map(\.id))
    let mine = result.shard.map { shard in result.planned.filter { shard.contains($0) } } ?? result.planned
    for id in mine where !measured.contains(id) { reasons.append("\(id): it was planned and is not there") }
    if !result.cells.contains(where: { $0.status == .ok }), result.shard == nil || !mine.isEmpty {
      reasons.append("nothing was measured")
    }
    return ExitStatus(code: reasons.isEmpty ? .ok : .invalid, reasons: reasons)
  }
}
