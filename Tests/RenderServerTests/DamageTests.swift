import Commit
import Diagnostics
import Foundation
import Geometry
import LinuxIO
import Porthole
import RenderServer
import TestSupport
import Testing
import WaylandProtocol

@Suite("Damage told to the server", .serialized)
struct DamageTests {
  private static let side = 16

  /// A layer of 16 × 16 pixels and a portal of it, in an output on demand; `picture` is what the layer shows.
  private final class Stage {
    let fixture: ServerFixture
    let client: TestClient
    let output: Proxy<PortholeOutputV1>
    let layer: Proxy<PortholeLayerV1>
    let picture: TestPicture
    private var bytesBefore = 0

    init() throws {
      fixture = try ServerFixture()
      client = try fixture.connect()
      output = client.output(width: 32, height: 16)
      let root = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 32, height: 16)), .anchorPoint(.zero))
      let bounds = Rect(x: 0, y: 0, width: 16, height: 16)
      layer = try client.layer(.layer, .bounds(bounds), .anchorPoint(.zero))
      let portal = try client.layer(
        .portal, .bounds(bounds), .anchorPoint(.zero), .position(Point(x: 16, y: 0)))
      portal.setSourceLayer(source: layer)
      root.insertSublayer(child: layer, index: 0)
      root.insertSublayer(child: portal, index: 1)
      output.setRoot(layer: root)
      picture = try TestPicture(client, width: 16, height: 16)
      picture.fill([10, 10, 10, 255])
      layer.setContents(buffer: picture.buffer)
      #expect(try client.commit())
      // The first picture of a stream is one of which somebody has said something.
      layer.addDamage(x: 0, y: 0, width: 16, height: 16)
      layer.setContents(buffer: picture.buffer)
      #expect(try client.commit())
      _ = try frame()
    }

    func paint(_ x: Int, _ y: Int, _ shade: UInt8) {
      picture.memory.withBytes { $0[(y * 16 + x) * 4] = shade }
    }

    /// The red of the output's next frame, and how many bytes of pictures it gave to the GPU.
    func frame() throws -> (reds: [UInt8], bytes: Int) {
      let pixels = try #require(try client.capture(output, width: 32, height: 16))
      let now = try metric("picture_bytes_total")
      defer { bytesBefore = now }
      return (stride(from: 0, to: pixels.count, by: 4).map { pixels[$0] }, now - bytesBefore)
    }

    func metric(_ name: String) throws -> Int {
      let pipe = try PipeEnds()
      client.inspector?.dump(document: .metrics, fd: pipe.writer.descriptor)
      _ = try client.connection.flush()
      pipe.writer.close()
      let text = String(
        decoding: try pipe.readAll {
          _ = try client.connection.flush()
          try fixture.server.runOnce(timeoutMilliseconds: 1)
        }, as: UTF8.self)
      let line = text.split(separator: "\n").first { $0.hasPrefix("porthole_\(name) ") }
      return try #require(line.flatMap { Int($0.split(separator: " ")[1]) })
    }

    /// What the frame must show: the layer's picture, twice.
    var expected: [UInt8] {
      picture.memory.withBytes { bytes in
        (0..<16).flatMap { (y: Int) -> [UInt8] in
          let row = (0..<16).map { (x: Int) -> UInt8 in bytes[(y * 16 + x) * 4] }
          return row + row
        }
      }
    }
  }

  @Test("a picture that differs in a few pixels gives so many to the GPU, and every portal shows them")
  func cost() throws {
    let stage = try Stage()
    for (step, place) in [(3, 4), (15, 15), (0, 0)].enumerated() {
      stage.paint(place.0, place.1, UInt8(50 + step))
      stage.layer.addDamage(x: Int32(place.0), y: Int32(place.1), width: 1, height: 1)
      stage.layer.setContents(buffer: stage.picture.buffer)
      #expect(try stage.client.commit())
      let (reds, bytes) = try stage.frame()
      #expect(reds == stage.expected)
      #expect(bytes == 4)
    }
    // Of two that are told of, both; the next one has none of its own.
    stage.paint(1, 1, 90)
    stage.paint(9, 9, 91)
    stage.layer.addDamage(x: 1, y: 1, width: 1, height: 1)
    stage.layer.addDamage(x: 9, y: 9, width: 2, height: 2)
    stage.layer.setContents(buffer: stage.picture.buffer)
    #expect(try stage.client.commit())
    #expect(try stage.frame() == (stage.expected, 5 * 4))
    stage.paint(7, 7, 92)
    stage.layer.setContents(buffer: stage.picture.buffer)
    #expect(try stage.client.commit())
    #expect(try stage.frame() == (stage.expected, 16 * 16 * 4))
  }

  @Test("what lies outside of the picture is left out, and no number overflows")
  func outside() throws {
    let stage = try Stage()
    let rects: [(Int32, Int32, Int32, Int32, bytes: Int)] = [
      (-5, -5, 6, 6, 4), (15, 15, .max, .max, 4), (.max, .max, .max, .max, 0), (.min, .min, .max, .max, 0),
      (16, 0, 4, 4, 0), (0, 0, 0, 9, 0), (.min, 0, 0, 0, 0), (-1, 3, .max, 1, 16 * 4),
    ]
    for (step, rect) in rects.enumerated() {
      let covered = rect.bytes > 0
      if covered { stage.paint(step == 1 ? 15 : 0, step == 1 ? 15 : step == 7 ? 3 : 0, UInt8(100 + step)) }
      stage.layer.addDamage(x: rect.0, y: rect.1, width: rect.2, height: rect.3)
      stage.layer.setContents(buffer: stage.picture.buffer)
      #expect(try stage.client.commit())
      let (reds, bytes) = try stage.frame()
      #expect(reds == stage.expected, "\(rect)")
      // After one that differs nowhere, and is not drawn, the GPU has an older picture and gets the next one whole.
      #expect(covered && step == 7 ? bytes == 16 * 16 * 4 : bytes == rect.bytes, "\(rect): \(bytes)")
    }
    for index in 0..<100 { stage.layer.addDamage(x: Int32(index % 16), y: Int32(index / 16), width: 1, height: 1) }
    stage.paint(12, 12, 200)
    stage.layer.setContents(buffer: stage.picture.buffer)
    #expect(try stage.client.commit())
    #expect(try stage.frame() == (stage.expected, 16 * 16 * 4), "more rectangles than are kept")
  }

  @Test(
    "a side that is negative ends the client, and nobody else",
    arguments: [(-1, 1), (1, -1), (.min, .min)] as [(Int32, Int32)])
  func negative(side: (Int32, Int32)) throws {
    let stage = try Stage()
    let other = try stage.fixture.connect()
    stage.layer.addDamage(x: 0, y: 0, width: side.0, height: side.1)
    #expect(try stage.client.violation() == .badDamage)
    #expect(try other.commit())
  }

  @Test("pictures that are passed over are part of what the next one differs by")
  func queue() throws {
    let stage = try Stage()
    // Long past: the next frame shows the last of them, and none of the others.
    for step in 0..<3 {
      stage.paint(step, 2, UInt8(60 + step))
      let copy = try TestPicture(stage.client, width: 16, height: 16)
      stage.picture.memory.withBytes { from in copy.memory.withBytes { $0.copyBytes(from: from) } }
      stage.layer.addDamage(x: Int32(step), y: 2, width: 1, height: 1)
      stage.layer.queueContents(buffer: copy.buffer, secondsHi: 0, secondsLo: 1, nanoseconds: UInt32(step))
    }
    #expect(try stage.client.commit())
    #expect(try stage.frame() == (stage.expected, 3 * 4))
    // What is due comes before what a later commit sets, though no frame has shown it.
    let late = try TestPicture(stage.client, width: 16, height: 16)
    stage.paint(5, 5, 80)
    stage.picture.memory.withBytes { from in late.memory.withBytes { $0.copyBytes(from: from) } }
    stage.layer.addDamage(x: 5, y: 5, width: 1, height: 1)
    stage.layer.queueContents(buffer: late.buffer, secondsHi: 0, secondsLo: 2, nanoseconds: 0)
    #expect(try stage.client.commit())
    stage.paint(6, 6, 81)
    stage.layer.addDamage(x: 6, y: 6, width: 1, height: 1)
    stage.layer.setContents(buffer: stage.picture.buffer)
    #expect(try stage.client.commit())
    let (reds, bytes) = try stage.frame()
    #expect(reds == stage.expected)
    #expect(bytes == 16 * 16 * 4, "no frame has shown what it differs from")
    stage.paint(6, 6, 82)
    stage.layer.addDamage(x: 6, y: 6, width: 1, height: 1)
    stage.layer.setContents(buffer: stage.picture.buffer)
    #expect(try stage.client.commit())
    #expect(try stage.frame() == (stage.expected, 4))
  }

  @Test("after a refused commit the server believes nothing about the next picture")
  func refused() throws {
    let stage = try Stage()
    stage.paint(2, 2, 70)
    stage.layer.addDamage(x: 2, y: 2, width: 1, height: 1)
    stage.layer.setContents(buffer: stage.picture.buffer)
    try stage.client.set(stage.layer, [.zPosition(.nan)])
    #expect(try !stage.client.commit())
    stage.paint(3, 3, 71)
    stage.layer.addDamage(x: 3, y: 3, width: 1, height: 1)
    stage.layer.setContents(buffer: stage.picture.buffer)
    #expect(try stage.client.commit())
    #expect(try stage.frame() == (stage.expected, 16 * 16 * 4))
  }

  /// A surface, a portal of it one to one, one that is turned and half as large, and one that only shows its left part.
  private static func scene() -> (Layer, SurfaceLayer) {
    let (root, surface) = (Layer(), SurfaceLayer())
    root.frame = Rect(x: 0, y: 0, width: 128, height: 64)
    root.backgroundColor = .white
    surface.frame = Rect(x: 4, y: 4, width: 32, height: 32)
    surface.pacing = .latest
    root.addSublayer(surface)
    for (index, x) in [40.0, 80.0, 112.0].enumerated() {
      let portal = PortalLayer()
      portal.frame = Rect(x: x, y: 6, width: index == 2 ? 12 : 32, height: 32)
      portal.masksToBounds = index == 2
      if index == 1 { portal.transform = .rotation(angle: 0.4) * .scale(x: 0.5, y: 0.5) }
      portal.sourceLayer = surface
      root.addSublayer(portal)
    }
    return (root, surface)
  }

  @Test("by a server, the same pixels are drawn and as many bytes go to the GPU as in process", arguments: 0..<3)
  func embedded(seed: UInt64) throws {
    var random = SeededGenerator(seed: seed)
    let server = try RunningServer()
    let observer = try server.connect()
    let connection = try RenderServerConnection(adopting: try server.socket())
    let size = Size(width: 128, height: 64)
    let remote = try connection.output(size: size)
    let local = try OffscreenRenderer(size: size, backend: .gl)
    defer { local.close() }
    let (remoteRoot, remoteSurface) = Self.scene()
    let (localRoot, localSurface) = Self.scene()
    var pixels = [UInt8](repeating: 128, count: 32 * 32 * 4)
    var (bytesBefore, saved) = (0, 0)
    for step in 0..<30 {
      for _ in 0..<Int.random(in: 1...3, using: &random) {
        var rects: [PixelRect] = []
        for _ in 0..<Int.random(in: 1...3, using: &random) {
          let (x, y) = (Int32.random(in: -3..<32, using: &random), Int32.random(in: -3..<32, using: &random))
          let rect = PixelRect(
            minX: x, minY: y, maxX: x + .random(in: 1...6, using: &random), maxY: y + .random(in: 1...6, using: &random)
          )
          let inside = rect.intersection(PixelRect(minX: 0, minY: 0, maxX: 32, maxY: 32))
          let shade = UInt8.random(in: 0...255, using: &random)
          for row in inside.minY..<inside.maxY {
            for column in inside.minX..<inside.maxX { pixels[(Int(row) * 32 + Int(column)) * 4 + 1] = shade }
          }
          rects.append(rect)
        }
        let damage = step > 0 && Int.random(in: 0..<4, using: &random) > 0 ? rects : nil
        let image = try #require(Image(size: PixelSize(width: 32, height: 32), alpha: .opaque, pixels: pixels))
        for surface in [remoteSurface, localSurface] { surface.enqueue(SurfaceBuffer(image, damage: damage)) }
      }
      let (far, near) = (try remote.render(remoteRoot), try local.render(localRoot))
      #expect(far.pixels == near.pixels, "seed \(seed), step \(step)")
      let bytes = try server.metric("picture_bytes_total", observer)
      let report = try #require(local.lastReport)
      let expected = (local.memory?.uploadedBytes ?? 0) - report.counters.instanceBytes
      #expect(bytes - bytesBefore == (report.result == .drawn ? expected : 0), "seed \(seed), step \(step)")
      if step > 0, bytes - bytesBefore < 32 * 32 * 4 { saved += 1 }
      bytesBefore = bytes
    }
    #expect(saved > 3)
    #expect(server.end(SIGTERM) == 0)
  }
}
