import Diagnostics
import Foundation
import Geometry
import Porthole

/// `porthole-bench server`: what a render server costs, in a process of its own, with its clients in this one.
struct ServerRun {
  let options: ServerBenchOptions
  let progress: (String) -> Void

  func run() throws(BenchError) -> ServerResult {
    var result = ServerResult()
    progress("starting the server")
    for _ in 0..<options.starts { result.starts.append(try start()) }
    for clients in options.clients {
      for layers in options.layers where clients * layers <= 40_000 {
        progress("\(clients) clients, \(layers) layers a commit")
        result.commits.append(try commits(clients: clients, layers: layers))
      }
    }
    for count in options.portals {
      progress("\(count) portals")
      result.portals.append(try portals(count))
    }
    for clients in options.clients {
      progress("commit to pixels, \(clients) clients")
      result.latencies.append(try latency(clients: clients))
    }
    return result
  }

  /// From the start of the process to the first frame in this one's memory.
  private func start() throws(BenchError) -> Double {
    let server = try ServerLaunch(program: options.program)
    defer { server.stop() }
    let connection = try server.connect()
    let renderer = try served { () throws(OffscreenError) in try connection.output(size: Size(width: 64, height: 64)) }
    _ = try served { () throws(OffscreenError) in try renderer.render(Self.card()) }
    return Double(ProcessClock.monotonicNanoseconds - server.startedAt) / 1e6
  }

  /// Every client changes one property of each of its layers, and commits; nothing is drawn.
  private func commits(clients: Int, layers: Int) throws(BenchError) -> ServerResult.CommitCell {
    let server = try ServerLaunch(program: options.program)
    defer { server.stop() }
    var parts: [(connection: RenderServerConnection, root: Layer)] = []
    for _ in 0..<clients {
      let root = Layer()
      for _ in 0..<layers { root.addSublayer(Self.card()) }
      let connection = try server.connect()
      _ = try served { () throws(OffscreenError) in try connection.commit(root) }
      try served { () throws(OffscreenError) in try connection.finish() }
      parts.append((connection, root))
    }
    let frames = max(3, min(options.frames, 400_000 / (clients * layers)))
    func turn(_ frame: Int) throws(BenchError) {
      for part in parts {
        for layer in part.root.sublayers { layer.position.x = Double(frame % 7) }
        _ = try served { () throws(OffscreenError) in try part.connection.commit(part.root) }
      }
      for part in parts { try served { () throws(OffscreenError) in try part.connection.finish() } }
    }
    for frame in 0..<3 { try turn(frame) }
    let (client, host) = (ProcessClock.cpuNanoseconds, server.cpuNanoseconds)
    for frame in 0..<frames { try turn(frame + 3) }
    let count = Double(frames * clients) * 1000
    return ServerResult.CommitCell(
      clients: clients, layers: layers, clientMicroseconds: Double(ProcessClock.cpuNanoseconds - client) / count,
      serverMicroseconds: Double(server.cpuNanoseconds - host) / count)
  }

  /// One client's layer changes; another's output shows it N times.
  private func portals(_ count: Int) throws(BenchError) -> ServerResult.PortalCell {
    let server = try ServerLaunch(program: options.program)
    defer { server.stop() }
    let (owner, viewer) = (try server.connect(), try server.connect())
    let source = Self.card()
    let handle = try served { () throws(OffscreenError) in try owner.export(source) }
    let imported = try served { () throws(OffscreenError) in try viewer.import(handle) }
    let root = Layer()
    root.frame = Rect(x: 0, y: 0, width: 640, height: 480)
    let columns = Int(Double(count).squareRoot().rounded(.up))
    for index in 0..<count {
      let portal = PortalLayer()
      portal.frame = Rect(
        x: Double(index % columns) * 640 / Double(columns), y: Double(index / columns) * 480 / Double(columns),
        width: 16, height: 16)
      portal.sourceLayer = imported
      root.addSublayer(portal)
    }
    let renderer = try served { () throws(OffscreenError) in
      try viewer.output(size: Size(width: 640, height: 480), rate: 60)
    }
    let shown = Shown()
    func turn(_ frame: Int) throws(BenchError) {
      source.backgroundColor = Color(red: Float(frame % 16) / 16, green: 0.5, blue: 0)
      try served { () throws(OffscreenError) in
        _ = try owner.commit(source)
        try owner.finish()
        // The viewer says nothing of its own; it only hears when a frame is there.
        shown.count = 0
        _ = try renderer.update(root) { _ in shown.count += 1 }
      }
      try LibraryCanvas.wait(for: [viewer]) { shown.count > 0 }
    }
    for frame in 0..<3 { try turn(frame) }
    let (client, host) = (ProcessClock.cpuNanoseconds, server.cpuNanoseconds)
    for frame in 0..<options.frames { try turn(frame + 3) }
    return ServerResult.PortalCell(
      portals: count, clientMicroseconds: Double(ProcessClock.cpuNanoseconds - client) / Double(options.frames) / 1000,
      serverMicroseconds: Double(server.cpuNanoseconds - host) / Double(options.frames) / 1000)
  }

  /// Clients with an output of 60 Hz each commit as soon as their last commit is shown.
  private func latency(clients: Int) throws(BenchError) -> ServerResult.LatencyCell {
    let server = try ServerLaunch(program: options.program)
    defer { server.stop() }
    var parts: [Watcher] = []
    for _ in 0..<clients {
      let connection = try server.connect()
      let renderer = try served { () throws(OffscreenError) in
        try connection.output(size: Size(width: 128, height: 128), rate: 60)
      }
      parts.append(Watcher(connection, renderer, Self.card()))
    }
    var samples: [Double] = []
    // In the first frames programs are compiled, and the server finds out how long drawing takes.
    let skipped = 30
    let wanted = options.frames + skipped
    while parts.contains(where: { $0.samples.count < wanted }) {
      for part in parts where part.committedAt == nil && part.samples.count < wanted { try part.commit() }
      let before = parts.map(\.samples.count)
      try LibraryCanvas.wait(for: parts.map(\.connection)) { parts.map(\.samples.count) != before }
    }
    var heard: [Double] = []
    for part in parts {
      samples += part.samples.dropFirst(skipped)
      heard += part.heard.dropFirst(skipped)
    }
    return ServerResult.LatencyCell(clients: clients, samples: samples, heard: heard)
  }

  // MARK: Parts

  private final class Shown { var count = 0 }

  /// A client that commits and waits until that is shown.
  private final class Watcher {
    let connection: RenderServerConnection
    private let renderer: RemoteRenderer
    private let root: Layer
    private(set) var committedAt: UInt64?
    private(set) var samples: [Double] = []
    private(set) var heard: [Double] = []

    init(_ connection: RenderServerConnection, _ renderer: RemoteRenderer, _ root: Layer) {
      (self.connection, self.renderer, self.root) = (connection, renderer, root)
    }

    func commit() throws(BenchError) {
      root.backgroundColor = Color(red: Float(samples.count % 32) / 32, green: 0.25, blue: 1)
      committedAt = ProcessClock.monotonicNanoseconds
      _ = try served { () throws(OffscreenError) in
        try renderer.update(root) { [weak self] in self?.presented($0) }
      }
    }

    private func presented(_ presentation: Presentation?) {
      guard let committedAt else { return }
      self.committedAt = nil
      guard let presentation else { return }
      samples.append(Double(presentation.nanoseconds &- min(committedAt, presentation.nanoseconds)) / 1e6)
      heard.append(Double(ProcessClock.monotonicNanoseconds - committedAt) / 1e6)
    }
  }

  private static func card() -> Layer {
    let card = Layer()
    card.frame = Rect(x: 0, y: 0, width: 32, height: 32)
    card.backgroundColor = Color(red: 0.2, green: 0.4, blue: 0.9)
    card.cornerRadius = 6
    return card
  }
}
