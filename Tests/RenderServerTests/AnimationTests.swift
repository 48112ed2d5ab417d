import Commit
import CommitCoding
import Diagnostics
import Geometry
import RenderServer
import Testing
import WaylandProtocol

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("Animations over the wire", .serialized)
struct AnimationTests {
  final class LayerEar: PortholeLayerV1.EventHandler {
    var ended: [[UInt64]] = []

    func animationEnded(_ proxy: Proxy<PortholeLayerV1>, tokenHi: UInt32, tokenLo: UInt32, finished: UInt32) {
      ended.append([UInt64(tokenHi) << 32 | UInt64(tokenLo), UInt64(finished)])
    }
  }

  final class PresentationEar: PortholePresentationV1.EventHandler {
    var changes: [PropertyChange] = []
    var isDone = false

    func values(_ proxy: Proxy<PortholePresentationV1>, records: RawSpan) {
      records.withUnsafeBytes { bytes in try? PropertyRecords.decode(bytes) { changes.append($0) } }
    }

    func done(_ proxy: Proxy<PortholePresentationV1>, secondsHi: UInt32, secondsLo: UInt32, nanoseconds: UInt32) {
      isDone = true
    }
  }

  private func move(_ timing: AnimationTiming) -> Animation {
    Animation(
      PropertyAnimation(
        AnimationKeyPath(whole: .position), .basic(.init(from: .point(Point(4, 4)), to: .point(Point(28, 4))))),
      timing: timing)
  }

  private func add(
    _ animation: Animation, to layer: Proxy<PortholeLayerV1>, key: String = "move", token: UInt64 = 0
  ) throws {
    send(try AnimationRecord.encode(animation), to: layer, key: key, token: token)
  }

  /// Never inlined: the compiler's ownership check takes the span of a caller's array for one that outlives it.
  @inline(never)
  private func send(_ numbers: [Double], to layer: Proxy<PortholeLayerV1>, key: String, token: UInt64 = 0) {
    layer.addAnimation(
      key: key, tokenHi: UInt32(token >> 32), tokenLo: UInt32(truncatingIfNeeded: token),
      animation: numbers.span.bytes)
  }

  private func scene(
    _ client: TestClient, rate: UInt32
  ) throws -> (
    layer: Proxy<PortholeLayerV1>, output: Proxy<PortholeOutputV1>
  ) {
    let root = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 32, height: 8)), .anchorPoint(.zero))
    let layer = try client.layer(
      .layer, .bounds(Rect(x: 0, y: 0, width: 8, height: 8)), .position(Point(4, 4)), .backgroundColor(.white))
    root.insertSublayer(child: layer, index: .max)
    let output = client.output(width: 32, height: 8, rate: rate)
    output.setRoot(layer: root)
    return (layer, output)
  }

  /// Whether the server has said anything to the client that it has not read.
  private func hasMessage(_ client: TestClient) -> Bool {
    var poll = pollfd(fd: client.connection.pollDescriptor, events: Int16(POLLIN), revents: 0)
    return Glibc.poll(&poll, 1, 0) > 0
  }

  @Test("while something runs the server draws frame after frame, and its client is not woken once")
  func frames() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (layer, _) = try scene(client, rate: 500_000)
    try add(move(AnimationTiming(duration: 1, repeatCount: .infinity, autoreverses: true)), to: layer)
    #expect(try client.commit())
    let start = fixture.server.framesDrawn
    var wakeUps = 0
    try fixture.turn {
      if hasMessage(client) { wakeUps += 1 }
      return fixture.server.framesDrawn >= start + 100
    }
    #expect(fixture.server.framesDrawn >= start + 100)
    #expect(wakeUps == 0, "no message and so no wake-up in a hundred frames")
    // And with nothing that runs, it sleeps.
    layer.removeAnimation(key: "move")
    #expect(try client.commit())
    try fixture.turns(50)
    let drawn = fixture.server.framesBegun
    let end = ProcessClock.monotonicNanoseconds + 60_000_000
    while ProcessClock.monotonicNanoseconds < end { try fixture.server.runOnce(timeoutMilliseconds: 10) }
    #expect(fixture.server.framesBegun == drawn, "thirty periods, and no frame")
  }

  @Test("the picture is that of the moment, and the layer's own again after the end")
  func picture() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (layer, output) = try scene(client, rate: 0)
    var standing = move(AnimationTiming(duration: 1, speed: 0, timeOffset: 0.5))
    try add(standing, to: layer)
    #expect(try client.commit())
    func row(_ pixels: [UInt8]?) -> [Bool] { (0..<32).map { (pixels ?? [])[(4 * 32 + $0) * 4] == 255 } }
    // Its middle at 16.
    #expect(row(try client.capture(output, width: 32, height: 8)) == (0..<32).map { (12..<20).contains($0) })
    standing.timing = AnimationTiming(duration: 0.001)
    try add(standing, to: layer)
    #expect(try client.commit())
    let end = ProcessClock.monotonicNanoseconds + 2_000_000
    while ProcessClock.monotonicNanoseconds < end { try fixture.turns(1) }
    #expect(row(try client.capture(output, width: 32, height: 8)) == (0..<32).map { $0 < 8 })
  }

  @Test("each end is told once, with no output too, to who wants to know")
  func ends() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let layer = try client.layer()
    let ear = LayerEar()
    layer.handler = ear
    try add(move(AnimationTiming(duration: 0.01)), to: layer, key: "silent")
    try add(move(AnimationTiming(duration: 0.02)), to: layer, key: "a", token: 7 << 32 | 9)
    try add(move(AnimationTiming(duration: 100)), to: layer, key: "b", token: 2)
    #expect(try client.commit())
    #expect(try client.turn { !ear.ended.isEmpty })
    #expect(ear.ended == [[7 << 32 | 9, 1]])
    try add(move(AnimationTiming(duration: 100)), to: layer, key: "b", token: 3)
    #expect(try client.commit())
    layer.removeAnimation(key: nil)
    #expect(try client.commit())
    #expect(try client.turn { ear.ended.count >= 3 })
    #expect(ear.ended.dropFirst() == [[2, 0], [3, 0]])
  }

  @Test("a client can ask what is shown")
  func presentation() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (layer, _) = try scene(client, rate: 0)
    try add(move(AnimationTiming(duration: 1, speed: 0, timeOffset: 0.25)), to: layer)
    #expect(try client.commit())
    let ear = PresentationEar()
    let presentation = layer.getPresentation()
    presentation.handler = ear
    #expect(try client.turn { ear.isDone })
    presentation.destroy()
    #expect(ear.changes.count == 1)
    if case .position(let shown)? = ear.changes.first { #expect(shown == Point(10, 4)) } else { Issue.record("none") }
  }

  @Test("what is no animation ends its client, and an animation that can't be is refused by name")
  func malformed() throws {
    let fixture = try ServerFixture()
    let good = try fixture.connect()
    let refusing = try good.layer()
    try add(move(AnimationTiming(duration: .nan)), to: refusing)
    #expect(try !good.commit())
    #expect(good.ear.refused.last?.reason == .notFinite && good.ear.refused.last?.property == "position")
    // Nor does a spring that nothing holds up, or that swings for hours.
    for (index, spring) in [Spring(damping: 0), Spring(damping: 1e-9), Spring(mass: -1)].enumerated() {
      let motion = PropertyAnimation.Motion.spring(.init(to: .number(1)), spring)
      let endless = Animation(
        PropertyAnimation(AnimationKeyPath(whole: .zPosition), motion), timing: AnimationTiming(duration: 0))
      try add(endless, to: refusing)
      #expect(try !good.commit(), "\(index)")
      #expect(good.ear.refused.last?.reason == .outOfRange && good.ear.refused.last?.property == "zPosition")
    }
    try add(move(AnimationTiming(duration: 0.1)), to: refusing)
    #expect(try good.commit(), "the rest goes on")
    let numbers = try AnimationRecord.encode(move(AnimationTiming()))
    var wrong = numbers
    wrong[0] = 17
    for (array, code) in [
      (Array(numbers.dropLast()), PortholeV1.ErrorCode.badRecord), (numbers + [0], .badRecord), (wrong, .badValue),
      ([], .badRecord),
    ] {
      let client = try fixture.connect()
      let layer = try client.layer()
      send(array, to: layer, key: "bad")
      #expect(try client.violation() == code)
    }
    let client = try fixture.connect()
    let layer = try client.layer()
    send(numbers, to: layer, key: String(repeating: "k", count: 256))
    #expect(try client.violation() == .badName)
    #expect(try good.commit())
  }
}
