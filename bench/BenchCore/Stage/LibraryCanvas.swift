import Commit
import Diagnostics
import Geometry
import Porthole

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Who draws what the library's layers show.
enum BenchTarget {
  /// This process.
  case embedded
  /// A render server in a process of its own; this one is its client.
  case server(ServerLaunch)
}

/// What the contenders that draw with the library's renderers share.
final class LibraryCanvas {
  private enum Renderer {
    case embedded(OffscreenRenderer)
    case server(RemoteRenderer)
  }

  private let renderer: Renderer
  private let size: Size
  private let scale: Double
  private let background: Color
  /// Of a server, what its frames count: the plan is the same in every process.
  private var count: FrameCount?
  private var isShown = false

  init(_ size: Size, scale: Double, background: Color, target: BenchTarget = .embedded) throws(BenchError) {
    (self.size, self.scale, self.background) = (size, scale, background)
    do {
      switch target {
      case .embedded:
        renderer = .embedded(
          try OffscreenRenderer(
            size: size, scale: scale, background: background, renderThread: try RenderThread.shared()))
      case .server(let server):
        renderer = .server(try server.connect().output(size: size, scale: scale, background: background))
      }
    } catch let error as BenchError {
      throw error
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  /// Draws and waits for the last pixel.
  func draw(_ root: Layer) throws(BenchError) -> DrawnFrame {
    switch renderer {
    case .embedded(let renderer):
      do {
        let report = try renderer.update(root)
        renderer.finish()
        return DrawnFrame(count: FrameCount(report.counters))
      } catch {
        throw BenchError(.renderer, "\(error)")
      }
    case .server(let renderer):
      isShown = false
      _ = try served { () throws(OffscreenError) in
        try renderer.update(root) { [weak self] _ in self?.isShown = true }
      }
      try Self.wait(for: [renderer.connection]) { isShown }
      if let count { return DrawnFrame(count: count) }
      let counted = FrameCount(try plan(root).counters)
      count = counted
      return DrawnFrame(count: counted)
    }
  }

  /// What the parts of a frame take; nil for a server's.
  func parts(_ root: Layer) throws(BenchError) -> [FramePart]? {
    guard case .embedded(let renderer) = renderer else { return nil }
    let instruments = FrameInstruments.ofParts()
    renderer.instruments = instruments
    defer { renderer.instruments = nil }
    _ = try draw(root)
    guard let output = instruments.passes.last?.target else { return nil }
    return instruments.parts(output: output)
  }

  func picture(_ root: Layer) throws(BenchError) -> Image {
    do {
      switch renderer {
      case .embedded(let renderer): return try renderer.render(root)
      case .server(let renderer): return try renderer.render(root)
      }
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  func plan(_ root: Layer) throws(BenchError) -> FramePlan {
    do {
      if case .embedded(let renderer) = renderer { return try renderer.plan(root) }
      let planner = try OffscreenRenderer(size: size, scale: scale, background: background, backend: .reference)
      defer { planner.close() }
      return try planner.plan(root)
    } catch {
      throw BenchError(.renderer, "\(error)")
    }
  }

  /// What a client has sent by now; nil for a canvas of this process.
  var sent: ConnectionCounters? {
    if case .server(let renderer) = renderer { renderer.connection.counters } else { nil }
  }

  /// Hears what comes on any of the connections, until something is so.
  static func wait(for connections: [RenderServerConnection], until isDone: () -> Bool) throws(BenchError) {
    let end = ProcessClock.monotonicNanoseconds + 30_000_000_000
    while !isDone() {
      guard ProcessClock.monotonicNanoseconds < end else {
        throw BenchError(.renderer, "the server has shown nothing for 30 s.")
      }
      var entries = connections.map { pollfd(fd: $0.pollDescriptor, events: Int16(POLLIN), revents: 0) }
      poll(&entries, nfds_t(entries.count), 100)
      for connection in connections { try served { () throws(OffscreenError) in try connection.dispatch() } }
    }
  }
}

extension FrameCount {
  init(_ counters: FrameCounters) {
    self.init(
      passes: counters.passes, batches: counters.batches, quads: counters.quads,
      layersVisited: counters.layersVisited, shadedPixels: counters.shadedPixels)
  }

  static func + (a: FrameCount, b: FrameCount) -> FrameCount {
    FrameCount(
      passes: a.passes + b.passes, batches: a.batches + b.batches, quads: a.quads + b.quads,
      layersVisited: a.layersVisited + b.layersVisited, shadedPixels: a.shadedPixels + b.shadedPixels)
  }
}
