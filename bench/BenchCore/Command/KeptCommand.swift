import Foundation

extension BenchTool {
  /// Has the command of this process done by another that this one looks after, so that a driver that crashes or hangs costs
  /// the place that it was at and nothing else. Nil where this process is that other one, or none of the benchmark's.
  /// - Parameters:
  ///   - budgetSeconds: of the whole command; what is left of it is told to each process that is started.
  ///   - watchdogSeconds: a process that says nothing for so long is given up.
  func kept(
    _ watch: Watch, budgetSeconds: Double, watchdogSeconds: Double, colorOn descriptor: Int32? = nil
  ) throws(BenchError) -> Int32? {
    guard !watch.isKept, let program = TimerChild.program else { return nil }
    let clock = SystemClock()
    let begin = clock.monotonicNanoseconds
    var words = arguments
    if let descriptor, Self.hasColorTerminal(descriptor) { words.append("--color") }
    StopSignal.listen()
    let supervisor = Supervisor(
      program: program, arguments: words, watchdogSeconds: watchdogSeconds,
      secondsLeft: { budgetSeconds - Double(clock.monotonicNanoseconds - begin) / 1e9 },
      forward: { FileHandle.standardOutput.write(Data(($0 + "\n").utf8)) }, stop: { StopSignal.number })
    return try supervisor.run()
  }

  /// What a command may need besides its budget without a word: slow machines, cold shaders, pictures.
  static let silenceSeconds = 120.0

  /// What the user asked for, without what a supervisor added.
  var asked: [String] { Array(arguments.prefix { word in word != "--supervised" && word != "--color" }) }
}
