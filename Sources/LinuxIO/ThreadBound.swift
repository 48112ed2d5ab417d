/// A value that is made, used and released on one thread, held from anywhere. It lets a class that is shared keep a
/// `Device` or a renderer, which are not.
public final class ThreadBound<Value>: Sendable {
  public let thread: NamedThread
  private let slot = Slot()

  /// Unchecked, because `value` is only touched on the thread, and after its end only by the last owner.
  private final class Slot: @unchecked Sendable {
    var value: Value?
  }

  /// Makes the value on the thread.
  public init<Failure: Error>(
    on thread: NamedThread, make: @Sendable () throws(Failure) -> Value
  ) throws(Failure) {
    self.thread = thread
    let slot = slot
    try thread.run { () throws(Failure) in slot.value = try make() }
  }

  deinit { release() }

  /// Runs `body` with the value on the thread and waits for it.
  /// - Precondition: the value was not released and the thread not stopped.
  public func with<Success: Sendable, Failure: Error>(
    _ body: @Sendable (Value) throws(Failure) -> Success
  ) throws(Failure) -> Success {
    try thread.run { () throws(Failure) -> Success in
      guard let value = slot.value else { preconditionFailure("used after its release") }
      return try body(value)
    }
  }

  /// Has `body` run with the value on the thread, after what the thread was given before, and waits for nothing. It is not
  /// run where the value was released by then.
  /// - Returns: false where the thread was stopped.
  @discardableResult
  public func post(_ body: @escaping @Sendable (Value) -> Void) -> Bool {
    let slot = slot
    return thread.post {
      if let value = slot.value { body(value) }
    }
  }

  /// Releases the value on the thread, after `end` has seen it. A second call does nothing, nor does one after the
  /// thread's end, when the value goes with this object.
  public func release(_ end: @Sendable (Value) -> Void = { _ in }) {
    let slot = slot
    thread.runUnlessStopped {
      if let value = slot.value { end(value) }
      slot.value = nil
    }
  }
}
