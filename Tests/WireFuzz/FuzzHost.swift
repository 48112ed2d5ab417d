import Commit
import Diagnostics
import Foundation
import GLES
import Geometry
import LinuxIO
import LiveView
import RenderServer
import RenderTree
import TestSupport

/// A server in this process, the good client, and what has to hold after every bad one.
final class FuzzHost {
  /// What does not hold.
  struct Finding: Error { var sentence: String }

  private struct Counts {
    var layers: Int
    var clients: Int
    var exports: Int
    var descriptors: Int

    func isNoMore(than other: Counts) -> Bool {
      layers == other.layers && clients == other.clients && exports == other.exports && descriptors <= other.descriptors
    }
  }

  private let server: RenderServer
  private let good: GoodClient
  /// The clients that stay: the good one, and the server's own. What an operator exports of theirs stays as long as they do.
  private var steady: Set<UInt64> = []
  private var baseline = Counts(layers: 0, clients: 0, exports: 0, descriptors: 0)
  /// The longest turn so far, in nanoseconds.
  private(set) var longestTurn: UInt64 = 0
  /// The display imports dma-bufs: the tests' driver is preloaded, or there is a GPU.
  var imports: Bool { if case .formats = server.device.dmaBuffers { true } else { false } }
  /// A turn longer than this is a hang.
  private static let patience: UInt64 = 10_000_000_000

  init() throws {
    var options = ServerOptions()
    try options.limits.change(
      "layers=2000,portals=500,texture_bytes=16M,shared_bytes=16M,outputs=4,output_side=128,descriptors=24,questions=32"
    )
    options.display = .surfaceless
    var desk = DeskOptions(layout: .cascade)
    desk.size = PixelSize(width: 64, height: 64)
    options.desk = desk
    options.view = ViewAddress("127.0.0.1:0")
    server = try RenderServer(options)
    let server = server
    let pair = try FileDescriptor.socketPair()
    good = try pair.take { (near, far) throws -> GoodClient in
      try server.serve(far)
      return try GoodClient(near) { try server.runOnce(timeoutMilliseconds: 1) }
    }
    if let fault = try good.draw(turn: { try turn(waiting: 1) }) { throw Finding(sentence: fault) }
    steady = Set(server.tree.clients.keys.map { UInt64($0.rawValue) })
    baseline = try counts()
  }

  deinit { server.close() }

  func close() { server.close() }

  /// Plays an input through a client of its own.
  /// - Returns: what became of it, the same for inputs that ended alike.
  func play(_ input: FuzzInput) throws -> String {
    let pair = try FileDescriptor.socketPair()
    let client = try pair.take { (near, far) throws -> BadClient in
      try server.serve(far)
      return BadClient(near)
    }
    for step in input.steps {
      switch step {
      case .send(let bytes, let descriptors): client.send(bytes, descriptors)
      case .turns(let count):
        for _ in 0..<min(count, 8) { try turn(waiting: 0) }
        client.shrink()
      case .read: client.read()
      }
    }
    for _ in 0..<3 { try turn(waiting: 0) }
    client.read()
    let outcome = Self.outcome(client)
    client.hangUp()
    for _ in 0..<200 where server.tree.clients.count > 2 { try turn(waiting: 1) }
    guard server.tree.clients.count == 2 else { throw Finding(sentence: "a client that hung up is still there") }
    return outcome
  }

  /// Has somebody visit the page, which is there for everybody else after it.
  func play(_ viewer: inout BadViewer) throws {
    let parts = (server.viewAddress ?? "").split(separator: "/", omittingEmptySubsequences: false)
    guard parts.count > 3, let port = parts[2].split(separator: ":").last.flatMap({ Int($0) }) else {
      throw Finding(sentence: "there is no view")
    }
    let path = "/\(parts[3])/"
    let pump = { [self] in try turn(waiting: 1) }
    do {
      try viewer.visit(port: port, path: path, pump: pump)
      let page = try WebSocketClient(port: port, path: path, headers: ["Host: 127.0.0.1:\(port)"], pump: pump).answer
      guard page.status == 200 else { throw Finding(sentence: "the page is answered by \(page.status)") }
    } catch let failure as WebSocketClient.Failure {
      throw Finding(sentence: "the view: \(failure.description)")
    }
  }

  /// Looks whether everything is as it was at first.
  func check() throws {
    if let fault = try good.draw(turn: { try turn(waiting: 1) }) { throw Finding(sentence: fault) }
    let faults = server.tree.misapplied + server.tree.tree.invariantViolations()
    if let first = faults.first { throw Finding(sentence: "the tree is not sound: \(first)") }
    var now = try counts()
    for _ in 0..<300 where !now.isNoMore(than: baseline) {
      try turn(waiting: 5)
      now = try counts()
    }
    guard now.isNoMore(than: baseline) else {
      throw Finding(sentence: "something leaks: \(now) instead of \(baseline); \(descriptors)")
    }
    // At first the driver may have had something open that it needs no longer.
    baseline = now
  }

  private func turn(waiting milliseconds: Int32) throws {
    let start = ProcessClock.monotonicNanoseconds
    try server.runOnce(timeoutMilliseconds: milliseconds)
    let time = ProcessClock.monotonicNanoseconds - start
    longestTurn = max(longestTurn, time)
    guard time < Self.patience else { throw Finding(sentence: "a turn took \(time / 1_000_000) ms") }
  }

  private func counts() throws -> Counts {
    Counts(
      layers: server.tree.tree.layerCount, clients: server.tree.clients.count,
      exports: server.tree.registry.list.filter { !steady.contains($0.layer.rawValue >> 32) }.count,
      descriptors: try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count)
  }

  /// What the process has open.
  private var descriptors: String {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.sorted().map {
      "\($0): \((try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) ?? "?")"
    }.joined(separator: ", ")
  }

  /// The error that the server ended the client with, without its numbers.
  private static func outcome(_ client: BadClient) -> String {
    let bytes = client.heard
    func word(_ offset: Int) -> Int { (0..<4).reversed().reduce(0) { $0 << 8 | Int(bytes[offset + $1]) } }
    var offset = 0
    var events: Set<Int> = []
    while offset + 8 <= bytes.count {
      let (object, head) = (word(offset), word(offset + 4))
      let size = head >> 16
      guard size >= 8, offset + size <= bytes.count else { break }
      if object == 1, head & 0xFFFF == 0, size >= 20 {
        let length = min(max(0, word(offset + 16) - 1), size - 20)
        let sentence = String(decoding: bytes[(offset + 20)..<(offset + 20 + length)], as: UTF8.self)
        // These quote what the client said, which is something else each time.
        for quoting in ["invalid global", "invalid interface for global"] where sentence.hasPrefix(quoting) {
          return "error: \(quoting)"
        }
        return "error \(word(offset + 12)): " + sentence.filter { !$0.isNumber }
      }
      events.insert(min(object, 8) << 8 | head & 0xFF)
      offset += size
    }
    return (client.isClosed ? "closed " : "lives ") + events.sorted().map { "\($0)" }.joined(separator: ",")
  }
}
