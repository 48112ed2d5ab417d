import Commit
import FramePlan
import Geometry
import Porthole
import Testing

@Suite("Shapes and text that are too large to be drawn whole are drawn where they show")
struct VisiblePartTests {
  private static let size = 64.0

  private func add(_ points: [Point], to path: inout Path) {
    for (index, point) in points.enumerated() {
      if index == 0 { path.move(to: point) } else { path.addLine(to: point) }
    }
    path.closeSubpath()
  }

  private func star(at x: Double, _ y: Double) -> Path {
    var path = Path()
    add([Point(x, y), Point(x + 30.5, y + 7.25), Point(x + 6, y + 25.75)], to: &path)
    return path
  }

  /// A path of this side, of which little is drawn; somewhere in it a star.
  private func path(side: Double, starAt x: Double, _ y: Double) -> Path {
    var path = star(at: x, y)
    add([Point(0, 0), Point(4, 0), Point(0, 4)], to: &path)
    add([Point(side, side), Point(side - 4, side), Point(side, side - 4)], to: &path)
    return path
  }

  private func shape(_ path: Path, side: Double, in root: Layer) -> ShapeLayer {
    let shape = ShapeLayer()
    shape.bounds = Rect(x: 0, y: 0, width: side, height: side)
    shape.anchorPoint = Point(0, 0)
    shape.path = path
    shape.fillColor = Color(red: 0.9, green: 0.3, blue: 0.1)
    (shape.strokeColor, shape.lineWidth) = (.white, 1.5)
    root.addSublayer(shape)
    return shape
  }

  /// The pixels of the pictures that a frame samples.
  private func largestImage(_ rig: Rig) throws -> Int {
    try rig.renderer.plan(rig.root).images.map(\.size.area).max() ?? 0
  }

  @Test("a shape of a hundred million points shows the very pixels of a small one, wherever it is scrolled to")
  func shapes() throws {
    let (side, x, y) = (100_000.0, 70_123.0, 40_321.0)
    let large = try Rig(width: Self.size, height: Self.size)
    let scrolled = shape(path(side: side, starAt: x, y), side: side, in: large.root)
    let small = try Rig(width: Self.size, height: Self.size)
    let alone = shape(star(at: 0, 0), side: 40, in: small.root)
    for scale in [1.0, 2] {
      for (dx, dy) in [(5.0, 9.0), (20, 30), (-8, 40), (41, -3), (5, 9)] {
        (large.renderer.scale, small.renderer.scale) = (scale, scale)
        scrolled.position = Point(dx - x, dy - y)
        alone.position = Point(dx, dy)
        let (got, expected) = (try large.renderer.render(large.root), try small.renderer.render(small.root))
        #expect(got.pixels == expected.pixels, "at \(dx), \(dy), scale \(scale)")
        #expect(expected.pixels.contains { $0 > 0 })
      }
    }
    // What is made is the picture's size and no more than a step around it.
    #expect(try largestImage(large) <= 1024 * 1024)
    // Nothing of it in view: nothing is made.
    scrolled.position = Point(1000, 1000)
    #expect(try large.renderer.render(large.root).pixels.allSatisfy { $0 == 0 })
    #expect(try largestImage(large) == 0)
  }

  @Test("a text of a hundred thousand points' height is as sharp at its end as at its beginning")
  func texts() throws {
    func text(_ string: String, height: Double, in rig: Rig) -> TextLayer {
      let text = TextLayer()
      text.bounds = Rect(x: 0, y: 0, width: 200, height: height)
      text.anchorPoint = Point(0, 0)
      (text.string, text.fontSize, text.foregroundColor) = (string, 16, .white)
      rig.root.addSublayer(text)
      return text
    }
    let line = "Wide\n"
    let (long, short) = (try Rig(width: 200, height: Self.size), try Rig(width: 200, height: Self.size))
    let lines = text(String(repeating: line, count: 5_000), height: 100_000, in: long)
    // Not too large to be drawn whole.
    let fewer = text(String(repeating: line, count: 300), height: 6_000, in: short)
    let height = try #require(lines.metrics).size.height
    let shorter = try #require(fewer.metrics).size.height
    #expect(height > 50_000 && shorter > 4_000)
    for place in [0.0, 511, 513, 3_000.5] {
      (lines.position, fewer.position) = (Point(0, -place), Point(0, -place))
      let (got, expected) = (try long.renderer.render(long.root), try short.renderer.render(short.root))
      #expect(got.pixels == expected.pixels && expected.pixels.contains { $0 > 200 }, "\(place)")
    }
    lines.position = Point(0, 100 - height)
    #expect(try long.renderer.render(long.root).pixels.contains { $0 > 200 })
    #expect(try largestImage(long) <= 1024 * 1024)
  }

  @Test("where more of it may show, it is made whole: in portals, below filters, and while it moves")
  func whole() throws {
    let side = 20_000.0
    let rig = try Rig(width: Self.size, height: Self.size)
    let holder = Layer()
    (holder.bounds, holder.anchorPoint) = (Rect(x: 0, y: 0, width: 64, height: 64), Point(0, 0))
    rig.root.addSublayer(holder)
    let large = shape(path(side: side, starAt: 100, 100), side: side, in: holder)
    large.position = Point(-90, -90)
    func isWhole() throws -> Bool {
      try rig.frame()
      return try largestImage(rig) > 8 * 1024 * 1024
    }
    #expect(try !isWhole())
    holder.filters = [.gaussianBlur(radius: 2)]
    #expect(try isWhole())
    holder.filters = []
    #expect(try !isWhole())
    let portal = rig.portal(of: holder, 40, 40, 10, 10)
    #expect(try isWhole())
    portal.removeFromSuperlayer()
    portal.sourceLayer = nil
    #expect(try !isWhole())
    // It scrolls by itself, and what comes into view is there.
    let motion = PropertyAnimation(
      AnimationKeyPath(whole: .position),
      .basic(.init(from: .point(Point(0, 0)), to: .point(Point(-19_000, -19_000)))))
    holder.add(Animation(motion, timing: AnimationTiming(duration: 1)), forKey: "scroll")
    #expect(try isWhole())
    rig.renderer.time = 2
    try rig.frame()
    #expect(holder.animationKeys.isEmpty)
    #expect(try !isWhole())
  }
}
