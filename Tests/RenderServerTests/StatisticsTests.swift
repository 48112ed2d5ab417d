import Commit
import Geometry
import RenderServer
import Testing
import WaylandProtocol

@Suite("Statistics of the server", .serialized)
struct StatisticsTests {
  final class Ear: PortholeStatisticsV1.EventHandler {
    var clients: [(name: String?, values: [Double])] = []
    var layers: [(name: String?, values: [Double])] = []
    var portals: [[Double]] = []
    var textures: [[Double]] = []
    var isDone = false

    private func doubles(_ span: RawSpan) -> [Double] {
      span.withUnsafeBytes { bytes in
        stride(from: 0, to: bytes.count, by: 8).map { bytes.loadUnaligned(fromByteOffset: $0, as: Double.self) }
      }
    }
    func client(_ proxy: Proxy<PortholeStatisticsV1>, name: String?, values: RawSpan) {
      clients.append((name, doubles(values)))
    }
    func layer(_ proxy: Proxy<PortholeStatisticsV1>, name: String?, values: RawSpan) {
      layers.append((name, doubles(values)))
    }
    func portal(_ proxy: Proxy<PortholeStatisticsV1>, values: RawSpan) { portals.append(doubles(values)) }
    func texture(_ proxy: Proxy<PortholeStatisticsV1>, values: RawSpan) { textures.append(doubles(values)) }
    func done(_ proxy: Proxy<PortholeStatisticsV1>) { isDone = true }
  }

  @Test("a client is told of its layers, portals and textures alone, the operator of everybody's")
  func counts() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let other = try fixture.connect()
    client.global.setName(name: "wall")
    let picture = try TestPicture(client, width: 4, height: 2)
    let layer = try client.layer(.layer, .bounds(Rect(x: 1, y: 2, width: 30, height: 40)))
    layer.setName(name: "sky")
    layer.setContents(buffer: picture.buffer)
    let portal = try client.layer(.portal)
    portal.setSourceLayer(source: layer)
    #expect(try client.commit())
    _ = try other.layer()
    #expect(try other.commit())
    let ear = Ear()
    let statistics = client.global.getStatistics()
    statistics.handler = ear
    try client.turn { ear.isDone }
    #expect(ear.clients.count == 1 && ear.clients[0].name == "wall")
    #expect(Array(ear.clients[0].values[3...4]) == [2, 1] && ear.clients[0].values[8] == 32)
    #expect(ear.layers.map(\.name) == ["sky", nil])
    #expect(ear.layers[0].values[1] == Double(layer.number))
    #expect(Array(ear.layers[0].values[7...10]) == [1, 2, 30, 40])
    #expect(ear.portals.count == 1 && ear.portals[0][1] == ear.layers[0].values[0] && ear.portals[0][2] == 0)
    #expect(ear.textures.map { Array($0[2...4]) } == [[4, 2, 32]])
    let all = Ear()
    let everybody = try #require(other.inspector).getStatistics()
    everybody.handler = all
    try other.turn { all.isDone }
    #expect(all.clients.count == 2 && all.layers.count == 3)
  }

  @Test("many layers are told in parts, so that no connection overflows")
  func many() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    for step in 0..<20_000 {
      _ = try client.layer()
      if step % 500 == 499 { #expect(try client.commit()) }
    }
    let ear = Ear()
    let statistics = client.global.getStatistics()
    statistics.handler = ear
    try client.turn { ear.isDone }
    #expect(ear.layers.count == 20_000, "\(String(describing: client.connection.error))")
    #expect(ear.isDone)
  }

  @Test("what secure layers draw gets into no trace, whether they were there before or came while it was recorded")
  func secretsInTraces() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let secret = [UInt8](repeating: 0xA7, count: 64)
    func picture(_ pixel: UInt8) throws -> TestPicture {
      let picture = try TestPicture(client, width: 4, height: 4)
      picture.fill([pixel, pixel, pixel, pixel])
      return picture
    }
    var kept: [TestPicture] = []
    func layer(in parent: Proxy<PortholeLayerV1>?, _ pixel: UInt8) throws -> Proxy<PortholeLayerV1> {
      let layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 4, height: 4)))
      kept.append(try picture(pixel))
      layer.setContents(buffer: kept[kept.count - 1].buffer)
      parent?.insertSublayer(child: layer, index: 0)
      return layer
    }
    let vault = try client.layer(.layer, .isSecure(true))
    _ = try layer(in: vault, 0xA7)
    _ = try layer(in: nil, 0x31)
    #expect(try client.commit())
    let pipe = try PipeEnds()
    client.inspector?.record(fd: pipe.writer.descriptor)
    pipe.writer.close()
    _ = try layer(in: vault, 0xA7)
    _ = try layer(in: nil, 0x32)
    #expect(try client.commit())
    client.inspector?.stopRecording()
    let trace = try pipe.readAll {
      _ = try client.connection.flush()
      try fixture.turns(1)
    }
    func holds(_ bytes: [UInt8]) -> Bool { trace.firstRange(of: bytes) != nil }
    #expect(holds([UInt8](repeating: 0x31, count: 64)) && holds([UInt8](repeating: 0x32, count: 64)))
    #expect(!holds(secret))
  }
}
