internal import CGLES

/// The GPU's own stopwatch, raw. What it says is not to be believed before it was proved on the driver in hand: a
/// software renderer that has only queued its work reports next to nothing unless the work was flushed first.
public final class TimerQuery {
  let name: GLuint
  private let graveyard: Graveyard

  init(name: GLuint, graveyard: Graveyard) {
    self.name = name
    self.graveyard = graveyard
    graveyard.enter(.query(name))
  }

  deinit { graveyard.bury(.query(name)) }
}

extension Device {
  /// Nil where the driver has no timers.
  public func makeTimerQuery() -> TimerQuery? {
    beginCall()
    defer { endCall() }
    guard capabilities.hasTimerQueries else { return nil }
    var name: GLuint = 0
    glGenQueries(1, &name)
    return TimerQuery(name: name, graveyard: graveyard)
  }

  /// Starts the clock. Only one may run at a time.
  public func begin(_ query: TimerQuery) {
    beginCall()
    defer { endCall() }
    glBeginQuery(GLenum(GL_TIME_ELAPSED_EXT), query.name)
  }

  /// Stops the clock that runs.
  public func endTimerQuery() {
    beginCall()
    defer { endCall() }
    glEndQuery(GLenum(GL_TIME_ELAPSED_EXT))
  }

  /// Notes the moment when the work so far is done; `nanoseconds(of:)` then gives a time of day of the GPU's.
  public func recordTimestamp(_ query: TimerQuery) {
    beginCall()
    defer { endCall() }
    procedures.queryCounter?(query.name, GLenum(GL_TIMESTAMP_EXT))
  }

  /// Whether the GPU has got as far as the query's end. Never waits.
  public func isAvailable(_ query: TimerQuery) -> Bool {
    beginCall()
    defer { endCall() }
    var value: GLuint = 0
    glGetQueryObjectuiv(query.name, GLenum(GL_QUERY_RESULT_AVAILABLE), &value)
    return value != 0
  }

  /// What the query says, in nanoseconds, wrapped at the counter's bits. Waits for the GPU.
  public func nanoseconds(of query: TimerQuery) -> UInt64 {
    beginCall()
    defer { endCall() }
    var value: GLuint64 = 0
    procedures.getQueryObject64?(query.name, GLenum(GL_QUERY_RESULT), &value)
    return value
  }

  /// Whether something (a change of clock, a loss) made the queries since the last call worthless.
  public func takeTimerDisjoint() -> Bool {
    beginCall()
    defer { endCall() }
    guard capabilities.hasTimerQueries else { return false }
    var value: GLint = 0
    glGetIntegerv(GLenum(GL_GPU_DISJOINT_EXT), &value)
    return value != 0
  }
}
