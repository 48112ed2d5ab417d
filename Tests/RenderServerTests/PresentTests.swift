import Commit
import Geometry
import LinuxIO
import Porthole
import RenderServer
import RenderTree
import Testing
import WaylandProtocol

private let red = Color(red: 1, green: 0, blue: 0)
private let blue = Color(red: 0, green: 0, blue: 1)

/// What a source's client hears of the frames that portals show it in, and what it costs to look at them.
@Suite("Sources, presents and captures in the server", .serialized)
struct PresentTests {
  /// A source that lies behind an opaque layer, portals of it, and an output that draws when it is asked.
  private final class Stage {
    let fixture: ServerFixture
    let client: TestClient
    let root: Proxy<PortholeLayerV1>
    let source: Proxy<PortholeLayerV1>
    let output: Proxy<PortholeOutputV1>
    let ear = OutputEar()
    var kept: [Proxy<PortholeFeedbackV1>] = []

    init(portals: Int) throws {
      fixture = try ServerFixture()
      client = try fixture.connect()
      root = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 64, height: 32)), .anchorPoint(.zero))
      source = try client.layer(
        .layer, .bounds(Rect(x: 0, y: 0, width: 8, height: 8)), .anchorPoint(.zero), .backgroundColor(red))
      root.insertSublayer(child: source, index: .max)
      let cover = try client.layer(
        .layer, .bounds(Rect(x: 0, y: 0, width: 16, height: 16)), .anchorPoint(.zero), .backgroundColor(blue))
      root.insertSublayer(child: cover, index: .max)
      for index in 0..<portals {
        let portal = try client.layer(
          .portal, .bounds(Rect(x: 0, y: 0, width: 8, height: 8)), .anchorPoint(.zero),
          .position(Point(20 + Double(index % 4) * 10, Double(index / 4) * 10)))
        portal.setSourceLayer(source: source)
        root.insertSublayer(child: portal, index: .max)
      }
      output = client.output(width: 64, height: 32)
      output.handler = ear
      output.setRoot(layer: root)
      #expect(try client.commit())
    }

    /// Asks when the next commit is shown.
    func ask() -> FeedbackEar {
      let (feedback, ear) = (client.global.feedback(output: output), FeedbackEar())
      feedback.handler = ear
      kept.append(feedback)
      return ear
    }

    /// One frame of the output.
    func frame() throws {
      let count = ear.frames.count
      output.requestFrame()
      try client.turn { ear.frames.count > count }
    }

    func recolor(_ step: Int) throws {
      try client.set(source, [.backgroundColor(Color(red: Float(step % 16) / 15, green: 1, blue: 0))])
    }
  }

  @Test("a source that is covered and shown by a portal: its client hears of a present in each frame")
  func occluded() throws {
    let stage = try Stage(portals: 1)
    try stage.frame()
    for step in 1...12 {
      let shown = stage.ask()
      try stage.recolor(step)
      #expect(try stage.client.commit())
      try stage.frame()
      try stage.client.turn { shown.sequence != nil || shown.isDiscarded }
      // The frame in which it is shown, and that is the next one each time.
      #expect(shown.sequence == UInt64(step + 1), "frame \(step)")
      #expect(stage.ear.frames.last?.result == .drawn)
    }
  }

  @Test("with any number of portals a source's client gets one present a frame, and its picture back once")
  func once() throws {
    let stage = try Stage(portals: 8)
    let picture = try TestPicture(stage.client, width: 8, height: 8)
    for step in 1...6 {
      picture.fill([UInt8(step * 20), 0, 0, 255])
      stage.source.setContents(buffer: picture.buffer)
      let shown = stage.ask()
      #expect(try stage.client.commit())
      try stage.frame()
      try stage.client.turn { shown.sequence != nil && picture.ear.releases.count == step }
      #expect(shown.sequence == UInt64(step) && shown.presentedCount == 1)
      let pixels = try #require(try stage.client.capture(stage.output, width: 64, height: 32))
      for column in 0..<4 {
        for row in 0..<2 {
          #expect(pixels[((row * 10 + 4) * 64 + 24 + column * 10) * 4] == UInt8(step * 20), "frame \(step)")
        }
      }
    }
    try stage.fixture.turns(10)
    #expect(picture.ear.releases.count == 6)
  }

  @Test("one request for a frame after a change, and the picture that is read is the new one")
  func oneRefresh() throws {
    let stage = try Stage(portals: 1)
    try stage.frame()
    try stage.client.set(stage.source, [.backgroundColor(Color(red: 0, green: 1, blue: 0))])
    #expect(try stage.client.commit())
    try stage.frame()
    let pixels = try #require(try stage.client.capture(stage.output, width: 64, height: 32))
    #expect(Array(pixels[(4 * 64 + 24) * 4..<(4 * 64 + 24) * 4 + 4]) == [0, 255, 0, 255])
  }

  @Test("a reader that takes every frame costs the frames nothing: the same passes, draws and pixels")
  func capture() throws {
    var costs: [[FrameCost]] = []
    for isCaptured in [false, true] {
      let stage = try Stage(portals: 8)
      let pipe = try PipeEnds()
      let ear = TestClient.CaptureEar()
      var capture: Proxy<PortholeCaptureV1>?
      if isCaptured {
        capture = stage.output.captureToFile(fd: pipe.writer.descriptor, format: .raw, count: 0)
        capture?.handler = ear
      }
      pipe.writer.close()
      var cost: [FrameCost] = []
      for step in 0..<8 {
        try stage.recolor(step)
        #expect(try stage.client.commit())
        try stage.frame()
        let counters = stage.fixture.server.lastFrame
        cost.append(
          FrameCost(
            passes: counters.passes, batches: counters.batches, quads: counters.quads,
            shadedPixels: counters.shadedPixels, targetPixels: counters.targetPixels))
      }
      if isCaptured { #expect(try stage.client.turn { ear.ready > 0 } && ear.failure == nil) }
      capture?.destroy()
      costs.append(cost)
    }
    #expect(costs[0] == costs[1])
    #expect(costs[0].allSatisfy { $0.passes > 0 && $0.shadedPixels > 0 })
  }

  private struct FrameCost: Equatable {
    var passes: Int
    var batches: Int
    var quads: Int
    var shadedPixels: Int
    var targetPixels: Int
  }
}
