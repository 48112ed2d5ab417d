import JSON

/// How small a change can be seen of each cell on a machine, by two arms that are the same, and how long a comparison has to
/// be for what a gate tolerates. Schema "porthole-bench/calibration", version 1.
public struct Calibration: Sendable {
  public struct Cell: Sendable {
    public var n: Int
    /// Nil where there were too few rounds, or a number is none.
    public var noise: NoiseReport?
    /// Of comparing, until a growth of the tolerance is caught in four of five cases; nil where no time is enough.
    public var secondsToSee: Double?

    public var id: String { "portal-grid/strategy=portal/n=\(n)" }
  }

  /// A comparison that takes longer than this is no gate.
  public static let longest = 600.0

  public var environment: RunEnvironment
  public var thresholds: Thresholds
  public var seed: UInt64
  public var cells: [Cell]
  public var exit: ExitStatus

  /// - Parameter rounds: of two equal arms, by N; those of a cell that could not be drawn are nil.
  public init(
    environment: RunEnvironment, thresholds: Thresholds, seed: UInt64, rounds: [(n: Int, rounds: PairedRounds?)],
    interruption: String? = nil
  ) {
    (self.environment, self.thresholds, self.seed) = (environment, thresholds, seed)
    let metric = environment.leadingMetric
    cells = rounds.map { n, rounds in
      let noise = rounds.flatMap { NoiseReport($0.counted, metric: metric, thresholds: thresholds, seed: seed) }
      let needed = noise.flatMap { noise in
        noise.effect.rounds(toSee: thresholds.tolerance, thresholds).map { $0 * noise.roundSeconds }
      }
      return Cell(n: n, noise: noise, secondsToSee: needed)
    }
    var found: [(ExitStatus.Code, String)] = []
    if let interruption { found.append((.invalid, "incomplete: \(interruption)")) }
    for cell in cells {
      guard let noise = cell.noise else {
        found.append((.invalid, "\(cell.id): nothing was measured"))
        continue
      }
      if !noise.isClean {
        found.append((.inconclusive, "\(cell.id): two equal arms differ: the machine was disturbed"))
      }
      if cell.secondsToSee ?? .infinity > Self.longest {
        found.append(
          (.inconclusive, "\(cell.id): a growth of \(ComparisonText.percent(thresholds.tolerance)) % is not seen here"))
      }
    }
    exit = ExitStatus(found)
  }

  public var lines: [String] {
    cells.map { cell in
      guard let noise = cell.noise else { return "\(cell.id): nothing was measured" }
      let seen = noise.table.map {
        "+\(ComparisonText.percent($0.growth)) % in \(NumberText.shortest($0.seconds)) s"
      }
      let time = cell.secondsToSee.map { "\(NumberText.significant($0, 2)) s" } ?? "no time"
      return
        "\(cell.id): sees \(seen.joined(separator: ", ")); +\(ComparisonText.percent(thresholds.tolerance)) % takes "
        + "\(time) of comparing (\(noise.grade.rawValue))"
    } + exit.reasons
  }

  public var json: JSONValue {
    let rows = cells.map { cell in
      JSONValue.object([
        ("id", .string(cell.id)), ("n", .integer(cell.n)), ("seconds_to_see", .optional(cell.secondsToSee)),
        ("noise", cell.noise?.json ?? .null),
      ])
    }
    return .object([
      ("schema", .string("porthole-bench/calibration")), ("version", .integer(1)), ("seed", .unsigned(seed)),
      ("env", environment.json), ("margin", .number(thresholds.margin)), ("tolerance", .number(thresholds.tolerance)),
      ("alpha", .number(thresholds.alpha)), ("cells", .array(rows)), ("exit", exit.json),
    ])
  }
}
