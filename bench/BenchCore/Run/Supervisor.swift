/// Has a run made by a process of its own: a driver that crashes or hangs costs the cell that it was drawing, and nothing
/// else. The process says which cell it is at; where it ends badly, or says nothing for too long, it is started anew
/// without that cell, which the result has as crashed.
package final class Supervisor {
  /// Begins a line that says where the process is.
  package static let mark = "\u{1}at "
  /// A process that was lost so often is not started again.
  static let mostLosses = 3

  private let program: String
  private let arguments: [String]
  private let watchdogSeconds: Double
  private let secondsLeft: () -> Double
  private let forward: (String) -> Void
  private let stop: () -> Int32?
  /// Where the process was lost, and how.
  package private(set) var lost: [(place: String, reason: String)] = []

  /// - Parameters:
  ///   - arguments: without what this adds: `--supervised`, `--budget` and, for each loss, `--lost PLACE=REASON`.
  ///   - secondsLeft: for the process that is about to be started.
  ///   - forward: takes the lines that are not for the supervisor.
  ///   - stop: the signal that this process got and that is to be handed on.
  package init(
    program: String, arguments: [String], watchdogSeconds: Double, secondsLeft: @escaping () -> Double,
    forward: @escaping (String) -> Void, stop: @escaping () -> Int32?
  ) {
    (self.program, self.arguments, self.watchdogSeconds) = (program, arguments, watchdogSeconds)
    (self.secondsLeft, self.forward, self.stop) = (secondsLeft, forward, stop)
  }

  /// The exit code of the process that ended well. Throws where none does.
  package func run() throws(BenchError) -> Int32 {
    while true {
      var words = arguments + ["--supervised", "--budget", NumberText.shortest(max(1, secondsLeft()))]
      for loss in lost { words += ["--lost", "\(loss.place)=\(loss.reason)"] }
      let child = try ChildProcess(program, words, hasOwnGroup: true)
      var place: String?
      let end = follow(child, &place)
      if case .exit(let code) = end.how { return code }
      let reason = end.isHung ? "drew nothing for \(NumberText.significant(watchdogSeconds, 3)) s" : Self.text(end.how)
      guard let place, lost.count < Self.mostLosses, !lost.contains(where: { $0.place == place }) else {
        throw BenchError(
          .crashed, "the measuring process \(reason)\(place.map { " at \($0)" } ?? ""), and is given up.")
      }
      lost.append((place, "the measuring process \(reason)"))
    }
  }

  private static func text(_ end: ChildProcess.End) -> String {
    switch end {
    case .exit(let code): "ended with \(code)"
    case .signal(let number): "ended by \(StopSignal.name(number))"
    }
  }

  private func follow(_ child: ChildProcess, _ place: inout String?) -> (how: ChildProcess.End, isHung: Bool) {
    var silence = 0.0
    var isAsked = false
    let step = 0.25
    while true {
      switch child.readLine(within: step) {
      case .text(let line):
        silence = 0
        if line.hasPrefix(Self.mark) { place = String(line.dropFirst(Self.mark.count)) } else { forward(line) }
      case .end: return (child.end(), false)
      case .timeout:
        silence += step
        if silence >= watchdogSeconds {
          child.kill()
          return (child.end(), true)
        }
      }
      if !isAsked, let number = stop() {
        isAsked = true
        child.ask(number)
      }
    }
  }
}
