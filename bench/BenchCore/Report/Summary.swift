/// What a run found, in plain words: whole sentences, each a pure function of the result.
public struct Summary: Sendable {
  private let result: BenchmarkResult

  public init(_ result: BenchmarkResult) { self.result = result }

  public var sentences: [String] {
    result.suites.flatMap { suite in
      result.strategies.compactMap { cost(suite, $0) } + factors(suite) + makeup(suite) + capacities(suite)
        + comparisons(suite)
    } + sight()
  }

  /// `portal-grid, portal: fixed 0.77 ms ± 4 %, 0.172 ms per portal ± 2 %; …`
  private func cost(_ suite: Suite, _ strategy: Strategy) -> String? {
    let metric = result.leadingMetric
    guard let series = result.series(suite, strategy, metric) else { return single(suite, strategy, metric) }
    let fit: String
    if let knee = series.knee {
      fit =
        "a bend at N = \(NumberText.grouped(knee.n)): before it \(NumberText.significant(knee.slopeBefore, 3)) ms"
        + " each, beyond it \(NumberText.significant(knee.slopeAfter, 3)) ms"
    } else if series.worstMiss.magnitude < 0.05 {
      fit = "a straight line, no knee\(upTo(series))"
    } else {
      let miss = EstimateText.percent(series.worstMiss.magnitude * 100)
      let side = series.worstMiss > 0 ? "above" : "below"
      fit =
        "no knee\(upTo(series)), but not quite a straight line: the measured cost lies \(miss) % \(side) it at "
        + "N = \(NumberText.grouped(series.worstMissAt))"
    }
    return "\(suite.rawValue), \(strategy.rawValue): fixed \(amount(series.fixed)), "
      + "\(amount(series.slope)) per portal (\(Self.name(metric))); \(fit)\(leftOut(series))."
  }

  /// What each factor adds to plain portals.
  private func factors(_ suite: Suite) -> [String] {
    result.interactions.filter { $0.suite == suite && $0.metric == result.leadingMetric }.map { found in
      let verdict =
        found.isSure ? "the more portals, the more it costs" : "beyond the noise, it costs no more with more portals"
      return "\(suite.rawValue), \(found.strategy.rawValue), \(found.level.name): fixed \(more(found.fixedMore)), "
        + "each portal \(more(found.slopeMore)), \(EstimateText.ratio(found.slopeRatio)) of a plain one; \(verdict)."
    }
  }

  private func more(_ estimate: Estimate) -> String {
    let value = (estimate.value >= 0 ? "+" : "-") + NumberText.significant(estimate.value.magnitude, 3) + " ms"
    guard let interval = estimate.interval else { return value }
    return value + " ± " + NumberText.significant(interval.halfWidth, 2)
  }

  /// Of one N alone there is no line to tell of.
  private func single(_ suite: Suite, _ strategy: Strategy, _ metric: Metric) -> String? {
    let cells = result.cells(suite, strategy).filter { $0.status == .ok }
    guard cells.count == 1, let cell = cells.first, let median = Quantile.median(cell.values(metric)),
      let wall = Quantile.median(cell.wallFrames), let p95 = Quantile.of(cell.wallFrames, 0.95)
    else { return nil }
    func text(_ value: Double) -> String { NumberText.significant(value, 3) + " ms" }
    let cold = cell.coldMilliseconds.map { "; the very first frame took \(text($0))" } ?? ""
    return "\(suite.rawValue), \(strategy.rawValue), N = \(NumberText.grouped(cell.key.n)): \(text(median)) a frame "
      + "(\(Self.name(metric))), wall \(text(wall)), 95 of 100 within \(text(p95))\(cold)."
  }

  private func upTo(_ series: ScalingSeries) -> String {
    series.band.last.map { " up to N = \(NumberText.grouped($0.n))" } ?? ""
  }

  /// What each further portal's cost is made of.
  private func makeup(_ suite: Suite) -> [String] {
    guard let slope = result.slopes.first(where: { $0.suite == suite }) else { return [] }
    let shares = slope.parts.prefix(3).filter { $0.share >= 0.01 }.map {
      "\(NumberText.fixed($0.share * 100, 0)) % is \($0.name)"
    }
    return ["\(suite.rawValue), of what each further portal costs, \(shares.joined(separator: ", "))."]
  }

  /// How small a change could be seen here, by what the run itself shows of its noise.
  private func sight() -> [String] {
    guard let sight = RunSight(result) else { return [] }
    return [
      "The next regression that a comparison of a minute would see on this machine: "
        + "\(NumberText.significant(sight.growth * 100, 2)) % (at N = \(NumberText.grouped(sight.n)))."
    ]
  }

  private func leftOut(_ series: ScalingSeries) -> String {
    guard !series.leftOut.isEmpty else { return "" }
    let counts = series.leftOut.map { NumberText.grouped($0) }.joined(separator: ", ")
    return "; without N = \(counts), which is drawn in one pass"
  }

  private func amount(_ estimate: Estimate) -> String {
    let value = "\(NumberText.significant(estimate.value, 3)) ms"
    guard let interval = estimate.interval, estimate.value != 0 else { return value }
    return "\(value) ± \(EstimateText.percent(interval.halfWidth / estimate.value.magnitude * 100)) %"
  }

  private func capacities(_ suite: Suite) -> [String] {
    Capacity.rates.compactMap { hertz in
      let texts = result.strategies.compactMap { strategy -> String? in
        let capacity = result.capacities.first { $0.suite == suite && $0.strategy == strategy && $0.hertz == hertz }
        return capacity.map { "\(strategy.rawValue) \(EstimateText.capacity($0))" }
      }
      guard !texts.isEmpty else { return nil }
      let frame = NumberText.significant(1000 / hertz, 4)
      return "\(suite.rawValue) holds \(NumberText.shortest(hertz)) Hz (99 of 100 frames within \(frame) ms) up to N: "
        + texts.joined(separator: "; ") + "."
    }
  }

  /// At the largest N where the portal can be compared with the other.
  private func comparisons(_ suite: Suite) -> [String] {
    let texts = Strategy.allCases.compactMap { other -> String? in
      let cells = result.ratios.filter {
        $0.suite == suite && $0.numerator == .portal && $0.denominator == other && $0.metric == result.leadingMetric
      }
      guard let last = cells.max(by: { $0.n < $1.n }) else { return nil }
      let ratio = last.ratio
      let certainty = ratio.interval.map { $0.lower <= 1 && $0.upper >= 1 ? ", within the noise of 1" : "" } ?? ""
      if ratio.value < 1, let interval = ratio.interval {
        let turned = Estimate(value: 1 / ratio.value, interval: Interval(1 / interval.upper, 1 / interval.lower))
        return "\(EstimateText.ratio(turned)) cheaper than \(other.rawValue) at N = \(last.n)\(certainty)"
      }
      return "\(EstimateText.ratio(ratio)) the cost of \(other.rawValue) at N = \(last.n)\(certainty)"
    }
    guard !texts.isEmpty else { return [] }
    return ["\(suite.rawValue), portal: " + texts.joined(separator: "; ") + " (\(Self.name(result.leadingMetric)))."]
  }

  static func name(_ metric: Metric) -> String {
    switch metric {
    case .wall: "wall time"
    case .cpu: "CPU time of the process"
    case .gpu: "GPU time"
    }
  }
}
