import Foundation
import LinuxIO
import Synchronization
import Testing

#if canImport(Glibc)
  import Glibc
#elseif canImport(Musl)
  import Musl
#endif

@Suite("a named thread")
struct NamedThreadTests {
  struct Refusal: Error, Equatable { let number: Int }

  @Test("runs closures in order on one thread that is not the caller's")
  func runs() throws {
    let thread = try NamedThread(name: "worker")
    let first = thread.run { UInt(pthread_self()) }
    let second = thread.run { UInt(pthread_self()) }
    #expect(first == second)
    #expect(first != UInt(pthread_self()))
    #expect(!thread.isCurrent)
    #expect(thread.run { thread.isCurrent })
    thread.stop()
  }

  @Test("carries its name")
  func name() throws {
    let thread = try NamedThread(name: "a-name-longer-than-the-system-keeps")
    let kept = thread.run {
      try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    }
    #expect(kept == "a-name-longer-t\n")
  }

  @Test("hands back the typed error that a closure throws")
  func throwing() throws {
    let thread = try NamedThread(name: "worker")
    #expect(throws: Refusal(number: 7)) {
      try thread.run { () throws(Refusal) -> Int in throw Refusal(number: 7) }
    }
    #expect(thread.run { 3 } == 3)
  }

  @Test("runs a closure at once that is given on the thread itself")
  func nested() throws {
    let thread = try NamedThread(name: "worker")
    #expect(thread.run { thread.run { 5 } } == 5)
  }

  @Test("serves many callers, one at a time")
  func manyCallers() async throws {
    let thread = try NamedThread(name: "worker")
    let bound = ThreadBound(on: thread) { Counter() }
    await withTaskGroup(of: Void.self) { group in
      for _ in 0..<8 {
        group.addTask {
          for _ in 0..<50 { bound.with { $0.count += 1 } }
        }
      }
    }
    #expect(bound.with { $0.count } == 400)
  }

  @Test("may be stopped twice")
  func stop() throws {
    let thread = try NamedThread(name: "worker")
    thread.stop()
    thread.stop()
    #expect(!thread.isCurrent)
  }

  @Test("releases a value bound to it on the thread, once")
  func bound() throws {
    let thread = try NamedThread(name: "worker")
    let ends = Mutex<[Bool]>([])
    let bound = ThreadBound(on: thread) { Counter() }
    bound.release { _ in ends.withLock { $0.append(thread.isCurrent) } }
    bound.release { _ in ends.withLock { $0.append(thread.isCurrent) } }
    #expect(ends.withLock { $0 } == [true])
  }
}

/// Not Sendable, as a device is not.
private final class Counter {
  var count = 0
}
