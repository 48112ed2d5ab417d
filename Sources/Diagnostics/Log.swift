/// The log: lines of text for a person, filtered by `PORTHOLE_LOG` and written to standard error.
public enum Log {
  /// How much a message matters; the gravest first.
  public enum Level: Int, Sendable, Comparable, CaseIterable {
    /// A bug of ours.
    case error
    /// The world is not as it should be, and something was left out because of it.
    case warning
    /// What a user wants to know once.
    case info
    /// What a developer wants to know.
    case debug
    /// Every step.
    case trace

    public static func < (a: Level, b: Level) -> Bool { a.rawValue < b.rawValue }

    public var name: String {
      switch self {
      case .error: "error"
      case .warning: "warning"
      case .info: "info"
      case .debug: "debug"
      case .trace: "trace"
      }
    }

    /// Nil for a word that names no level.
    public init?(name: some StringProtocol) {
      guard let level = Level.allCases.first(where: { $0.name == name }) else { return nil }
      self = level
    }
  }

  /// One message on its way to the sink.
  public struct Entry: Sendable {
    public let level: Level
    /// The target that speaks, in small letters, such as `gles`.
    public let category: String
    public let message: String
    /// From `ProcessClock.monotonicNanoseconds`.
    public let nanoseconds: UInt64
  }

  /// Where messages go. Called on the thread that logs.
  public typealias Sink = @Sendable (Entry) -> Void

  private struct State {
    var filter: LogFilter
    var sink: Sink
  }

  private static let state = Guarded(
    State(filter: LogFilter(Environment.current.log ?? ""), sink: { StandardErrorSink.write($0) }))

  /// Puts another sink and, where given, another filter in place; gives back what was there.
  @discardableResult
  public static func replace(sink: @escaping Sink, filter: LogFilter? = nil) -> (sink: Sink, filter: LogFilter) {
    state.withLock { state in
      let old = (state.sink, state.filter)
      state.sink = sink
      if let filter { state.filter = filter }
      return old
    }
  }

  public static func error(_ category: StaticString, _ message: @autoclosure () -> String) {
    write(.error, category, message)
  }

  public static func warning(_ category: StaticString, _ message: @autoclosure () -> String) {
    write(.warning, category, message)
  }

  public static func info(_ category: StaticString, _ message: @autoclosure () -> String) {
    write(.info, category, message)
  }

  public static func debug(_ category: StaticString, _ message: @autoclosure () -> String) {
    write(.debug, category, message)
  }

  /// Compiled to nothing unless `TRACE_LOG` is defined.
  @inlinable
  public static func trace(_ category: StaticString, _ message: @autoclosure () -> String) {
    #if TRACE_LOG
      write(.trace, category, message)
    #endif
  }

  @usableFromInline
  static func write(_ level: Level, _ category: StaticString, _ message: () -> String) {
    let category = category.description
    let sink = state.withLock { $0.filter.allows(level, category: category) ? $0.sink : nil }
    guard let sink else { return }
    sink(
      Entry(
        level: level, category: category, message: message(), nanoseconds: ProcessClock.monotonicNanoseconds))
  }
}
