import Examples
import Media
import Porthole
import TestSupport
import Testing

/// Those in which something flies: in each frame it is in one place, at this frame's state, and nowhere else.
@Suite("The examples that fly")
struct FlightTests {
  private static let rate = 60.0

  /// Follows the marker through the frames, and calls `act` before some of them.
  private func follow(
    _ run: ExampleRun, frames: Int, most: Double, _ act: (Int) -> Void, _ look: (Int, Sighting) -> Void = { _, _ in }
  ) throws {
    var last: Sighting?
    for number in 0..<frames {
      act(number)
      let sighting = Sighting(try run.frame(at: Double(number) / Self.rate))
      #expect(sighting.share > 0.88, "frame \(number): in one place, not in \(sighting)")
      #expect(sighting.number == UInt8(number % 200), "frame \(number) shows \(sighting.numbers)")
      if let last { #expect(sighting.distance(to: last) <= most, "frame \(number): \(last) \(sighting)") }
      last = sighting
      look(number, sighting)
    }
  }

  @Test("a video is in its page, in the corner or between the two", arguments: 0..<3)
  func pictureInPicture(seed: UInt64) throws {
    let example = try PictureInPicture(try Rig.scene(PictureInPicture.name))
    let run = try ExampleRun(example, source: { _ in MarkerVideo(rate: Self.rate) })
    defer { run.renderer.close() }
    var random = SeededGenerator(seed: seed)
    try follow(run, frames: seed == 0 ? 300 : 120, most: 30) { number in
      guard seed > 0, number % 9 == 0 else { return }
      // At any moment it is sent the other way.
      if Bool.random(using: &random) { example.away() } else { example.back() }
    }
    #expect(seed > 0 || !example.flight.isOpen, "it is back in its page")
    #expect(run.feeds[0].failures.isEmpty && example.video.skippedCount == 0)
  }

  @Test("a card's picture is in its card, in the page's head or between the two", arguments: 0..<3)
  func hero(seed: UInt64) throws {
    let example = try HeroTransition(try Rig.scene(HeroTransition.name))
    for layer in example.source.sublayers { layer.removeFromSuperlayer() }
    let run = try ExampleRun(example)
    defer { run.renderer.close() }
    var random = SeededGenerator(seed: seed)
    try follow(run, frames: seed == 0 ? 270 : 120, most: 24) { number in
      example.source.backgroundColor = Rig.marker(number)
      guard seed > 0, number % 7 == 0 else { return }
      if Bool.random(using: &random) { example.open() } else { example.close() }
    } _: { number, sighting in
      // Open, before the way back begins.
      if seed == 0, number == 180 { #expect(sighting.width == 280 && sighting.height == 224 && sighting.top == 0) }
      if seed == 0, number == 269 { #expect(sighting.width == 120 && sighting.left == 144 && sighting.top == 96) }
    }
  }

  @Test("a camera is in its cell, in the tray or between the two, with one radius on the screen")
  func tray() throws {
    let example = try CameraTray(try Rig.scene(CameraTray.name))
    // Nothing in front of it.
    for id in ["controls", "badge"] { example.scene.layer(id)?.removeFromSuperlayer() }
    let run = try ExampleRun(example, source: { _ in MarkerVideo(rate: Self.rate) })
    defer { run.renderer.close() }
    var missing: [Int] = []
    try follow(run, frames: 330, most: 30) { _ in
    } _: { number, sighting in
      // Its lower left corner, unless the tray's end cuts it off.
      guard sighting.bottom < 499, sighting.left > 0, number % 4 == 0,
        let frame = try? run.frame(at: Double(number) / Self.rate)
      else { return }
      var count = 0
      for row in 0..<12 {
        for column in 0..<12 {
          let pixel = frame[sighting.left + column, sighting.bottom - row]
          if !(pixel[0] == 255 && pixel[1] == 0) { count += 1 }
        }
      }
      missing.append(count)
    }
    // A quarter of a circle of ten points leaves 21 pixels of its square, more or less by where its edge lies in a pixel.
    #expect(missing.count > 30)
    #expect(missing.allSatisfy { (15...33).contains($0) }, "\(missing)")
    #expect(example.handOver.state == .home && example.camera.superlayer === example.cell)
  }

  @Test("a camera whose cell was scrolled away fades where it is, and is home afterwards")
  func trayFallback() throws {
    let example = try CameraTray(try Rig.scene(CameraTray.name))
    let run = try ExampleRun(example, source: { _ in MarkerVideo(rate: Self.rate) })
    defer { run.renderer.close() }
    // After the film.
    for number in 0..<340 { try run.update(at: Double(number) / Self.rate) }
    example.open()
    for number in 340..<430 { try run.update(at: Double(number) / Self.rate) }
    #expect(example.handOver.state == .open)
    example.scrollGrid(to: 70)
    example.handOver.close(to: example.destination)
    try run.update(at: 430 / Self.rate)
    try run.update(at: 436 / Self.rate)
    let shown = try #require(run.renderer.presentation(of: example.handOver.window))
    #expect(shown.opacity > 0 && shown.opacity < 1 && shown.bounds.width < 280)
    for number in 437..<520 { try run.update(at: Double(number) / Self.rate) }
    #expect(example.handOver.state == .home && example.camera.superlayer === example.cell)
  }
}
