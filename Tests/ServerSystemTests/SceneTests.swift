import Foundation
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("A server's pictures")
  struct SceneTests {
    @Test("every scene gives the same bytes by a server as in this process")
    func sameBytes() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      let files = try FileManager.default.contentsOfDirectory(atPath: Checkout.path("Tests/Scenes"))
        .filter { $0.hasSuffix(".json") }.sorted()
      try #require(files.count > 10)
      for file in files {
        let scene = try SceneFile.read(Checkout.path("Tests/Scenes/" + file), options: .init(skipsUnsupported: true))
        let embedded = try OffscreenRenderer(size: scene.size, background: scene.background)
        let remote = try connection.output(size: scene.size, background: scene.background)
        let (here, there) = (try embedded.render(scene.root), try remote.render(scene.root))
        #expect(here.size == there.size)
        #expect(Pixels.difference(here.pixels, there.pixels) == nil, "\(file)")
        embedded.close()
        remote.close()
      }
    }

    @Test("one layer alone is the same too")
    func layerAlone() throws {
      let server = try ServerRun()
      let renderer = try server.connect().output(size: Size(width: 64, height: 64), scale: 2)
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64), scale: 2)
      let (root, card) = TestLayers.cardAndPortal()
      #expect(try Pixels.difference(renderer.render(layer: card).pixels, embedded.render(layer: card).pixels) == nil)
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
    }

    @Test("a change of size, scale and background shows in the next frame")
    func outputChanges() throws {
      let server = try ServerRun()
      let renderer = try server.connect().output(size: Size(width: 64, height: 64))
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
      let (root, _) = TestLayers.cardAndPortal()
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
      (renderer.size, embedded.size) = (Size(width: 50, height: 40), Size(width: 50, height: 40))
      (renderer.scale, embedded.scale) = (1.5, 1.5)
      (renderer.background, embedded.background) = (.white, .white)
      let picture = try renderer.render(root)
      #expect(picture.size == PixelSize(width: 75, height: 60))
      #expect(try Pixels.difference(picture.pixels, embedded.render(root).pixels) == nil)
    }
  }
}

enum TestLayers {
  /// A picture as large as 64 × 64 points: a card with contents, and a portal of it.
  static func cardAndPortal() -> (root: Layer, card: Layer) {
    let root = Layer()
    root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
    root.name = "root"
    let card = Layer()
    card.name = "card"
    card.frame = Rect(x: 4, y: 4, width: 24, height: 24)
    card.backgroundColor = Color(red: 0.2, green: 0.4, blue: 0.9)
    card.cornerRadius = 6
    let bytes: [UInt8] = (0..<64).flatMap { (index: Int) -> [UInt8] in
      [UInt8(4 * index), UInt8(255 - 4 * index), 128, 255]
    }
    card.contents = Image(size: PixelSize(width: 8, height: 8), alpha: .opaque, pixels: bytes)
    card.contentsRect = Rect(x: 0, y: 0, width: 1, height: 0.5)
    root.addSublayer(card)
    let portal = PortalLayer()
    portal.name = "portal"
    portal.frame = Rect(x: 34, y: 30, width: 24, height: 24)
    portal.sourceLayer = card
    portal.transform = .rotation(angle: 0.3)
    root.addSublayer(portal)
    return (root, card)
  }
}
