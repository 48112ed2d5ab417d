import Foundation
import Porthole

/// A `portholed` in a process of its own, a client in this one, and the tool between them.
final class OperatorRig {
  struct Outcome {
    var code: Int32
    var output: String
    var messages: String
  }

  let folder: URL
  let socket: String
  private let server = Process()
  private static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "operator-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    socket = folder.appending(path: "socket").path
    server.executableURL = Self.products.appending(path: "portholed")
    server.arguments = ["--socket", socket, "--display", "surfaceless"]
    try server.run()
  }

  deinit {
    stopServer()
    try? FileManager.default.removeItem(at: folder)
  }

  func stopServer() {
    guard server.isRunning else { return }
    server.terminate()
    server.waitUntilExit()
  }

  func connect() throws -> RenderServerConnection {
    let end = Date().addingTimeInterval(20)
    while true {
      do throws(OffscreenError) {
        return try RenderServerConnection(socket, patience: 20)
      } catch {
        guard server.isRunning, Date() < end else { throw error }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }

  func path(_ name: String) -> String { folder.appending(path: name).path }

  var fileNames: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).filter { !$0.hasPrefix("socket") }
      .sorted()
  }

  /// A tool that runs, its output in files, since a pipe that nobody reads yet may fill up.
  final class Running {
    let process = Process()
    let files: [URL]

    init(_ arguments: [String], in folder: URL) throws {
      process.executableURL = OperatorRig.products.appending(path: "porthole")
      process.arguments = arguments
      files = ["out", "err"].map {
        FileManager.default.temporaryDirectory.appending(path: "\(UUID().uuidString).\($0)")
      }
      for file in files { try Data().write(to: file) }
      process.standardOutput = try FileHandle(forWritingTo: files[0])
      process.standardError = try FileHandle(forWritingTo: files[1])
      try process.run()
    }

    func finish() throws -> Outcome {
      process.waitUntilExit()
      defer { for file in files { try? FileManager.default.removeItem(at: file) } }
      return Outcome(
        code: process.terminationStatus, output: try String(contentsOf: files[0], encoding: .utf8),
        messages: try String(contentsOf: files[1], encoding: .utf8))
    }
  }

  func start(_ arguments: String...) throws -> Running {
    try Running(["server"] + arguments + ["--socket", socket], in: folder)
  }

  /// Runs `porthole server` with these arguments and this server.
  func run(_ arguments: String...) throws -> Outcome {
    try Running(["server"] + arguments + ["--socket", socket], in: folder).finish()
  }

  /// Runs it with exactly these arguments.
  func runPlain(_ arguments: [String]) throws -> Outcome {
    try Running(["server"] + arguments, in: folder).finish()
  }
}

/// A window with a card and a portal of the card, shown by a client.
final class Wall {
  let connection: RenderServerConnection
  let output: RemoteRenderer
  let root = Layer()
  let card = Layer()
  let portal = PortalLayer()

  static let red = Color(red: 1, green: 0, blue: 0)
  static let green = Color(red: 0, green: 1, blue: 0)

  init(_ rig: OperatorRig) throws {
    connection = try rig.connect()
    try connection.setName("wall\u{1B}[31m")
    root.bounds = Rect(x: 0, y: 0, width: 32, height: 16)
    root.anchorPoint = .zero
    root.name = "root"
    card.frame = Rect(x: 2, y: 4, width: 8, height: 8)
    card.backgroundColor = Self.red
    card.name = "card"
    portal.frame = Rect(x: 20, y: 4, width: 8, height: 8)
    portal.sourceLayer = card
    portal.name = "window on the card"
    root.addSublayer(card)
    root.addSublayer(portal)
    output = try connection.output(size: Size(width: 32, height: 16), background: .white)
  }

  @discardableResult
  func draw() throws -> Image { try output.render(root) }
}
