import JSON

/// What a sensor said at the end of each round.
public struct SensorRecord: Sendable {
  public var name: String
  public var highestClock: Double?
  public var readings: [SensorReading]

  public init(name: String = "none", highestClock: Double? = nil, readings: [SensorReading] = []) {
    (self.name, self.highestClock, self.readings) = (name, highestClock, readings)
  }

  /// A clock that lies by so much below what the run's fastest rounds had is held down.
  static let drop = 0.1

  /// The rounds in which something held the clock down: the driver says so, or it lay a tenth below its usual height, which
  /// is that which one round in ten rises above.
  public var throttled: Set<Int> {
    let clocks = readings.compactMap(\.clock).filter { $0.isFinite && $0 > 0 }
    let usual = Quantile.of(clocks, 0.9) ?? 0
    return Set(
      readings.indices.filter { index in
        if !readings[index].throttles.isEmpty { return true }
        guard let clock = readings[index].clock, clock.isFinite, clock > 0 else { return false }
        return clock <= usual * (1 - Self.drop)
      })
  }

  /// Every reason that a driver gave, once.
  public var reasons: [String] { Set(readings.flatMap(\.throttles)).sorted() }

  /// Joules from the first round to the last; nil where nobody counts them.
  public var energy: Double? {
    let counts = readings.compactMap(\.energy)
    guard let first = counts.first, let last = counts.last, counts.count > 1, last >= first else { return nil }
    return last - first
  }

  public var json: JSONValue {
    func row(_ value: (SensorReading) -> Double?) -> JSONValue {
      let values = readings.map(value)
      guard values.contains(where: { $0 != nil }) else { return .null }
      return .array(values.map { $0.map { .number($0) } ?? .null })
    }
    let held = readings.map { $0.throttles.joined(separator: ", ") }
    return .object([
      ("sensor", .string(name)), ("highest_clock_mhz", .optional(highestClock)), ("rounds", .integer(readings.count)),
      ("clock_mhz", row(\.clock)), ("memory_clock_mhz", row(\.memoryClock)), ("temperature_c", row(\.temperature)),
      ("power_w", row(\.power)), ("energy_j", row(\.energy)), ("energy_used_j", .optional(energy)),
      ("throttle", held.allSatisfy(\.isEmpty) ? .null : .strings(held)),
      ("throttled_rounds", .array(throttled.sorted().map { .integer($0) })),
    ])
  }

  /// One that was written.
  init(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    let count = try reader.whole("rounds", of: node)
    guard count <= 1_000_000 else { throw reader.failure(node, "a record of fewer rounds") }
    self.init(
      name: try reader.text("sensor", of: node), highestClock: try? reader.number("highest_clock_mhz", of: node),
      readings: Array(repeating: SensorReading(), count: count))
    let rows: [(String, WritableKeyPath<SensorReading, Double?>)] = [
      ("clock_mhz", \.clock), ("memory_clock_mhz", \.memoryClock), ("temperature_c", \.temperature),
      ("power_w", \.power), ("energy_j", \.energy),
    ]
    for (key, path) in rows {
      guard let list = reader.document.member(key, of: node), reader.document[list].value == .array else { continue }
      for (index, value) in reader.document.children(of: list).enumerated() where index < count {
        readings[index][keyPath: path] = try? reader.number(value)
      }
    }
    guard let list = reader.document.member("throttle", of: node), reader.document[list].value == .array else { return }
    for (index, value) in reader.document.children(of: list).enumerated() where index < count {
      guard case .string(let text) = reader.document[value].value, !text.isEmpty else { continue }
      readings[index].throttles = text.split(separator: ", ").map(String.init)
    }
  }

  /// What a reader should know; nil where nothing held the clock down.
  func warning(of rounds: Int) -> String? {
    let held = throttled.count { $0 < rounds }
    guard held > 0 else { return nil }
    let why = reasons.isEmpty ? "its clock fell by a tenth or more" : reasons.joined(separator: ", ")
    return "the machine was throttled in \(held) of \(rounds) rounds, which do not count (\(why))"
  }
}
