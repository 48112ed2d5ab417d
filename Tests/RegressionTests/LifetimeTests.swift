import Commit
import Geometry
import Porthole
import Testing

@Suite("Lifetime, order, and no glitch of one frame")
struct LifetimeTests {
  @Test(
    "hiding the source in the commit that brings the portal: every frame shows exactly one", arguments: Backend.both)
  func exactlyOne(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 10, 10, .red)
    #expect(try theatre.frame()[5, 5] == red)
    let portal = theatre.portal(of: source, 30, 0, 10, 10)
    portal.hidesSourceLayer = true
    let both = try theatre.frame()
    #expect(both[5, 5] == white && both[35, 5] == red)
    portal.removeFromSuperlayer()
    #expect(try theatre.frame()[5, 5] == red)
  }

  @Test("a portal that stands nowhere draws nothing and hides nothing", arguments: Backend.both)
  func unattached(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 10, 10, .red)
    let portal = PortalLayer()
    portal.sourceLayer = source
    portal.hidesSourceLayer = true
    portal.bounds = Rect(x: 0, y: 0, width: 64, height: 48)
    let image = try theatre.frame()
    #expect(image[5, 5] == red && image[30, 30] == white)
  }

  @Test("a source destroyed under three portals leaves them empty, and the tree as it was", arguments: Backend.both)
  func destroyed(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    _ = try theatre.frame()
    let before = theatre.renderer.layerCount
    var portals: [PortalLayer] = []
    do {
      let source = theatre.layer(0, 0, 10, 10, .red)
      portals = (0..<3).map { theatre.portal(of: source, 15 + Double($0) * 15, 0, 10, 10) }
      #expect(try theatre.frame()[50, 5] == red)
      source.removeFromSuperlayer()
    }
    #expect(portals.allSatisfy { $0.sourceLayer == nil })
    let image = try theatre.frame()
    #expect(image[20, 5] == white && image[35, 5] == white && image[50, 5] == white)
    for portal in portals { portal.removeFromSuperlayer() }
    portals = []
    _ = try theatre.frame()
    #expect(theatre.renderer.layerCount == before)
  }

  @Test("ten thousand portals made and freed leave the tree as it was")
  func noLeak() throws {
    let theatre = try Theatre(.gl)
    let source = theatre.layer(0, 0, 10, 10, .red)
    _ = try theatre.frame()
    let before = theatre.renderer.layerCount
    var memory: RendererMemory?
    for round in 0..<10 {
      let portals = (0..<1000).map { theatre.portal(of: source, Double($0 % 60), 20, 3, 3) }
      _ = try theatre.renderer.update(theatre.root)
      for portal in portals { portal.removeFromSuperlayer() }
      _ = try theatre.renderer.update(theatre.root)
      // The ring of instances has several frames' room by then.
      if round == 4 { memory = theatre.renderer.memory }
    }
    let last = theatre.renderer.memory
    #expect(last?.bytes == memory?.bytes && last?.targets == memory?.targets && last?.images == memory?.images)
    _ = try theatre.frame()
    #expect(theatre.renderer.layerCount == before)
  }

  @Test("pictures and textures of sources that are gone go with them")
  func texturesGo() throws {
    let theatre = try Theatre(.gl)
    _ = try theatre.frame()
    let bytes = try #require(theatre.renderer.memory).bytes
    for round in 0..<3 {
      do {
        let source = theatre.layer(0, 0, 40, 40)
        let pixels = [UInt8](repeating: UInt8(round + 1), count: 64 * 64 * 4)
        source.contents = Image(size: PixelSize(width: 64, height: 64), alpha: .opaque, pixels: pixels)
        source.filters = [.gaussianBlur(radius: 2)]
        let portals = (0..<3).map { theatre.portal(of: source, Double($0) * 20, 10, 20, 20) }
        #expect(try theatre.frame()[2, 12] != white)
        #expect(try #require(theatre.renderer.memory).bytes > bytes + 64 * 64 * 4)
        source.removeFromSuperlayer()
        for portal in portals { portal.removeFromSuperlayer() }
      }
      // What nobody has shown for a while is let go of; something else is drawn meanwhile.
      let other = theatre.layer(0, 0, 4, 4, .blue)
      for step in 0..<700 {
        other.position.x = Double(step % 40)
        _ = try theatre.renderer.update(theatre.root)
      }
      other.removeFromSuperlayer()
      _ = try theatre.renderer.update(theatre.root)
      #expect(try #require(theatre.renderer.memory).images == 0)
      #expect(try #require(theatre.renderer.memory).bytes <= bytes + 8192, "after round \(round)")
    }
  }

  @Test("a source moved to another parent, or to none, keeps its portals", arguments: Backend.both)
  func moved(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 10, 10, .red)
    let other = theatre.layer(20, 20, 20, 20, .blue)
    _ = theatre.portal(of: source, 45, 0, 10, 10)
    #expect(try theatre.frame()[50, 5] == red)
    other.addSublayer(source)
    let moved = try theatre.frame()
    #expect(moved[50, 5] == red && moved[25, 25] == red && moved[5, 5] == white)
    source.removeFromSuperlayer()
    #expect(try theatre.frame()[50, 5] == red)
  }

  @Test("a source hidden at some moment is in no later frame, through no portal", arguments: Backend.both)
  func blocked(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 10, 10, .red)
    _ = theatre.portal(of: source, 0, 0, 10, 10)
    let nest = theatre.layer(0, 20, 10, 10)
    _ = theatre.portal(of: source, 0, 0, 10, 10, in: nest)
    _ = theatre.portal(of: nest, 20, 20, 10, 10)
    #expect(try theatre.frame()[25, 25] == red)
    source.isHidden = true
    for _ in 0..<3 {
      #expect(try theatre.frame().pixels.chunked(by: 4).allSatisfy { Array($0) == white })
    }
  }
}

extension Array {
  fileprivate func chunked(by size: Int) -> [ArraySlice<Element>] {
    stride(from: 0, to: count, by: size).map { self[$0..<Swift.min($0 + size, count)] }
  }
}
