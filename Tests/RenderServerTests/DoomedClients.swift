import Commit
import Geometry
import LinuxIO
import RenderServer
import TestSupport
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

/// Clients that do what clients do and are killed while they do it; the same for the same seed.
struct DoomedClients {
  private var random: SeededGenerator

  init(seed: UInt64) { random = SeededGenerator(seed: seed) }

  private final class Victim {
    let client: TestClient
    var layers: [Proxy<PortholeLayerV1>] = []
    var outputs: [Proxy<PortholeOutputV1>] = []
    var exports: [(Proxy<PortholeExportV1>, ExportEar)] = []
    var kept: [AnyObject] = []
    init(_ client: TestClient) { self.client = client }
  }

  /// - Parameter meanwhile: called after everything that one of them does.
  func run(on server: RunningServer, connections: Int, meanwhile: () throws -> Void = {}) throws {
    var clients = self
    try clients.play(server, connections, meanwhile)
  }

  private mutating func play(
    _ server: RunningServer, _ connections: Int, _ meanwhile: () throws -> Void
  ) throws {
    var victims: [Victim] = []
    var made = 0
    while made < connections || !victims.isEmpty {
      if made < connections, victims.count < 6 {
        victims.append(Victim(try server.connect()))
        made += 1
      }
      for _ in 0..<Int.random(in: 1...12, using: &random) {
        guard let victim = victims.randomElement(using: &random) else { break }
        try act(victim, among: victims)
        try meanwhile()
      }
      let index = Int.random(in: 0..<victims.count, using: &random)
      if Bool.random(using: &random) {
        // Half a message, and the end.
        let half: [UInt32] = [3, 4096 << 16]
        _ = half.withUnsafeBytes {
          send(victims[index].client.connection.pollDescriptor, $0.baseAddress, 7, Int32(MSG_NOSIGNAL))
        }
      }
      victims[index].client.kill()
      victims.remove(at: index)
    }
  }

  private mutating func act(_ victim: Victim, among victims: [Victim]) throws {
    let client = victim.client
    // Whoever was ended by the server says nothing any more.
    guard client.connection.error == nil else { return }
    switch Int.random(in: 0..<12, using: &random) {
    case 0, 1:
      let kind: PortholeLayerV1.Kind = Bool.random(using: &random) ? .portal : .layer
      let x = Double.random(in: 0..<30, using: &random)
      victim.layers.append(
        try client.layer(
          kind, .bounds(Rect(x: 0, y: 0, width: 20, height: 20)), .position(Point(x, x)),
          .backgroundColor(Color(red: 0.5, green: 0.2, blue: 1, alpha: 0.7))))
    case 2:
      guard let parent = victim.layers.randomElement(using: &random),
        let child = victim.layers.randomElement(using: &random)
      else { return }
      parent.insertSublayer(child: child, index: .random(in: 0...3, using: &random))
    case 3:
      guard let portal = victim.layers.randomElement(using: &random) else { return }
      portal.setSourceLayer(source: victim.layers.randomElement(using: &random))
      try client.set(portal, [.sourceLifetime(.retained)])
    case 4:
      guard let layer = victim.layers.randomElement(using: &random) else { return }
      let export = client.global.exportLayer(layer: layer, flags: Bool.random(using: &random) ? .singleUse : [])
      let ear = ExportEar()
      export.handler = ear
      victim.exports.append((export, ear))
    case 5:
      let handles = victims.flatMap { $0.exports.compactMap { $0.1.handle } }
      guard let handle = handles.randomElement(using: &random),
        let portal = victim.layers.randomElement(using: &random)
      else { return }
      let imported = client.global.importLayer(handle: handle.span.bytes)
      victim.kept.append(imported)
      portal.setSourceImport(source: imported)
    case 6:
      let output = client.output(width: 40, height: 40, rate: Bool.random(using: &random) ? 0 : 200_000)
      output.setRoot(layer: victim.layers.randomElement(using: &random))
      output.requestFrame()
      victim.outputs.append(output)
    case 7:
      let picture = try TestPicture(client, width: 8, height: 8)
      victim.layers.randomElement(using: &random)?.setContents(buffer: picture.buffer)
      victim.kept.append(picture)
    case 8:
      // A pipe that nobody reads.
      guard let output = victim.outputs.randomElement(using: &random) else { return }
      let pipe = try PipeEnds()
      victim.kept.append(output.captureToFile(fd: pipe.writer.descriptor, format: .png, count: 0))
      victim.kept.append(pipe)
    case 9:
      if !victim.layers.isEmpty {
        victim.layers.remove(at: .random(in: 0..<victim.layers.count, using: &random)).destroy()
      }
    case 10:
      if !victim.outputs.isEmpty { victim.outputs.removeLast().destroy() }
    default:
      client.global.commit(serial: 1)
      for output in victim.outputs { victim.kept.append(client.global.feedback(output: output)) }
    }
    _ = try? client.connection.flush()
    do { try client.connection.read() } catch {}
  }
}
