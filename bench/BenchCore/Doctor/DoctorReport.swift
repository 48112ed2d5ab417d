import JSON

/// What `porthole-bench doctor` found. Schema "porthole-bench/doctor", version 1.
public struct DoctorReport: Sendable {
  public struct Capability: Sendable, Hashable {
    public var name: String
    public var isPresent: Bool
    public var note: String

    public init(name: String, isPresent: Bool, note: String) {
      (self.name, self.isPresent, self.note) = (name, isPresent, note)
    }
  }

  /// What a way to measure adds to what is measured.
  public struct Overhead: Sendable {
    public var name: String
    /// With it, in terms of without.
    public var ratio: Estimate
    /// Nil for one that no gated time is taken with.
    public var limit: Double?

    public init(name: String, ratio: Estimate, limit: Double?) {
      (self.name, self.ratio, self.limit) = (name, ratio, limit)
    }

    /// At most so much, and surely not half as much again.
    public var holds: Bool {
      guard let limit else { return true }
      return ratio.value <= 1 + limit && (ratio.interval.map { $0.upper <= 1 + limit * 1.5 } ?? false)
    }
  }

  public var environment: RunEnvironment
  /// Which displays were tried, and what became of them.
  public var displays: [String]
  public var capabilities: [Capability]
  public var overheads: [Overhead]
  public var noise: NoiseReport?
  public var exit: ExitStatus

  public init(
    environment: RunEnvironment, displays: [String] = [], capabilities: [Capability], overheads: [Overhead],
    noise: NoiseReport?, requiresHardware: Bool = false, requiresTimer: Bool = false, isStrict: Bool = false
  ) {
    (self.environment, self.displays, self.capabilities) = (environment, displays, capabilities)
    (self.overheads, self.noise) = (overheads, noise)
    var found: [(ExitStatus.Code, String)] = []
    if requiresHardware, environment.isSoftware {
      found.append((.environment, EnvironmentRefusal.software(environment)))
    }
    if requiresTimer, !environment.timer.isValid {
      found.append((.environment, "GPU times were asked for, and are refused: \(environment.timer.reason)"))
    }
    if noise == nil { found.append((.invalid, "the noise of this machine could not be measured")) }
    if isStrict, let noise, [.noisy, .bad].contains(noise.grade) {
      found.append((.inconclusive, "the machine is too noisy for a gate of times: \(noise.grade.rawValue)"))
    }
    exit = ExitStatus(found)
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/doctor")), ("version", .integer(1)),
      (
        "tool",
        .object([
          ("version", .string(ToolIdentity.current.version)), ("build", .string(ToolIdentity.current.build)),
        ])
      ),
      ("env", environment.json), ("displays", .strings(displays)),
      (
        "capabilities",
        .array(
          capabilities.map {
            .object([
              ("name", .string($0.name)), ("present", .boolean($0.isPresent)), ("note", .string($0.note)),
            ])
          })
      ),
      (
        "overheads",
        .array(
          overheads.map {
            .object([
              ("instrument", .string($0.name)), ("ratio", .number($0.ratio.value)), ("ci95", $0.ratio.interval.json),
              ("limit", .optional($0.limit)), ("holds", .boolean($0.holds)),
            ])
          })
      ),
      ("noise", noise?.json ?? .null), ("exit", exit.json),
    ])
  }

  /// For a person.
  public var lines: [String] {
    let host = environment.host
    var lines = [
      "\(environment.renderer)\(environment.isSoftware ? " (the GPU is the CPU)" : ""), \(environment.glVersion)",
      "\(host.cpu), \(host.cores) cores, \(host.kernel), \(host.libc); virtual machine: \(host.virtualization); "
        + "container: \(host.container)",
      "comparable key \(environment.comparableKey.prefix(16)): times compare with results of the same key alone",
    ]
    let pins = environment.pins.compactMap { pin in pin.value.map { "\(pin.name)=\($0)" } }
    if !pins.isEmpty { lines.append("pins: " + pins.joined(separator: " ")) }
    lines += environment.warnings
    lines.append("")
    for capability in capabilities {
      lines.append("  \(capability.isPresent ? "yes" : "no ")  \(capability.name): \(capability.note)")
    }
    lines.append("")
    let timer = environment.timer
    lines.append("GPU timer: \(timer.isValid ? "believed" : "refused"): \(timer.reason)")
    for overhead in overheads {
      lines.append(
        "\(overhead.name): \(EstimateText.ratio(overhead.ratio)) of a frame without it"
          + (overhead.limit.map { $0 > 0 && !overhead.holds ? ", MORE than it may cost" : "" } ?? ""))
    }
    if let noise { lines += ["", Self.sentence(noise)] + Self.table(noise) }
    return lines + exit.reasons
  }

  static func sentence(_ noise: NoiseReport) -> String {
    let meaning =
      switch noise.grade {
      case .quiet: "small changes are seen"
      case .usable: "what a gate tolerates is seen"
      case .noisy: "only large changes are seen"
      case .bad: "times are not worth gating on; counters are"
      }
    return "noise: \(noise.grade.rawValue) (\(meaning)); two equal arms: \(EstimateText.ratio(noise.effect.ratio)), "
      + "false alarms \(NumberText.significant(noise.falseAlarms * 100, 2)) %"
  }

  static func table(_ noise: NoiseReport) -> [String] {
    noise.table.map { row in
      "  in \(PointTable.pad(NumberText.significant(row.seconds, 3), 4)) s of comparing: growth of "
        + "\(NumberText.significant(row.growth * 100, 2)) % and more"
    }
  }
}

/// Sentences for what a machine can't give.
enum EnvironmentRefusal {
  static func software(_ environment: RunEnvironment) -> String {
    "\(environment.renderer) is a software renderer, and --require-hardware was asked for"
  }
}
