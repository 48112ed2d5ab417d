import Commit
import Geometry
import Porthole
import Testing

@Suite("What of a source is shown, and how large")
struct ExtentTests {
  @Test("a child at (-20, -20) is shown, not cut at the source's bounds", arguments: Backend.both)
  func overflow(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 100, 10, 10, .blue)
    _ = theatre.layer(-20, -20, 4, 4, .red, in: source)
    _ = theatre.portal(of: source, 30, 30, 10, 10)
    let image = try theatre.frame()
    #expect(image[11, 11] == red && image[31, 31] == blue)
  }

  @Test("a source asked for alone at 256 points and scale 2 is 512 pixels", arguments: Backend.both)
  func exactSize(_ backend: Backend) throws {
    let theatre = try Theatre(backend, scale: 2)
    let image = try theatre.renderer.render(layer: theatre.layer(0, 0, 256, 256, .red))
    #expect(image.size == PixelSize(width: 512, height: 512))
    #expect(image[511, 511] == red)
  }

  @Test(
    "after a change of scale the picture is that of the new scale, with no frame at the old", arguments: Backend.both)
  func rescaling(_ backend: Backend) throws {
    let theatre = try Theatre(backend, width: 80, height: 60)
    let source = theatre.layer(300, 0, 20, 20, .blue)
    for index in 0..<8 {
      _ = theatre.layer(Double(index) * 2, Double(index), 3, 3, index % 2 == 0 ? .red : .green, in: source)
    }
    let portals = (0..<12).map { theatre.portal(of: source, Double($0 % 4) * 20, Double($0 / 4) * 20, 20, 20) }
    for scale in [1.25, 1, 0.5, 2, 1] {
      for portal in portals { portal.transform = .scale(x: scale, y: scale) }
      #expect(try theatre.frame().pixels == theatre.fresh().pixels, "scale \(scale)")
    }
  }

  @Test(
    "sourceRect of negative size is turned about and shown upright; one beyond the source shows nothing there",
    arguments: Backend.both)
  func crops(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 16, 16, .blue)
    _ = theatre.layer(0, 0, 8, 8, .red, in: source)
    let portal = theatre.portal(of: source, 0, 0, 16, 16)
    portal.sourceRect = Rect(x: 12, y: 12, width: -8, height: -8)
    let turned = try theatre.frame()
    #expect(turned[0, 0] == red && turned[3, 3] == red && turned[4, 4] == blue && turned[7, 7] == blue)
    #expect(turned[8, 8] == white)
    portal.sourceRect = Rect(x: -4, y: -4, width: 100, height: 100)
    let larger = try theatre.frame()
    #expect(larger[3, 3] == white && larger[4, 4] == red && larger[19, 19] == blue && larger[20, 20] == white)
    for empty in [Rect.zero, Rect(x: 50, y: 50, width: 5, height: 5), Rect(x: 3, y: 3, width: 0, height: 9)] {
      portal.sourceRect = empty
      #expect(try theatre.frame()[2, 2] == white)
    }
  }

  @Test("corner radius cuts the corners and leaves the straight edges bit for bit", arguments: Backend.both)
  func corners(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 32, 32, .blue)
    _ = theatre.layer(4, 4, 20, 20, .red, in: source)
    let portal = theatre.portal(of: source, 8, 8, 32, 32)
    portal.masksToBounds = true
    let square = try theatre.frame()
    portal.cornerRadius = 10
    let round = try theatre.frame()
    #expect(round[8, 8] == white && square[8, 8] == blue)
    #expect(round.part(18, 8, 12, 32) == square.part(18, 8, 12, 32))
    #expect(round.part(8, 18, 32, 12) == square.part(8, 18, 32, 12))
  }

  @Test("an effect on the source's own layer shows in the portal as in its place", arguments: Backend.both)
  func wrapper(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(4, 4, 20, 20)
    source.masksToBounds = true
    source.cornerRadius = 8
    let inside = theatre.layer(-4, -4, 30, 30, .red, in: source)
    inside.opacity = 0.5
    _ = theatre.layer(0, 0, 12, 30, .green, in: inside)
    _ = theatre.portal(of: source, 34, 4, 20, 20)
    let image = try theatre.frame()
    #expect(image.part(0, 0, 30, 48) == image.part(30, 0, 30, 48))
  }

  @Test("of a source 100,000 points wide, 200 points that show cost what they show")
  func wide() throws {
    let theatre = try Theatre(.gl, width: 200, height: 50)
    let source = theatre.layer(0, 100, 100_000, 50, .blue)
    for index in 0..<400 { _ = theatre.layer(Double(index) * 250, 0, 100, 50, .red, in: source) }
    for index in 0..<20 {
      let portal = theatre.portal(of: source, Double(index) * 10, 0, 10, 50)
      portal.masksToBounds = true
      portal.bounds = Rect(x: 50_000, y: 0, width: 10, height: 50)
    }
    let report = try theatre.renderer.update(theatre.root)
    #expect(report.counters.targetPixels <= 200 * 50)
    #expect(try theatre.frame()[105, 25] == red)
  }

  @Test("one to one at scale 2 a portal has the pixels of its source drawn directly", arguments: Backend.both)
  func oneToOne(_ backend: Backend) throws {
    let theatre = try Theatre(backend, scale: 2)
    let source = theatre.layer(2.5, 3.5, 20, 20, .blue)
    let turned = theatre.layer(4, 4, 9, 9, .red, in: source)
    turned.transform = .rotation(angle: 0.4)
    turned.cornerRadius = 3
    source.opacity = 1
    _ = theatre.portal(of: source, 34.5, 3.5, 20, 20)
    let image = try theatre.frame()
    #expect(image.part(0, 0, 60, 96) == image.part(64, 0, 60, 96))
  }
}
