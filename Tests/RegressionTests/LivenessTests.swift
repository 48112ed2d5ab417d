import Commit
import Geometry
import Porthole
import Testing

@Suite("A portal shows this frame's source")
struct LivenessTests {
  @Test("a container without content, one moving child in it: every step shows in that frame", arguments: Backend.both)
  func movingChild(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 16, 16)
    let child = theatre.layer(0, 0, 4, 4, .red, in: source)
    _ = theatre.portal(of: source, 32, 0, 16, 16)
    for step in 0..<12 {
      child.position = Point(Double(step) + 2, 2)
      let image = try theatre.frame()
      #expect(image[32 + step + 1, 1] == red)
      #expect(image[32 + step + 5, 1] == white)
    }
  }

  @Test(
    "contents replaced every frame: frame k shows picture k, and the portal is touched by nothing",
    arguments: Backend.both)
  func replacedContents(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 8, 8)
    _ = theatre.portal(of: source, 40, 20, 8, 8)
    _ = try theatre.frame()
    for shade in stride(from: 5, through: 250, by: 35) {
      source.contents = Image(
        size: PixelSize(width: 1, height: 1), alpha: .opaque, pixels: [UInt8(shade), 9, 9, 255])
      let report = try theatre.renderer.update(theatre.root)
      #expect(report.result == .drawn && report.changesCommitted == 1)
      #expect(try theatre.frame()[44, 24] == [UInt8(shade), 9, 9, 255])
    }
  }

  @Test(
    "a source that stops keeps its last picture in the portal, and its version stands still", arguments: Backend.both)
  func stopped(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 8, 8, .red)
    _ = theatre.portal(of: source, 40, 20, 8, 8)
    let other = theatre.layer(20, 0, 4, 4, .blue)
    _ = try theatre.frame()
    let version = theatre.renderer.contentVersion(of: source)
    for step in 0..<5 {
      other.position = Point(22 + Double(step), 2)
      #expect(try theatre.frame()[44, 24] == red)
    }
    #expect(theatre.renderer.contentVersion(of: source) == version)
  }

  @Test("a grandchild's transform raises the source's version and refreshes every portal", arguments: Backend.both)
  func grandchild(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 16, 16)
    let grandchild = theatre.layer(0, 0, 8, 8, .red, in: theatre.layer(0, 0, 16, 16, in: source))
    _ = theatre.portal(of: source, 20, 0, 16, 16)
    let nest = theatre.layer(0, 20, 16, 16, .blue)
    _ = theatre.portal(of: source, 0, 0, 16, 16, in: nest)
    _ = theatre.portal(of: nest, 20, 20, 16, 16)
    _ = try theatre.frame()
    let version = try #require(theatre.renderer.contentVersion(of: nest))
    grandchild.transform = .scale(x: 0.5, y: 0.5)
    let image = try theatre.frame()
    #expect(try #require(theatre.renderer.contentVersion(of: nest)) > version)
    #expect(image[21, 1] == white && image[23, 3] == red)
    #expect(image[21, 21] == blue && image[23, 23] == red)
  }

  @Test("a child that collapses and comes back does so in the portal in the same frame", arguments: Backend.both)
  func collapsing(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 16, 16, .blue)
    let child = theatre.layer(0, 0, 16, 16, .red, in: source)
    _ = theatre.portal(of: source, 32, 0, 16, 16)
    #expect(try theatre.frame()[40, 8] == red)
    child.bounds = Rect(x: 0, y: 0, width: 0, height: 16)
    #expect(try theatre.frame()[40, 8] == blue)
    child.bounds = Rect(x: 0, y: 0, width: 16, height: 16)
    #expect(try theatre.frame()[40, 8] == red)
    source.bounds = Rect(x: 0, y: 0, width: 0, height: 0)
    child.isHidden = true
    #expect(try theatre.frame()[40, 8] == white)
    source.bounds = Rect(x: 0, y: 0, width: 16, height: 16)
    #expect(try theatre.frame()[40, 8] == blue)
  }

  @Test("a source whose host is hidden, covered or outside goes on in its portal", arguments: Backend.both)
  func unseenHost(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let host = theatre.layer(0, 0, 16, 16)
    let source = theatre.layer(0, 0, 16, 16, .red, in: host)
    _ = theatre.portal(of: source, 32, 0, 16, 16)
    _ = try theatre.frame()
    for (color, bytes) in [(Color.green, green), (.blue, blue), (.red, red)] {
      if color == .green { host.isHidden = true }
      if color == .blue {
        host.isHidden = false
        host.position = Point(-500, 0)
      }
      if color == .red { host.removeFromSuperlayer() }
      source.backgroundColor = color
      #expect(try theatre.frame()[40, 8] == bytes)
    }
  }

  @Test("a portal dragged by a pixel over a still scene leaves no trail", arguments: Backend.both)
  func dragging(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    for index in 0..<6 {
      _ = theatre.layer(Double(index) * 10, Double(index) * 7, 9, 30, index % 2 == 0 ? .blue : .green)
    }
    let source = theatre.layer(50, 30, 10, 10, .red)
    let portal = theatre.portal(of: source, 3, 3, 10, 10)
    for step in 0..<10 {
      portal.position = Point(8 + Double(step), 8 + Double(step) / 2)
      #expect(try theatre.frame().pixels == theatre.fresh().pixels, "step \(step)")
    }
  }
}
