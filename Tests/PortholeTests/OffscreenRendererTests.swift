import Commit
import Geometry
import Porthole
import Testing

@Suite("The offscreen renderer")
struct OffscreenRendererTests {
  @Test("a picture is premultiplied, and straight on demand")
  func alpha() throws {
    let rig = try Rig(width: 1, height: 1)
    _ = rig.add(0, 0, 1, 1, Color(red: 1, green: 0.5, blue: 0, alpha: 0.5))
    let image = try rig.renderer.render(rig.root)
    #expect(image.alpha == .premultiplied)
    #expect(image[0, 0] == [128, 64, 0, 128])
    #expect(image.straight.alpha == .straight)
    #expect(image.straight[0, 0] == [255, 128, 0, 128])
  }

  @Test("size, scale and background may change between frames")
  func sizes() throws {
    let rig = try Rig(width: 4, height: 4)
    #expect(try rig.renderer.render(rig.root).size == PixelSize(width: 4, height: 4))
    rig.renderer.size = Size(width: 2.5, height: 3)
    rig.renderer.scale = 2
    rig.renderer.background = .white
    let image = try rig.renderer.render(rig.root)
    #expect(image.size == PixelSize(width: 5, height: 6))
    #expect(image[4, 5] == [255, 255, 255, 255])
  }

  @Test(
    "a size of nothing, of too much or of no number is an error",
    arguments: [(0, 1), (-3, 1), (1e9, 1), (Double.nan, 1), (.infinity, 1), (4, 0), (4, -1), (4, .nan), (4, .infinity)]
  )
  func invalidSizes(width: Double, scale: Double) throws {
    let renderer = try OffscreenRenderer(size: Size(width: width, height: 4), scale: scale, backend: .reference)
    let error = try #require(throws: OffscreenError.self) { try renderer.render(Layer()) }
    #expect(error.code == .invalidSize)
  }

  @Test(
    "a layer drawn alone is its own drawing: not where it is, how opaque it is or what covers it",
    arguments: Backend.allCases)
  func aloneLayer(backend: Backend) throws {
    let root = Layer()
    root.frame = Rect(x: 0, y: 0, width: 20, height: 20)
    let layer = Layer()
    layer.frame = Rect(x: 5, y: 5, width: 4, height: 3)
    layer.backgroundColor = .white
    layer.opacity = 0.5
    let cover = Layer()
    cover.frame = root.bounds
    cover.backgroundColor = .black
    root.addSublayer(layer)
    root.addSublayer(cover)
    let renderer = try OffscreenRenderer(size: Size(width: 20, height: 20), backend: backend)
    let whole = try renderer.render(root)
    let alone = try renderer.render(layer: layer)
    #expect(alone.size == PixelSize(width: 4, height: 3))
    #expect(alone.pixels == [UInt8](repeating: 255, count: 48))
    // It disturbs nothing of the window.
    #expect(try renderer.update(root).result == .unchanged)
    #expect(try renderer.render(root).pixels == whole.pixels)
  }

  @Test(
    "a portal drawn alone equals its region of the whole, matched to its source's place or not",
    arguments: [false, true])
  func alonePortal(matches: Bool) throws {
    let rig = try Rig(width: 20, height: 20)
    let source = rig.add(4, 2, 10, 10, Color(red: 1, green: 0, blue: 0))
    let mark = Layer()
    mark.frame = Rect(x: 2, y: 3, width: 3, height: 3)
    mark.backgroundColor = .white
    source.addSublayer(mark)
    let portal = rig.portal(of: source, 5, 5, 8, 6)
    portal.matchesPosition = matches
    portal.masksToBounds = true
    portal.hidesSourceLayer = true
    let whole = try rig.renderer.render(rig.root)
    let alone = try rig.renderer.render(layer: portal)
    for y in 0..<6 {
      for x in 0..<8 { #expect(alone[x, y] == whole[x + 5, y + 5]) }
    }
  }

  @Test("a layer drawn alone shows nothing that was drawn alone before, in a portal of the frame before either")
  func aloneTwice() throws {
    let rig = try Rig(width: 20, height: 20)
    let source = rig.add(0, 0, 20, 20, Color(red: 1, green: 0, blue: 0))
    let portal = PortalLayer()
    portal.frame = Rect(x: 5, y: 5, width: 10, height: 10)
    portal.sourceLayer = source
    portal.sourceRect = Rect(x: 4, y: 4, width: 10, height: 10)
    portal.recursion = .previousFrame
    source.addSublayer(portal)
    let first = try rig.renderer.render(layer: source)
    source.backgroundColor = Color(red: 0, green: 0, blue: 1)
    _ = try rig.renderer.render(layer: source)
    source.backgroundColor = Color(red: 1, green: 0, blue: 0)
    #expect(try rig.renderer.render(layer: source).pixels == first.pixels)
  }

  @Test("a hit goes through a portal that forwards to the layer inside its source")
  func hits() throws {
    let rig = try Rig(width: 20, height: 20)
    let source = rig.add(0, 0, 6, 6)
    let mark = Layer()
    mark.frame = Rect(x: 2, y: 2, width: 2, height: 2)
    source.addSublayer(mark)
    let portal = rig.portal(of: source, 10, 10, 6, 6)
    portal.forwardsHitTestingToSource = true
    let hits = try rig.renderer.hitTest(Point(13, 13), in: rig.root)
    #expect(hits.map(\.layer.id) == [portal.id, mark.id])
    #expect(hits.map(\.isPortal) == [true, false])
    #expect(hits.last?.point == Point(1, 1))
    #expect(try rig.renderer.hitTest(Point(50, 50), in: rig.root).isEmpty)
  }

  @Test("a plan names layers, and making one draws nothing")
  func plan() throws {
    let rig = try Rig()
    rig.add(0, 0, 4, 4).name = "square"
    let plan = try rig.renderer.plan(rig.root)
    #expect(plan.passes.count == 1 && plan.counters.quads > 0)
    #expect(rig.renderer.name(of: rig.root.sublayers[0].id) == "square")
    #expect(try rig.frame().result == .drawn)
  }

  @Test("a source's content version rises with what it shows, and not with where it lies")
  func contentVersion() throws {
    let rig = try Rig()
    let source = rig.add(0, 0, 2, 2)
    #expect(rig.renderer.contentVersion(of: source) == nil)
    try rig.frame()
    let first = try #require(rig.renderer.contentVersion(of: source))
    source.position.x += 1
    try rig.frame()
    #expect(rig.renderer.contentVersion(of: source) == first)
    source.backgroundColor = .black
    try rig.frame()
    #expect(try #require(rig.renderer.contentVersion(of: source)) > first)
  }

  @Test("the same layers give the same bytes, in a second renderer too")
  func determinism() throws {
    let root = Layer()
    root.frame = Rect(x: 0, y: 0, width: 40, height: 30)
    for index in 0..<20 {
      let layer = Layer()
      layer.frame = Rect(x: Double(index) * 1.7, y: Double(index) * 0.9, width: 11.3, height: 8.1)
      layer.transform = .rotation(angle: Double(index) * 0.2)
      layer.backgroundColor = Color(red: Float(index) / 20, green: 0.5, blue: 0.2, alpha: 0.7)
      layer.cornerRadius = Double(index % 5)
      root.addSublayer(layer)
    }
    let pictures = try (0..<2).map { _ in
      try OffscreenRenderer(size: Size(width: 40, height: 30)).render(root).pixels
    }
    #expect(pictures[0] == pictures[1])
    #expect(Set(pictures[0]).count > 20)
  }
}
