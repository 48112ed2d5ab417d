/// `porthole-bench duel`: two builds as living processes that draw in turns, one at a time, started anew again and again: where
/// a start happens to lay things in memory is worth more than most changes, so starts are what is counted.
public struct DuelRun {
  public typealias Factory = (DuelRecord.Arm) throws(BenchError) -> any DuelWorker

  let options: DuelOptions
  private let clock: any BenchClock
  private let console: Console
  private let start: Factory
  private let limit: RunLimit

  /// - Parameter start: starts a side and returns when it is ready.
  public init(
    options: DuelOptions, clock: any BenchClock, console: Console, limit: RunLimit = RunLimit(),
    start: @escaping Factory
  ) {
    (self.options, self.clock, self.console, self.limit, self.start) = (options, clock, console, limit, start)
  }

  private var arms: [DuelRecord.Arm] { options.hasControl ? [.base, .head, .control] : [.base, .head] }

  /// - Parameter isDone: looks at what there is after each restart.
  public func run(isDone: (DuelRecord) -> Bool = { _ in false }) -> DuelRecord {
    var record = DuelRecord()
    var random = SplitMix64(seed: options.common.seed)
    let beginning = clock.monotonicNanoseconds
    while true {
      record.seconds = Double(clock.monotonicNanoseconds &- beginning) / 1e9
      let count = record.restarts.count
      if let wanted = options.restarts, count >= wanted { break }
      if options.restarts == nil, count >= DuelOptions.fewestRestarts, record.seconds >= options.seconds { break }
      if let reason = limit.reason(after: record.seconds) {
        record.failures.append("incomplete: \(reason)")
        break
      }
      // One side that does not start will not the next time either.
      if record.failures.count >= 3 { break }
      console.progress("duel: restart \(count + 1)")
      do throws(BenchError) {
        record.restarts.append(try restart(&record, random: &random))
      } catch {
        record.failures.append(error.description)
        continue
      }
      if isDone(record) { break }
    }
    console.progress(nil)
    record.seconds = Double(clock.monotonicNanoseconds &- beginning) / 1e9
    return record
  }

  private func restart(
    _ record: inout DuelRecord, random: inout SplitMix64
  ) throws(BenchError) -> DuelRecord.Restart {
    var workers: [DuelRecord.Arm: any DuelWorker] = [:]
    defer { for worker in workers.values { worker.end() } }
    var result = DuelRecord.Restart(cells: options.counts.count)
    result.starts = arms
    random.shuffle(&result.starts)
    for arm in result.starts {
      let worker = try start(arm)
      workers[arm] = worker
      if let known = record.identities[arm]?.program, let now = worker.identity.program, known != now {
        throw BenchError(.renderer, "the program of the \(arm.rawValue) became another in the middle of the duel.")
      }
      record.identities[arm] = worker.identity
    }
    if let base = record.identities[.base]?.program, let control = record.identities[.control]?.program, base != control
    {
      throw BenchError(.renderer, "the control is not the base's program.")
    }
    for _ in 0..<options.roundsPerRestart {
      var order = arms
      random.shuffle(&order)
      for cell in options.counts.indices {
        for arm in order {
          guard let worker = workers[arm] else { continue }
          result.rounds[cell][arm, default: []].append(try worker.sample(cell, frames: options.framesPerRound))
        }
      }
      result.orders.append(String(order.compactMap { $0.rawValue.first }))
    }
    return result
  }
}
