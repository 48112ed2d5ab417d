import Commit
import Geometry
import Porthole
import Testing

@Suite("Layers that make their own contents")
struct DrawnLayerTests {
  /// What a closure was asked for.
  private final class Asked {
    var sizes: [PixelSize] = []
    var scales: [Double] = []
    var color: [UInt8] = [255, 0, 0, 255]

    func draw(_ size: PixelSize, _ scale: Double) -> Image? {
      sizes.append(size)
      scales.append(scale)
      return Image(size: size, alpha: .opaque, pixels: (0..<size.area).flatMap { _ in color })
    }
  }

  private func drawn(_ asked: Asked, _ frame: Rect, in root: Layer) -> Layer {
    let layer = Layer()
    layer.frame = frame
    layer.draw = asked.draw
    root.addSublayer(layer)
    return layer
  }

  @Test("content is asked for once, at the pixel size at which it is shown, and again when that changes")
  func asking() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 1, y: 1, width: 4, height: 3), in: rig.root)
    #expect(try rig.renderer.render(rig.root)[2, 2] == [255, 0, 0, 255])
    #expect(asked.sizes == [PixelSize(width: 4, height: 3)] && asked.scales == [1])
    layer.opacity = 0.5
    layer.position = Point(4, 4)
    try rig.frame()
    try rig.frame()
    #expect(asked.sizes.count == 1)
    rig.renderer.scale = 2
    let large = try rig.renderer.render(rig.root)
    #expect(asked.sizes.last == PixelSize(width: 8, height: 6) && asked.scales.last == 2 && large.width == 16)
    layer.bounds = Rect(x: 0, y: 0, width: 5, height: 3)
    try rig.frame()
    #expect(asked.sizes.last == PixelSize(width: 10, height: 6) && asked.sizes.count == 3)
    // The last two sizes are kept.
    layer.bounds = Rect(x: 0, y: 0, width: 4, height: 3)
    try rig.frame()
    #expect(asked.sizes.count == 3)
  }

  @Test("content is asked for anew when it is said to have changed, and in the very next frame")
  func changing() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 8, height: 8), in: rig.root)
    try rig.frame()
    asked.color = [0, 255, 0, 255]
    try rig.frame()
    #expect(asked.sizes.count == 1)
    layer.setNeedsDisplay()
    #expect(try rig.renderer.render(rig.root)[4, 4] == [0, 255, 0, 255])
    #expect(asked.sizes.count == 2)
    layer.draw = nil
    #expect(try rig.renderer.render(rig.root)[4, 4] == [0, 0, 0, 0])
    layer.contents = Image(size: PixelSize(width: 1, height: 1), alpha: .opaque, pixels: [9, 9, 9, 255])
    #expect(try rig.renderer.render(rig.root)[4, 4] == [9, 9, 9, 255])
  }

  @Test("a layer's transform, and its superlayers', count; between eight steps an octave the next larger is asked for")
  func transforms() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 4, height: 4), in: rig.root)
    for (scale, wanted) in [(2, 2), (1.2, 1.25), (1.25, 1.25), (0.3, 0.3125), (1.01, 1.125), (3.05, 3.25)] {
      layer.transform = .scale(x: scale, y: scale)
      try rig.frame()
      #expect(asked.scales.last == wanted, "\(scale)")
    }
    layer.transform = .rotation(angle: 0.3)
    rig.root.sublayerTransform = .scale(x: 3, y: 1)
    try rig.frame()
    #expect(asked.scales.last == 3)
    rig.root.sublayerTransform = .identity
    rig.renderer.scale = 1.1
    try rig.frame()
    #expect(asked.scales.last == 1.1)
  }

  @Test("a layer that grows from 1 to 4 is drawn 16 times, not once a frame")
  func animation() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 4, height: 4), in: rig.root)
    for step in 0...300 {
      let scale = 1 + Double(step) / 100
      layer.transform = .scale(x: scale, y: scale)
      try rig.frame()
    }
    #expect(asked.scales.count == 17 && asked.scales.first == 1 && asked.scales.last == 4)
  }

  @Test("a portal that magnifies asks for the larger content, and its source gets it too")
  func portals() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 2, height: 2), in: rig.root)
    let portal = rig.portal(of: layer, 3, 3, 2, 2)
    portal.transform = .scale(x: 3, y: 3)
    try rig.frame()
    #expect(asked.scales == [3])
    // Through another portal, of a layer above the source.
    let outer = rig.portal(of: rig.root, 0, 0, 8, 8)
    outer.transform = .scale(x: 2, y: 2)
    try rig.frame()
    #expect(asked.scales.last == 6)
    outer.removeFromSuperlayer()
    portal.sourceLayer = nil
    try rig.frame()
    #expect(asked.scales.last == 1)
  }

  @Test("a source that stands nowhere is drawn for its portal; what nothing shows is not asked")
  func elsewhere() throws {
    let rig = try Rig()
    let asked = Asked()
    let holder = Layer()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 2, height: 2), in: holder)
    let portal = rig.portal(of: nil, 3, 3, 2, 2)
    try rig.frame()
    #expect(asked.scales.isEmpty)
    portal.sourceLayer = layer
    #expect(try rig.renderer.render(rig.root)[4, 4] == [255, 0, 0, 255])
    #expect(asked.scales == [1])
  }

  @Test("two renderers of two scales each get content of their own, without taking turns")
  func twoRenderers() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 4, height: 4), in: rig.root)
    let other = try OffscreenRenderer(size: Size(width: 8, height: 8), scale: 2, backend: .reference)
    for step in 0..<6 {
      layer.position = Point(2, Double(step))
      try rig.frame()
      try other.update(rig.root)
    }
    #expect(asked.scales == [1, 2])
  }

  @Test("a layer drawn alone is drawn for its picture's scale")
  func alone() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: 0, y: 0, width: 4, height: 4), in: rig.root)
    layer.transform = .scale(x: 2, y: 2)
    rig.renderer.scale = 2
    #expect(try rig.renderer.render(layer: layer)[7, 7] == [255, 0, 0, 255])
    #expect(asked.scales == [2])
  }

  @Test("a layer a hundred thousand points wide is drawn within a bound, and still covers its bounds")
  func huge() throws {
    let rig = try Rig()
    let asked = Asked()
    let layer = drawn(asked, Rect(x: -50_000, y: 0, width: 100_000, height: 8), in: rig.root)
    let picture = try rig.renderer.render(rig.root)
    #expect(picture[0, 4] == [255, 0, 0, 255] && picture[7, 7] == [255, 0, 0, 255])
    let size = try #require(asked.sizes.last)
    #expect(size.width <= 8192 && size.area <= 16 << 20)
    layer.bounds = .zero
    try rig.frame()
    #expect(asked.sizes.count == 1)
  }

  @Test("bounds that end inside a pixel are covered whole, and not stretched")
  func fractions() throws {
    let rig = try Rig()
    let layer = Layer()
    layer.bounds = Rect(x: 0, y: 0, width: 3.5, height: 2)
    layer.anchorPoint = .zero
    layer.draw = { size, _ in
      // Columns of black and white.
      Image(
        size: size, alpha: .opaque,
        pixels: (0..<size.area).flatMap { index -> [UInt8] in
          let value: UInt8 = index % size.width % 2 == 0 ? 255 : 0
          return [value, value, value, 255]
        })
    }
    rig.root.addSublayer(layer)
    let picture = try rig.renderer.render(rig.root)
    for (x, value) in [255, 0, 255, 0].enumerated() { #expect(picture[x, 1][0] == UInt8(value)) }
  }

  @Test("the same layers drawn again from nothing give the same bytes, whatever scales they had before")
  func noHistory() throws {
    let rig = try Rig(width: 40, height: 30)
    let star = ShapeLayer()
    star.path = Path(ellipseIn: Rect(x: 0, y: 0, width: 13, height: 13))
    star.position = Point(20, 15)
    rig.root.addSublayer(star)
    for scale in [1, 1.4, 0.2, 2.7, 1.31] {
      star.transform = .scale(x: scale, y: scale)
      let picture = try rig.renderer.render(rig.root)
      let other = try OffscreenRenderer(size: Size(width: 40, height: 30), backend: .reference)
      #expect(try other.render(rig.root).pixels == picture.pixels)
      other.close()
    }
  }
}
