import LinuxIO
import Synchronization
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// The server's end of a connection, on a thread of its own: offers `wl_compositor`, counts what is added to regions, and
/// ends whoever subtracts.
final class PumpedServer: Sendable {
  private final class Compositor: WlCompositor.RequestHandler, WlRegion.RequestHandler {
    let heard: Counter
    init(_ heard: Counter) { self.heard = heard }

    func createSurface(_ resource: Resource<WlCompositor>, id: consuming NewID<WlSurface>) throws(ProtocolViolation) {
      throw .noMemory
    }
    func createRegion(_ resource: Resource<WlCompositor>, id: consuming NewID<WlRegion>) throws(ProtocolViolation) {
      try id.create(self)
    }
    func add(_ resource: Resource<WlRegion>, x: Int32, y: Int32, width: Int32, height: Int32) { heard.add() }
    func subtract(
      _ resource: Resource<WlRegion>, x: Int32, y: Int32, width: Int32, height: Int32
    ) throws(ProtocolViolation) { throw ProtocolViolation(WlDisplay.ErrorCode.invalidMethod, "nobody may subtract") }
  }

  private final class Counter: Sendable {
    private let count = Atomic(0)
    func add() { count.add(1, ordering: .relaxed) }
    var value: Int { count.load(ordering: .relaxed) }
  }

  private let thread: NamedThread
  private let display: ThreadBound<ServerDisplay>
  private let isOver = Atomic(false)
  private let counter = Counter()

  var heard: Int { counter.value }

  init() throws {
    thread = try NamedThread(name: "server")
    let compositor = counter
    display = try ThreadBound(on: thread) {
      let display = try ServerDisplay()
      try display.offer(WlCompositor.self) { (id) throws(ProtocolViolation) in try id.create(Compositor(compositor)) }
      return display
    }
  }

  deinit { stop() }

  /// The client's end of a connection that is served.
  func connect() throws -> FileDescriptor {
    let pair = try FileDescriptor.socketPair()
    return try pair.take { (near, far) in
      let number = far.release()
      try display.with { _ = try $0.serve(FileDescriptor(adopting: number)) }
      return near
    }
  }

  /// Serves from now on.
  func start() {
    display.post { [self] display in
      while !isOver.load(ordering: .acquiring) {
        var entry = pollfd(fd: display.pollDescriptor, events: Int16(POLLIN), revents: 0)
        _ = poll(&entry, 1, 5)
        display.dispatch()
        display.flush()
      }
    }
  }

  func stop() {
    isOver.store(true, ordering: .releasing)
    display.release { $0.close() }
    thread.stop()
  }
}
