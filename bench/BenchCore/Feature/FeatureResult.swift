import JSON

/// What `porthole-bench run` found. Schema "porthole-bench/features", version 1.
public struct FeatureResult: Sendable {
  public var arguments: [String]
  public var seed: UInt64
  /// ISO 8601, UTC.
  public var started: String
  public var environment: RunEnvironment
  public var shape: OutputShape
  public var durationSeconds = 0.0
  public var cells: [FeatureCell] = []
  public var exit = ExitStatus()

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/features")),
      ("version", .integer(1)),
      (
        "tool",
        .object([
          ("version", .string(ToolIdentity.current.version)), ("build", .string(ToolIdentity.current.build)),
        ])
      ),
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
      ("cells", .array(cells.map(\.json))),
      (
        "exit",
        .object([("code", .integer(Int(exit.code.rawValue))), ("reasons", .array(exit.reasons.map { .string($0) }))])
      ),
    ])
  }
}

extension FeatureCell {
  var json: JSONValue {
    let isMeasured = status == .ok
    let (cpuTime, wallTime) = (isMeasured ? cpu : nil, isMeasured ? wall : nil)
    var stageTimes: [(String, JSONValue)] = []
    if isMeasured { stageTimes = zip(Self.stages, stageMedians).map { ($0, JSONValue.milliseconds($1)) } }
    var counts: [(String, JSONValue)] = []
    for (name, value) in counters?.named ?? [] { counts.append((name, .integer(value))) }
    let cpuSamples: [JSONValue] = samples.map { .milliseconds($0.cpuMilliseconds) }
    let wallSamples: [JSONValue] = samples.map { .milliseconds($0.wallMilliseconds) }
    return .object([
      ("id", .string(key.id)),
      ("status", .string(status.rawValue)),
      ("reason", .optional(reason)),
      ("rounds", .integer(samples.count)),
      ("cpu_ms", .optional(cpuTime)),
      ("frame_wall_ms", .optional(wallTime)),
      ("stages_ms", .object(stageTimes)),
      ("stage_spreads", .object(isMeasured ? zip(Self.stages, stageSpreads).map { ($0, .optional($1)) } : [])),
      ("counters", .object(counts)),
      ("attribution", attribution?.json ?? .null),
      ("raw", .object([("cpu_ms", .array(cpuSamples)), ("frame_wall_ms", .array(wallSamples))])),
    ])
  }
}

extension Attribution {
  /// No more than so many portals are listed one by one.
  static let mostPortals = 32

  var json: JSONValue {
    let stageTimes = zip(FeatureCell.stages, stages).map { ($0, JSONValue.milliseconds($1)) }
    let rest = portals.dropFirst(Self.mostPortals).reduce(0) { $0 + $1.milliseconds }
    return .object([
      ("frame_ms", .milliseconds(frameMilliseconds)),
      ("stages_ms", .object(stageTimes)),
      ("frames", .integer(frames)), ("unattributed", .optional(unattributed)),
      ("shaded_pixels", .integer(shadedPixels)),
      ("passes", .array(passes.map(\.json))),
      ("sources", .array(sources.map(\.json))),
      ("layers_ms", .milliseconds(ownMilliseconds)),
      ("portal_count", .integer(portals.count)),
      ("portals", .array(portals.prefix(Self.mostPortals).map(\.json))),
      ("other_portals_ms", .milliseconds(rest)),
    ])
  }
}

extension Attribution.Pass {
  fileprivate var json: JSONValue {
    .object([
      ("target", .string(name)), ("ms", .milliseconds(milliseconds)), ("pixels", .integer(pixels)),
      ("portals_ms", .milliseconds(portalMilliseconds)), ("spread", .optional(spread)),
    ])
  }
}

extension Attribution.Source {
  fileprivate var json: JSONValue {
    .object([
      ("source", .string(name)), ("drawing_ms", .milliseconds(drawingMilliseconds)),
      ("showing_ms", .milliseconds(showingMilliseconds)),
    ])
  }
}

extension Attribution.Portal {
  fileprivate var json: JSONValue {
    .object([
      ("portal", .string(name)), ("source", .string(source)), ("ms", .milliseconds(milliseconds)),
      ("pixels", .integer(pixels)),
    ])
  }
}
