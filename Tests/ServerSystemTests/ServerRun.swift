import Foundation
import Porthole
import Testing

/// A `portholed` of a test's own, in a process of its own.
final class ServerRun {
  let folder: URL
  let socket: String
  private let process = Process()

  /// Where SwiftPM puts executables, beside the tests.
  static let products = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  init(_ arguments: [String] = [], environment: [String: String] = [:]) throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "porthole-test-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    socket = folder.appending(path: "socket").path
    process.executableURL = Self.products.appending(path: "portholed")
    process.arguments = ["--socket", socket] + arguments
    process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
    let said = folder.appending(path: "said")
    try Data().write(to: said)
    process.standardOutput = try FileHandle(forWritingTo: said)
    try process.run()
  }

  deinit {
    stop()
    try? FileManager.default.removeItem(at: folder)
  }

  /// Where its view is, as soon as it has said so.
  func viewAddress() throws -> String {
    let end = Date().addingTimeInterval(20)
    while Date() < end {
      let text = try String(contentsOf: folder.appending(path: "said"), encoding: .utf8)
      if text.hasSuffix("\n"), let address = text.firstMatch(of: #/look at (\S+)/#) { return String(address.1) }
      Thread.sleep(forTimeInterval: 0.01)
    }
    throw CocoaError(.fileReadUnknown)
  }

  var isRunning: Bool { process.isRunning }
  var processIdentifier: Int32 { process.processIdentifier }

  /// As an operator stops it.
  func stop() {
    guard process.isRunning else { return }
    process.terminate()
    process.waitUntilExit()
  }

  /// As a fault stops it.
  func kill() {
    guard process.isRunning else { return }
    _ = Foundation.kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }

  /// Connects, as soon as the server is there.
  func connect(patience: Double = 30) throws -> RenderServerConnection {
    let end = Date().addingTimeInterval(20)
    while true {
      do throws(OffscreenError) {
        return try RenderServerConnection(socket, patience: patience)
      } catch {
        guard error.code == .noServer, process.isRunning, Date() < end else { throw error }
        Thread.sleep(forTimeInterval: 0.01)
      }
    }
  }
}

/// The checkout these tests were built from.
enum Checkout {
  static let root = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static func path(_ path: String) -> String { root.appending(path: path).path }
}
