import Diagnostics
import Foundation
import LinuxIO
import RenderServer
import Testing
import WaylandProtocol

/// A program that draws as fast as it is asked to: a small moving mark in a window, a frame for each callback.
private final class Runner: WlCallback.EventHandler, WpPresentationFeedback.EventHandler {
  let program: TestProgram
  private let window: TestProgram.Window
  private let picture: TestProgram.Picture
  private var waiting: [AnyObject] = []
  private var number = 0
  private(set) var commits = 0
  private(set) var callbacks = 0
  private(set) var discarded = 0
  private(set) var sequences: [UInt64] = []
  var isStopping = false

  init(_ server: RunningServer) throws {
    program = try TestProgram(try server.socket()) { usleep(500) }
    picture = try TestProgram.Picture(program, 160, 120, format: .xrgb8888) { x, y in UInt32(x * 256 + y) }
    window = try program.window(picture)
    draw()
  }

  private func draw() {
    number = (number + 1) % 100
    let mark = number
    picture.memory.withBytes { bytes in
      for y in mark..<mark + 8 {
        for x in mark..<mark + 8 { bytes.storeBytes(of: 0xFFFF_FFFF, toByteOffset: (y * 160 + x) * 4, as: UInt32.self) }
      }
    }
    let (callback, feedback) = (window.surface.frame(), program.presentation.feedback(surface: window.surface))
    callback.handler = self
    feedback.handler = self
    waiting = [callback, feedback]
    window.surface.attach(buffer: picture.buffer, x: 0, y: 0)
    window.surface.damageBuffer(x: Int32(mark), y: Int32(mark), width: 8, height: 8)
    window.surface.commit()
    commits += 1
  }

  func done(_ proxy: Proxy<WlCallback>, callbackData: UInt32) { callbacks += 1 }

  func syncOutput(_ proxy: Proxy<WpPresentationFeedback>, output: Proxy<WlOutput>?) {}
  func presented(
    _ proxy: Proxy<WpPresentationFeedback>, tvSecHi: UInt32, tvSecLo: UInt32, tvNsec: UInt32, refresh: UInt32,
    seqHi: UInt32, seqLo: UInt32, flags: WpPresentationFeedback.Kind
  ) {
    sequences.append(UInt64(seqHi) << 32 | UInt64(seqLo))
    // Both have come: the callback is told first.
    if !isStopping { draw() }
  }
  func discarded(_ proxy: Proxy<WpPresentationFeedback>) { discarded += 1 }

  func turn() throws {
    _ = try program.connection.flush()
    try program.connection.read()
    _ = try program.connection.flush()
  }
}

@Suite("Many programs for a long time", .serialized)
struct EnduranceTests {
  private static let seconds = ProcessInfo.processInfo.environment["ENDURANCE_SECONDS"].flatMap { Double($0) }

  @Test(
    "of twenty programs that draw at 60 Hz each hears of each of its frames, none is left behind, and memory stays flat"
  )
  func twenty() throws {
    let server = try RunningServer(arguments: ["--layout", "tile", "--desk", "1280x720@60"])
    let observer = try server.connect()
    // Side by side, so that each is seen.
    let runners = try (0..<20).map { _ in try Runner(server) }
    var descriptors = runners.map {
      pollfd(fd: $0.program.connection.pollDescriptor, events: Int16(POLLIN), revents: 0)
    }
    func run(seconds: Double) throws {
      let end = ProcessClock.monotonicNanoseconds + UInt64(seconds * 1e9)
      while ProcessClock.monotonicNanoseconds < end {
        for runner in runners { try runner.turn() }
        poll(&descriptors, nfds_t(descriptors.count), 20)
      }
    }
    // Until everything that is made once is made.
    let seconds = Self.seconds ?? 20
    try run(seconds: max(4, seconds / 10))
    let before = (memory: server.residentKilobytes, textures: try server.metric("texture_bytes", observer))
    let begun = runners.map(\.callbacks)
    let frames = try server.metric("frames_drawn_total", observer)
    try run(seconds: seconds)
    let drawn = try server.metric("frames_drawn_total", observer) - frames
    let heard = zip(runners, begun).map { $0.callbacks - $1 }
    let after = (memory: server.residentKilobytes, textures: try server.metric("texture_bytes", observer))

    // What is still on its way comes.
    for runner in runners { runner.isStopping = true }
    let end = ProcessClock.monotonicNanoseconds + 10_000_000_000
    while runners.contains(where: { $0.callbacks < $0.commits }), ProcessClock.monotonicNanoseconds < end {
      for runner in runners { try runner.turn() }
      poll(&descriptors, nfds_t(descriptors.count), 20)
    }
    for runner in runners {
      #expect(runner.callbacks == runner.commits)
      #expect(runner.discarded == 0 && runner.sequences.count == runner.commits)
      #expect(zip(runner.sequences, runner.sequences.dropFirst()).allSatisfy { $0 < $1 }, "shown out of order")
    }
    let (least, most) = (heard.min() ?? 0, heard.max() ?? 0)
    let words = "\(least) to \(most) callbacks in \(drawn) frames"
    #expect(most > 0 && most <= drawn + 1, "\(words)")
    // Whoever commits in time is in the next frame. A machine that has other things to do may give the programs their turn too
    // late for some, all of them or a few.
    #expect(most - least <= max(2, drawn / 20), "\(words)")
    #expect(after.textures == before.textures)
    #expect(after.memory - before.memory < 4096, "\(before.memory) kB have become \(after.memory)")
    guard Self.seconds != nil else { return }
    print("endurance: \(words); memory \(before.memory) kB, then \(after.memory) kB")
    #expect(drawn >= Int(seconds * 60 * 0.99) && least >= drawn - drawn / 1000, "\(words) in \(seconds) s")
  }
}
