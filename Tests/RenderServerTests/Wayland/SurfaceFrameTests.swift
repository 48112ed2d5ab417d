import Commit
import Geometry
import RenderServer
import Testing
import WaylandProtocol

@Suite("What a surface's client hears of frames")
struct SurfaceFrameTests {
  final class FeedbackEar: WpPresentationFeedback.EventHandler {
    private(set) var isPresented = false
    private(set) var isDiscarded = false
    private(set) var refresh: UInt32 = 0
    private(set) var count = 0
    func syncOutput(_ proxy: Proxy<WpPresentationFeedback>, output: Proxy<WlOutput>?) {}
    func presented(
      _ proxy: Proxy<WpPresentationFeedback>, tvSecHi: UInt32, tvSecLo: UInt32, tvNsec: UInt32, refresh: UInt32,
      seqHi: UInt32, seqLo: UInt32, flags: WpPresentationFeedback.Kind
    ) {
      (isPresented, self.refresh) = (true, refresh)
      count += 1
    }
    func discarded(_ proxy: Proxy<WpPresentationFeedback>) { isDiscarded = true }
  }

  /// Asks for a frame with a commit that changes nothing to be seen.
  private func frame(_ window: TestProgram.Window, _ program: TestProgram) -> TestProgram.Arrival {
    let arrival = TestProgram.Arrival()
    program.keep(window.surface.frame()).handler = arrival
    window.surface.commit()
    return arrival
  }

  @Test("frames go on for as long as a portal shows the surface, which stands nowhere, and stop when none does")
  func portal() throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let window = try program.window(try TestProgram.Picture(program, 4, 4) { _, _ in 0xFFFF_FFFF })
    let early = frame(window, program)
    for _ in 0..<20 { try program.roundtrip() }
    #expect(early.time == nil)
    let client = try fixture.connect()
    let portal = try client.portal(of: fixture.lastWindow)
    try client.set(portal, [.bounds(Rect(x: 0, y: 0, width: 4, height: 4))])
    let output = client.output(width: 4, height: 4, rate: 240_000)
    output.setRoot(layer: portal)
    try client.commit()
    #expect(try program.turn { early.time != nil })
    var last = early.time ?? 0
    for _ in 0..<5 {
      let next = frame(window, program)
      #expect(try program.turn { next.time != nil })
      #expect(next.time ?? 0 >= last)
      last = next.time ?? 0
    }
    output.setRoot(layer: nil)
    try client.commit()
    // The frame without it.
    _ = try client.capture(output, width: 4, height: 4)
    let late = frame(window, program)
    for _ in 0..<20 {
      try program.roundtrip()
      _ = try client.capture(output, width: 4, height: 4)
    }
    #expect(late.time == nil)
  }

  @Test("a commit is presented once, and one that another takes the place of is discarded")
  func feedback() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let picture = try TestProgram.Picture(program, 4, 4) { _, _ in 0xFFFF_FFFF }
    let window = try program.window(picture)
    let (first, second) = (FeedbackEar(), FeedbackEar())
    program.keep(program.presentation.feedback(surface: window.surface)).handler = first
    program.show(picture, in: window.surface)
    program.keep(program.presentation.feedback(surface: window.surface)).handler = second
    program.show(picture, in: window.surface)
    #expect(try program.turn { second.isPresented })
    #expect(second.refresh == 1_000_000_000 / 240)
    #expect(!second.isDiscarded && first.isDiscarded != first.isPresented)
  }

  @Test("callbacks that were asked for with several commits come in their order, at one frame")
  func order() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let window = try program.window(try TestProgram.Picture(program, 4, 4) { _, _ in 0xFFFF_FFFF })
    let arrivals = (0..<3).map { _ in frame(window, program) }
    #expect(try program.turn { arrivals.allSatisfy { $0.time != nil } })
    let times = arrivals.compactMap(\.time)
    #expect(times == times.sorted())
  }

  @Test("a window that lies off the desk and behind no portal is not asked to draw")
  func offDesk() throws {
    let fixture = try ServerFixture(layout: .cascade, 16, 16)
    let program = try TestProgram(fixture)
    // Cascaded windows begin at (32, 32), which this desk has not.
    let window = try program.window(try TestProgram.Picture(program, 4, 4) { _, _ in 0xFFFF_FFFF })
    let arrival = frame(window, program)
    for _ in 0..<30 { try program.roundtrip() }
    #expect(arrival.time == nil)
  }

  @Test("a window wholly behind an opaque one is not asked to draw, until that is gone or a portal shows it")
  func covered() throws {
    let fixture = try ServerFixture(layout: .full)
    let program = try TestProgram(fixture)
    let window = try program.window(try TestProgram.Picture(program, 16, 16) { _, _ in 0xFFFF_FFFF })
    let below = fixture.lastWindow
    let cover = try TestProgram(fixture)
    let sheer = try TestProgram.Picture(cover, 32, 32) { _, _ in 0x80FF_0000 }
    let opaque = try TestProgram.Picture(cover, 32, 32, format: .xrgb8888) { _, _ in 0xFF00_FF00 }
    let above = try cover.window(sheer)
    let seen = frame(window, program)
    #expect(try program.turn { seen.time != nil })
    cover.show(opaque, in: above.surface)
    let shown = frame(above, cover)
    #expect(try cover.turn { shown.time != nil })
    let behind = frame(window, program)
    for _ in 0..<30 { try program.roundtrip() }
    #expect(behind.time == nil)
    // Elsewhere.
    let client = try fixture.connect()
    let portal = try client.portal(of: below)
    try client.set(portal, [.bounds(Rect(x: 0, y: 0, width: 16, height: 16))])
    let output = client.output(width: 16, height: 16, rate: 240_000)
    output.setRoot(layer: portal)
    try client.commit()
    #expect(try program.turn { behind.time != nil })
    output.setRoot(layer: nil)
    try client.commit()
    _ = try client.capture(output, width: 16, height: 16)
    let again = frame(window, program)
    for _ in 0..<30 { try program.roundtrip() }
    #expect(again.time == nil)
    above.toplevel.destroy()
    try cover.roundtrip()
    #expect(try program.turn { again.time != nil })
  }

  @Test("of each frame it hears once, however many portals of however many outputs show it", arguments: [1, 8])
  func once(_ portals: Int) throws {
    let fixture = try ServerFixture(layout: .none)
    let program = try TestProgram(fixture)
    let window = try program.window(try TestProgram.Picture(program, 4, 4) { _, _ in 0xFFFF_FFFF })
    let client = try fixture.connect()
    let root = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 64, height: 64)), .anchorPoint(.zero))
    for index in 0..<portals {
      let portal = try client.portal(of: fixture.lastWindow)
      try client.set(
        portal, [.bounds(Rect(x: 0, y: 0, width: 4, height: 4)), .position(Point(Double(index * 8), 8))])
      root.insertSublayer(child: portal, index: UInt32(index))
    }
    let outputs = (0..<2).map { _ in client.output(width: 64, height: 64) }
    for output in outputs { output.setRoot(layer: root) }
    try client.commit()
    for output in outputs { _ = try client.capture(output, width: 64, height: 64) }
    for turn in 0..<6 {
      let feedback = FeedbackEar()
      program.keep(program.presentation.feedback(surface: window.surface)).handler = feedback
      let arrival = frame(window, program)
      try program.roundtrip()
      // Outputs on demand draw when they are asked to.
      #expect(arrival.time == nil && !feedback.isPresented)
      _ = try client.capture(outputs[turn % 2], width: 64, height: 64)
      #expect(try program.turn { arrival.time != nil && feedback.isPresented })
      _ = try client.capture(outputs[(turn + 1) % 2], width: 64, height: 64)
      try program.roundtrip()
      #expect(arrival.count == 1 && feedback.count == 1)
    }
  }

  @Test("a commit of the same pixels in another buffer is answered as any other")
  func same() throws {
    let fixture = try ServerFixture(layout: .cascade)
    let program = try TestProgram(fixture)
    let pictures = try (0..<2).map { _ in try TestProgram.Picture(program, 4, 4) { _, _ in 0xFFFF_FFFF } }
    let window = try program.window(pictures[0])
    for number in 1...4 {
      let arrival = TestProgram.Arrival()
      program.keep(window.surface.frame()).handler = arrival
      // No damage: nothing is read.
      window.surface.attach(buffer: pictures[number % 2].buffer, x: 0, y: 0)
      window.surface.commit()
      #expect(try program.turn { arrival.time != nil }, "commit \(number)")
    }
  }
}
