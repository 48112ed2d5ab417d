import Commit
import Geometry
import Porthole
import Testing

@Suite("Shape and text layers")
struct ShapeLayerTests {
  private func draw(_ layers: [Layer], _ backend: Backend, scale: Double = 1) throws -> Image {
    let renderer = try OffscreenRenderer(
      size: Size(width: 60, height: 40), scale: scale, background: .white, backend: backend)
    defer { renderer.close() }
    let root = Layer()
    root.frame = Rect(x: 0, y: 0, width: 60, height: 40)
    for layer in layers { root.addSublayer(layer) }
    return try renderer.render(root)
  }

  private func shape(_ path: Path, _ color: Color?, at origin: Point = .zero) -> ShapeLayer {
    let layer = ShapeLayer()
    layer.anchorPoint = .zero
    layer.position = origin
    layer.path = path
    layer.fillColor = color
    return layer
  }

  private func box(_ frame: Rect, _ color: Color) -> Layer {
    let layer = Layer()
    layer.frame = frame
    layer.backgroundColor = color
    return layer
  }

  private let red = Color(red: 0.8, green: 0.2, blue: 0.4)

  @Test("the defaults are Core Animation's")
  func defaults() {
    let shape = ShapeLayer()
    #expect(shape.path == nil && shape.fillColor == .black && shape.strokeColor == nil && shape.lineWidth == 1)
    #expect(shape.fillRule == .nonZero && shape.lineCap == .butt && shape.lineJoin == .miter && shape.miterLimit == 10)
    #expect(shape.lineDashPattern == nil && shape.lineDashPhase == 0 && shape.strokeStart == 0 && shape.strokeEnd == 1)
    let text = TextLayer()
    #expect(text.string.isEmpty && text.fontSize == 36 && text.foregroundColor == .white && !text.isWrapped)
    #expect(text.alignmentMode == .natural && text.truncationMode == .none)
  }

  @Test(
    "a rectangle on whole pixels is a background colour, bit for bit", arguments: [Backend.gl, .reference],
    [1, 1.5, 2, 3])
  func rectangle(backend: Backend, scale: Double) throws {
    let rect = Rect(x: 10, y: 6, width: 20, height: 12)
    let wanted = try draw([box(rect, red)], backend, scale: scale)
    #expect(try draw([shape(Path(rect), red)], backend, scale: scale).pixels == wanted.pixels)
    // Outside of bounds that are there, to the left of them too, and from bounds that are scrolled.
    let layer = shape(Path(Rect(x: -10, y: -4, width: 20, height: 12)), red, at: Point(20, 10))
    layer.bounds = Rect(x: 0, y: 0, width: 2, height: 2)
    #expect(try draw([layer], backend, scale: scale).pixels == wanted.pixels)
    layer.bounds = Rect(x: -10, y: -4, width: 2, height: 2)
    layer.position = Point(10, 6)
    #expect(try draw([layer], backend, scale: scale).pixels == wanted.pixels)
  }

  @Test("a stroke along pixels is four bars", arguments: [Backend.gl, .reference])
  func frame(backend: Backend) throws {
    let layer = shape(Path(Rect(x: 11, y: 7, width: 20, height: 12)), nil)
    layer.strokeColor = red
    layer.lineWidth = 2
    let bars = [
      Rect(x: 10, y: 6, width: 22, height: 2), Rect(x: 10, y: 18, width: 22, height: 2),
      Rect(x: 10, y: 8, width: 2, height: 10), Rect(x: 30, y: 8, width: 2, height: 10),
    ]
    #expect(try draw([layer], backend).pixels == draw(bars.map { box($0, red) }, backend).pixels)
  }

  @Test("a shape is clipped, faded and shown by portals as any layer is", arguments: [Backend.gl, .reference])
  func effects(backend: Backend) throws {
    func tree(_ content: Layer) -> [Layer] {
      let clip = Layer()
      clip.frame = Rect(x: 2, y: 2, width: 20, height: 20)
      clip.masksToBounds = true
      clip.opacity = 0.6
      clip.addSublayer(content)
      let portal = PortalLayer()
      portal.frame = Rect(x: 30, y: 10, width: 20, height: 20)
      portal.sourceLayer = clip
      return [clip, portal]
    }
    let rect = Rect(x: -5, y: 4, width: 40, height: 10)
    let wanted = try draw(tree(box(rect, red)), backend)
    #expect(try draw(tree(shape(Path(rect), red)), backend).pixels == wanted.pixels)
  }

  @Test(
    "a portal of twice the size shows a circle as sharp as one of twice the size", arguments: [Backend.gl, .reference])
  func magnified(backend: Backend) throws {
    let source = shape(Path(ellipseIn: Rect(x: 1, y: 1, width: 15, height: 15)), red)
    source.bounds = Rect(x: 0, y: 0, width: 16, height: 16)
    let portal = PortalLayer()
    portal.anchorPoint = .zero
    portal.bounds = source.bounds
    portal.position = Point(20, 4)
    portal.transform = .scale(x: 2, y: 2)
    portal.sourceLayer = source
    portal.hidesSourceLayer = true
    let large = shape(Path(ellipseIn: Rect(x: 2, y: 2, width: 30, height: 30)), red, at: Point(20, 4))
    #expect(try draw([source, portal], backend).pixels == draw([large], backend).pixels)
  }

  @Test("a change of any property is shown in the next frame")
  func changes() throws {
    let rig = try Rig(width: 40, height: 40)
    let layer = ShapeLayer()
    layer.position = .zero
    var path = Path()
    path.move(to: Point(8, 30))
    path.addLine(to: Point(20, 8))
    path.addLine(to: Point(32, 30))
    layer.path = path
    layer.strokeColor = red
    layer.lineWidth = 5
    rig.root.addSublayer(layer)
    var pictures = [try rig.renderer.render(rig.root).pixels]
    let changes: [(ShapeLayer) -> Void] = [
      { $0.fillColor = nil }, { $0.lineWidth = 7 }, { $0.lineCap = .round }, { $0.lineJoin = .bevel },
      { $0.strokeEnd = 0.8 }, { $0.strokeStart = 0.1 }, { $0.lineDashPattern = [6, 4] }, { $0.lineDashPhase = 3 },
      { $0.strokeColor = .black }, { $0.path = Path(Rect(x: 4, y: 4, width: 20, height: 20)) }, { $0.path = nil },
    ]
    for change in changes {
      change(layer)
      let picture = try rig.renderer.render(rig.root).pixels
      #expect(!pictures.contains(picture))
      pictures.append(picture)
      #expect(try rig.frame().result == .unchanged)
    }
  }

  @Test("text is drawn in the bounds and cut at them, by both renderers alike")
  func text() throws {
    let layer = TextLayer()
    layer.string = "Wjpq"
    layer.fontSize = 30
    layer.foregroundColor = .black
    layer.frame = Rect(x: 10, y: 5, width: 25, height: 30)
    let picture = try draw([layer], .gl)
    #expect(try draw([layer], .reference).pixels == picture.pixels)
    var inside = 0
    for y in 0..<40 {
      for x in 0..<60 where picture[x, y] != [255, 255, 255, 255] {
        inside += 1
        #expect((10..<35).contains(x) && (5..<35).contains(y))
      }
    }
    #expect(inside > 100)
    #expect(layer.preferredSize().width > 60 && layer.preferredSize().height < 60)
    #expect(layer.metrics?.lineCount == 1)
  }

  @Test("text that changes in a source changes in its portals in that frame, and at the size that they need")
  func textInPortals() throws {
    let rig = try Rig(width: 60, height: 40)
    let text = TextLayer()
    text.fontSize = 12
    text.foregroundColor = .black
    text.bounds = Rect(x: 0, y: 0, width: 24, height: 16)
    text.string = "ab"
    let holder = Layer()
    holder.bounds = text.bounds
    text.position = Point(12, 8)
    holder.addSublayer(text)
    let portal = rig.portal(of: holder, 0, 0, 24, 16)
    portal.anchorPoint = .zero
    portal.position = .zero
    portal.transform = .scale(x: 2, y: 2)
    func large(_ string: String) throws -> [UInt8] {
      let layer = TextLayer()
      layer.fontSize = 24
      layer.foregroundColor = .black
      layer.string = string
      layer.anchorPoint = .zero
      layer.bounds = Rect(x: 0, y: 0, width: 48, height: 32)
      let root = Layer()
      root.frame = rig.root.frame
      root.addSublayer(layer)
      let renderer = try OffscreenRenderer(size: Size(width: 60, height: 40), backend: .reference)
      defer { renderer.close() }
      return try renderer.render(root).pixels
    }
    let first = try rig.renderer.render(rig.root).pixels
    #expect(ImageDifference.count(first, try large("ab")) < 200)
    text.string = "XY"
    let second = try rig.renderer.render(rig.root).pixels
    #expect(first != second)
    #expect(ImageDifference.count(second, try large("XY")) < 200)
  }
}

private enum ImageDifference {
  /// How many bytes are far apart.
  static func count(_ a: [UInt8], _ b: [UInt8]) -> Int {
    zip(a, b).count { abs(Int($0) - Int($1)) > 40 }
  }
}
