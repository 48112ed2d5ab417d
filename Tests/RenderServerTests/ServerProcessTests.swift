import Commit
import Diagnostics
import Foundation
import Geometry
import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

@Suite("portholed", .serialized)
struct ServerProcessTests {
  @Test("it says where it listens, ends with 0 on SIGTERM, and leaves no socket behind")
  func startsAndEnds() throws {
    let server = try RunningServer()
    #expect(server.path == server.folder + "/porthole/porthole-0")
    var status = stat()
    #expect(stat(server.folder + "/porthole", &status) == 0 && status.st_mode & 0o777 == 0o700)
    #expect(try server.connect().commit())
    #expect(server.end(SIGTERM) == 0)
    #expect(try FileManager.default.contentsOfDirectory(atPath: server.folder + "/porthole") == [])
  }

  @Test("a second SIGTERM ends it at once, with 1, while it still waits for a reader")
  func secondSignal() throws {
    let server = try RunningServer(environment: ["PORTHOLE_LOG": "server=info"])
    let client = try server.connect()
    let output = client.output(width: 1024, height: 1024)
    output.setRoot(layer: try client.layer())
    #expect(try client.commit())
    // A pipe that nobody reads and that does not hold a picture: the server drains until it gives up.
    let pipe = try PipeEnds()
    let ear = TestClient.CaptureEar()
    let capture = output.captureToFile(fd: pipe.writer.descriptor, format: .raw, count: 1)
    capture.handler = ear
    try client.turn { ear.size != nil }
    server.signal(SIGTERM)
    #expect(server.says("draining"))
    #expect(server.end(SIGTERM) == 1)
  }

  @Test("a second server is refused while the first runs, and welcome after it was killed")
  func lock() throws {
    let first = try RunningServer()
    #expect(throws: RunningServer.Failure(code: 4)) { try RunningServer(folder: first.folder) }
    #expect(try first.connect().commit())
    _ = first.end(SIGKILL)
    #expect(FileManager.default.fileExists(atPath: first.folder + "/porthole/porthole-0"))
    let second = try RunningServer(folder: first.folder)
    #expect(try second.connect().commit())
    #expect(second.end(SIGINT) == 0)
  }

  @Test("it tells the service manager that it is ready")
  func notifies() throws {
    let folder = try RunningServer.makeFolder()
    let socket = FileDescriptor(adopting: socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue), 0))
    #expect(UnixAddress(folder + "/notify").bind(socket.rawValue))
    let server = try RunningServer(folder: folder, environment: ["NOTIFY_SOCKET": folder + "/notify"])
    var buffer = [UInt8](repeating: 0, count: 512)
    let count = recv(socket.rawValue, &buffer, buffer.count, Int32(MSG_DONTWAIT))
    #expect(String(decoding: buffer.prefix(max(0, count)), as: UTF8.self).hasPrefix("READY=1\n"))
    #expect(server.end(SIGTERM) == 0)
  }

  @Test("arguments that make no sense end it with 64, a display that there is not with 3")
  func badArguments() throws {
    #expect(try RunningServer.exitCode(["--what"]) == 64)
    #expect(try RunningServer.exitCode(["--limits", "layers=x"]) == 64)
    #expect(try RunningServer.exitCode(["--help"]) == 0)
    #expect(try RunningServer.exitCode(["--version"]) == 0)
    #expect(try RunningServer.exitCode(["--socket", "/nowhere/at/all", "--display", "surfaceless"]) == 1)
  }

  /// How many connections are killed; `make kills` kills more.
  private static let kills = ProcessInfo.processInfo.environment["KILLS"].flatMap { Int($0) }

  @Test("after connections that were killed anywhere, layers, descriptors, threads and memory are where they were")
  func kills() throws {
    let server = try RunningServer()
    let observer = try server.connect()
    // Once, so that what is made at the first use is there.
    try DoomedClients(seed: 0).run(on: server, connections: 12)
    let before = try server.census(observer)
    let third = try TimedClient(try server.connect())
    // What the allocators of the system and of GL keep once they had it is no leak: it is there after the first round.
    try DoomedClients(seed: 5).run(on: server, connections: Self.kills ?? 12) { try third.go() }
    let kilobytes = server.residentKilobytes
    // A fast machine is through with them before the client has had many frames: then there are more of them.
    var seed: UInt64 = 7
    while seed < 27, seed == 7 || third.delays.count <= 10 {
      try DoomedClients(seed: seed).run(on: server, connections: Self.kills ?? 200) { try third.go() }
      seed += 1
    }
    third.end()
    let after = try server.census(observer)
    #expect(after == before, "\(server.descriptors)")
    #expect(after.layers == 0 && after.clients == 1)
    #expect(third.delays.count > 10)
    let growth = server.residentKilobytes - kilobytes
    print(
      "the third client's frames came at most \(third.longestDelay) ms after their commits; \(growth) kB more memory")
    if Self.kills != nil {
      // On a machine that does nothing else: in the frame that was next, or in the one after it.
      #expect(third.longestDelay < 2 * 1000 / 60)
      // What each connection leaves behind would be more.
      #expect(growth < 8192)
    }
    #expect(try observer.commit())
    #expect(server.end(SIGTERM) == 0)
  }
}
