import Commit
import Geometry
import LinuxIO
import RenderServer
import RenderTree
import Testing
import WaylandProtocol

private let red = Color(red: 1, green: 0, blue: 0)
private let blue = Color(red: 0, green: 0, blue: 1)
private let box = Rect(x: 0, y: 0, width: 8, height: 8)

final class ExportEar: PortholeExportV1.EventHandler {
  var handle: [UInt8]?
  var redeemed = 0
  func handle(_ proxy: Proxy<PortholeExportV1>, handle: RawSpan) { self.handle = handle.withUnsafeBytes { Array($0) } }
  func redeemed(_ proxy: Proxy<PortholeExportV1>) { redeemed += 1 }
}

final class ImportEar: PortholeImportV1.EventHandler {
  var answers: [Bool] = []
  func available(_ proxy: Proxy<PortholeImportV1>) { answers.append(true) }
  func unavailable(_ proxy: Proxy<PortholeImportV1>) { answers.append(false) }
}

/// A client that exports a red layer, and one that shows it by a portal over blue.
private final class Pair {
  let fixture: ServerFixture
  var owner: TestClient?
  let viewer: TestClient
  let source: Proxy<PortholeLayerV1>
  let export: Proxy<PortholeExportV1>
  let exportEar = ExportEar()
  let imported: Proxy<PortholeImportV1>
  let importEar = ImportEar()
  let portal: Proxy<PortholeLayerV1>
  let output: Proxy<PortholeOutputV1>
  let handle: [UInt8]

  init(flags: PortholeExportV1.Flags = [], lifetime: SourceLifetime = .weak) throws {
    fixture = try ServerFixture()
    let owner = try fixture.connect()
    self.owner = owner
    viewer = try fixture.connect()
    source = try owner.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(red))
    export = owner.global.exportLayer(layer: source, flags: flags)
    export.handler = exportEar
    #expect(try owner.commit())
    let given = try #require(exportEar.handle)
    handle = given
    imported = viewer.global.importLayer(handle: given.span.bytes)
    imported.handler = importEar
    let root = try viewer.layer(.layer, .bounds(box), .anchorPoint(.zero), .backgroundColor(blue))
    portal = try viewer.layer(.portal, .bounds(box), .anchorPoint(.zero), .sourceLifetime(lifetime))
    portal.setSourceImport(source: imported)
    root.insertSublayer(child: portal, index: 0)
    output = viewer.output(width: 8, height: 8)
    output.setRoot(layer: root)
    #expect(try viewer.commit())
  }

  var pixel: [UInt8]? { get throws { try viewer.capture(output, width: 8, height: 8).map { Array($0.prefix(4)) } } }
}

@Suite("Portals between clients", .serialized)
struct PortalTests {
  private let shown: [UInt8] = [255, 0, 0, 255]
  private let empty: [UInt8] = [0, 0, 255, 255]

  @Test("a portal shows another client's layer by its handle, live")
  func showsExported() throws {
    let pair = try Pair()
    #expect(pair.importEar.answers == [true])
    #expect(try pair.pixel == shown)
    try pair.owner?.set(pair.source, [.backgroundColor(Color(red: 0, green: 1, blue: 0))])
    #expect(try pair.owner?.commit() == true)
    #expect(try pair.pixel == [0, 255, 0, 255])
    try pair.owner?.turn { pair.exportEar.redeemed == 1 }
    #expect(pair.exportEar.redeemed == 1)
  }

  @Test(
    "a portal is empty in the frame after its source's client is gone", arguments: [SourceLifetime.weak, .retained])
  func ownerLeaves(lifetime: SourceLifetime) throws {
    let pair = try Pair(lifetime: lifetime)
    #expect(try pair.pixel == shown)
    try #require(pair.owner).kill()
    try pair.fixture.turns(2)
    #expect(try pair.pixel == empty)
    try pair.viewer.turn { pair.importEar.answers.count == 2 }
    #expect(pair.importEar.answers == [true, false])
  }

  @Test("a portal is empty in the frame after the export is revoked, and stays so when it is set again")
  func revoked() throws {
    let pair = try Pair(lifetime: .retained)
    #expect(try pair.pixel == shown)
    pair.export.destroy()
    let owner = try #require(pair.owner)
    _ = try owner.connection.flush()
    try pair.fixture.turns(2)
    #expect(try pair.pixel == empty)
    pair.portal.setSourceImport(source: pair.imported)
    #expect(try pair.viewer.commit())
    #expect(try pair.pixel == empty)
  }

  @Test("an import that is let go of leaves what portals show as it is")
  func importDestroyed() throws {
    let pair = try Pair()
    pair.imported.destroy()
    #expect(try pair.viewer.commit())
    #expect(try pair.pixel == shown)
    #expect(try pair.owner?.commit() == true)
    pair.export.destroy()
    #expect(try pair.owner?.commit() == true)
    #expect(try pair.pixel == empty)
  }

  @Test("unknown, guessed, used up and revoked handles, and other lengths, get one and the same answer")
  func badHandles() throws {
    let pair = try Pair(flags: .singleUse)
    var guessed = pair.handle
    guessed[3] ^= 1
    let second = try #require(pair.owner).global.exportLayer(layer: pair.source, flags: [])
    let ear = ExportEar()
    second.handler = ear
    _ = try pair.owner?.commit()
    let revoked = try #require(ear.handle)
    second.destroy()
    _ = try pair.owner?.commit()
    for handle in [guessed, pair.handle, revoked, [UInt8](repeating: 0, count: 16), [1, 2, 3], []] {
      let imported = pair.viewer.global.importLayer(handle: handle.span.bytes)
      let ear = ImportEar()
      imported.handler = ear
      try pair.viewer.turn { !ear.answers.isEmpty }
      #expect(ear.answers == [false])
      pair.portal.setSourceImport(source: imported)
      #expect(try pair.viewer.commit())
      #expect(try pair.pixel == empty)
    }
    #expect(pair.importEar.answers == [true])
  }

  @Test("a hit test tells nothing of what lies inside another client's layer")
  func hitsEnd() throws {
    let pair = try Pair()
    try pair.viewer.set(pair.portal, [.forwardsHitTestingToSource(true)])
    #expect(try pair.viewer.commit())
    final class HitEar: PortholeHitV1.EventHandler {
      var hits: [UInt32] = []
      var isDone = false
      func layer(_ proxy: Proxy<PortholeHitV1>, layer: Proxy<PortholeLayerV1>?, point: RawSpan, isPortal: UInt32) {
        hits.append(layer?.number ?? 0)
      }
      func done(_ proxy: Proxy<PortholeHitV1>) { isDone = true }
    }
    let ear = HitEar()
    let hit = pair.viewer.global.hitTest(output: pair.output, point: [3.0, 3.0].span.bytes)
    hit.handler = ear
    try pair.viewer.turn { ear.isDone }
    #expect(ear.hits == [pair.portal.number])
  }
}
