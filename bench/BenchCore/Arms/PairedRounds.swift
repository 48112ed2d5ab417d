/// Two arms drawn in turns, in an order of chance in each round, so that whatever slows the machine slows both.
public struct PairedRounds: Sendable {
  public var first: [RoundSample] = []
  public var second: [RoundSample] = []
  /// Of each round: whether the second arm came first.
  public var isTurned: [Bool] = []
  public var seconds = 0.0
  /// What the machine said at the end of each round.
  public var sensors = SensorRecord()

  /// Frames of an arm in a round that count, and one before them that finds the caches full of the other arm.
  static let frames = 4

  public init() {}

  public func costs(_ metric: Metric) -> (first: [Double], second: [Double]) {
    (first.map(metric.value(of:)), second.map(metric.value(of:)))
  }

  public var roundSeconds: Double { first.isEmpty ? 0 : seconds / Double(first.count) }

  /// `AB BA AB`: the order of each round.
  public var orderLog: String { isTurned.map { $0 ? "BA" : "AB" }.joined(separator: " ") }

  /// Without the rounds in which the machine was throttled; it is these that count.
  public var counted: PairedRounds {
    let held = sensors.throttled
    guard !held.isEmpty else { return self }
    var result = self
    let kept = first.indices.filter { !held.contains($0) }
    (result.first, result.second) = (kept.map { first[$0] }, kept.map { second[$0] })
    result.isTurned = kept.map { isTurned[$0] }
    // As long as those rounds took.
    result.seconds = roundSeconds * Double(kept.count)
    result.sensors = SensorRecord()
    return result
  }

  /// Draws rounds until there are so many, the time is used up (but at least `fewest`), or `isDone` says so after one.
  public static func measure(
    _ a: any Contender, _ b: any Contender, clock: any BenchClock, random: inout SplitMix64, rounds: Int?,
    seconds: Double, fewest: Int = 8, sensor: any Sensor = NoSensor(), isDone: (PairedRounds) -> Bool = { _ in false }
  ) throws(BenchError) -> PairedRounds {
    var result = PairedRounds()
    result.sensors = SensorRecord(name: sensor.name, highestClock: sensor.highestClock)
    var arms = [Arm(contender: a), Arm(contender: b)]
    for index in arms.indices { try arms[index].warmUp(clock) }
    let beginning = clock.monotonicNanoseconds
    while true {
      if let rounds, result.first.count >= rounds { break }
      result.seconds = Double(clock.monotonicNanoseconds &- beginning) / 1e9
      if rounds == nil, result.first.count >= fewest, result.seconds >= seconds { break }
      let isTurned = random.below(2) == 1
      var samples: [RoundSample?] = [nil, nil]
      for index in isTurned ? [1, 0] : [0, 1] { samples[index] = try arms[index].sample(clock) }
      guard let first = samples[0], let second = samples[1] else { break }
      result.first.append(first)
      result.second.append(second)
      result.isTurned.append(isTurned)
      result.sensors.readings.append(sensor.read())
      if isDone(result) { break }
    }
    result.seconds = Double(clock.monotonicNanoseconds &- beginning) / 1e9
    return result
  }

  private struct Arm {
    let contender: any Contender
    var frame = 0
    var frames = PairedRounds.frames

    mutating func warmUp(_ clock: any BenchClock) throws(BenchError) {
      for _ in 0..<3 {
        let begin = clock.monotonicNanoseconds
        try draw()
        // A frame of a tenth of a second is long enough by itself.
        frames = clock.monotonicNanoseconds &- begin > 100_000_000 ? 1 : PairedRounds.frames
      }
    }

    mutating func draw() throws(BenchError) {
      _ = try contender.draw(frame: frame % Orbit.frameCount)
      frame += 1
    }

    mutating func sample(_ clock: any BenchClock) throws(BenchError) -> RoundSample {
      try draw()
      var walls: [Double] = []
      let cpu = clock.cpuNanoseconds
      for _ in 0..<frames {
        let begin = clock.monotonicNanoseconds
        try draw()
        walls.append(Double(clock.monotonicNanoseconds &- begin) / 1e6)
      }
      let used = Double(clock.cpuNanoseconds &- cpu) / 1e6 / Double(frames)
      let gpu = try contender.gpuNanoseconds(frame: frame % Orbit.frameCount)
      return RoundSample(
        wallMilliseconds: walls, cpuMilliseconds: used, gpuMilliseconds: gpu.map { Double($0) / 1e6 })
    }
  }
}
