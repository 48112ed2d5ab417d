/// Two arms drawn in turns, in an order of chance in each round, so that whatever slows the machine slows both.
public struct PairedRounds: Sendable {
  public var first: [RoundSample] = []
  public var second: [RoundSample] = []
  /// Of each round: whether the second arm came first.
  public var isTurned: [Bool] = []
  /// Of each pair of contenders that was made: its first round. Empty, or one, where a single pair drew all of them.
  public var starts: [Int] = []
  public var seconds = 0.0
  /// What the machine said at the end of each round.
  public var sensors = SensorRecord()

  /// Frames of an arm in a round that count, and one before them that finds the caches full of the other arm.
  static let frames = 4

  public init() {}

  /// What is held against each other: of each pair of contenders one cost of each arm, or, of a single pair, those of each
  /// round. Rounds of a pair are alike in where its memory lies and how its threads fell into step, and would be taken for a
  /// change that is none.
  public func costs(_ metric: Metric) -> (first: [Double], second: [Double]) {
    let (a, b) = (first.map(metric.value(of:)), second.map(metric.value(of:)))
    guard starts.count > 1 else { return (a, b) }
    var result: (first: [Double], second: [Double]) = ([], [])
    for range in pairs {
      // What is no number is found to be none by whoever tests it.
      let middle = Quantile.median(Array(a[range])) ?? .nan
      let growth = Self.middle(zip(a[range], b[range]).map { naturalLogarithm($1 / $0) })
      result.first.append(middle)
      result.second.append(middle * exponential(growth))
    }
    return result
  }

  /// Hodges and Lehmann's: the median of the means of every two, which makes more of the same rounds than their median does.
  /// Of many rounds in a row, of the first few hundred alone.
  private static func middle(_ values: [Double]) -> Double {
    let values = values.prefix(300)
    var means: [Double] = []
    means.reserveCapacity(values.count * (values.count + 1) / 2)
    for (index, value) in values.enumerated() { for other in values[index...] { means.append((value + other) / 2) } }
    return Quantile.median(means) ?? .nan
  }

  /// The rounds of each pair of contenders. One that the end cut short says too little beside the others, and is left out.
  public var pairs: [Range<Int>] {
    let ends = starts.dropFirst() + [first.count]
    var ranges = zip(starts, ends).filter { $0 < $1 }.map { $0..<$1 }
    if ranges.count > Self.fewestPairs, let last = ranges.last, last.count * 2 < ranges[ranges.count - 2].count {
      ranges.removeLast()
    }
    return ranges
  }

  /// Of what is held against each other, of one.
  public var unitSeconds: Double {
    let count = starts.count > 1 ? pairs.count : first.count
    return count == 0 ? 0 : seconds / Double(count)
  }

  private var roundSeconds: Double { first.isEmpty ? 0 : seconds / Double(first.count) }

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
    result.starts = starts.map { start in kept.firstIndex { $0 >= start } ?? kept.count }
    // As long as those rounds took.
    result.seconds = roundSeconds * Double(kept.count)
    result.sensors = SensorRecord()
    return result
  }

  /// As few pairs of contenders can be told from chance.
  static let fewestPairs = 10
  /// More pairs tell little more.
  package static let mostPairs = 40

  /// Draws rounds until there are so many, the time is used up (but at least `fewest`), or `isDone` says so after one.
  /// - Parameters:
  ///   - a: makes a contender, for each pair anew.
  ///   - pairs: of contenders, at the most; what is left of the time or the rounds is shared among them. A third of the
  ///     time may go into making them, but at least `fewestPairs` are made.
  public static func measure(
    _ a: @autoclosure () throws(BenchError) -> any Contender, _ b: @autoclosure () throws(BenchError) -> any Contender,
    clock: any BenchClock, random: inout SplitMix64, rounds: Int?, seconds: Double, fewest: Int = 8, pairs: Int = 1,
    sensor: any Sensor = NoSensor(), isDone: (PairedRounds) -> Bool = { _ in false }
  ) throws(BenchError) -> PairedRounds {
    var result = PairedRounds()
    result.sensors = SensorRecord(name: sensor.name, highestClock: sensor.highestClock)
    let beginning = clock.monotonicNanoseconds
    func elapsed() -> Double { Double(clock.monotonicNanoseconds &- beginning) / 1e9 }
    var isOver = false
    while !isOver {
      let begin = elapsed()
      var arms = [Arm(contender: try a()), Arm(contender: try b())]
      for index in arms.indices { try arms[index].warmUp(clock) }
      result.starts.append(result.first.count)
      let drawing = elapsed()
      let share = min(
        max(seconds / Double(pairs), 2 * (drawing - begin)), seconds / Double(min(pairs, fewestPairs)))
      let most = rounds.map { result.first.count + max(1, ($0 + pairs - 1) / pairs) } ?? .max
      while true {
        result.seconds = elapsed()
        let isEnough = result.first.count >= fewest && result.starts.count >= min(pairs, fewestPairs)
        isOver = rounds.map { result.first.count >= $0 } ?? (isEnough && result.seconds >= seconds)
        if isOver || pairs > 1 && (result.first.count >= most || rounds == nil && result.seconds - drawing >= share) {
          break
        }
        try draw(&arms, clock, &random, into: &result)
        result.sensors.readings.append(sensor.read())
        if isDone(result) {
          isOver = true
          break
        }
      }
    }
    result.seconds = elapsed()
    return result
  }

  private static func draw(
    _ arms: inout [Arm], _ clock: any BenchClock, _ random: inout SplitMix64, into result: inout PairedRounds
  ) throws(BenchError) {
    let isTurned = random.below(2) == 1
    var samples: [RoundSample?] = [nil, nil]
    for index in isTurned ? [1, 0] : [0, 1] { samples[index] = try arms[index].sample(clock) }
    guard let first = samples[0], let second = samples[1] else { return }
    result.first.append(first)
    result.second.append(second)
    result.isTurned.append(isTurned)
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
