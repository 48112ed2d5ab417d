import RenderServer
import TestSupport
import Testing

@Suite("Viewers that break the rules")
struct ViewHostilityTests {
  private let stage: ServerFixture
  private let witness: TestViewer

  init() throws {
    stage = try ServerFixture.viewed(layout: .cascade)
    witness = try TestViewer(stage)
    try witness.watchLast()
  }

  /// The other viewer has noticed nothing.
  private func stillServes(_ what: String) throws {
    #expect(try witness.outputs().count == 1, "\(what)")
    #expect(witness.end == nil, "\(what)")
  }

  private func end(_ what: String, _ act: (WebSocketClient) throws -> Void) throws -> WebSocketClient.Message {
    let socket = try stage.viewer(path: "live")
    try act(socket)
    while true {
      switch try socket.next() {
      case .text, .binary: continue
      case let end:
        try stillServes(what)
        return end
      }
    }
  }

  @Test(
    "what is no message ends its viewer",
    arguments: [
      "", "[", "[]", "{}", "null", "[1]", "[\"fly\"]", "[\"watch\"]", "[\"watch\",-1]", "[\"watch\",1.5]",
      "[\"watch\",1e300]", "[\"ask\"]", "[\"ask\",7]", "[\"hit\",1]", "[\"hit\",1e9,0]", "[\"move\",\"1\",2]",
      "[\"button\",272,2]", "[\"button\",-1,1]", "[\"button\",70000,1]", "[\"key\",30]", "[\"key\",1e99,1]",
      "[\"touch\",16,\"down\",1,1]", "[\"touch\",0,\"hover\",1,1]", "[\"ack\"]", "[\"text\",null]",
      "[\"ask\",\"" + String(repeating: "x", count: 33) + "\"]", String(repeating: "[", count: 4000),
    ])
  func nonsense(_ text: String) throws {
    #expect(try end(text) { try $0.send(text) } == .close(1007))
  }

  @Test("bytes are no message")
  func binary() throws { #expect(try end("bytes") { try $0.send(kind: 2, [1, 2, 3]) } == .close(1003)) }

  @Test("a message that is too large ends its viewer before it is whole", arguments: [5000, 70_000, 5_000_000])
  func large(count: Int) throws {
    let bytes = [UInt8](repeating: 0x20, count: count)
    #expect(try end("\(count) bytes") { try $0.send(kind: 1, bytes) } == .close(1009))
    let parts = try end("\(count) bytes in parts") { socket in
      try socket.send(kind: 1, [0x5B], isLast: false)
      for _ in 0..<(count / 1000) {
        try socket.send(kind: 0, [UInt8](repeating: 0x20, count: 1000), isLast: false)
      }
    }
    #expect(parts == .close(1009) || parts == .end)
  }

  @Test("a message in parts is one message")
  func parts() throws {
    let socket = try stage.viewer(path: "live")
    try socket.send(kind: 1, Array("[\"ask\",".utf8), isLast: false)
    try socket.send(kind: 9, [1])
    try socket.send(kind: 0, Array("\"outputs\"]".utf8))
    var answer = try socket.next()
    while case .text(let text) = answer, !text.contains("answer") { answer = try socket.next() }
    guard case .text(let text) = answer else { throw WebSocketClient.Failure(description: "\(answer)") }
    #expect(text.hasPrefix("{\"answer\":\"outputs\""))
  }

  @Test("who asks without waiting for answers is ended")
  func questions() throws {
    let end = try end("questions") { socket in
      for _ in 0..<2000 { try socket.send("[\"ask\",\"tree\"]") }
    }
    #expect(end == .close(1008) || end == .end)
  }

  @Test("texts that are not UTF-8, lengths that lie and masks that lack end their viewer", arguments: 0..<4)
  func frames(kind: Int) throws {
    let end = try end("frame \(kind)") { socket in
      switch kind {
      case 0: try socket.send(kind: 1, [0x5B, 0xFF, 0xFE, 0x5D])
      case 1: try socket.sendRaw([0x81, 0x02, 0x5B, 0x5D])
      case 2: try socket.sendRaw([0x81, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 1, 2, 3, 4, 5, 6, 7, 8])
      default: try socket.sendRaw([0xF3, 0x80, 1, 2, 3, 4])
      }
    }
    if case .text = end { Issue.record("frame \(kind) was taken") }
  }

  @Test("bytes at random end nobody but their sender", arguments: [1, 2, 3] as [UInt64])
  func noise(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    for _ in 0..<20 {
      let socket = try stage.viewer(path: "live")
      try socket.sendRaw(
        (0..<Int.random(in: 1...400, using: &generator)).map { _ in .random(in: 0...255, using: &generator) })
      try stage.turns(2)
    }
    try stillServes("seed \(seed)")
  }
}
