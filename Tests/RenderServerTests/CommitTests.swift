import Commit
import Geometry
import Porthole
import RenderServer
import RenderTree
import Testing
import WaylandProtocol

private let red = Color(red: 1, green: 0, blue: 0)
private let green = Color(red: 0, green: 1, blue: 0)
private let box = Rect(x: 0, y: 0, width: 16, height: 16)

@Suite("Clients of the server", .serialized)
struct CommitTests {
  @Test("a client hears its limits when it binds the global")
  func limits() throws {
    let fixture = try ServerFixture(limits: "layers=7,changes=none")
    let client = try fixture.connect()
    #expect(client.ear.limits[PortholeV1.Limit.layers.rawValue] == 7)
    #expect(client.ear.limits[PortholeV1.Limit.changes.rawValue] == .max)
    #expect(client.ear.limits.count == ClientLimits.Kind.allCases.count)
  }

  @Test("a committed tree is drawn to the very bytes of the embedded renderer")
  func sameAsEmbedded() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    for (index, tree) in PairedTree.all.enumerated() {
      let root = tree.layer
      let renderer = try OffscreenRenderer(size: Size(width: 48, height: 40), background: .white)
      let expected = try renderer.render(root)
      renderer.close()
      let output = client.output(width: 48, height: 40)
      output.setRoot(layer: try tree.send(to: client))
      client.setBackground(of: output, .white)
      #expect(try client.commit())
      let pixels = try client.capture(output, width: 48, height: 40)
      #expect(pixels.map { $0 == expected.pixels } == true, "tree \(index)")
      output.destroy()
    }
  }

  @Test("nothing shows before its commit, and a refused commit changes nothing of what is shown")
  func refused() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let root = try client.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(red))
    let output = client.output(width: 16, height: 16)
    output.setRoot(layer: root)
    #expect(try client.commit())
    let before = try #require(try client.capture(output, width: 16, height: 16))
    #expect(before.prefix(4) == [255, 0, 0, 255])
    try client.set(root, [.backgroundColor(green), .cornerRadius(-1)])
    client.setBackground(of: output, green)
    #expect(try !client.commit())
    #expect(
      client.ear.refused.last
        == TestClient.Refusal(serial: 2, reason: .outOfRange, layer: root.number, property: "cornerRadius"))
    #expect(try client.capture(output, width: 16, height: 16) == before)
    // What was refused is dropped: the next commit does not bring it.
    #expect(try client.commit())
    #expect(try client.capture(output, width: 16, height: 16) == before)
  }

  @Test("a layer that contains itself, a number that is none and a portal's property elsewhere are refused by name")
  func reasons() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let (a, b) = (try client.layer(), try client.layer())
    a.insertSublayer(child: b, index: 0)
    b.insertSublayer(child: a, index: 0)
    #expect(try !client.commit())
    #expect(client.ear.refused.last?.reason == .cycle)
    try client.set(a, [.position(Point(.infinity, 0))])
    #expect(try !client.commit())
    #expect(client.ear.refused.last?.property == "position")
    #expect(client.ear.refused.last?.reason == .notFinite)
    try client.set(a, [.hidesSourceLayer(true)])
    #expect(try !client.commit())
    #expect(client.ear.refused.last?.reason == .notAPortal)
    a.insertSublayer(child: b, index: 0)
    #expect(try client.commit())
  }

  @Test("a layer destroyed in a refused commit leaves with the next one")
  func destroyedInRefused() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let root = try client.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(red))
    let top = try client.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(green))
    root.insertSublayer(child: top, index: 0)
    let output = client.output(width: 16, height: 16)
    output.setRoot(layer: root)
    #expect(try client.commit())
    top.destroy()
    try client.set(root, [.borderWidth(-1)])
    #expect(try !client.commit())
    #expect(try client.capture(output, width: 16, height: 16)?.prefix(4) == [0, 255, 0, 255])
    #expect(fixture.server.tree.tree.layerCount == 2)
    #expect(try client.commit())
    #expect(try client.capture(output, width: 16, height: 16)?.prefix(4) == [255, 0, 0, 255])
    #expect(fixture.server.tree.tree.layerCount == 1)
  }

  @Test("contents are those of the commit, and the buffer is given back once for each commit")
  func contents() throws {
    let fixture = try ServerFixture()
    let client = try fixture.connect()
    let picture = try TestPicture(client, width: 4, height: 4)
    picture.fill([1, 2, 3, 255])
    let root = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 4, height: 4)), .anchorPoint(.zero))
    root.setContents(buffer: picture.buffer)
    let output = client.output(width: 4, height: 4)
    output.setRoot(layer: root)
    #expect(try client.commit())
    #expect(picture.ear.releases == [1])
    picture.fill([9, 9, 9, 255])
    #expect(try client.capture(output, width: 4, height: 4)?.prefix(4) == [1, 2, 3, 255])
    root.setContents(buffer: picture.buffer)
    root.setContents(buffer: picture.buffer)
    try client.set(root, [.cornerRadius(-1)])
    #expect(try !client.commit())
    #expect(picture.ear.releases == [1, 2])
    root.setContents(buffer: picture.buffer)
    #expect(try client.commit())
    #expect(picture.ear.releases == [1, 2, 3])
    #expect(try client.capture(output, width: 4, height: 4)?.prefix(4) == [9, 9, 9, 255])
  }
}
