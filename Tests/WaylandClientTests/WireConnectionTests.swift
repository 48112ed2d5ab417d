import Diagnostics
import LinuxIO
import Testing
import WaylandClient
import WaylandProtocol

@Suite("A client's connection", .serialized)
struct WireConnectionTests {
  private let server: PumpedServer

  init() throws { server = try PumpedServer() }

  private func connect() throws -> WireConnection {
    let socket = try server.connect()
    server.start()
    return try WireConnection(adopting: socket, patience: 20)
  }

  private func region(_ wire: WireConnection) throws -> (Proxy<WlCompositor>, Proxy<WlRegion>) {
    let compositor = try wire.bind(WlCompositor.self)
    try wire.makeRoom()
    return (compositor, compositor.createRegion())
  }

  @Test("requests arrive by the next roundtrip, however many there are")
  func floods() throws {
    let wire = try connect()
    let (_, region) = try region(wire)
    // More than a socket holds.
    for _ in 0..<40_000 {
      try wire.makeRoom(24)
      region.add(x: 0, y: 0, width: 1, height: 1)
    }
    try wire.roundtrip()
    #expect(server.heard == 40_000)
    server.stop()
  }

  @Test("what is not offered, or not so new, is missing by name")
  func missing() throws {
    let wire = try connect()
    #expect(wire.offers(WlCompositor.self) && !wire.offers(PortholeV1.self))
    #expect(throws: WireError.missing(interface: "porthole_v1", version: 1)) { try wire.bind(PortholeV1.self) }
    #expect(throws: WireError.missing(interface: "wl_compositor", version: 99)) {
      try wire.bind(WlCompositor.self, minimumVersion: 99)
    }
    // The connection is none the worse.
    try wire.roundtrip()
    server.stop()
  }

  @Test("a violation is told with the server's own sentence, and again whenever the connection is used")
  func violation() throws {
    let wire = try connect()
    let (_, region) = try region(wire)
    region.subtract(x: 0, y: 0, width: 1, height: 1)
    let expected = WireError.violation(interface: "wl_region", code: 1, sentence: "nobody may subtract")
    for _ in 0..<2 { #expect(throws: expected) { try wire.roundtrip() } }
    #expect(throws: expected) { try wire.flush() }
    #expect(wire.failure == expected)
    server.stop()
  }

  @Test("a server that does not answer is waited for no longer than the patience, and the wait can be taken up again")
  func patience() throws {
    // Nobody serves yet.
    #expect(throws: WireError.timedOut(seconds: 0.05)) {
      try WireConnection(adopting: try server.connect(), patience: 0.05)
    }
    let wire = try connect()
    wire.patience = 0.05
    var turns = 0
    #expect(throws: WireError.timedOut(seconds: 0.05)) {
      try wire.wait {
        turns += 1
        return false
      }
    }
    #expect(turns > 0 && wire.failure == nil)
    wire.patience = 20
    try wire.roundtrip()
    server.stop()
  }

  @Test("a server that is gone is lost, at once and for good")
  func lost() throws {
    let wire = try connect()
    server.stop()
    func isLost(_ body: () throws(WireError) -> Void) -> Bool {
      do throws(WireError) { try body() } catch {
        if case .lost = error { return true }
      }
      return false
    }
    #expect(isLost { () throws(WireError) in try wire.roundtrip() })
    #expect(isLost { () throws(WireError) in try wire.check() })
  }

  @Test("a closed connection says so, and closes once")
  func closing() throws {
    let wire = try connect()
    wire.close()
    wire.close()
    #expect(throws: WireError.closed) { try wire.roundtrip() }
    #expect(throws: WireError.closed) { try wire.makeRoom(5000) }
    server.stop()
  }

  @Test("a rest is as long as it was meant to be, whatever comes meanwhile")
  func rest() throws {
    let wire = try connect()
    let end = ProcessClock.monotonicNanoseconds + 20_000_000
    let callback = wire.client.display.sync()
    try wire.rest(until: end)
    #expect(ProcessClock.monotonicNanoseconds >= end)
    callback.abandon()
    server.stop()
  }
}
