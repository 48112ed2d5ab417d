/// What happens when, once each.
struct Timeline {
  private var events: [(time: Double, action: () -> Void)] = []
  private var next = 0

  mutating func at(_ time: Double, _ action: @escaping () -> Void) {
    events.append((time, action))
    events.sort { $0.time < $1.time }
  }

  /// Does what was to happen until `time` and has not yet.
  mutating func run(until time: Double) {
    while next < events.count, events[next].time <= time {
      next += 1
      events[next - 1].action()
    }
  }
}
