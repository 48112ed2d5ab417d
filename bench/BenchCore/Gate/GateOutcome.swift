import JSON

/// All that `porthole-bench ci` found. Schema "porthole-bench/ci", version 1.
public struct GateOutcome: Sendable {
  /// A scene of the repository's own, by what it was and what it showed.
  public struct SceneRecord: Sendable, Hashable {
    public var name: String
    /// SHA-256 of its file.
    public var hash: String
    /// SHA-256 of a frame's pixels, which another driver may draw otherwise; nil where there is none.
    public var picture: String?

    public init(name: String, hash: String, picture: String?) {
      (self.name, self.hash, self.picture) = (name, hash, picture)
    }
  }

  public var tool = ToolIdentity.current
  public var arguments: [String]
  public var config: String
  public var configHash: String
  public var seed: UInt64
  public var started: String
  public var durationSeconds = 0.0
  public var budgetSeconds: Double
  /// The machine, as far as it is known without a display.
  public var host: HostDescription?
  /// Nil until a display was opened.
  public var environment: RunEnvironment?
  public var scenes: [SceneRecord] = []
  public var tiers: [GateTier] = []
  /// What ended it before its end.
  public var failure: (code: ExitStatus.Code, reason: String)?
  /// Everything that was asked for was done.
  public var isComplete = false

  public init(
    arguments: [String], config: String, configHash: String, seed: UInt64, started: String, budgetSeconds: Double
  ) {
    (self.arguments, self.config, self.configHash, self.seed) = (arguments, config, configHash, seed)
    (self.started, self.budgetSeconds) = (started, budgetSeconds)
  }

  /// What blocks, by precedence; and what is not there is never green.
  public var exit: ExitStatus {
    var found = tiers.filter(\.isBlocking).flatMap(\.found)
    if let failure { found.append(failure) }
    if !isComplete, failure == nil { found.append((.invalid, "the run did not come to its end")) }
    if !tiers.contains(where: { $0.isBlocking && !$0.rows.isEmpty }) {
      found.append((.invalid, "nothing was held to anything: no tier that decides has a number"))
    }
    return ExitStatus(found)
  }

  public var report: GateReport {
    var rows: [GateRow] = []
    for tier in tiers {
      rows += tier.rows.map { row in
        var row = row
        row.isAdvisory = row.isAdvisory || !tier.isBlocking
        return row
      }
    }
    return GateReport(title: "porthole-bench ci", rows: rows, notes: notes, exit: exit)
  }

  public var notes: [String] {
    tiers.map(\.line)
      + tiers.flatMap { tier in
        tier.notes + (tier.isBlocking ? [] : tier.found.map { "advisory: \($0.reason)" })
      }
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/ci")), ("version", .integer(1)),
      ("tool", .object([("version", .string(tool.version)), ("build", .string(tool.build))])),
      ("argv", .strings(arguments)), ("seed", .unsigned(seed)), ("started", .string(started)),
      ("duration_s", .number((durationSeconds * 1000).rounded() / 1000)), ("budget_s", .number(budgetSeconds)),
      ("complete", .boolean(isComplete)),
      ("config", .object([("file", .string(config)), ("sha256", .string(configHash))])),
      ("env", environment?.json ?? .object([("host", host?.json ?? .null)])),
      (
        "scenes",
        .array(
          scenes.map {
            .object([
              ("name", .string($0.name)), ("scene_hash", .string($0.hash)), ("image_hash", .optional($0.picture)),
            ])
          })
      ),
      ("tiers", .array(tiers.map(\.json))), ("exit", exit.json),
    ])
  }
}

extension GateTier {
  fileprivate var json: JSONValue {
    .object([
      ("tier", .string(name.rawValue)), ("blocking", .boolean(isBlocking)),
      ("seconds", .number((seconds * 1000).rounded() / 1000)), ("exit", exit.json), ("notes", .strings(notes)),
      (
        "rows",
        .array(
          rows.map { row in
            .object([
              ("id", .string(row.id)), ("metric", .string(row.metric)), ("state", .string("\(row.state)")),
              ("advisory", .boolean(row.isAdvisory)), ("sentence", .string(row.sentence)),
              ("numbers", .object(row.properties.map { ($0.name, .string($0.value)) })),
            ])
          })
      ),
    ])
  }
}
