/// A workload timed once, by the GPU's timers and by the wall clock, in nanoseconds.
struct TimerReading {
  var units: Int
  var elapsed: UInt64
  /// Nil where the driver keeps no moments.
  var begin: UInt64?
  var end: UInt64?
  var wall: UInt64
  var isDisjoint: Bool

  /// Nil where the results do not come.
  static func take(_ units: Int, from driver: any TimerDriver) throws(BenchError) -> TimerReading? {
    let hasStamps = driver.stampBits > 0
    driver.finish()
    _ = driver.takeDisjoint()
    let beginning = driver.monotonicNanoseconds
    if hasStamps { driver.stamp(.begin) }
    driver.beginElapsed()
    do {
      // Not flushed within: a driver whose timer needs that would deceive elsewhere too.
      try driver.draw(units: units)
    } catch {
      driver.endElapsed()
      throw error
    }
    driver.endElapsed()
    if hasStamps { driver.stamp(.end) }
    driver.finish()
    let done = driver.monotonicNanoseconds
    let slots = hasStamps ? TimerSlot.allCases : [.elapsed]
    guard slots.allSatisfy({ comes($0, from: driver, since: done) }) else { return nil }
    let elapsed = driver.result(.elapsed)
    let begin = hasStamps ? driver.result(.begin) : nil
    let end = hasStamps ? driver.result(.end) : nil
    // Only now: reading it clears it, and it speaks of every result so far.
    return TimerReading(
      units: units, elapsed: elapsed, begin: begin, end: end, wall: done &- beginning,
      isDisjoint: driver.takeDisjoint())
  }

  /// Never waits in the driver, which may not come back.
  private static func comes(_ slot: TimerSlot, from driver: any TimerDriver, since done: UInt64) -> Bool {
    for poll in 0..<1_000_000 {
      if driver.isAvailable(slot) { return true }
      if poll > 1000, driver.monotonicNanoseconds &- done > 1_000_000_000 { return false }
    }
    return false
  }
}
