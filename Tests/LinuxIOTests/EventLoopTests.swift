import Foundation
import LinuxIO
import Testing

@Suite("The event loop and mailboxes")
struct EventLoopTests {
  @Test("a descriptor's handler is called when it is ready, and not once it was removed")
  func descriptors() throws {
    let loop = try EventLoop()
    let waker = try Waker()
    var seen: [EventLoop.Readiness] = []
    let token = try loop.watch(waker.pollDescriptor, for: .read) { readiness in
      seen.append(readiness)
      waker.clear()
    }
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(seen == [])
    waker.wake()
    waker.wake()
    try loop.runOnce(timeoutMilliseconds: 0)
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(seen == [.read])
    loop.remove(token)
    loop.remove(token)
    waker.wake()
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(seen.count == 1)
  }

  @Test("a handler that another removed is not called, even for what had happened")
  func removalInHandler() throws {
    let loop = try EventLoop()
    let wakers = [try Waker(), try Waker()]
    var tokens: [EventLoop.Token] = []
    var calls = 0
    for waker in wakers {
      tokens.append(
        try loop.watch(waker.pollDescriptor, for: .read) { _ in
          calls += 1
          for token in tokens { loop.remove(token) }
        })
      waker.wake()
    }
    try withExtendedLifetime(wakers) {
      try loop.runOnce(timeoutMilliseconds: 0)
      try loop.runOnce(timeoutMilliseconds: 0)
    }
    #expect(calls == 1)
  }

  @Test("interest can be changed, and the other end's going is always told")
  func interest() throws {
    let loop = try EventLoop()
    try FileDescriptor.socketPair().take { (mine, theirs) throws in
      var seen: [EventLoop.Readiness] = []
      let token = try loop.watch(mine.rawValue, for: .write) { seen.append($0) }
      try loop.runOnce(timeoutMilliseconds: 0)
      #expect(seen == [.write])
      try loop.change(token, to: [])
      try loop.runOnce(timeoutMilliseconds: 0)
      #expect(seen == [.write])
      _ = consume theirs
      try loop.runOnce(timeoutMilliseconds: 0)
      #expect(seen.last == .hangUp)
      loop.remove(token)
    }
  }

  @Test("a timer goes off at its time, again at each interval, and not when cleared")
  func timers() throws {
    let loop = try EventLoop()
    var calls = 0
    let token = try loop.addTimer { calls += 1 }
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(calls == 0)
    try loop.setTimer(token, atNanoseconds: 0)
    try loop.runOnce(timeoutMilliseconds: 1000)
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(calls == 1)
    try loop.setTimer(token, atNanoseconds: 1, everyNanoseconds: 1_000_000)
    for _ in 0..<3 { try loop.runOnce(timeoutMilliseconds: 1000) }
    #expect(calls == 4)
    try loop.clearTimer(token)
    try loop.runOnce(timeoutMilliseconds: 20)
    #expect(calls == 4)
    try loop.setTimer(token, atNanoseconds: .max)
    loop.remove(token)
    try loop.setTimer(token, atNanoseconds: 1)
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(calls == 4)
  }

  @Test("messages arrive in order from many threads, all that are there at once, and wake the loop")
  func mailbox() async throws {
    let mailbox = try Mailbox<(Int, Int)>()
    let loop = try EventLoop()
    var all: [(Int, Int)] = []
    var taken: [(Int, Int)] = []
    try loop.watch(mailbox) {
      mailbox.take(into: &taken)
      all += taken
      if all.count == 4000 { loop.stop() }
    }
    let threads = (0..<4).map { thread in
      Thread { for number in 0..<1000 { mailbox.post((thread, number)) } }
    }
    for thread in threads { thread.start() }
    try loop.run()
    for thread in 0..<4 { #expect(all.filter { $0.0 == thread }.map(\.1) == Array(0..<1000)) }
    mailbox.take(into: &taken)
    #expect(taken.isEmpty)
  }

  @Test("another thread ends the loop, which can run again")
  func stopper() throws {
    let loop = try EventLoop()
    for _ in 0..<2 {
      let stopper = loop.stopper
      Thread { stopper.wake() }.start()
      try loop.run()
    }
    var flushes = 0
    loop.beforeWaiting = { flushes += 1 }
    try loop.runOnce(timeoutMilliseconds: 0)
    #expect(flushes == 1)
  }
}
