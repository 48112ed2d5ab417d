import Commit
import CommitCoding
import Diagnostics
import Geometry
import LinuxIO
import RenderServer
import WaylandProtocol

/// A server in this process and on this thread: it takes a turn whenever a client waits.
final class ServerFixture {
  let server: RenderServer

  init(limits: String = "", change: (inout ServerOptions) -> Void = { _ in }) throws {
    var options = ServerOptions()
    try options.limits.change(limits)
    change(&options)
    server = try RenderServer(options)
  }

  deinit { server.close() }

  /// The client's end of a new connection.
  func socket() throws -> FileDescriptor {
    let pair = try FileDescriptor.socketPair()
    var ends = pair.take { Ends(near: $0, far: $1) }
    try server.serve(ends.takeFar())
    return ends.takeNear()
  }

  func connect() throws -> TestClient {
    return try TestClient(socket()) { [server] in try server.runOnce(timeoutMilliseconds: 2) }
  }

  /// The server's turns until `isDone`. False where that takes more than ten seconds.
  @discardableResult
  func turn(until isDone: () throws -> Bool) throws -> Bool {
    let end = ProcessClock.monotonicNanoseconds + 10_000_000_000
    while ProcessClock.monotonicNanoseconds < end {
      if try isDone() { return true }
      try server.runOnce(timeoutMilliseconds: 2)
    }
    return try isDone()
  }

  func turns(_ count: Int = 4) throws {
    for _ in 0..<count { try server.runOnce(timeoutMilliseconds: 1) }
  }

  private struct Ends: ~Copyable {
    private var near: FileDescriptor
    private var far: FileDescriptor

    init(near: consuming FileDescriptor, far: consuming FileDescriptor) {
      self.near = near
      self.far = far
    }

    mutating func takeNear() -> FileDescriptor {
      var taken = FileDescriptor(adopting: -1)
      swap(&taken, &near)
      return taken
    }

    mutating func takeFar() -> FileDescriptor {
      var taken = FileDescriptor(adopting: -1)
      swap(&taken, &far)
      return taken
    }
  }
}
