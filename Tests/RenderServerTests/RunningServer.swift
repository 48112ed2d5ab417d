import Commit
import Diagnostics
import Foundation
import Geometry
import LinuxIO
import RenderServer
import WaylandProtocol

/// An address of a socket in the file system.
struct UnixAddress {
  private var address = sockaddr_un()

  init(_ path: String) {
    address.sun_family = sa_family_t(AF_UNIX)
    let bytes = Array(path.utf8.prefix(107))
    withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
  }

  func bind(_ fd: Int32) -> Bool { use { Glibc.bind(fd, $0, $1) == 0 } }
  func connect(_ fd: Int32) -> Bool { use { Glibc.connect(fd, $0, $1) == 0 } }

  private func use(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Bool) -> Bool {
    withUnsafePointer(to: address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, socklen_t(MemoryLayout<sockaddr_un>.size)) }
    }
  }
}

/// `portholed` as it was built beside these tests, in a folder of its own.
final class RunningServer {
  struct Failure: Error, Equatable { var code: Int32 }

  let folder: String
  let path: String
  private let process: Process
  private let log = Pipe()

  init(folder: String? = nil, arguments: [String] = [], environment: [String: String] = [:]) throws {
    self.folder = try folder ?? Self.makeFolder()
    let ready = self.folder + "/ready"
    process = try Self.process(["--display", "surfaceless"])
    // The shell gives descriptor 9 its file, which a Process can't.
    let program = process.executableURL?.path ?? ""
    process.executableURL = URL(filePath: "/bin/sh")
    process.arguments = [
      "-c", "exec \(program) --display surfaceless \(arguments.joined(separator: " ")) --ready-fd 9 9>'\(ready)'",
    ]
    process.environment = ProcessInfo.processInfo.environment
      .merging(environment) { $1 }.merging(["XDG_RUNTIME_DIR": self.folder]) { $1 }
    process.standardError = log.fileHandleForWriting
    try process.run()
    let end = ProcessClock.monotonicNanoseconds + 20_000_000_000
    var path = ""
    while path.isEmpty, process.isRunning, ProcessClock.monotonicNanoseconds < end {
      usleep(5000)
      path = (try? String(contentsOfFile: ready, encoding: .utf8)) ?? ""
    }
    guard path.hasSuffix("\n") else {
      process.waitUntilExit()
      throw Failure(code: process.terminationStatus)
    }
    self.path = String(path.dropLast())
  }

  deinit {
    if process.isRunning { kill(process.processIdentifier, SIGKILL) }
  }

  static func makeFolder() throws -> String {
    var template = Array((NSTemporaryDirectory() + "/porthole.XXXXXX").utf8CString)
    guard let made = mkdtemp(&template) else { throw Failure(code: errno) }
    return String(cString: made)
  }

  static func exitCode(_ arguments: [String]) throws -> Int32 {
    let process = try process(arguments)
    process.standardError = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }

  private static func process(_ arguments: [String]) throws -> Process {
    let process = Process()
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(filePath: here).deletingLastPathComponent().appending(path: "portholed")
    process.arguments = arguments
    return process
  }

  func socket() throws -> FileDescriptor {
    let socket = FileDescriptor(adopting: Glibc.socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0))
    guard UnixAddress(path).connect(socket.rawValue) else { throw Failure(code: errno) }
    return socket
  }

  func connect() throws -> TestClient { try TestClient(try socket()) { usleep(500) } }

  /// Sends a signal, and gives what the process ends with.
  func end(_ signal: Int32) -> Int32 {
    kill(process.processIdentifier, signal)
    process.waitUntilExit()
    return process.terminationStatus
  }

  func signal(_ signal: Int32) { kill(process.processIdentifier, signal) }

  /// Reads its log until these words come; false at its end.
  func says(_ words: String) -> Bool {
    var text = ""
    while !text.contains(words) {
      let bytes = log.fileHandleForReading.availableData
      if bytes.isEmpty { return false }
      text += String(decoding: bytes, as: UTF8.self)
    }
    return true
  }

  // MARK: What it has

  /// What its descriptors lead to, for the message of a failure.
  var descriptors: [String] {
    let folder = "/proc/\(process.processIdentifier)/fd"
    return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted().map {
      "\($0): \((try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + $0)) ?? "?")"
    }
  }

  /// Memory that it has, shared libraries included.
  var residentKilobytes: Int {
    let text = (try? String(contentsOfFile: "/proc/\(process.processIdentifier)/statm", encoding: .utf8)) ?? ""
    let pages = text.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
    return pages * (Int(sysconf(Int32(_SC_PAGESIZE))) / 1024)
  }

  struct Census: Equatable {
    var layers = -1
    var portals = -1
    var clients = -1
    var outputs = -1
    var exports = -1
    var sharedBytes = -1
    var textureBytes = -1
    var descriptors = 0
    var threads = 0
  }

  /// As the observer and the system see it, once nothing changes any more.
  func census(_ observer: TestClient) throws -> Census {
    var last = Census()
    for _ in 0..<200 {
      let now = try count(observer)
      if now == last, now.clients == 1 { return now }
      last = now
      usleep(20_000)
    }
    return last
  }

  /// One of its numbers.
  func metric(_ name: String, _ observer: TestClient) throws -> Int { Self.value(name, in: try metrics(observer)) }

  private func metrics(_ observer: TestClient) throws -> String { try document(.metrics, observer) }

  func document(_ document: PortholeInspectorV1.Document, _ observer: TestClient) throws -> String {
    let pipe = try PipeEnds()
    observer.inspector?.dump(document: document, fd: pipe.writer.descriptor)
    _ = try observer.connection.flush()
    pipe.writer.close()
    let bytes = try pipe.readAll {
      _ = try observer.connection.flush()
      usleep(500)
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private static func value(_ name: String, in text: String) -> Int {
    text.split(separator: "\n").first { $0.hasPrefix("porthole_\(name) ") }
      .flatMap { Int($0.split(separator: " ")[1]) } ?? -1
  }

  private func count(_ observer: TestClient) throws -> Census {
    let text = try metrics(observer)
    func value(_ name: String) -> Int { Self.value(name, in: text) }
    let folder = "/proc/\(process.processIdentifier)"
    return Census(
      layers: value("layers"), portals: value("portals"), clients: value("clients"), outputs: value("outputs"),
      exports: value("exports"), sharedBytes: value("shared_bytes"), textureBytes: value("texture_bytes"),
      descriptors: try FileManager.default.contentsOfDirectory(atPath: folder + "/fd").count,
      threads: try FileManager.default.contentsOfDirectory(atPath: folder + "/task").count)
  }
}
