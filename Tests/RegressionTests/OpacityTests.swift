import Commit
import Geometry
import Porthole
import Testing

@Suite("Opacity, and layers drawn alone")
struct OpacityTests {
  @Test("source 0.5 and portal 0.5 give 0.25 with matchesOpacity, 0.5 without", arguments: Backend.both)
  func matched(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 10, 10, .black)
    source.opacity = 0.5
    let portal = theatre.portal(of: source, 0, 0, 10, 10)
    portal.opacity = 0.5
    #expect(try theatre.frame()[5, 5][0] == 128 || theatre.frame()[5, 5][0] == 127)
    portal.matchesOpacity = true
    #expect(try (190...192).contains(theatre.frame()[5, 5][0]))
  }

  @Test("a parent faded to nothing takes its portals with it", arguments: Backend.both)
  func fadedParent(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(100, 0, 10, 10, .black)
    let parent = theatre.layer(0, 0, 20, 20)
    _ = theatre.portal(of: source, 0, 0, 10, 10, in: parent)
    for step in (0...4).reversed() {
      parent.opacity = Float(step) / 4
      let expected = 255 - Double(step) / 4 * 255
      #expect(try abs(Double(theatre.frame()[5, 5][0]) - expected) <= 1)
    }
  }

  @Test("a ramp of alpha through a group is within one step of what it was", arguments: Backend.both)
  func groupIsClean(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let group = theatre.layer(0, 24, 64, 24)
    for x in 0..<64 {
      let color = Color(red: Float(x) / 64, green: 0.5, blue: 0, alpha: Float(x) / 64)
      _ = theatre.layer(Double(x), 0, 1, 24, color)
      _ = theatre.layer(Double(x), 0, 1, 24, color, in: group)
    }
    // Nearly opaque: the group is composited, and must not show otherwise.
    group.opacity = 0.9999
    let image = try theatre.frame()
    for x in 0..<64 {
      for component in 0..<3 {
        #expect(abs(Int(image[x, 4][component]) - Int(image[x, 40][component])) <= 1)
      }
    }
  }

  @Test("a portal drawn alone has the pixels that it has in the whole picture", arguments: Backend.both)
  func alone(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    theatre.root.backgroundColor = .clear
    let source = theatre.layer(100, 0, 20, 20, .blue)
    let turned = theatre.layer(3, 3, 10, 10, .red, in: source)
    turned.transform = .rotation(angle: 0.3)
    turned.cornerRadius = 4
    let portal = theatre.portal(of: source, 12, 8, 20, 20)
    portal.masksToBounds = true
    portal.cornerRadius = 6
    let whole = try theatre.frame()
    let alone = try theatre.renderer.render(layer: portal)
    #expect(alone.pixels == whole.part(12, 8, 20, 20))
  }
}
