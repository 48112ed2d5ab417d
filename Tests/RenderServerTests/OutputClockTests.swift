import Commit
import Diagnostics
import Geometry
import RenderServer
import TestSupport
import Testing
import WaylandProtocol

@Suite("The clock of an output", .serialized)
struct OutputClockTests {
  private static let period: UInt64 = 16_666_666

  @Test("no frame is due twice, each is due a whole number of periods after the first, and begun before that")
  func due() {
    var random = SeededGenerator(seed: 11)
    var clock = OutputClock(period: Self.period, at: 1_000_000_007)
    var now: UInt64 = 1_000_000_007
    var last: UInt64 = 0
    for _ in 0..<2000 {
      let earliest = Bool.random(using: &random) ? 0 : now + UInt64.random(in: 0...100_000_000, using: &random)
      let due = clock.due(after: now, notBefore: earliest)
      #expect(due > last && due > now && due >= earliest && (due - 1_000_000_007) % Self.period == 0)
      // Not put off: the one before would be over, not wanted, or too late to begin.
      let before = due - Self.period
      #expect(before <= last || before <= now + clock.lead || before < earliest)
      now = max(now, clock.start(of: due))
      #expect(clock.start(of: due) < due)
      clock.begin(due)
      last = due
      let took = UInt64.random(in: 0...(Bool.random(using: &random) ? 3_000_000 : 40_000_000), using: &random)
      clock.took(took)
      #expect(clock.lead >= min(took, Self.period / 4 * 3) && clock.lead <= Self.period / 4 * 3)
      now += took
    }
  }

  @Test("a frame is begun the later, the less its drawing takes, and sooner at once when it takes more")
  func lead() {
    var clock = OutputClock(period: Self.period, at: 0)
    #expect(clock.lead == Self.period / 2)
    for _ in 0..<300 { clock.took(800_000) }
    #expect(clock.lead == 2_000_000)
    clock.took(8_000_000)
    #expect(clock.lead == 11_000_000)
  }

  private final class Ear: PortholeFeedbackV1.EventHandler {
    var time: UInt64?
    var heard: UInt64 = 0
    var isClocked = false

    func presented(
      _ proxy: Proxy<PortholeFeedbackV1>, secondsHi: UInt32, secondsLo: UInt32, nanoseconds: UInt32, refresh: UInt32,
      sequenceHi: UInt32, sequenceLo: UInt32, flags: PortholeFeedbackV1.Flags
    ) {
      time = (UInt64(secondsHi) << 32 | UInt64(secondsLo)) * 1_000_000_000 + UInt64(nanoseconds)
      heard = ProcessClock.monotonicNanoseconds
      isClocked = flags.contains(.vsync)
    }
    func discarded(_ proxy: Proxy<PortholeFeedbackV1>) {}
  }

  @Test("that a commit is shown is told no sooner than it is, and a frame that was in time is a frame of the clock's")
  func told() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let output = client.output(width: 8, height: 8, rate: 60_000)
    let layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 8, height: 8)), .anchorPoint(.zero))
    output.setRoot(layer: layer)
    #expect(try client.commit())
    var times: [(time: UInt64, isClocked: Bool)] = []
    for frame in 0..<20 {
      try client.set(layer, [.backgroundColor(Color(red: Float(frame) / 20, green: 0, blue: 0))])
      let feedback = client.global.feedback(output: output)
      let ear = Ear()
      feedback.handler = ear
      let before = ProcessClock.monotonicNanoseconds
      #expect(try client.commit())
      try client.turn { ear.time != nil }
      let time = try #require(ear.time)
      #expect(time <= ear.heard && time > before && time > times.last?.time ?? 0)
      times.append((time, ear.isClocked))
      feedback.destroy()
    }
    let clocked = times.filter(\.isClocked).map(\.time)
    for time in clocked.dropFirst() { #expect((time - clocked[0]) % Self.period == 0) }
  }
}
