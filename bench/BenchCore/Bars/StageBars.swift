import Diagnostics
import Geometry

/// The bars of the CPU's stages, of memory and of allocations.
struct StageBars {
  let isShort: Bool
  let allocations: (any AllocationCount)?

  func bars() throws(BenchError) -> [Bar] {
    var bars: [Bar] = []
    let unchanged = try stages(10_000, moving: 1)
    bars.append(
      Bar(
        "apply + animate + resolve + plan, per unchanged portal", unchanged.sum / 10_000 / 1000, limit: 0.1, unit: "µs",
        note: "one of 10,000 moves; \(words(unchanged, 10_000))"))
    let moved = try stages(10_000, moving: 10_000)
    bars.append(
      Bar(
        "apply + animate + resolve + plan, per moved portal", moved.sum / 10_000 / 1000, limit: 0.6, unit: "µs",
        note: "all of 10,000 move; \(words(moved, 10_000))"))
    bars.append(Bar("10,000 moving portals, all CPU stages but GL", moved.sum / 1e6, limit: 6, unit: "ms"))
    if isShort {
      var bar = Bar("100,000 moving portals over 10 times 10,000", nil, limit: 1.25, note: "not in a short run")
      bar.isLeftOut = true
      bars.append(bar)
    } else {
      let many = try stages(100_000, moving: 100_000, frames: 7)
      bars.append(
        Bar(
          "100,000 moving portals over 10 times 10,000", many.sum / 10 / moved.sum, limit: 1.25,
          note: "\(NumberText.significant(many.sum / 1e6, 3)) ms"))
    }
    bars += try heap()
    return bars
  }

  private func words(_ times: StageRig.Times, _ count: Double) -> String {
    func part(_ value: Double) -> String { NumberText.significant(value / count, 2) }
    return "apply \(part(times.apply)), resolve \(part(times.resolve)), plan \(part(times.plan)) ns"
  }

  /// The frame in the middle of several.
  private func stages(_ count: Int, moving: Int, frames: Int = 21) throws(BenchError) -> StageRig.Times {
    var rig = try StageRig(portals: count)
    var times: [StageRig.Times] = []
    for frame in 0..<(frames + 3) {
      let commit = rig.nextCommit(moving: moving)
      let took = try rig.draw(commit) { ProcessClock.threadCPUNanoseconds }
      if frame >= 3 { times.append(took) }
    }
    times.sort { $0.sum < $1.sum }
    return times[times.count / 2]
  }

  private func heap() throws(BenchError) -> [Bar] {
    let count = 4096
    guard let allocations else {
      return [
        Bar("heap allocations of a steady frame", nil, limit: 0, unit: "", note: "this program does not count them"),
        Bar("memory of a portal, CPU", nil, limit: 400, unit: "B", note: "this program does not count it"),
      ]
    }
    var bars: [Bar] = []
    let before = allocations.bytesInUse
    var rig = try StageRig(portals: count)
    for moving in [("one of 4,096 portals moves", 1), ("all of 4,096 portals move", count)] {
      for _ in 0..<8 { _ = try rig.draw(rig.nextCommit(moving: moving.1)) { 0 } }
      var counts: [Int] = []
      for _ in 0..<5 {
        let commit = rig.nextCommit(moving: moving.1)
        var failure: BenchError?
        counts.append(
          allocations.allocations {
            do throws(BenchError) { _ = try rig.draw(commit) { 0 } } catch { failure = error }
          })
        if let failure { throw failure }
      }
      bars.append(
        Bar(
          "heap allocations of a steady frame: \(moving.0)", Double(counts.sorted()[2]), limit: 0, unit: "",
          note: "apply to plan; frames \(counts)"))
    }
    let bytes = Double(allocations.bytesInUse - before) / Double(count)
    bars.append(
      Bar("memory of a portal, CPU", bytes, limit: 400, unit: "B", note: "tree, snapshot and planner with \(count)"))
    return bars
  }
}
