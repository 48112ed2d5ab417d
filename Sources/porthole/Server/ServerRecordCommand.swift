import Foundation
import LinuxIO
import WaylandClient
import WaylandProtocol

/// `porthole server record`: every commit of all clients into a trace, until it is interrupted.
struct ServerRecordCommand {
  private let arguments: Arguments
  private let path: String
  private let seconds: Double?

  init(_ words: [String]) throws(UsageError) {
    arguments = try Arguments(words, words: [], options: [.socket, .output, .seconds])
    guard let path = arguments[.output] else { throw UsageError("-o TRACE is missing") }
    self.path = path
    seconds = arguments[.seconds].flatMap(Double.init)
    if let text = arguments[.seconds] {
      guard let seconds, seconds > 0, seconds <= 1e6 else {
        throw UsageError("--seconds is a number above 0, at most 1000000, not “\(text)”")
      }
    }
  }

  func run() throws -> ExitCode {
    // Before anything is there that an interrupt would leave behind.
    let loop = try EventLoop()
    let recording = try Recording(loop, to: path)
    try loop.watchSignals([SIGINT, SIGTERM]) { [unowned recording] _ in recording.stop() }
    let server = try ServerInspector(socket: arguments[.socket])
    try recording.begin(server)
    if let seconds {
      let timer = try loop.addTimer { [unowned recording] in recording.stop() }
      let now = DispatchTime.now().uptimeNanoseconds
      try loop.setTimer(timer, atNanoseconds: now &+ UInt64(seconds * 1e9))
    } else {
      Output.note("recording; Ctrl-C ends it")
    }
    try loop.run()
    return try recording.finish()
  }

  /// A trace on its way into a file, which gets its name when it is whole.
  private final class Recording {
    private let loop: EventLoop
    private let path: String
    private let partPath: String?
    private let file: FileHandle
    private var reader = FileDescriptor(adopting: -1)
    private var server: ServerInspector?
    private var fault: (any Error)?
    private var byteCount = 0
    private var isFinished = false

    init(_ loop: EventLoop, to path: String) throws {
      self.loop = loop
      self.path = path
      guard path != "-" else {
        partPath = nil
        file = .standardOutput
        return
      }
      let part = "\(path).\(getpid()).part"
      guard FileManager.default.createFile(atPath: part, contents: nil), let file = FileHandle(forWritingAtPath: part)
      else { throw ServerCommandError("\(path) can't be written") }
      partPath = part
      self.file = file
    }

    deinit {
      if !isFinished, let partPath { unlink(partPath) }
    }

    func begin(_ server: ServerInspector) throws {
      self.server = server
      let pipe = try FileDescriptor.pipe()
      try pipe.take { (reader, writer) throws in
        server.proxy.record(fd: writer)
        try server.wire.flush()
        self.reader = reader
      }
      try reader.setNonBlocking()
      try loop.watch(reader.rawValue, for: .read) { [unowned self] _ in take() }
      try loop.watch(server.wire.pollDescriptor, for: .read) { [unowned self] _ in
        do {
          try server.wire.read()
        } catch {
          // What is in the pipe still comes first.
          fault = error
          take()
          loop.stop()
        }
      }
    }

    /// The server writes what it has, and closes its end.
    func stop() {
      guard let server else { return loop.stop() }
      server.proxy.stopRecording()
      do { try server.wire.flush() } catch { loop.stop() }
    }

    func finish() throws -> ExitCode {
      if let fault, byteCount == 0 { throw fault }
      if let partPath {
        try file.close()
        guard rename(partPath, path) == 0 else { throw ServerCommandError("\(path) can't be written") }
      }
      isFinished = true
      if let fault {
        Output.message("the recording ended early, and was kept: \(fault)")
        return .failure
      }
      Output.note("wrote \(path), \(byteCount) bytes")
      return .success
    }

    private func take() {
      do {
        // Enough to keep up, and not so much that an interrupt waits.
        var room = [UInt8](repeating: 0, count: 262_144)
        for _ in 0..<16 {
          let taken = try room.withUnsafeMutableBytes { try reader.read(into: $0) }
          guard let taken else { return }
          if taken == 0 { return loop.stop() }
          byteCount += taken
          try file.write(contentsOf: Data(room[..<taken]))
        }
      } catch {
        fault = ServerCommandError("\(path) can't be written: \(error.localizedDescription)")
        loop.stop()
      }
    }
  }
}
