import CLinux

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// One thread that waits for descriptors, timers and signals, and calls whoever asked for them.
///
/// It belongs to the thread that runs it; only `stopper` may be used from others. A handler may add and remove handlers,
/// itself too; one that was removed is not called any more, even for what had happened by then.
public final class EventLoop {
  /// Names a handler. Never used twice.
  public struct Token: Sendable, Hashable {
    let number: UInt64
  }

  /// What a descriptor is waited for, and what it is ready for.
  public struct Readiness: OptionSet, Sendable, Hashable {
    public let rawValue: UInt32
    public init(rawValue: UInt32) { self.rawValue = rawValue }

    public static let read = Readiness(rawValue: 1)
    public static let write = Readiness(rawValue: 2)
    /// The other end is gone, or there is an error to be read. Always reported, never asked for.
    public static let hangUp = Readiness(rawValue: 4)
  }

  private enum Source {
    case descriptor(Int32, (Readiness) -> Void)
    case timer(Timer, () -> Void)
    case signals(SignalSet, (Int32) -> Void)
  }

  private let epoll: FileDescriptor
  private let stopWaker: Waker
  private var sources: [UInt64: Source] = [:]
  private var nextNumber: UInt64 = 1
  private var isStopping = false
  private var events = [clinux_event](repeating: clinux_event(), count: 64)
  /// Called each time before the loop waits: for what is to be flushed once for many events.
  public var beforeWaiting: (() -> Void)?

  public init() throws(SystemCallError) {
    let epoll = FileDescriptor(adopting: clinux_epoll_create())
    guard epoll.isValid else { throw .last("epoll_create1") }
    self.epoll = epoll
    stopWaker = try Waker()
    try watch(stopWaker.pollDescriptor, for: .read) { [unowned self] _ in
      stopWaker.clear()
      isStopping = true
    }
  }

  // MARK: What is waited for

  /// Calls `handler` whenever the descriptor is ready. The descriptor has to stay open until the token is removed.
  @discardableResult
  public func watch(
    _ descriptor: Int32, for interest: Readiness, handler: @escaping (Readiness) -> Void
  ) throws(SystemCallError) -> Token {
    let token = try add(descriptor, interest)
    sources[token.number] = .descriptor(descriptor, handler)
    return token
  }

  /// Changes what a watched descriptor is waited for.
  public func change(_ token: Token, to interest: Readiness) throws(SystemCallError) {
    guard case .descriptor(let descriptor, _)? = sources[token.number] else { return }
    guard clinux_epoll_change(epoll.rawValue, descriptor, interest.rawValue, token.number) == 0 else {
      throw .last("epoll_ctl")
    }
  }

  /// Calls `handler` when the mailbox has messages; the handler takes them.
  @discardableResult
  public func watch<Message>(
    _ mailbox: Mailbox<Message>, handler: @escaping () -> Void
  ) throws(SystemCallError) -> Token {
    // The closure keeps the mailbox, and so its descriptor, until the token is removed.
    try watch(mailbox.pollDescriptor, for: .read) { _ in withExtendedLifetime(mailbox) { handler() } }
  }

  /// A timer that is not set yet.
  public func addTimer(handler: @escaping () -> Void) throws(SystemCallError) -> Token {
    let timer = try Timer()
    let token = try add(timer.pollDescriptor, .read)
    sources[token.number] = .timer(timer, handler)
    return token
  }

  /// Sets a timer to go off at a time of the monotonic clock, and then every `interval` nanoseconds, or once for 0. A time
  /// that has passed goes off at once; several times that passed since call the handler once.
  public func setTimer(
    _ token: Token, atNanoseconds time: UInt64, everyNanoseconds interval: UInt64 = 0
  ) throws(SystemCallError) {
    guard case .timer(let timer, _)? = sources[token.number] else { return }
    // Zero would mean never.
    try timer.set(at: max(1, time), interval: interval)
  }

  /// Takes the timer's time away; it can be set again.
  public func clearTimer(_ token: Token) throws(SystemCallError) {
    guard case .timer(let timer, _)? = sources[token.number] else { return }
    try timer.set(at: 0, interval: 0)
  }

  /// Calls `handler` for these signals instead of what they would do. Call it before other threads are started: they take
  /// over that the signals are blocked.
  @discardableResult
  public func watchSignals(
    _ signals: [Int32], handler: @escaping (Int32) -> Void
  ) throws(SystemCallError) -> Token {
    let set = try SignalSet(signals)
    let token = try add(set.pollDescriptor, .read)
    sources[token.number] = .signals(set, handler)
    return token
  }

  /// Forgets a handler; a token that was removed before does nothing.
  public func remove(_ token: Token) {
    let descriptor: Int32
    switch sources.removeValue(forKey: token.number) {
    case .descriptor(let watched, _)?: descriptor = watched
    case .timer(let timer, _)?: descriptor = timer.pollDescriptor
    case .signals(let set, _)?: descriptor = set.pollDescriptor
    case nil: return
    }
    _ = clinux_epoll_remove(epoll.rawValue, descriptor)
  }

  // MARK: Waiting

  /// Waits and calls handlers until `stop`.
  public func run() throws(SystemCallError) {
    while !isStopping { try runOnce() }
    isStopping = false
  }

  /// Waits for events once, no longer than the milliseconds given (-1: for ever), and calls their handlers.
  public func runOnce(timeoutMilliseconds: Int32 = -1) throws(SystemCallError) {
    beforeWaiting?()
    let count = clinux_epoll_wait(epoll.rawValue, &events, Int32(events.count), timeoutMilliseconds)
    guard count >= 0 else {
      let error = SystemCallError.last("epoll_wait")
      if error.errno == EINTR { return }
      throw error
    }
    for index in 0..<Int(count) { call(events[index]) }
  }

  /// Ends `run` after the handler in hand.
  public func stop() { isStopping = true }

  /// Ends `run` from any thread, by `wake`.
  public var stopper: Waker { stopWaker }

  private func call(_ event: clinux_event) {
    // A handler called before may have removed this one.
    switch sources[event.number] {
    case .descriptor(_, let handler)?: handler(Readiness(rawValue: event.readiness))
    case .timer(let timer, let handler)?:
      if timer.clear() { handler() }
    case .signals(let set, let handler)?:
      while let signal = set.next() { handler(signal) }
    case nil: break
    }
  }

  private func add(_ descriptor: Int32, _ interest: Readiness) throws(SystemCallError) -> Token {
    let number = nextNumber
    nextNumber += 1
    guard clinux_epoll_add(epoll.rawValue, descriptor, interest.rawValue, number) == 0 else {
      throw .last("epoll_ctl")
    }
    return Token(number: number)
  }
}
