import Foundation
import Porthole
import WaylandClient
import WaylandProtocol

/// A program, and a render server that it runs on: one that is there and serves any program, or else one of its own.
final class ProgramHost {
  private let program = Process()
  private var server: Process?
  private let folder: URL
  let socket: String
  private var known: Set<UInt64> = []

  /// - Parameters:
  ///   - socket: of a server that is to be used; nil takes the one that is there, or starts one.
  ///   - view: where a server that is started has its page; nil for none.
  init(_ words: [String], socket wanted: String?, view: String?) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "porthole-run-\(getpid())")
    if let found = try Self.running(wanted) {
      socket = found
      guard try view == nil || viewAddress() != nil else {
        throw ServerCommandError(
          "the server at \(socket) has no view; start it with --view, or end it: then one with a view is started",
          code: .badInput)
      }
    } else {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      socket = folder.appending(path: "socket").path
      server = try Self.startServer(socket, in: folder, view: view)
    }
    known = try Set(exports().map(\.layer))
    try start(words)
  }

  deinit { end() }

  var isRunning: Bool { program.isRunning }
  var exitStatus: Int32 { program.terminationStatus }

  /// Ends the program, and the server where it is its own.
  func end() {
    for process in [program, server].compactMap({ $0 }) where process.isRunning {
      process.terminate()
      let end = Date().addingTimeInterval(3)
      while process.isRunning, Date() < end { Thread.sleep(forTimeInterval: 0.01) }
      if process.isRunning { kill(process.processIdentifier, SIGKILL) }
    }
    server = nil
    try? FileManager.default.removeItem(at: folder)
  }

  // MARK: The server

  /// The path of a server that answers and serves any program; nil where none does.
  private static func running(_ wanted: String?) throws -> String? {
    do {
      let address = try ServerAddress(wanted)
      let wire = try WireConnection(address)
      if wire.offers(XdgWmBase.self) { return address.path }
      guard wanted == nil else {
        throw ServerCommandError(
          "the server at \(address.path) serves no Wayland programs; start it with a --layout, or leave --socket away",
          code: .badInput)
      }
      return nil
    } catch let error as WireError {
      guard wanted == nil else { throw error }
      return nil
    }
  }

  private static func startServer(_ socket: String, in folder: URL, view: String?) throws -> Process {
    let process = Process()
    let own = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    process.executableURL = own.appending(path: "portholed")
    process.arguments = ["--socket", socket, "--layout", "none"] + (view.map { ["--view", $0] } ?? [])
    // What it says of its view, the tool says where it is wanted.
    process.standardOutput = FileHandle.nullDevice
    do { try process.run() } catch {
      throw ServerCommandError(
        "\(own.appending(path: "portholed").path) can't be started: \(error.localizedDescription)")
    }
    let end = Date().addingTimeInterval(20)
    // The socket's file is there a little before somebody answers.
    while (try? WireConnection(ServerAddress(socket))) == nil {
      guard process.isRunning, Date() < end else {
        throw ServerCommandError("portholed did not start", code: .noDevice)
      }
      Thread.sleep(forTimeInterval: 0.005)
    }
    return process
  }

  /// Where the server's page is; nil where it has none.
  func viewAddress() throws -> String? { try ServerInspector(socket: socket).decode(String?.self, .view) }

  // MARK: The program

  private func start(_ words: [String]) throws {
    program.executableURL = URL(filePath: "/usr/bin/env")
    program.arguments = ["--"] + words
    var environment = ProcessInfo.processInfo.environment
    environment["WAYLAND_DISPLAY"] = socket
    environment["DISPLAY"] = nil
    if environment["XDG_RUNTIME_DIR"] == nil {
      try? FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
      environment["XDG_RUNTIME_DIR"] = folder.path
    }
    // So that toolkits with a choice take this one.
    for (name, value) in [
      ("GDK_BACKEND", "wayland"), ("QT_QPA_PLATFORM", "wayland"), ("SDL_VIDEODRIVER", "wayland"),
      ("MOZ_ENABLE_WAYLAND", "1"),
    ] where environment[name] == nil { environment[name] = value }
    program.environment = environment
    // What it says is not the tool's data.
    program.standardOutput = FileHandle.standardError
    try program.run()
  }

  private struct ExportRow: Decodable { var layer: UInt64 }

  private func exports() throws -> [ExportRow] {
    try ServerInspector(socket: socket).decode([ExportRow].self, .exports)
  }

  /// A window of the program's.
  struct Window {
    var number: UInt64
    var name: String
    var size: Size
    var handle: LayerHandle
  }

  /// Waits for its first window, no longer than so many seconds.
  func window(patience: Double) throws -> Window {
    let inspector = try ServerInspector(socket: socket)
    let end = Date().addingTimeInterval(patience)
    while !Interrupt.wasAsked {
      let rows = try inspector.decode([ExportRow].self, .exports)
      if let row = rows.first(where: { !known.contains($0.layer) }),
        let layer = try inspector.clients().flatMap(\.tree).first(where: { $0.layer == row.layer })
      {
        let bytes = try inspector.gather { fd in
          inspector.proxy.exportLayer(
            numberHi: UInt32(truncatingIfNeeded: row.layer >> 32), numberLo: UInt32(truncatingIfNeeded: row.layer),
            flags: [], fd: fd)
        }
        let text = String(decoding: bytes, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
        let bounds = layer.bounds.compactMap { $0 }
        guard let handle = LayerHandle(hex: text), bounds.count == 4, bounds[2] > 0, bounds[3] > 0 else { continue }
        return Window(
          number: row.layer, name: layer.name, size: Size(width: bounds[2], height: bounds[3]), handle: handle)
      }
      guard isRunning else {
        throw ServerCommandError("the program ended with \(exitStatus) before it had a window", code: .failure)
      }
      guard Date() < end else {
        throw ServerCommandError("the program has had no window for \(Int(patience)) seconds", code: .failure)
      }
      Thread.sleep(forTimeInterval: 0.02)
    }
    throw ServerCommandError("interrupted")
  }
}
