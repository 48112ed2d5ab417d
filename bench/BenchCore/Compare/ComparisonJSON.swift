import JSON

/// The comparison as JSON: schema "porthole-bench/comparison", version 1.
extension ResultComparison {
  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/comparison")),
      ("version", .integer(1)),
      ("base", .strings(base)),
      ("head", .strings(head)),
      (
        "design",
        .object([
          ("metric", .optional(metric?.rawValue)), ("margin", .number(thresholds.margin)),
          ("tolerance", .number(thresholds.tolerance)), ("alpha", .number(thresholds.alpha)),
          ("correction", .string("Holm")), ("counter_budget", .number(thresholds.counterBudget)),
          ("start_spread", .number(SideCost.startSpread)),
        ])
      ),
      ("cells", .array(cells.map(\.json))),
      ("notes", .strings(notes)),
      ("exit", exit.json),
    ])
  }
}

extension CellComparison {
  var json: JSONValue {
    var members: [(String, JSONValue)] = [("id", .string(id)), ("metric", .string(metric))]
    switch change {
    case .counter(let base, let head): members += [("base", .integer(base)), ("head", .integer(head))]
    case .time(let ratio, let p, let detectable):
      members += [
        ("ratio", .number(ratio.value)), ("ci95", ratio.interval.json), ("p_adj", .number(p)),
        ("mde", .number(detectable)),
      ]
    case .none: break
    }
    members += [
      ("verdict", .string(verdict.rawValue)), ("advisory", .boolean(isAdvisory)), ("note", .optional(note)),
    ]
    return .object(members)
  }
}

extension ExitStatus {
  var json: JSONValue {
    .object([("code", .integer(Int(code.rawValue))), ("reasons", .strings(reasons))])
  }
}
