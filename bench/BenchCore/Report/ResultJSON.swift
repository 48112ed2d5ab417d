import JSON

/// The result as JSON: schema "porthole-bench/result", version 1. Keys are always written in this order.
extension BenchmarkResult {
  public var json: JSONValue { .object(heading + findings) }

  private var heading: [(String, JSONValue)] {
    [
      ("schema", .string("porthole-bench/result")),
      ("version", .integer(1)),
      ("tool", .object([("version", .string(tool.version)), ("build", .string(tool.build))])),
      ("argv", .array(arguments.map { .string($0) })),
      ("seed", .unsigned(seed)),
      ("started", .string(started)),
      ("duration_s", .number((durationSeconds * 1000).rounded() / 1000)),
      ("env", environment.json),
      (
        "output",
        .object([
          ("width", .integer(shape.width)), ("height", .integer(shape.height)), ("scale", .number(shape.scale)),
        ])
      ),
      (
        "plan",
        .object([
          (
            "shard",
            shard.map {
              .object([
                ("index", .integer($0.index)), ("count", .integer($0.count)), ("assignment", .string("hash")),
              ])
            } ?? .null
          ),
          ("cells_expected", .array(planned.map { .string($0) })),
          (
            "order",
            .array(
              order.map { suite, rounds in
                .object([
                  ("suite", .string(suite.rawValue)),
                  ("rounds", .array(rounds.map { .array($0.map { .integer($0) }) })),
                ])
              })
          ),
        ])
      ),
    ]
  }

  private var findings: [(String, JSONValue)] {
    [
      ("cells", .array(cells.map(cellJSON))),
      ("pictures", .array(pictures.map(\.json))),
      ("scaling", .array(scaling.map(\.json))),
      ("interactions", .array(interactions.map(\.json))),
      ("slope_parts", .array(slopes.map(\.json))),
      ("sight", RunSight(self)?.json ?? .null),
      ("capacity", .array(capacities.map(\.json))),
      (
        "comparison",
        .object([
          (
            "design",
            .object([
              ("kind", .string("in-process, interleaved rounds")),
              ("estimate", .string("Hodges-Lehmann of paired log ratios")),
              ("interval", .string("Wilcoxon signed rank, 95 %")),
            ])
          ),
          ("cells", .array(ratios.map(\.json))),
        ])
      ),
      (
        "sensors",
        .array(sensors.map { .object([("suite", .string($0.suite.rawValue)), ("record", $0.record.json)]) })
      ),
      ("interrupted", .optional(interruption)),
      ("notes", .array(notes.map { .string($0) })),
      ("exit", exit.json),
    ]
  }

  private func cellJSON(_ cell: Cell) -> JSONValue {
    var metrics: [(String, JSONValue)] = []
    if cell.status == .ok {
      for metric in Metric.allCases {
        guard let summary = MetricSummary(metric, of: cell, bootstrap: RoundBootstrap(seed: seed)) else { continue }
        metrics.append((metric.rawValue, summary.json))
      }
    }
    for (name, value) in cell.counters?.named ?? [] {
      metrics.append((name, .object([("kind", .string("exact")), ("value", .integer(value))])))
    }
    return .object([
      ("id", .string(cell.id)),
      (
        "params",
        .object(
          [
            ("suite", .string(cell.key.suite.rawValue)), ("strategy", .string(cell.key.strategy.rawValue)),
            ("n", .integer(cell.key.n)), ("width", .integer(cell.shape.width)), ("height", .integer(cell.shape.height)),
            ("scale", .number(cell.shape.scale)),
          ] + (cell.key.factor.map { [($0.factor.rawValue, .integer($0.level))] } ?? []))
      ),
      ("status", .string(cell.status.rawValue)),
      ("reason", .optional(cell.reason)),
      (
        "warmup",
        .object([("frames_discarded", .integer(cell.warmupFrames)), ("cold_ms", .optional(cell.coldMilliseconds))])
      ),
      ("dropped", .object([("throttle", .integer(cell.throttledRounds))])),
      ("metrics", .object(metrics)),
      (
        "raw",
        .object([
          ("frame_wall_ms", .array(cell.rounds.map { .array($0.wallMilliseconds.map { .milliseconds($0) }) })),
          ("cpu_ms", .array(cell.rounds.map { .milliseconds($0.cpuMilliseconds) })),
          ("gpu_ms", .array(cell.rounds.compactMap(\.gpuMilliseconds).map { .milliseconds($0) })),
        ])
      ),
    ])
  }
}

extension FrameCount {
  /// The counters by the names that reports use.
  public var named: [(String, Int)] {
    [
      ("passes", passes), ("batches", batches), ("quads", quads), ("layers_visited", layersVisited),
      ("shaded_pixels", shadedPixels),
    ]
  }
}

extension MetricSummary {
  var json: JSONValue {
    .object([
      ("unit", .string("ms")), ("better", .string("lower")), ("kind", .string("time")), ("n", .integer(count)),
      ("median", .milliseconds(median)), ("p95", .milliseconds(p95)), ("p99", .milliseconds(p99)),
      ("mad", .milliseconds(deviation)), ("ci95", interval.json),
      ("outliers", .object([("mild", .integer(outliers.mild)), ("severe", .integer(outliers.severe))])),
    ])
  }
}

extension Interval? {
  var json: JSONValue { self.map { .array([.number($0.lower), .number($0.upper)]) } ?? .null }
}

extension Estimate {
  var json: JSONValue { .object([("v", .number(value)), ("ci", interval.json)]) }
}

extension PictureCheck {
  var json: JSONValue {
    .object([
      ("suite", .string(suite.rawValue)), ("strategy", .string(strategy.rawValue)), ("n", .integer(n)),
      ("frame", .integer(frame)), ("passed", .boolean(passed)), ("note", .string(note)),
    ])
  }
}

extension ScalingSeries {
  var json: JSONValue {
    .object([
      ("series", .string("\(suite.rawValue)/strategy=\(strategy.rawValue)")), ("metric", .string(metric.rawValue)),
      ("model", .string(knee == nil ? "linear" : "segmented")), ("left_out", .array(leftOut.map { .integer($0) })),
      ("fixed", fixed.json),
      ("slope", slope.json), ("knee", knee?.json ?? .null),
      ("lack_of_fit_p", .optional(lackOfFit?.p)), ("nrms", .number(relativeError)), ("r2", .optional(explainedShare)),
      ("worst_miss", .object([("n", .integer(worstMissAt)), ("relative", .number(worstMiss))])),
      (
        "band",
        .array(
          band.map { point in
            .object([("n", .number(point.n)), ("v", .number(point.cost)), ("ci", point.interval.json)])
          })
      ),
    ])
  }
}

extension Interaction {
  var json: JSONValue {
    .object([
      ("series", .string("\(suite.rawValue)/strategy=\(strategy.rawValue)")), ("metric", .string(metric.rawValue)),
      ("factor", .string(level.factor.rawValue)), ("level", .integer(level.level)), ("fixed_more", fixedMore.json),
      ("slope_more", slopeMore.json), ("slope_ratio", slopeRatio.json), ("sure", .boolean(isSure)),
    ])
  }
}

extension SlopeParts {
  var json: JSONValue {
    .object([
      ("series", .string("\(suite.rawValue)/strategy=\(strategy.rawValue)")), ("from", .integer(from)),
      ("to", .integer(to)),
      (
        "parts",
        .array(
          parts.map {
            .object([("name", .string($0.name)), ("slope", .number($0.slope)), ("share", .number($0.share))])
          })
      ),
    ])
  }
}

extension RunSight {
  var json: JSONValue {
    .object([
      ("n", .integer(n)), ("metric", .string(metric.rawValue)), ("seconds", .number(Self.seconds)),
      ("mde", .number(growth)),
    ])
  }
}

extension Knee {
  var json: JSONValue {
    .object([
      ("n", .integer(n)), ("fixed", .number(fixed)), ("slope_before", .number(slopeBefore)),
      ("slope_after", .number(slopeAfter)), ("evidence", .number(evidence)),
    ])
  }
}

extension Capacity {
  var json: JSONValue {
    .object([
      ("series", .string("\(suite.rawValue)/strategy=\(strategy.rawValue)")), ("hz", .number(hertz)),
      ("metric", .string("frame_wall_ms p99")), ("n", count.json), ("observed", .integer(observed)),
      ("bounded", .boolean(isBounded)),
    ])
  }
}

extension RatioCell {
  var json: JSONValue {
    .object([
      ("id", .string("\(suite.rawValue)/\(numerator.rawValue):\(denominator.rawValue)/n=\(n)")),
      ("metric", .string(metric.rawValue)), ("ratio", .number(ratio.value)), ("ci95", ratio.interval.json),
    ])
  }
}
