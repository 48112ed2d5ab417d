import Commit
import Geometry
import Porthole
import Testing

@Suite("What a frame draws anew")
struct FrameDamageTests {
  /// A window with a source of two boxes and a portal of it, shifted; and the layers by name.
  private func scene(boxAt x: Double) -> (root: Layer, layers: [Layer]) {
    let (root, source, box, portal) = (Layer(), Layer(), Layer(), PortalLayer())
    root.bounds = Rect(x: 0, y: 0, width: 200, height: 100)
    root.position = Point(100, 50)
    source.bounds = Rect(x: 0, y: 0, width: 60, height: 60)
    source.position = Point(40, 40)
    source.backgroundColor = .white
    box.bounds = Rect(x: 0, y: 0, width: 10, height: 10)
    box.position = Point(x, 20)
    box.backgroundColor = .black
    portal.bounds = Rect(x: 0, y: 0, width: 60, height: 60)
    portal.position = Point(140, 40)
    portal.sourceLayer = source
    source.addSublayer(box)
    root.addSublayer(source)
    root.addSublayer(portal)
    return (root, [root, source, box, portal])
  }

  @Test("going from one tree to another: where the box was and is, in the source's place and in the portal")
  func between() throws {
    let renderer = try OffscreenRenderer(size: Size(width: 200, height: 100), backend: .reference)
    defer { renderer.close() }
    let (old, new) = (scene(boxAt: 12), scene(boxAt: 13))
    let pairs = zip(new.layers, old.layers).map { (new: $0, old: $1) }
    let damage = try renderer.damage(from: old.root, to: new.root, matching: pairs)
    // A box of 10 × 10 that moves by a pixel: eleven by ten, twice, and no more than a pixel around it.
    #expect(damage.area >= 2 * 20 && damage.area <= 2 * 13 * 12)
    #expect(damage.rects.allSatisfy { $0.minY >= 20 && $0.maxY <= 40 })
    let same = try renderer.damage(from: old.root, to: old.root, matching: [])
    #expect(same.area == 0)
  }

  @Test("is drawn over the picture on request, and only there")
  func overlay() throws {
    let renderer = try OffscreenRenderer(size: Size(width: 200, height: 100), background: .white, backend: .reference)
    defer { renderer.close() }
    let made = scene(boxAt: 12)
    let plain = try renderer.render(made.root)
    #expect(renderer.lastDamage.area == 200 * 100)
    made.layers[2].position = Point(14, 20)
    renderer.showsDamage = true
    let shown = try renderer.render(made.root)
    #expect(renderer.lastDamage.area < 1000)
    var outside = 0
    for y in 0..<100 {
      for x in 0..<200 {
        let inside = renderer.lastDamage.rects.contains {
          $0.minX <= Int32(x) && Int32(x) < $0.maxX && $0.minY <= Int32(y) && Int32(y) < $0.maxY
        }
        let at = (y * 200 + x) * 4
        if !inside, plain.pixels[at..<at + 4] != shown.pixels[at..<at + 4] { outside += 1 }
      }
    }
    #expect(outside == 0)
    let corner = renderer.lastDamage.rects[0]
    let at = (Int(corner.minY) * 200 + Int(corner.minX)) * 4
    #expect(Array(shown.pixels[at..<at + 4]) == [255, 0, 255, 255])
  }
}
