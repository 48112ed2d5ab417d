/// Whether exact counters are exact: the same on every repeat in one process, and in processes whose driver draws with other
/// numbers of threads (bar B5).
public struct CounterTrials {
  private let scenes: String
  private let repeats: Int
  /// Of llvmpipe's; other drivers do not ask.
  static let threads = ["0", "1", "2", "8"]

  public init(scenes: String, repeats: Int) { (self.scenes, self.repeats) = (scenes, repeats) }

  public func bars() throws(BenchError) -> [SelftestBar] {
    let ledger = try CounterLedger(scenes: scenes)
    let first = try ledger.lines()
    var same = 1
    while same < repeats, try ledger.lines() == first { same += 1 }
    var bars = [
      SelftestBar(
        "B5", "repeats that count the same", Double(same), in: .atLeast(Double(repeats)), unit: "",
        note: "of \(repeats); \(first.count) counters each")
    ]
    // Within a test's process there is no program to start anew.
    if let program = TimerChild.program {
      var equal = 0
      for count in Self.threads where try lines(of: program, threads: count) == first { equal += 1 }
      bars.append(
        SelftestBar(
          "B5", "numbers of the driver's threads that count the same", Double(equal),
          in: .atLeast(Double(Self.threads.count)), unit: "", note: "of \(Self.threads.joined(separator: ", "))"))
    }
    return bars
  }

  private func lines(of program: String, threads: String) throws(BenchError) -> [String] {
    let child = try ChildProcess(
      program, ["counters", "--scenes", scenes], variables: ["LP_NUM_THREADS": threads])
    child.closeInput()
    guard let lines = child.readAll(within: 300) else {
      throw BenchError(.renderer, "counting with \(threads) threads took longer than five minutes.")
    }
    return lines
  }
}
