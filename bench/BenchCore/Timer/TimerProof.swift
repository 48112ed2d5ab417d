/// Finds out whether a GPU timer can be believed: one, four and sixteen times the same work, timed by it and by the wall
/// clock, several times over. One frame is not enough: there are drivers whose first answer alone is right.
public struct TimerProof {
  private static let units = [1, 4, 16]
  private static let repetitions = 5
  /// Of each size, so many readings must be left after those that the driver calls worthless are dropped.
  private static let fewestReadings = 3
  /// The least that a driver with this extension has to count with.
  private static let fewestBits = 30

  private let driver: any TimerDriver

  private init(_ driver: any TimerDriver) { self.driver = driver }

  /// Throws where the workload can't be drawn.
  public static func verdict(on driver: any TimerDriver) throws(BenchError) -> TimerVerdict {
    guard driver.elapsedBits > 0 else {
      return TimerVerdict(isPresent: false, isValid: false, reason: "the driver has no GPU timer")
    }
    guard driver.elapsedBits >= fewestBits else {
      return .refused(
        .wrap, bits: driver.elapsedBits, "the timer counts with \(driver.elapsedBits) bits (30 are needed)")
    }
    var verdict = try TimerProof(driver).verdict()
    verdict.bits = driver.elapsedBits
    return verdict
  }

  private func verdict() throws(BenchError) -> TimerVerdict {
    // What is compiled and laid out at first use is not part of it.
    guard try TimerReading.take(16, from: driver) != nil else { return Self.pending }
    var readings: [TimerReading] = []
    for _ in 0..<Self.repetitions {
      for units in Self.units {
        guard let reading = try TimerReading.take(units, from: driver) else { return Self.pending }
        readings.append(reading)
      }
    }
    let kept = readings.filter { !$0.isDisjoint }
    var verdict = judged(kept)
    verdict.disjointReadings = readings.count - kept.count
    return verdict
  }

  private static var pending: TimerVerdict {
    .refused(.pending, "the timer's results did not come within a second of the work's end")
  }

  private func judged(_ readings: [TimerReading]) -> TimerVerdict {
    for units in Self.units where readings.count(where: { $0.units == units }) < Self.fewestReadings {
      return .refused(.disjoint, "the driver called most of its results worthless (GPU_DISJOINT)")
    }
    if let refusal = elapsedRefusal(readings) ?? stampRefusal(readings) { return refusal }
    let gpu = Self.units.map { units in median(readings, units) { Double($0.elapsed) } }
    let wall = Self.units.map { units in median(readings, units) { Double($0.wall) } }
    return Self.judging(gpu: gpu, wall: wall)
  }

  private func median(_ readings: [TimerReading], _ units: Int, _ value: (TimerReading) -> Double) -> Double {
    Quantile.median(readings.filter { $0.units == units }.map(value)) ?? 0
  }

  private func elapsedRefusal(_ readings: [TimerReading]) -> TimerVerdict? {
    if readings.contains(where: { $0.elapsed == 0 }) { return .refused(.zero, "the timer gave no time for work") }
    if readings.contains(where: { $0.elapsed > UInt64.max / 2 }) {
      return .refused(.negative, "the timer gave a negative time")
    }
    if Set(readings.map(\.elapsed)).count == 1 {
      return .refused(.constant, "the timer gave one and the same time for 1, 4 and 16 times the work")
    }
    return nil
  }

  /// Of the moments, which must come one after the other over all readings.
  private func stampRefusal(_ readings: [TimerReading]) -> TimerVerdict? {
    let stamps = readings.flatMap { [$0.begin, $0.end].compactMap(\.self) }
    if stamps.contains(0) { return .refused(.zero, "the timer gave a moment of zero") }
    for (before, after) in zip(stamps, stamps.dropFirst()) {
      if before == after { return .refused(.duplicate, "the timer gave one moment twice, with work between") }
      guard TimerCounter.distance(from: before, to: after, bits: driver.stampBits) == nil else { continue }
      // A counter that began anew went from its top to its bottom; any other step back is out of order.
      let isWrap = before > 3 << 30 && before < 1 << 32 && after < 1 << 30
      return isWrap
        ? .refused(.wrap, "the timer began anew after 32 bits, but claims \(driver.stampBits)")
        : .refused(.unordered, "the timer gave a later moment before an earlier one")
    }
    return nil
  }

  /// Judges 1, 4 and 16 times a work, timed by the GPU's timer and by the wall, in nanoseconds.
  public static func judging(gpu: [Double], wall: [Double]) -> TimerVerdict {
    guard gpu.count == 3, wall.count == 3, (gpu + wall).allSatisfy({ $0 > 0 && $0.isFinite }) else {
      return .refused(.zero, "the timer gave no positive time")
    }
    let (four, sixteen) = (gpu[1] / gpu[0], gpu[2] / gpu[0])
    // What a wait adds to both walls is in neither difference.
    let rate = wall[2] > wall[1] ? (gpu[2] - gpu[1]) / (wall[2] - wall[1]) : 0
    var verdict = TimerVerdict(
      isPresent: true, isValid: false, ratio: four, ratioOf16: sixteen, rate: rate, reason: "")
    func text(_ value: Double) -> String { NumberText.significant(value, 3) }
    if let hertz = refreshRate(of: gpu) {
      verdict.fault = .vsync
      verdict.reason = "all of its times are whole refreshes of \(text(hertz)) Hz"
    } else if gpu[2] < wall[2] / 10 {
      verdict.fault = .unflushed
      verdict.reason =
        "the timer gave only \(text(gpu[2] / wall[2] * 100)) % of the wall time: it does not wait for queued work"
    } else if four < 3 || four > 5 {
      verdict.fault = .proportion
      verdict.reason = "four times the work took \(text(four)) times as long by the timer (3 to 5 is believed)"
    } else if sixteen < 12 || sixteen > 20 {
      verdict.fault = .proportion
      verdict.reason = "sixteen times the work took \(text(sixteen)) times as long by the timer (12 to 20 is believed)"
    } else if rate < 0.75 || rate > 1.25 {
      verdict.fault = .rate
      verdict.reason = "the timer runs \(text(rate)) times as fast as the processor's clock (0.75 to 1.25 is believed)"
    } else {
      verdict.isValid = true
      verdict.reason =
        "4 and 16 times the work took \(text(four)) and \(text(sixteen)) times as long, at \(text(rate)) of the "
        + "clock's rate"
    }
    return verdict
  }

  /// Of a screen whose refreshes all times are whole multiples of; nil for none.
  private static func refreshRate(of times: [Double]) -> Double? {
    [60.0, 72, 75, 90, 120, 144, 165, 240].first { hertz in
      times.allSatisfy { time in
        let refreshes = time / 1e9 * hertz
        return refreshes > 0.9 && (refreshes - refreshes.rounded()).magnitude < 0.005 * refreshes.rounded()
      } && times[1] / times[0] < 3.5
    }
  }
}
