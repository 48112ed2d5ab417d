import JSON

/// What the benchmark found of itself. Schema "porthole-bench/selftest", version 1.
public struct SelftestReport: Sendable {
  public var seed: UInt64
  public var bars: [SelftestBar]
  public var exit: ExitStatus

  public init(seed: UInt64, bars: [SelftestBar]) {
    (self.seed, self.bars) = (seed, bars)
    let short = bars.filter { !$0.holds }
    exit = ExitStatus(
      short.map { (.toolError, "\($0.id): \($0.claim): \(NumberText.significant($0.figure, 3)) \($0.unit)") })
    if bars.isEmpty { exit = ExitStatus(code: .invalid, reasons: ["nothing was tried"]) }
  }

  public var summary: String {
    let short = bars.count { !$0.holds }
    return short == 0 ? "all \(bars.count) bars hold" : "\(short) of \(bars.count) bars fall short"
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/selftest")), ("version", .integer(1)), ("seed", .unsigned(seed)),
      ("bars", .array(bars.map(\.json))), ("exit", exit.json),
    ])
  }
}
