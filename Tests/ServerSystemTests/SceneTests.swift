import Foundation
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("A server's pictures")
  struct SceneTests {
    /// Every scene file of the checkout that is a scene.
    private static let files: [String] = {
      ["Tests/Scenes", "bench/scenes", "docs/scenes", "examples"].flatMap { folder -> [String] in
        let names = (try? FileManager.default.contentsOfDirectory(atPath: Checkout.path(folder))) ?? []
        return names.filter { $0.hasSuffix(".json") }.sorted().map { folder + "/" + $0 }
      }
    }()

    @Test("every scene gives the same bytes by a server as in this process, at every time, and twice as large")
    func sameBytes() throws {
      let server = try ServerRun()
      let connection = try server.connect()
      try #require(Self.files.count > 28)
      var moved = 0
      for file in Self.files {
        let scene = try SceneFile.read(Checkout.path(file), options: .init(skipsUnsupported: true))
        let embedded = try OffscreenRenderer(size: scene.size, background: scene.background)
        let remote = try connection.output(size: scene.size, background: scene.background)
        defer {
          embedded.close()
          remote.close()
        }
        var pictures: [Image] = []
        for time in [0, 0.35, 1.1] {
          scene.hold(at: time)
          let (here, there) = (try embedded.render(scene.root), try remote.render(scene.root))
          #expect(here.size == there.size)
          #expect(Pixels.difference(here.pixels, there.pixels) == nil, "\(file) at \(time) s")
          pictures.append(here)
          // A scene in which nothing moves is the same at every time.
          if !scene.isMoving { break }
        }
        if scene.isMoving {
          moved += 1
          #expect(Pixels.difference(pictures[0].pixels, pictures[1].pixels) != nil, "\(file) stands still")
          // What stands is what plays at that time.
          let playing = try OffscreenRenderer(size: scene.size, background: scene.background)
          defer { playing.close() }
          let fresh = try SceneFile.read(Checkout.path(file), options: .init(skipsUnsupported: true))
          try playing.commit(fresh.root, at: 0)
          let film = try playing.render(fresh.root, at: 1.1)
          #expect(Pixels.difference(film.pixels, pictures[2].pixels) == nil, "\(file)")
        }
        (embedded.scale, remote.scale) = (2, 2)
        #expect(
          try Pixels.difference(embedded.render(scene.root).pixels, remote.render(scene.root).pixels) == nil,
          "\(file), twice as large")
      }
      #expect(moved > 0)
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
