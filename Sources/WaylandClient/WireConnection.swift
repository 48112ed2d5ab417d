import Diagnostics
import LinuxIO
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// A client's connection, with what libwayland leaves to its user: globals, deadlines, and a socket that is full.
///
/// It belongs to one thread, and never waits longer than its patience. Once it has failed, everything sent goes nowhere
/// and every wait throws the same error.
public final class WireConnection {
  public let client: ClientConnection
  /// How long the server may take to answer or to read, in seconds.
  public var patience: Double
  public private(set) var failure: WireError?
  /// Bytes given to libwayland since all of them were last sent.
  private var unsentBytes = 0
  private var isClosed = false
  private let registry: Proxy<WlRegistry>
  private let globals = Globals()

  /// What libwayland holds before it has to send; a socket that is full then is the end of a connection.
  private static let bufferSize = 4096

  /// The server's globals: by interface, the number to bind it by and the version offered.
  private final class Globals: WlRegistry.EventHandler {
    var offered: [String: (name: UInt32, version: UInt32)] = [:]

    func global(_ proxy: Proxy<WlRegistry>, name: UInt32, interface: String, version: UInt32) {
      if offered[interface] == nil { offered[interface] = (name, version) }
    }

    func globalRemove(_ proxy: Proxy<WlRegistry>, name: UInt32) {
      offered = offered.filter { $0.value.name != name }
    }
  }

  /// Notes that a callback came.
  private final class Arrival: WlCallback.EventHandler {
    var hasCome = false

    func done(_ proxy: Proxy<WlCallback>, callbackData: UInt32) { hasCome = true }
  }

  /// Connects and learns what the server offers.
  public convenience init(_ address: ServerAddress, patience: Double = 5) throws(WireError) {
    try self.init(adopting: try address.connect(), patience: patience)
  }

  /// Takes over a connected socket and learns what the server offers.
  public init(adopting socket: consuming FileDescriptor, patience: Double = 5) throws(WireError) {
    ClientLog.install()
    self.patience = patience
    do { client = try ClientConnection(adopting: socket) } catch { throw WireError(error) }
    registry = client.display.getRegistry()
    registry.handler = globals
    try roundtrip()
  }

  /// Makes the object of a global, of the newest version that both ends know.
  /// - Throws: `missing` where the server's is older than `minimumVersion`.
  public func bind<I: WaylandInterface>(_: I.Type, minimumVersion: UInt32 = 1) throws(WireError) -> Proxy<I> {
    guard let (name, version) = globals.offered[I.name], version >= minimumVersion else {
      throw .missing(interface: I.name, version: minimumVersion)
    }
    try makeRoom(64 + I.name.utf8.count)
    return registry.bind(name: name, id: I.self, version: min(version, I.version))
  }

  /// Whether the server offers a global at all.
  public func offers<I: WaylandInterface>(_: I.Type) -> Bool { globals.offered[I.name] != nil }

  // MARK: Sending

  /// Called before a request of no more than so many bytes: where libwayland's buffer could overflow, sends what it holds,
  /// and waits for a server that is slow to read.
  public func makeRoom(_ byteCount: Int = 64) throws(WireError) {
    unsentBytes += byteCount
    guard unsentBytes > Self.bufferSize else { return }
    try flush()
    unsentBytes = byteCount
  }

  /// Sends everything.
  public func flush() throws(WireError) {
    try check()
    let deadline = self.deadline
    while true {
      do {
        if try client.flush() { break }
      } catch {
        throw fail(WireError(latest(error)))
      }
      // Nobody reads any more: what the server said last says why, where it said something.
      if try pause(Int16(POLLOUT), until: deadline) {
        try read()
        throw fail(.lost(SystemCallError(call: "sendmsg", errno: EPIPE)))
      }
    }
    unsentBytes = 0
  }

  // MARK: Hearing

  /// Calls handlers for what has come, without waiting.
  public func read() throws(WireError) {
    try check()
    do { try client.read() } catch { throw fail(WireError(error)) }
  }

  /// Sends everything, then waits and calls handlers until `isDone`.
  /// - Throws: `timedOut` when that takes longer than the patience; the connection lives on then.
  public func wait(_ isDone: () -> Bool) throws(WireError) {
    try flush()
    let deadline = self.deadline
    while !isDone() {
      do {
        guard try client.dispatchPending() == 0 else { continue }
      } catch {
        throw fail(WireError(error))
      }
      try pause(Int16(POLLIN), until: deadline)
      try read()
      try flush()
    }
  }

  /// Waits until a time of the monotonic clock, in nanoseconds, and calls handlers meanwhile.
  public func rest(until time: UInt64) throws(WireError) {
    try flush()
    while ProcessClock.monotonicNanoseconds < time {
      do throws(WireError) {
        try pause(Int16(POLLIN), until: time)
      } catch {
        if case .timedOut = error { return }
        throw error
      }
      try read()
    }
  }

  /// Waits until the server has come to everything sent so far.
  public func roundtrip() throws(WireError) {
    try check()
    let (callback, arrival) = (client.display.sync(), Arrival())
    callback.handler = arrival
    try wait { arrival.hasCome }
    callback.abandon()
  }

  /// To wait for along with others, before `read`.
  public var pollDescriptor: Int32 { client.pollDescriptor }

  /// - Throws: why the connection is of no use any more.
  public func check() throws(WireError) {
    if let failure { throw failure }
  }

  /// Ends the connection for the server, and makes everything throw `closed` from now on. The descriptor itself goes with
  /// the last object.
  public func close() {
    guard !isClosed else { return }
    isClosed = true
    if failure == nil { _ = try? client.flush() }
    failure = .closed
    registry.handler = nil
    _ = shutdown(client.pollDescriptor, Int32(SHUT_RDWR))
  }

  /// What a failed send means: a server that ends a connection has said why before.
  private func latest(_ error: ConnectionError) -> ConnectionError {
    _ = try? client.read()
    return client.error ?? error
  }

  private func fail(_ error: WireError) -> WireError {
    if let failure { return failure }
    failure = error
    return error
  }

  private var deadline: UInt64 {
    ProcessClock.monotonicNanoseconds + UInt64(max(0, min(1e6, patience)) * 1e9)
  }

  /// - Returns: Whether the other end is gone.
  @discardableResult
  private func pause(_ events: Int16, until deadline: UInt64) throws(WireError) -> Bool {
    let now = ProcessClock.monotonicNanoseconds
    guard now < deadline else { throw .timedOut(seconds: patience) }
    var entry = pollfd(fd: client.pollDescriptor, events: events, revents: 0)
    let result = poll(&entry, 1, Int32(clamping: (deadline - now) / 1_000_000 + 1))
    if result < 0, errno != EINTR { throw fail(.lost(SystemCallError(call: "poll", errno: errno))) }
    return result > 0 && Int32(entry.revents) & (POLLHUP | POLLERR | POLLNVAL) != 0
  }
}
