import Commit
import Geometry
import Porthole
import Testing

@Suite("Between layers' spaces")
struct ConversionTests {
  private func tree() -> (root: Layer, a: Layer, b: Layer) {
    let (root, a, b) = (Layer(), Layer(), Layer())
    root.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    let turned = Layer()
    turned.frame = Rect(x: 20, y: 10, width: 60, height: 60)
    turned.transform = .rotation(angle: 0.5) * .scale(x: 2, y: 0.5)
    turned.bounds = Rect(x: 5, y: -3, width: 60, height: 60)
    a.frame = Rect(x: 4, y: 5, width: 30, height: 20)
    let leaning = Layer()
    leaning.frame = Rect(x: 40, y: 40, width: 50, height: 50)
    leaning.sublayerTransform = .perspective(distance: 200)
    b.frame = Rect(x: 0, y: 0, width: 40, height: 40)
    b.transform = .rotation(angle: 0.7, x: 0, y: 1, z: 0)
    turned.addSublayer(a)
    leaning.addSublayer(b)
    root.addSublayer(turned)
    root.addSublayer(leaning)
    return (root, a, b)
  }

  @Test("there and back is where it was, through turns and perspective")
  func back() throws {
    let (_, a, b) = tree()
    for point in [Point(0, 0), Point(7, 3), Point(30, 20), Point(-4, 50)] {
      let there = try #require(a.convert(point, to: b))
      let back = try #require(a.convert(there, from: b))
      #expect(abs(back.x - point.x) < 1e-9 && abs(back.y - point.y) < 1e-9)
    }
  }

  @Test("a point is where a hit test finds it")
  func hits() throws {
    let (root, _, _) = tree()
    let renderer = try OffscreenRenderer(size: Size(width: 100, height: 100), backend: .reference)
    for x in stride(from: 2.0, to: 100, by: 7) {
      for y in stride(from: 1.0, to: 100, by: 9) {
        guard let hit = try renderer.hitTest(Point(x, y), in: root).last else { continue }
        let point = try #require(hit.layer.convert(Point(x, y), from: nil))
        #expect(abs(point.x - hit.point.x) < 1e-9 && abs(point.y - hit.point.y) < 1e-9)
        #expect(renderer.convert(hit.point, from: hit.layer, to: nil).map { abs($0.x - x) < 1e-9 } == true)
      }
    }
  }

  @Test("a rectangle becomes the one around it; a plain move by eighths is exact")
  func rects() throws {
    let (root, inner) = (Layer(), Layer())
    root.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    inner.frame = Rect(x: 10.25, y: 20.75, width: 30, height: 30)
    root.addSublayer(inner)
    #expect(inner.convert(inner.bounds, to: root) == inner.frame)
    inner.transform = .rotation(angle: .pi / 4)
    let box = try #require(inner.convert(inner.bounds, to: root))
    #expect(abs(box.width - 30 * 2.0.squareRoot()) < 1e-9)
    #expect(root.convert(inner.bounds, from: inner) == box)
  }

  @Test("what is edge on has no place")
  func edgeOn() {
    let (root, _, b) = tree()
    b.transform = .rotation(angle: .pi / 2, x: 0, y: 1, z: 0)
    b.superlayer?.sublayerTransform = .identity
    #expect(root.convert(Point(50, 50), to: b).map { $0.isFinite } != false)
    b.transform = .scale(x: 0, y: 0)
    #expect(root.convert(Point(50, 50), to: b) == nil)
  }

  @Test("by what is shown, while something moves")
  func shown() throws {
    let (root, inner) = (Layer(), Layer())
    root.frame = Rect(x: 0, y: 0, width: 100, height: 100)
    inner.frame = Rect(x: 0, y: 0, width: 10, height: 10)
    root.addSublayer(inner)
    let renderer = try OffscreenRenderer(size: Size(width: 100, height: 100), backend: .reference)
    try renderer.update(root, at: 0)
    Transaction.animate(duration: 1, function: .linear) { inner.position = Point(85, 5) }
    try renderer.update(root, at: 0)
    try renderer.update(root, at: 0.5)
    #expect(renderer.convert(Point.zero, from: inner, to: root) == Point(40, 0))
    #expect(inner.convert(Point.zero, to: root) == Point(80, 0))
  }
}
