import Commit
import Diagnostics
import Foundation
import Geometry
import LinuxIO
import Porthole
import RenderServer
import Testing
import WaylandProtocol

@Suite("Pictures that wait for their time", .serialized)
struct QueueTests {
  private static let period: UInt64 = 1_000_000_000 / 60

  /// A client with an output of 60 Hz whose layer fills it.
  private final class Stage {
    let fixture: ServerFixture
    let client: TestClient
    let output: Proxy<PortholeOutputV1>
    let layer: Proxy<PortholeLayerV1>

    init(limits: String = "", rate: UInt32 = 60_000) throws {
      fixture = try ServerFixture(limits: limits)
      client = try fixture.connect()
      output = client.output(width: 4, height: 4, rate: rate)
      layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 4, height: 4)), .anchorPoint(.zero))
      output.setRoot(layer: layer)
      try client.commit()
    }

    func picture(_ shade: UInt8) throws -> TestPicture {
      let picture = try TestPicture(client, width: 4, height: 4)
      picture.fill([shade, shade, shade, 255])
      return picture
    }

    func queue(_ picture: TestPicture, at time: UInt64) {
      layer.queueContents(
        buffer: picture.buffer, secondsHi: 0, secondsLo: UInt32(time / 1_000_000_000),
        nanoseconds: UInt32(time % 1_000_000_000))
    }

    func shade() throws -> UInt8? { try client.capture(output, width: 4, height: 4)?.first }
  }

  @Test(
    "are shown by the output's own clock, in the order of their times, with nothing said by the client",
    arguments: [
      UInt32(60_000), 0,
    ])
  func shown(rate: UInt32) throws {
    let stage = try Stage(rate: rate)
    let now = ProcessClock.monotonicNanoseconds
    let times = [now + 240_000_000, now + 80_000_000, now + 160_000_000]
    let pictures = try [30, 10, 20].map { try stage.picture($0) }
    for (picture, time) in zip(pictures, times) { stage.queue(picture, at: time) }
    #expect(try stage.client.commit())
    // Copied at the commit.
    #expect(pictures.allSatisfy { $0.ear.releases == [2] })
    for picture in pictures { picture.fill([99, 99, 99, 255]) }
    let commits = stage.fixture.server.tree.clients.values.first?.account.commits
    var seen: [UInt8] = []
    while seen.last != 30, ProcessClock.monotonicNanoseconds < now + 20_000_000_000 {
      let shade = try #require(try stage.shade())
      let due: [UInt8: UInt64] = [0: 0, 10: times[1], 20: times[2], 30: times[0]]
      // A frame is begun before it is due, by less than a period.
      #expect(ProcessClock.monotonicNanoseconds + Self.period >= due[shade] ?? .max)
      if seen.last != shade { seen.append(shade) }
    }
    // A machine that is busy may show none of one; none comes twice, or in another order.
    #expect(seen.last == 30 && seen == seen.sorted(), "\(seen)")
    #expect(stage.fixture.server.tree.clients.values.first?.account.commits == commits)
  }

  @Test("are forgotten with clear_queue, with their layer and with their client, and count as memory until then")
  func forgotten() throws {
    let stage = try Stage(limits: "texture_bytes=1000", rate: 0)
    let far = ProcessClock.monotonicNanoseconds + 3_600_000_000_000
    // Of 1000 bytes the output takes 64 and more, and each picture 64.
    let pictures = try (0..<4).map { try stage.picture(UInt8($0)) }
    for round in 0..<40 {
      for picture in pictures { stage.queue(picture, at: far + UInt64(round)) }
      #expect(try stage.client.commit())
      #expect(stage.fixture.server.tree.nextDue != nil)
      stage.layer.clearQueue()
      #expect(try stage.client.commit())
      #expect(stage.fixture.server.tree.nextDue == nil)
    }
    stage.queue(try stage.picture(1), at: far)
    try stage.client.set(stage.layer, [.zPosition(.nan)])
    #expect(try !stage.client.commit())
    #expect(stage.fixture.server.tree.nextDue == nil)
    stage.queue(try stage.picture(1), at: far)
    stage.layer.destroy()
    #expect(try stage.client.commit())
    #expect(stage.fixture.server.tree.nextDue == nil)

    let other = try Stage()
    other.queue(try other.picture(1), at: far)
    #expect(try other.client.commit())
    #expect(other.fixture.server.tree.nextDue == far)
    other.client.kill()
    try other.fixture.turn { other.fixture.server.tree.clients.isEmpty }
    #expect(other.fixture.server.tree.nextDue == nil)
  }

  @Test("more of them than a client may have end it, and so does a time that is none")
  func limits() throws {
    let many = try Stage(limits: "changes=4")
    for _ in 0..<5 { many.queue(try many.picture(1), at: 1 << 60) }
    #expect(try many.client.violation() == .tooManyChanges)
    let large = try Stage(limits: "texture_bytes=400", rate: 0)
    for _ in 0..<8 { large.queue(try large.picture(1), at: 1 << 60) }
    large.client.global.commit(serial: 3)
    #expect(try large.client.violation() == .tooMuchTextureMemory)
    let wrong = try Stage()
    wrong.layer.queueContents(
      buffer: try wrong.picture(1).buffer, secondsHi: 0, secondsLo: 0, nanoseconds: 1_000_000_000)
    #expect(try wrong.client.violation() == .badValue)
  }

  @Test("a surface gives a server its buffers ahead, and another process sees them change")
  func surface() throws {
    let server = try RunningServer()
    let owner = try RenderServerConnection(adopting: try server.socket())
    let viewer = try RenderServerConnection(adopting: try server.socket())
    let surface = SurfaceLayer()
    surface.frame = Rect(x: 0, y: 0, width: 4, height: 4)
    let handle = try owner.export(surface)
    let start = Double(ProcessClock.monotonicNanoseconds) / 1e9
    let released = Counter()
    for (shade, delay) in [(10, -1), (20, 0.05), (30, 0.1)] as [(UInt8, Double)] {
      let image = try #require(
        Image(
          size: PixelSize(width: 4, height: 4), alpha: .opaque, pixels: (0..<64).map { $0 % 4 == 3 ? 255 : shade }))
      surface.enqueue(SurfaceBuffer(image, time: start + delay) { released.value += 1 })
    }
    _ = try owner.commit(surface)
    try owner.finish()
    let commits = owner.counters.commits
    #expect(surface.queuedCount == 0 && released.value == 3)
    let portal = PortalLayer()
    portal.frame = Rect(x: 0, y: 0, width: 4, height: 4)
    // A portal keeps no source.
    let imported = try viewer.import(handle)
    portal.sourceLayer = imported
    let renderer = try viewer.output(size: Size(width: 4, height: 4))
    var last: UInt8 = 0
    while last != 30, Double(ProcessClock.monotonicNanoseconds) / 1e9 < start + 20 {
      let shade = try renderer.render(portal).pixels[0]
      #expect(shade >= last)
      last = shade
    }
    #expect(last == 30)
    #expect(owner.counters.commits == commits)
    // What waits is forgotten by the server too.
    surface.enqueue(
      SurfaceBuffer(
        try #require(Image(size: PixelSize(width: 1, height: 1), alpha: .opaque, pixels: [40, 0, 0, 0])),
        time: start + 3600))
    _ = try owner.commit(surface)
    surface.flush()
    _ = try owner.commit(surface)
    try owner.finish()
    #expect(server.end(SIGTERM) == 0)
  }

  private final class Counter { var value = 0 }
}
