import Examples
import Porthole
import TestSupport
import Testing

/// Those whose motion is that of layers: sent elsewhere at any moment, each goes on from what is shown.
@Suite("The examples, interrupted")
struct InterruptionTests {
  private static let rate = 60.0

  /// Acts at random moments, and follows numbers that must not jump: not at the moment itself, and from frame to frame by no
  /// more than so much.
  private func follow(
    _ example: any Example, seed: UInt64, most: Double, _ act: (inout SeededGenerator) -> Void,
    _ shown: (OffscreenRenderer) throws -> [Double]
  ) throws {
    var random = SeededGenerator(seed: seed)
    let run = try ExampleRun(example)
    defer { run.renderer.close() }
    func distance(_ a: [Double], _ b: [Double]) -> Double { zip(a, b).map { abs($0 - $1) }.max() ?? 0 }
    var last: [Double] = []
    var moved = 0.0
    for number in 0..<240 {
      let time = Double(number) / Self.rate
      try run.update(at: time)
      let now = try shown(run.renderer)
      #expect(now.count > 1)
      if !last.isEmpty {
        let way = distance(now, last)
        #expect(way <= most, "seed \(seed), frame \(number): \(last) \(now)")
        moved += way
      }
      last = now
      guard random.oneIn(6) else { continue }
      act(&random)
      try run.renderer.update(example.scene.root, at: time)
      let then = try shown(run.renderer)
      #expect(distance(then, now) < 1e-6, "seed \(seed), at frame \(number): \(now) \(then)")
    }
    #expect(moved > 100, "it moves")
  }

  @Test("the lens of the tab bar, and how far it is stretched", arguments: UInt64(0)..<4)
  func tabBar(seed: UInt64) throws {
    let example = try GlassTabBar(try Rig.scene(GlassTabBar.name))
    try follow(example, seed: seed, most: 70) { random in
      example.select(Int.random(in: 0..<4, using: &random))
    } _: { renderer in
      let lens = try #require(renderer.presentation(of: example.lens))
      return [lens.position.x, lens.bounds.width, lens.bounds.height, lens.bounds.x]
    }
  }

  @Test("the chat of the bubbles", arguments: UInt64(0)..<4)
  func bubbles(seed: UInt64) throws {
    let example = try GradientBubbles(try Rig.scene(GradientBubbles.name))
    try follow(example, seed: seed, most: 60) { random in
      example.scroll(to: Double.random(in: 0..<800, using: &random), in: .random(in: 0.5...1.5, using: &random))
    } _: { renderer in
      let bounds = try #require(renderer.presentation(of: example.chat)).bounds
      return [bounds.y, bounds.x]
    }
  }

  @Test("the rows of the warped list", arguments: UInt64(0)..<2)
  func warp(seed: UInt64) throws {
    let example = try WarpedList(try Rig.scene(WarpedList.name), stripCount: 4, isDressed: false)
    let rows = try #require(example.scene.layer("rows"))
    try follow(example, seed: seed, most: 60) { random in
      example.scroll(to: Double.random(in: 0..<380, using: &random), in: .random(in: 0.5...1.5, using: &random))
    } _: { renderer in
      let bounds = try #require(renderer.presentation(of: rows)).bounds
      return [bounds.y, bounds.x]
    }
  }

  @Test("the loupe, and what it looks at: always what lies under its middle", arguments: UInt64(0)..<4)
  func magnifier(seed: UInt64) throws {
    let example = try Magnifier(try Rig.scene(Magnifier.name))
    try follow(example, seed: seed, most: 40) { random in
      let point = Point(Double.random(in: 60..<360, using: &random), Double.random(in: 60..<220, using: &random))
      Transaction.animate(duration: .random(in: 0.4...1.2, using: &random), function: .easeInEaseOut) {
        example.place(at: point)
      }
    } _: { renderer in
      let loupe = try #require(renderer.presentation(of: example.loupe)).position
      let seen = try #require(renderer.presentation(of: example.portal)).bounds.center
      #expect(abs(loupe.x - seen.x) < 1e-6 && abs(loupe.y - seen.y) < 1e-6, "seed \(seed): \(loupe) \(seen)")
      return [loupe.x, loupe.y]
    }
  }

  @Test("in every strip of the warp, at both ends and between, is this frame's list")
  func warpIsLive() throws {
    let example = try WarpedList(try Rig.scene(WarpedList.name), stripCount: 12, isDressed: false)
    for layer in example.list.sublayers { layer.removeFromSuperlayer() }
    let run = try ExampleRun(example)
    defer { run.renderer.close() }
    for number in 0..<60 {
      // Three apart: where two strips meet, a pixel is mixed of both, and rounded.
      example.list.backgroundColor = Rig.marker(number * 3)
      let image = try run.frame(at: Double(number) / Self.rate)
      for y in stride(from: 36, through: 404, by: 8) {
        let distance = Image.difference(image[150, y], [255, 0, UInt8(number * 3), 255])
        #expect(distance <= 1, "frame \(number), row \(y): \(image[150, y])")
      }
    }
  }
}
