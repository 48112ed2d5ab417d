import Synchronization

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A signal that asks this process to end. The first is noted, so that what was measured is written before the end; a
/// second ends the process as if nobody listened.
enum StopSignal {
  private static let caught = Atomic<Int32>(0)

  static func listen() {
    // Made now: nothing may be made for the first time within a handler.
    caught.store(0, ordering: .relaxed)
    // Whoever started this process may have blocked them, and it would have inherited that.
    var asked = sigset_t()
    sigemptyset(&asked)
    for number in [SIGTERM, SIGINT, SIGHUP] { sigaddset(&asked, number) }
    defer { pthread_sigmask(SIG_UNBLOCK, &asked, nil) }
    for number in [SIGTERM, SIGINT, SIGHUP] {
      signal(number) { number in
        StopSignal.caught.store(number, ordering: .relaxed)
        signal(number, SIG_DFL)
      }
    }
  }

  static var number: Int32? {
    let number = caught.load(ordering: .relaxed)
    return number == 0 ? nil : number
  }

  static func name(_ number: Int32) -> String {
    let names = [
      SIGHUP: "SIGHUP", SIGINT: "SIGINT", SIGTERM: "SIGTERM", SIGKILL: "SIGKILL", SIGSEGV: "SIGSEGV",
      SIGABRT: "SIGABRT",
      SIGBUS: "SIGBUS", SIGILL: "SIGILL", SIGFPE: "SIGFPE",
    ]
    return names[number] ?? "signal \(number)"
  }
}

/// What may end a run before it is done: a time, or somebody who asks for it.
public struct RunLimit {
  /// Seconds from the run's beginning.
  public var seconds: Double?
  /// Why the run is to end now; nil while nobody asks for it.
  public var request: () -> String?

  public init(seconds: Double? = nil, request: @escaping () -> String? = { nil }) {
    (self.seconds, self.request) = (seconds, request)
  }

  /// Of a command: its `--deadline`, and the signals of this process.
  static func ofProcess(_ deadline: Double?) -> RunLimit {
    StopSignal.listen()
    return RunLimit(seconds: deadline) { StopSignal.number.map { "ended by \(StopSignal.name($0))" } }
  }

  /// Why to end, `elapsed` seconds after the beginning.
  public func reason(after elapsed: Double) -> String? {
    if let asked = request() { return "\(asked) after \(NumberText.significant(elapsed, 3)) s" }
    guard let seconds, elapsed >= seconds else { return nil }
    return "the deadline of \(NumberText.shortest(seconds)) s came"
  }
}
