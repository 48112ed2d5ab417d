import Foundation
import Porthole
import Testing

/// A program that somebody else wrote, on a server of a test's own, where it stands nowhere unless the test says so; and what
/// looks at it.
final class GuestProgram {
  let server: ServerRun
  let connection: RenderServerConnection
  /// The first is the one that it is about.
  private var processes: [Process] = []
  private let log: URL

  init(_ words: [String], server arguments: [String] = ["--layout", "none"]) throws {
    server = try ServerRun(arguments)
    connection = try server.connect()
    log = server.folder.appending(path: "program.log")
    try Data().write(to: log)
    try start(words)
  }

  /// Runs a further program on the same server.
  func start(_ words: [String]) throws {
    let process = Process()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = words
    var environment = ProcessInfo.processInfo.environment
    environment["WAYLAND_DISPLAY"] = server.socket
    environment["XDG_RUNTIME_DIR"] = server.folder.path
    environment["GDK_BACKEND"] = "wayland"
    environment["DISPLAY"] = nil
    process.environment = environment
    let output = try FileHandle(forWritingTo: log)
    try output.seekToEnd()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    processes.append(process)
  }

  deinit {
    for process in processes where process.isRunning {
      kill(process.processIdentifier, SIGKILL)
      process.waitUntilExit()
    }
    connection.close()
  }

  /// What it said, for a failure's message.
  var said: String { (try? String(contentsOf: log, encoding: .utf8)) ?? "" }

  /// The operator's tool.
  @discardableResult
  func operate(_ words: String...) throws -> String {
    let run = try runProgram(
      ServerRun.products.appending(path: "porthole").path, ["server"] + words + ["--socket", server.socket])
    guard run.status == 0 else { throw Fault(words: "porthole server \(words.joined(separator: " ")): \(run.text)") }
    return run.text
  }

  struct Fault: Error { var words: String }

  private struct Lists: Decodable {
    struct Export: Decodable { var layer: UInt64 }
    struct Output: Decodable { var output: UInt64 }
    struct Client: Decodable {
      struct Row: Decodable {
        var layer: UInt64
        var bounds: [Double]
      }
      var tree: [Row]
    }
    var exports: [Export]
    var outputs: [Output]
    var clients: [Client]
  }

  private func lists() throws -> Lists {
    try JSONDecoder().decode(Lists.self, from: Data(try operate("list", "--json").utf8))
  }

  /// The first program's first window, once it has one.
  func window(patience: Double = 40) throws -> (source: ImportedLayer, size: Size) {
    let end = Date().addingTimeInterval(patience)
    while Date() < end {
      let lists = try lists()
      if let number = lists.exports.map(\.layer).min(),
        let bounds = lists.clients.flatMap(\.tree).first(where: { $0.layer == number })?.bounds, bounds.count == 4
      {
        let text = try operate("export", "\(number)").trimmingCharacters(in: .whitespacesAndNewlines)
        guard let handle = LayerHandle(hex: text) else { throw Fault(words: "“\(text)” is no handle") }
        return (try connection.import(handle), Size(width: bounds[2], height: bounds[3]))
      }
      guard let process = processes.first, process.isRunning else { throw Fault(words: "it has ended: \(said)") }
      Thread.sleep(forTimeInterval: 0.03)
    }
    throw Fault(words: "no window in \(patience) s: \(said)")
  }

  /// How many windows there are, of whatever program.
  func windowCount() throws -> Int { Set(try lists().exports.map(\.layer)).count }

  /// What is to be seen of the server's own desk.
  func desk() throws -> Image {
    let file = server.folder.appending(path: "desk.png").path
    // It is there from the server's start on.
    try operate("capture", "--output", "\(try lists().outputs.map(\.output).min() ?? 0)", "-o", file)
    return try PNG.read(file)
  }

  /// The last output that was made.
  func outputNumber() throws -> String { "\(try lists().outputs.map(\.output).max() ?? 0)" }

  /// Looks again and again until something is seen, so that the program may take its time; nil where it never is.
  func look(
    _ view: RemoteRenderer, _ root: Layer, patience: Double = 30, until isSeen: (Image) throws -> Bool
  ) throws -> Image? {
    let end = Date().addingTimeInterval(patience)
    while Date() < end {
      let image = try view.render(root)
      if try isSeen(image) { return image }
      Thread.sleep(forTimeInterval: 0.02)
    }
    return nil
  }
}

extension PortalLayer {
  /// A portal of a window, at its own size.
  ///
  /// Not an initialiser: in those of another module's extensions the class's own observers are not called, so that
  /// nothing would be noted of what is set there.
  static func of(_ window: (source: ImportedLayer, size: Size)) -> PortalLayer {
    let portal = PortalLayer()
    portal.anchorPoint = .zero
    portal.bounds = Rect(origin: .zero, size: window.size)
    portal.sourceLayer = window.source
    portal.masksToBounds = true
    portal.forwardsHitTestingToSource = true
    return portal
  }
}

extension Image {
  /// How many colours it has, up to a few.
  func colours(limit: Int = 8) -> Int {
    var found: Set<UInt32> = []
    for index in stride(from: 0, to: pixels.count - 3, by: 4) {
      found.insert(
        UInt32(pixels[index]) | UInt32(pixels[index + 1]) << 8 | UInt32(pixels[index + 2]) << 16
          | UInt32(pixels[index + 3]) << 24)
      if found.count >= limit { break }
    }
    return found.count
  }

  func pixel(_ x: Int, _ y: Int) -> [UInt8] { Array(pixels[(y * width + x) * 4..<(y * width + x) * 4 + 4]) }
}
