import Examples
import Foundation
import Porthole
import Testing

/// Those that show all the time: what a portal shows is what its source is in that very frame.
@Suite("The examples that mirror, warp and magnify")
struct LiveTests {
  @Test("the floor mirrors the stage of the same frame, row by row", arguments: [Backend.gl, .reference])
  func reflection(_ backend: Backend) throws {
    let example = try Reflection(try Rig.scene(Reflection.name))
    for layer in example.scene.root.sublayers where layer !== example.stage && layer !== example.floor {
      layer.removeFromSuperlayer()
    }
    example.floor.mask = nil
    example.portal.filters = []
    let run = try ExampleRun(example, backend: backend)
    defer { run.renderer.close() }
    var pictures: Set<UInt64> = []
    for number in 0..<(backend == .gl ? 60 : 4) {
      let image = try run.frame(at: Double(number) / 20)
      var worst = 0
      for distance in stride(from: 0, to: 120, by: 3) {
        let (above, below) = ((167 - distance) * image.width * 4, (170 + distance) * image.width * 4)
        for index in 0..<image.width * 4 {
          worst = max(worst, abs(Int(image.pixels[above + index]) - Int(image.pixels[below + index])))
        }
      }
      #expect(worst <= 1, "frame \(number)")
      pictures.insert(image.pixels.reduce(5381) { $0 &* 33 &+ UInt64($1) })
    }
    #expect(pictures.count > 3, "it moves")
  }

  @Test("a hundred bubbles show what the gradient is behind them, wherever they are scrolled to")
  func bubbles() throws {
    let example = try GradientBubbles(try Rig.scene(GradientBubbles.name))
    #expect(example.bubbles.count == 100)
    let run = try ExampleRun(example)
    defer { run.renderer.close() }
    try run.update(at: 0)
    let gradient = try run.renderer.render(layer: example.gradient)
    var looked = 0
    for number in 0..<60 {
      let image = try run.frame(at: Double(number) / 15)
      let scrolled = try #require(run.renderer.presentation(of: example.chat)).bounds.y
      for bubble in example.bubbles {
        // Left of its text, half way down.
        let (x, y) = (Int(bubble.frame.x) + 5, Int((bubble.frame.center.y - scrolled + 72).rounded(.down)))
        guard y > 74, y < 440 else { continue }
        looked += 1
        let distance = Image.difference(image[x, y], gradient[x, y - 72])
        #expect(distance <= 1, "frame \(number), bubble at (\(x), \(y))")
      }
      #expect(image[4, 200] == [255, 255, 255, 255], "the gradient shows in bubbles alone")
      #expect(run.renderer.lastReport.map { $0.counters.sourcesDrawn <= 1 } == true)
    }
    #expect(looked > 300)
  }

  @Test("the strips of a warp lie on a quarter of a circle, each where the one before it ends", arguments: 2...64)
  func warpGeometry(count: Int) throws {
    let example = try WarpedList(try Rig.scene(WarpedList.name), stripCount: count, isDressed: false)
    let root = example.scene.root
    let segments = WarpSegment.arc(count, radius: WarpedList.radius)
    #expect(segments.first?.start.x.magnitude ?? 1 < 1e-12 && segments.count == count)
    for (end, flat) in [(0, WarpedList.flat.minY), (1, WarpedList.flat.maxY)] {
      // From the flat part outwards.
      let strips = example.strips[end * count..<end * count + count].reversed()
      var before = [Point(0, flat), Point(300, flat)]
      for (strip, segment) in zip(strips, segments) {
        let under = WarpedList.overlap(count)
        let inner = end == 0 ? segment.length : under
        let outer = end == 0 ? 0 : strip.bounds.height
        let start = try [0.0, 300].map { try #require(strip.convert(Point($0, inner), to: root)) }
        let finish = try [0.0, 300].map { try #require(strip.convert(Point($0, outer), to: root)) }
        for (a, b) in zip(start, before) { #expect(max(abs(a.x - b.x), abs(a.y - b.y)) < 1e-9) }
        before = finish
      }
      // Each chord ends on the circle, as the eye sees it from before the flat part.
      for (index, strip) in strips.enumerated() {
        let angle = Double(index + 1) * .pi / 2 / Double(count)
        let away = 1 + WarpedList.radius * (1 - cos(angle)) / 250
        let outer = Point(150, end == 0 ? 0 : strip.bounds.height)
        let seen = try #require(strip.convert(outer, to: root))
        #expect(abs(seen.x - 150) < 1e-9)
        let reach = WarpedList.radius * sin(angle) / away
        #expect(abs(seen.y - (end == 0 ? flat - reach : flat + reach)) < 1e-6, "\(count), strip \(index)")
        let corner = try #require(strip.convert(Point(0, outer.y), to: root))
        #expect(abs(corner.x - (150 - 150 / away)) < 1e-6)
      }
      // At the end of the quarter: as far away as the circle is large, and seen so much smaller.
      let reach = WarpedList.radius / (1 + WarpedList.radius / 250)
      #expect(abs(before[0].y - (end == 0 ? flat - reach : flat + reach)) < 1e-6)
    }
    // What is shown of the list is whole: each strip begins where the one further out ends but for what lies under it.
    var next = 0.0
    for index in 0..<count {
      let part = try #require(example.strips[index].sourceRect)
      #expect(abs(part.y - next) < 1e-9)
      next = part.maxY - WarpedList.overlap(count)
    }
    #expect(abs(try #require(example.strips[2 * count].sourceRect).y - next) < 1e-9)
  }

  @Test("nothing shows between the strips of a warp, however many they are", arguments: 2...64)
  func warpIsSeamless(count: Int) throws {
    try look(between: count, .gl)
    if [2, 3, 12, 64].contains(count) { try look(between: count, .reference) }
  }

  private func look(between count: Int, _ backend: Backend) throws {
    let example = try WarpedList(try Rig.scene(WarpedList.name), stripCount: count, isDressed: false)
    for layer in example.list.sublayers { layer.removeFromSuperlayer() }
    example.scene.root.sublayers.first?.removeFromSuperlayer()
    example.scene.root.backgroundColor = .black
    let run = try ExampleRun(example, backend: backend)
    defer { run.renderer.close() }
    let image = try run.frame(at: 0)
    // Where the chords' ends are seen furthest out.
    var reach = 0.0
    for segment in WarpSegment.arc(count, radius: WarpedList.radius) {
      let away: Double = (1 - segment.start.y) * WarpedList.radius / 250
      reach = max(reach, segment.start.x * WarpedList.radius / (1 + away))
    }
    let (top, bottom) = (Int(WarpedList.flat.minY - reach) + 3, Int(WarpedList.flat.maxY + reach) - 3)
    var dark = 0
    for y in top..<bottom {
      for x in stride(from: 50, to: 250, by: 7) where image[x, y] != [255, 255, 255, 255] { dark += 1 }
    }
    #expect(dark == 0, "\(dark) of the looked-at pixels between rows \(top) and \(bottom)")
    #expect(image[150, 12] == [0, 0, 0, 255])
  }

  @Test("under the lens show the selected items of that place, beside it the others, in every frame")
  func tabBar() throws {
    let example = try GlassTabBar(try Rig.scene(GlassTabBar.name))
    let base = try #require(example.scene.layer("base"))
    for layer in base.sublayers + example.selected.sublayers { layer.removeFromSuperlayer() }
    base.backgroundColor = Color(red: 1, green: 0, blue: 0)
    for column in 0..<16 {
      let stripe = Layer()
      stripe.frame = Rect(x: Double(column) * 20, y: 0, width: 20, height: 60)
      stripe.backgroundColor = Color(red: 0, green: 1, blue: Float(column) / 15)
      example.selected.addSublayer(stripe)
    }
    let run = try ExampleRun(example)
    defer { run.renderer.close() }
    var places: Set<Int> = []
    for number in 0..<132 {
      let image = try run.frame(at: Double(number) / 30)
      let lens = try #require(run.renderer.presentation(of: example.lens))
      let x = Int(lens.position.x.rounded(.down))
      let column = (x - 20) / 20
      if (x - 20) % 20 > 2, (x - 20) % 20 < 17 {
        #expect(
          image[x, 212] == [0, 255, UInt8((Double(column) / 15 * 255).rounded()), 255], "frame \(number) at \(x)")
        places.insert(x)
      }
      for beside in [lens.position.x - lens.bounds.width / 2 - 12, lens.position.x + lens.bounds.width / 2 + 12] {
        guard beside > 52, beside < 308 else { continue }
        let pixel = image[Int(beside), 212]
        // Where the glass's shadow darkens it, too, it is red.
        #expect(pixel[1] < 50 && pixel[2] < 50 && pixel[0] > 150, "frame \(number) at \(beside): \(pixel)")
      }
    }
    #expect(places.count > 20)
  }

  @Test("in the loupe's middle is what lies under it, in every frame")
  func magnifier() throws {
    let example = try Magnifier(try Rig.scene(Magnifier.name))
    let page = try #require(example.scene.layer("page"))
    for layer in page.sublayers { layer.removeFromSuperlayer() }
    func color(_ x: Int, _ y: Int) -> [UInt8] { [UInt8(x * 11), UInt8(y * 17), UInt8((x * 7 + y * 5) % 16 * 16), 255] }
    for x in 0..<21 {
      for y in 0..<14 {
        let cell = Layer()
        cell.frame = Rect(x: Double(x) * 20, y: Double(y) * 20, width: 20, height: 20)
        let rgb = color(x, y).map { Float($0) / 255 }
        cell.backgroundColor = Color(red: rgb[0], green: rgb[1], blue: rgb[2])
        page.addSublayer(cell)
      }
    }
    let run = try ExampleRun(example)
    defer { run.renderer.close() }
    var looked = 0
    for number in 0..<138 {
      let image = try run.frame(at: Double(number) / 30)
      let at = try #require(run.renderer.presentation(of: example.loupe)).position
      let (x, y) = (Int(at.x.rounded(.down)), Int(at.y.rounded(.down)))
      // Not where two cells meet.
      guard x % 20 > 2, x % 20 < 17, y % 20 > 2, y % 20 < 17 else { continue }
      looked += 1
      #expect(Image.difference(image[x, y], color(x / 20, y / 20)) <= 1, "frame \(number) at (\(x), \(y))")
    }
    #expect(looked > 60)
  }
}
