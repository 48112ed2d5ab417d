import JSON

/// A run as a timeline that Perfetto and Chrome open: a track for each strategy, a slice for each frame, and the CPU time of a
/// frame as a counter. Frames are laid end to end in the order in which they were drawn; what passed between them was not
/// measured and is left out.
public enum ChromeTrace {
  public static func json(_ result: BenchmarkResult) -> JSONValue {
    var events: [JSONValue] = [
      event(
        "M", "process_name", track: 0, at: nil, [("name", .string("porthole-bench, \(result.environment.renderer)"))])
    ]
    for (track, strategy) in Strategy.allCases.enumerated() where result.strategies.contains(strategy) {
      events.append(event("M", "thread_name", track: track + 1, at: nil, [("name", .string(strategy.rawValue))]))
    }
    var time = 0.0
    var drawn = [Int](repeating: 0, count: result.cells.count)
    for (suite, rounds) in result.order {
      for (number, round) in rounds.enumerated() {
        for index in round where result.cells.indices.contains(index) {
          let cell = result.cells[index]
          guard cell.status == .ok, drawn[index] < cell.rounds.count else { continue }
          let sample = cell.rounds[drawn[index]]
          drawn[index] += 1
          let track = (Strategy.allCases.firstIndex(of: cell.key.strategy) ?? 0) + 1
          let name = "\(suite.rawValue) N = \(cell.key.n)"
          events.append(
            event(
              "C", "CPU ms, \(cell.key.strategy.rawValue)", track: 0, at: time,
              [("ms", .number(sample.cpuMilliseconds))]))
          for wall in sample.wallMilliseconds {
            events.append(
              event(
                "X", name, track: track, at: time, [("round", .integer(number + 1)), ("cell", .string(cell.id))],
                duration: wall * 1000))
            time += wall * 1000
          }
        }
      }
    }
    return .object([
      ("traceEvents", .array(events)), ("displayTimeUnit", .string("ms")),
      ("otherData", .object([("started", .string(result.started)), ("seed", .unsigned(result.seed))])),
    ])
  }

  /// Times are microseconds.
  private static func event(
    _ phase: String, _ name: String, track: Int, at time: Double?, _ arguments: [(String, JSONValue)],
    duration: Double? = nil
  ) -> JSONValue {
    var members: [(String, JSONValue)] = [
      ("ph", .string(phase)), ("name", .string(name)), ("pid", .integer(1)), ("tid", .integer(track)),
    ]
    if let time { members.append(("ts", .number((time * 1000).rounded() / 1000))) }
    if let duration { members.append(("dur", .number((duration * 1000).rounded() / 1000))) }
    return .object(members + [("args", .object(arguments))])
  }
}
