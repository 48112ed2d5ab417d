import Commit
import Diagnostics
import Geometry
import LinuxIO
import Porthole
import RenderServer
import Testing
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

private let red = Color(red: 1, green: 0, blue: 0)
private let green = Color(red: 0, green: 1, blue: 0)
private let box = Rect(x: 0, y: 0, width: 8, height: 8)

final class OutputEar: PortholeOutputV1.EventHandler {
  struct Frame: Equatable {
    var sequence: UInt64
    var result: PortholeOutputV1.Result
    var time: UInt64
  }
  var frames: [Frame] = []
  func frame(
    _ proxy: Proxy<PortholeOutputV1>, sequenceHi: UInt32, sequenceLo: UInt32, secondsHi: UInt32, secondsLo: UInt32,
    nanoseconds: UInt32, result: PortholeOutputV1.Result
  ) {
    frames.append(
      Frame(
        sequence: UInt64(sequenceHi) << 32 | UInt64(sequenceLo), result: result,
        time: (UInt64(secondsHi) << 32 | UInt64(secondsLo)) * 1_000_000_000 + UInt64(nanoseconds)))
  }
}

final class FeedbackEar: PortholeFeedbackV1.EventHandler {
  var sequence: UInt64?
  var refresh: UInt32 = 0
  var isDiscarded = false
  var presentedCount = 0
  func presented(
    _ proxy: Proxy<PortholeFeedbackV1>, secondsHi: UInt32, secondsLo: UInt32, nanoseconds: UInt32, refresh: UInt32,
    sequenceHi: UInt32, sequenceLo: UInt32, flags: PortholeFeedbackV1.Flags
  ) {
    sequence = UInt64(sequenceHi) << 32 | UInt64(sequenceLo)
    self.refresh = refresh
    presentedCount += 1
  }
  func discarded(_ proxy: Proxy<PortholeFeedbackV1>) { isDiscarded = true }
}

@Suite("Outputs of the server", .serialized)
struct OutputTests {
  private func stage(
    _ client: TestClient, rate: UInt32 = 0
  ) throws -> (root: Proxy<PortholeLayerV1>, output: Proxy<PortholeOutputV1>, ear: OutputEar) {
    let root = try client.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(red))
    let output = client.output(width: 8, height: 8, rate: rate)
    let ear = OutputEar()
    output.handler = ear
    output.setRoot(layer: root)
    #expect(try client.commit())
    return (root, output, ear)
  }

  @Test("an output on demand draws when it is asked, and says when nothing has changed")
  func onDemand() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (root, output, ear) = try stage(client)
    try fixture.turns(10)
    #expect(ear.frames.isEmpty)
    for _ in 0..<2 {
      output.requestFrame()
      let count = ear.frames.count
      try client.turn { ear.frames.count > count }
    }
    try client.set(root, [.backgroundColor(green)])
    #expect(try client.commit())
    output.requestFrame()
    output.requestFrame()
    try client.turn { ear.frames.count == 4 }
    #expect(ear.frames.map(\.result) == [.drawn, .unchanged, .drawn, .drawn])
    #expect(ear.frames.map(\.sequence) == [1, 1, 2, 2])
  }

  @Test("an output with a rate draws once for each change, at its ticks, and rests when nothing changes")
  func atRate() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (root, output, ear) = try stage(client, rate: 100_000)
    let feedback = client.global.feedback(output: output)
    let shown = FeedbackEar()
    feedback.handler = shown
    try client.set(root, [.backgroundColor(green)])
    #expect(try client.commit())
    try client.turn { shown.sequence != nil }
    #expect(shown.refresh == 10_000_000)
    let drawn = try #require(shown.sequence)
    #expect(drawn <= 2)
    // A tenth of a second of ticks in which nothing happens.
    let end = ProcessClock.monotonicNanoseconds + 100_000_000
    while ProcessClock.monotonicNanoseconds < end { try fixture.turns(1) }
    output.requestFrame()
    try client.turn { ear.frames.count == 1 }
    #expect(ear.frames.map(\.result) == [.unchanged])
    #expect(ear.frames.map(\.sequence) == [drawn])
    output.requestFrame()
    try client.turn { ear.frames.count == 2 }
    let apart = ear.frames[1].time - ear.frames[0].time
    #expect(apart > 0 && apart % 10_000_000 == 0)
  }

  @Test("what another client does to layers that an output does not show draws nothing")
  func othersChanges() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let other = try fixture.connect()
    let (_, output, ear) = try stage(client)
    output.requestFrame()
    try client.turn { ear.frames.count == 1 }
    _ = try other.layer(.layer, .bounds(box), .backgroundColor(green))
    #expect(try other.commit())
    output.requestFrame()
    try client.turn { ear.frames.count == 2 }
    #expect(ear.frames.map(\.result) == [.drawn, .unchanged])
  }

  @Test("feedback of a commit that was refused, or that a later one overtook, is discarded")
  func feedbackDiscarded() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (root, output, ear) = try stage(client)
    func ask() -> FeedbackEar {
      let feedback = client.global.feedback(output: output)
      let ear = FeedbackEar()
      feedback.handler = ear
      kept.append(feedback)
      return ear
    }
    var kept: [Proxy<PortholeFeedbackV1>] = []
    let refused = ask()
    try client.set(root, [.cornerRadius(-1)])
    #expect(try !client.commit())
    try client.turn { refused.isDiscarded }
    let overtaken = ask()
    #expect(try client.commit())
    let last = ask()
    #expect(try client.commit())
    output.requestFrame()
    try client.turn { ear.frames.count == 1 && last.sequence != nil }
    #expect(refused.isDiscarded && overtaken.isDiscarded && !last.isDiscarded)
    #expect(last.sequence == 1 && last.refresh == 0)
  }

  @Test("frames go to a pipe as raw pixels, one after another")
  func rawFrames() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (root, output, _) = try stage(client)
    let pipe = try PipeEnds()
    let capture = output.captureToFile(fd: pipe.writer.descriptor, format: .raw, count: 2)
    let ear = TestClient.CaptureEar()
    capture.handler = ear
    pipe.writer.close()
    try client.turn { ear.ready == 1 }
    try client.set(root, [.backgroundColor(green)])
    #expect(try client.commit())
    output.requestFrame()
    try client.turn { ear.ready == 2 }
    #expect(ear.size == PixelSize(width: 8, height: 8))
    #expect(ear.failure == nil)
    // Two pictures and then the end.
    let bytes = try pipe.readAll { try fixture.turns(1) }
    #expect(bytes.count == 512)
    #expect(bytes.prefix(4) == [255, 0, 0, 255] && bytes.suffix(4) == [0, 255, 0, 255])
  }

  @Test("frames that are read while the next are drawn come whole and in order, each with its own pixels")
  func frameOrder() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let output = client.output(width: 64, height: 64)
    let frames = OutputEar()
    output.handler = frames
    let layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 64, height: 64)), .anchorPoint(.zero))
    output.setRoot(layer: layer)
    // It holds four of these frames; the others are left out.
    let pipe = try PipeEnds()
    let ear = TestClient.CaptureEar()
    let capture = output.captureToFile(fd: pipe.writer.descriptor, format: .raw, count: 0)
    capture.handler = ear
    pipe.writer.close()
    for step in 0..<24 {
      try client.set(layer, [.backgroundColor(Color(red: Float(step * 10) / 255, green: 0, blue: 0))])
      #expect(try client.commit())
      // Told when it is drawn, which is not when it is read.
      output.requestFrame()
      try client.turn { frames.frames.count > step }
    }
    capture.destroy()
    let read = try pipe.readAll {
      _ = try client.connection.flush()
      try fixture.turns(1)
    }
    let size = 64 * 64 * 4
    let pictures = stride(from: 0, to: read.count, by: size).map { Array(read[$0..<min(read.count, $0 + size)]) }
    let shades = pictures.map { Int($0[0]) }
    #expect(read.count % size == 0 && pictures.count >= 4)
    #expect(shades == shades.sorted() && Set(shades).count == shades.count, "\(shades)")
    for picture in pictures { #expect(stride(from: 0, to: size, by: 4).allSatisfy { picture[$0] == picture[0] }) }
  }

  @Test("a reader that is gone fails its capture, and one that does not read holds up nobody")
  func badReaders() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let root = try client.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(red))
    let output = client.output(width: 512, height: 512)
    output.setRoot(layer: root)
    #expect(try client.commit())
    let gone = try PipeEnds()
    let broken = output.captureToFile(fd: gone.writer.descriptor, format: .raw, count: 1)
    gone.close()
    let brokenEar = TestClient.CaptureEar()
    broken.handler = brokenEar
    try client.turn { brokenEar.isOver }
    #expect(brokenEar.failure == .notWritable)

    let slow = try PipeEnds()
    let stream = output.captureToFile(fd: slow.writer.descriptor, format: .raw, count: 0)
    slow.writer.close()
    let slowEar = TestClient.CaptureEar()
    stream.handler = slowEar
    for step in 1...4 {
      try client.set(root, [.position(Point(Double(step), 0))])
      #expect(try client.commit())
      #expect(try client.capture(output, width: 512, height: 512) != nil)
    }
    #expect(slowEar.ready == 0)
    #expect(client.connection.error == nil)
  }

  @Test("a layer alone is a PNG of its bounds, the same that the embedded renderer gives")
  func layerAlone() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let tree = PairedTree.all[3]
    let root = try tree.send(to: client)
    #expect(try client.commit())
    let pipe = try PipeEnds()
    let capture = client.global.captureLayer(
      layer: root, scale: [2.0].span.bytes, fd: pipe.writer.descriptor, format: .png)
    pipe.writer.close()
    let ear = TestClient.CaptureEar()
    capture.handler = ear
    try client.turn { ear.isOver }
    let bytes = try pipe.readAll { try fixture.turns(1) }
    let picture = try PNG.decode(bytes)
    let renderer = try OffscreenRenderer(size: Size(width: 48, height: 40), scale: 2)
    let expected = try renderer.render(layer: tree.layer).straight
    renderer.close()
    #expect(picture.size == PixelSize(width: 96, height: 80))
    #expect(picture.pixels == expected.pixels)
  }

  @Test("a buffer of another size than the output gets no picture")
  func wrongSize() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (_, output, _) = try stage(client)
    #expect(try client.capture(output, width: 7, height: 8) == nil)
    #expect(try client.capture(output, width: 8, height: 8) != nil)
  }

  @Test("a lost device is made anew, and the next frame is the same as before")
  func deviceLost() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let output = client.output(width: 48, height: 40)
    output.setRoot(layer: try PairedTree.all[2].send(to: client))
    #expect(try client.commit())
    let second = client.output(width: 8, height: 8)
    second.setRoot(layer: try client.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(red)))
    #expect(try client.commit())
    let before = try #require(try client.capture(output, width: 48, height: 40))
    let other = try #require(try client.capture(second, width: 8, height: 8))
    #expect(before.contains { $0 != 0 })
    fixture.server.loseDevice()
    #expect(try client.capture(output, width: 48, height: 40) == before)
    #expect(try client.capture(second, width: 8, height: 8) == other)
  }
}
