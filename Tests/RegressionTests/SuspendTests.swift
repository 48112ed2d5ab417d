import Commit
import Geometry
import Porthole
import Testing

/// Cases from the field about sources that were not drawn for a while, or not at all.
@Suite("Sources that rest, nested, and what was never drawn")
struct SuspendTests {
  /// Two sources, each with a portal, one pair inside of the other's source.
  private struct Nest {
    let theatre: Theatre
    let inner: Layer
    let outer: Layer
    let portals: [PortalLayer]

    init(_ backend: Backend) throws {
      theatre = try Theatre(backend)
      outer = theatre.layer(0, 0, 24, 20, .blue)
      inner = theatre.layer(2, 2, 8, 8, .red, in: outer)
      for index in 0..<6 { _ = theatre.layer(Double(index), 0, 1, 8, index % 2 == 0 ? .green : .red, in: inner) }
      portals = [
        theatre.portal(of: inner, 12, 2, 8, 8, in: outer), theatre.portal(of: outer, 32, 0, 24, 20),
        theatre.portal(of: outer, 0, 24, 24, 20),
      ]
    }
  }

  @Test(
    "two nested pairs of source and portal, suspended and resumed in any order, are drawn as if never suspended",
    arguments: Backend.both)
  func nested(_ backend: Backend) throws {
    let nest = try Nest(backend)
    let theatre = nest.theatre
    let before = try theatre.frame()
    let elsewhere = Layer()
    elsewhere.frame = Rect(x: 0, y: 0, width: 64, height: 48)
    for (number, suspended) in ([nest.inner, nest.outer] + nest.portals).enumerated() {
      // Hidden for some frames, and in the midst of them taken out of the tree.
      suspended.isHidden = true
      _ = try theatre.frame()
      let parent = try #require(suspended.superlayer)
      let index = try #require(parent.sublayers.firstIndex { $0 === suspended })
      suspended.removeFromSuperlayer()
      #expect(try theatre.frame().pixels == theatre.fresh().pixels, "\(number)")
      // All of the scene rests while another one is drawn, and while a layer alone is.
      _ = try theatre.renderer.render(elsewhere)
      _ = try theatre.renderer.render(layer: nest.outer)
      parent.insertSublayer(suspended, at: index)
      suspended.isHidden = false
      #expect(try theatre.frame().pixels == before.pixels, "\(number)")
    }
    // And both at once, the one within the other's rest.
    nest.outer.isHidden = true
    _ = try theatre.frame()
    nest.inner.isHidden = true
    _ = try theatre.frame()
    nest.outer.isHidden = false
    #expect(try theatre.frame().pixels == theatre.fresh().pixels)
    nest.inner.isHidden = false
    #expect(try theatre.frame().pixels == before.pixels)
    #expect(theatre.renderer.lastReport?.diagnostics == [])
  }

  @Test("a source drawn while another is: what asks for a picture while layers draw themselves gets it")
  func reentrant() throws {
    let theatre = try Theatre(.gl)
    let source = theatre.layer(0, 0, 10, 10, .red)
    let other = try OffscreenRenderer(size: Size(width: 10, height: 10))
    defer { other.close() }
    let picture = Layer()
    picture.frame = Rect(x: 0, y: 0, width: 10, height: 10)
    picture.backgroundColor = .green
    let drawer = theatre.layer(20, 0, 10, 10)
    drawer.draw = { _, _ in try? other.render(picture) }
    _ = theatre.portal(of: drawer, 40, 0, 10, 10)
    _ = theatre.portal(of: source, 0, 20, 10, 10)
    let image = try theatre.frame()
    #expect(image[25, 5] == green && image[45, 5] == green && image[5, 25] == red)
  }

  @Test("a source in no tree, never drawn before, is shown at its natural size", arguments: Backend.both)
  func unallocated(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let host = theatre.layer(0, 0, 0, 0)
    host.isHidden = true
    let hidden = theatre.layer(500, 500, 14, 10, .red, in: host)
    let apart = Layer()
    (apart.bounds, apart.backgroundColor) = (Rect(x: 0, y: 0, width: 12, height: 6), .blue)
    _ = theatre.portal(of: hidden, 4, 4, 0, 0)
    _ = theatre.portal(of: apart, 4, 24, 0, 0)
    let image = try theatre.frame()
    #expect(image[4, 4] == red && image[17, 13] == red && image[18, 13] == white && image[17, 14] == white)
    #expect(image[4, 24] == blue && image[15, 29] == blue && image[16, 29] == white && image[15, 30] == white)
  }

  @Test(
    "an effect of a descendant of the source gives in the portal the pixels that it has in place",
    arguments: Backend.both)
  func descendant(_ backend: Backend) throws {
    let effects: [(Layer) -> Void] = [
      { $0.filters = [.gaussianBlur(radius: 2)] }, { $0.shadow = Shadow(radius: 1.5, offset: Point(2, 1)) },
      { $0.filters = [.invert(1), .sepia(0.5)] }, { $0.opacity = 0.5 },
      {
        let mask = Layer()
        (mask.frame, mask.backgroundColor, mask.cornerRadius) = (Rect(x: 0, y: 0, width: 6, height: 6), .black, 3)
        $0.mask = mask
      },
      { $0.blendMode = .multiply },
    ]
    for (number, effect) in effects.enumerated() {
      let theatre = try Theatre(backend)
      let source = theatre.layer(2, 2, 24, 20, .green)
      source.masksToBounds = true
      let middle = theatre.layer(4, 4, 12, 12, .blue, in: source)
      effect(theatre.layer(2, 2, 8, 8, .red, in: middle))
      _ = theatre.portal(of: source, 34, 22, 24, 20)
      let image = try theatre.frame()
      #expect(image.part(2, 2, 24, 20) == image.part(34, 22, 24, 20), "\(number)")
    }
  }

  @Test("a scene that holds a preview of itself is told of, once, and drawn", arguments: Backend.both)
  func preview(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    _ = theatre.layer(0, 0, 16, 16, .red)
    let preview = theatre.portal(of: theatre.root, 32, 24, 64, 48)
    preview.transform = .scale(x: 0.5, y: 0.5)
    preview.recursion = .depth(4)
    for _ in 0..<3 {
      let report = try theatre.renderer.update(theatre.root)
      #expect(report.diagnostics.count == 1, "\(report)")
    }
    #expect(try theatre.frame().pixels == theatre.fresh().pixels)
  }

  @Test(
    "a secure source under a portal's blur, and behind a backdrop's, leaves grey and nothing else",
    arguments: Backend.both)
  func secureBlur(_ backend: Backend) throws {
    var pictures: [[UInt8]] = []
    for color in [Color.red, .green] {
      let theatre = try Theatre(backend)
      theatre.root.backgroundColor = Color(red: 128 / 255, green: 128 / 255, blue: 128 / 255)
      let source = theatre.layer(0, 0, 20, 20, color)
      source.isSecure = true
      _ = theatre.layer(3, 3, 8, 8, color, in: source)
      let portal = theatre.portal(of: source, 30, 10, 20, 20)
      portal.filters = [.gaussianBlur(radius: 3)]
      let glass = BackdropLayer()
      glass.frame = Rect(x: 5, y: 5, width: 40, height: 30)
      glass.backdropFilters = [.gaussianBlur(radius: 5)]
      theatre.root.addSublayer(glass)
      let image = try theatre.frame()
      // The placeholder's grey on grey: nothing of the source's colour is anywhere.
      for index in stride(from: 0, to: image.pixels.count, by: 4) {
        #expect((127...129).contains(image.pixels[index]) && image.pixels[index] == image.pixels[index + 1])
        guard (127...129).contains(image.pixels[index]) else { return }
      }
      pictures.append(image.pixels)
    }
    #expect(pictures[0] == pictures[1])
  }
}
