import Commit
import Geometry
import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

@Suite("Fairness between clients", .serialized)
struct FairnessTests {
  @Test("a client that floods the server holds up another one's commit by no more than a part of what it has sent")
  func flood() throws {
    let fixture = try ServerFixture(limits: "commits_per_second=none,changes=none")
    let (flooder, other) = (try fixture.connect(), try fixture.connect())
    let layer = try flooder.layer()
    // Commits until the socket takes no more: far more than one turn of the server reads.
    var sent = 0
    var isFull = false
    while !isFull, sent < 1_000_000 {
      for _ in 0..<20 { try flooder.set(layer, [.position(Point(Double(sent), 0)), .zPosition(Double(sent))]) }
      flooder.global.commit(serial: UInt32(sent))
      sent += 1
      isFull = try !flooder.connection.flush()
    }
    #expect(isFull)
    let own = try other.layer(.layer, .opacity(0.5))
    for serial: UInt32 in 100..<110 {
      try other.set(own, [.zPosition(Double(serial))])
      other.global.commit(serial: serial)
      _ = try other.connection.flush()
      // Its answer is there after a turn or two, whatever the other has sent.
      var turns = 0
      while other.ear.committed.last != serial, turns < 50 {
        try fixture.server.runOnce(timeoutMilliseconds: 0)
        try other.connection.read()
        turns += 1
      }
      #expect(turns <= 3)
    }
    let numbers = fixture.server.tree.clients.values.sorted { $0.number < $1.number }
    let done = try #require(numbers.first?.account.commits)
    #expect(done < UInt64(sent), "the flood was over before the other came to its turn")
    #expect(try other.commit())
  }

  @Test("each frame of another's output is drawn while a client commits as fast as it can")
  func frames() throws {
    let fixture = try ServerFixture(limits: "commits_per_second=none")
    let (busy, calm) = (try fixture.connect(), try fixture.connect())
    let output = calm.output(width: 16, height: 16, rate: 100_000)
    let layer = try calm.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 16, height: 16)), .anchorPoint(.zero))
    output.setRoot(layer: layer)
    #expect(try calm.commit())
    let noise = try busy.layer()
    for shade in 1...10 {
      let value = Float(shade * 20) / 255
      try calm.set(layer, [.backgroundColor(Color(red: value, green: 0, blue: 0))])
      calm.global.commit(serial: UInt32(shade))
      for serial: UInt32 in 0..<50 {
        try busy.set(noise, [.zPosition(Double(serial))])
        busy.global.commit(serial: serial)
      }
      _ = try? busy.connection.flush()
      let pixels = try #require(try calm.capture(output, width: 16, height: 16))
      #expect(pixels[0] == UInt8(shade * 20))
      try? busy.connection.read()
    }
  }
}
