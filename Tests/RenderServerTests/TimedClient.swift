import Commit
import Diagnostics
import Geometry
import WaylandProtocol

/// A client that goes on drawing at 60 Hz, and notes how long each of its commits took to be shown.
final class TimedClient {
  private let client: TestClient
  private let output: Proxy<PortholeOutputV1>
  private let layer: Proxy<PortholeLayerV1>
  private var feedback: (proxy: Proxy<PortholeFeedbackV1>, ear: Ear)?
  private var committedAt: UInt64 = 0
  /// From a commit to the frame that showed it, in nanoseconds.
  private(set) var delays: [UInt64] = []

  private final class Ear: PortholeFeedbackV1.EventHandler {
    var time: UInt64?
    var isDiscarded = false

    func presented(
      _ proxy: Proxy<PortholeFeedbackV1>, secondsHi: UInt32, secondsLo: UInt32, nanoseconds: UInt32, refresh: UInt32,
      sequenceHi: UInt32, sequenceLo: UInt32, flags: PortholeFeedbackV1.Flags
    ) { time = (UInt64(secondsHi) << 32 | UInt64(secondsLo)) * 1_000_000_000 + UInt64(nanoseconds) }
    func discarded(_ proxy: Proxy<PortholeFeedbackV1>) { isDiscarded = true }
  }

  init(_ client: TestClient) throws {
    self.client = client
    output = client.output(width: 64, height: 64, rate: 60_000)
    layer = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 64, height: 64)), .anchorPoint(.zero))
    output.setRoot(layer: layer)
    // Its first frame makes a renderer; it is at work before any other is killed.
    let ear = Ear()
    let proxy = client.global.feedback(output: output)
    proxy.handler = ear
    try client.commit()
    try client.turn { ear.time != nil || ear.isDiscarded }
    proxy.destroy()
  }

  /// Hears what has come, and commits the next frame when the last was shown. Waits for nothing.
  func go() throws {
    try client.connection.read()
    if let (proxy, ear) = feedback {
      guard ear.time != nil || ear.isDiscarded else { return }
      if let time = ear.time { delays.append(time > committedAt ? time - committedAt : 0) }
      proxy.destroy()
    }
    try client.set(layer, [.backgroundColor(Color(red: Float(delays.count % 64) / 64, green: 0.5, blue: 0))])
    let ear = Ear()
    let proxy = client.global.feedback(output: output)
    proxy.handler = ear
    feedback = (proxy, ear)
    committedAt = ProcessClock.monotonicNanoseconds
    client.global.commit(serial: 0)
    try client.connection.flush()
  }

  /// The longest delay, in milliseconds.
  var longestDelay: Double { Double(delays.max() ?? 0) / 1e6 }

  func end() {
    feedback?.proxy.destroy()
    output.destroy()
    layer.destroy()
    client.kill()
  }
}
