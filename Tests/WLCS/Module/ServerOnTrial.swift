import CWLCS
import CWayland
import Commit
import Geometry
import LinuxIO
import RenderServer
import Synchronization

/// A render server on a thread of its own, for one test of the suite. What the suite wants of it is done on that thread while
/// the caller waits.
final class ServerOnTrial: Sendable {
  private let thread: NamedThread
  private let server: ThreadBound<RenderServer>
  private let isStopped = Atomic<Bool>(false)
  /// Which of the server's clients has which socket, by the suite's end of it.
  private let clients = Mutex<[Int32: RenderServer.Guest]>([:])
  private let place = Mutex<Point>(.zero)

  /// - Parameter isStrict: also where the suite itself breaks a rule.
  init(isStrict: Bool) throws {
    thread = try NamedThread(name: "server")
    var options = ServerOptions()
    var desk = DeskOptions(layout: .cascade)
    // The suite puts windows further out than a screen of 1280 × 720 reaches.
    desk.size = PixelSize(width: 1440, height: 1440)
    desk.rate = 240_000
    desk.toleratesEarlyBuffers = !isStrict
    options.desk = desk
    let wanted = options
    server = try ThreadBound(on: thread) { () throws(ServerError) in try RenderServer(wanted) }
  }

  deinit { stop() }

  func start() { turn() }

  /// One turn of the server's, and then the next, after what was asked for in between.
  private func turn() {
    server.post { [weak self] server in
      do { try server.runOnce(timeoutMilliseconds: 2) } catch { print("the server: \(error)") }
      guard let self, !isStopped.load(ordering: .acquiring) else { return }
      turn()
    }
  }

  func stop() {
    guard !isStopped.exchange(true, ordering: .acquiringAndReleasing) else { return }
    server.release { $0.close() }
    thread.stop()
  }

  /// A client's end of a new connection, which the suite closes.
  func connect() -> Int32 {
    do {
      let (near, far) = try FileDescriptor.socketPair().take { ($0.release(), $1.release()) }
      let guest = try server.with { server throws(ServerError) in
        try server.serveGuest(FileDescriptor(adopting: far))
      }
      clients.withLock { $0[near] = guest }
      return near
    } catch {
      print("no connection: \(error)")
      return -1
    }
  }

  /// Puts a window's corner on a place of the desk.
  func place(_ surface: OpaquePointer?, of display: OpaquePointer?, x: Int32, y: Int32) {
    guard let surface, let display else { return }
    let number = wl_proxy_get_id(surface)
    guard let guest = clients.withLock({ $0[wl_display_get_fd(display)] }) else { return }
    let corner = Point(Double(x), Double(y))
    if !server.with({ $0.place(surface: number, of: guest, at: corner) }) { print("there is no window \(number)") }
  }

  func movePointer(x: Int32, y: Int32, isRelative: Bool) {
    let (x, y) = (Double(x) / 256, Double(y) / 256)
    let target = place.withLock { place in
      place = isRelative ? Point(place.x + x, place.y + y) : Point(x, y)
      return place
    }
    server.with { $0.movePointer(to: target) }
  }

  func press(_ button: Int32, isDown: Bool) {
    server.with { $0.press(UInt32(clamping: button), isDown: isDown) }
  }

  /// Here the suite gives whole units, whatever its interface says.
  func touch(_ phase: RenderServer.TouchPhase, x: Int32, y: Int32) {
    server.with { $0.touch(phase, at: Point(Double(x), Double(y))) }
  }
}
