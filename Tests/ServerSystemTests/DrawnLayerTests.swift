import Porthole
import Testing

extension ServerSystemTests {
  @Suite("Layers that make their own contents, drawn by a server")
  struct DrawnLayerTests {
    @Test("shapes, text and an application's pixels are the same bytes as in this process, at every scale")
    func sameBytes() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      let root = Layer()
      root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      let shape = ShapeLayer()
      shape.path = Path(ellipseIn: Rect(x: -20, y: -10, width: 40, height: 20))
      shape.fillColor = Color(red: 0.1, green: 0.5, blue: 0.9)
      shape.position = Point(30, 20)
      let text = TextLayer()
      text.string = "Wire"
      text.fontSize = 14
      text.foregroundColor = .black
      text.frame = Rect(x: 4, y: 30, width: 40, height: 20)
      let own = Layer()
      own.frame = Rect(x: 44, y: 40, width: 12, height: 12)
      own.draw = { size, scale in
        Image(size: size, alpha: .opaque, pixels: (0..<size.area).flatMap { [UInt8($0 % 256), 90, UInt8(scale), 255] })
      }
      for layer in [shape, text, own] { root.addSublayer(layer) }
      let renderer = try connection.output(size: Size(width: 64, height: 64))
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
      for scale in [1, 2, 1.25] {
        (renderer.scale, embedded.scale) = (scale, scale)
        #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
      }
      shape.fillColor = .black
      text.string = "Other"
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
      let before = connection.counters
      _ = try renderer.render(root)
      #expect(connection.counters == before)
      // Alone, for a picture of its own.
      #expect(try Pixels.difference(renderer.render(layer: text).pixels, embedded.render(layer: text).pixels) == nil)
    }

    @Test("what was drawn comes back after a refused commit")
    func refused() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      let renderer = try connection.output(size: Size(width: 64, height: 64))
      let root = Layer()
      root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      let shape = ShapeLayer()
      shape.path = Path(Rect(x: 8, y: 8, width: 30, height: 30))
      shape.anchorPoint = .zero
      shape.cornerRadius = -1
      root.addSublayer(shape)
      #expect(throws: OffscreenError.self) { try renderer.render(root) }
      shape.cornerRadius = 0
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
    }

    @Test("an exported layer is drawn, though no output of this connection shows it")
    func exported() throws {
      let server = try ServerRun()
      let owner = try server.connect()
      let shape = ShapeLayer()
      shape.bounds = Rect(x: 0, y: 0, width: 64, height: 64)
      shape.path = Path(Rect(x: 0, y: 0, width: 64, height: 64))
      shape.fillColor = Color(red: 1, green: 0, blue: 0)
      let handle = try owner.export(shape)
      let other = try server.connect()
      let portal = PortalLayer()
      portal.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      let imported = try other.import(handle)
      portal.sourceLayer = imported
      let renderer = try other.output(size: Size(width: 64, height: 64))
      let picture = try renderer.render(portal)
      #expect(Array(picture.pixels[..<4]) == [255, 0, 0, 255])
    }
  }
}
