import Commit
import Geometry
import Porthole
import Testing

/// Costs as exact counters: the same on every machine.
@Suite("What costs nothing costs nothing")
struct CostTests {
  @Test("a still stack of portals over a still ground is not drawn again", arguments: Backend.both)
  func still(_ backend: Backend) throws {
    let theatre = try Theatre(backend)
    let source = theatre.layer(0, 0, 10, 10, .red)
    for index in 0..<20 { _ = theatre.portal(of: source, Double(index * 2), 20, 10, 10) }
    #expect(try theatre.renderer.update(theatre.root).result == .drawn)
    for _ in 0..<5 {
      let report = try theatre.renderer.update(theatre.root)
      #expect(report.result == .unchanged && report.changesCommitted == 0)
      #expect(report.counters.passes == 0 && report.counters.quads == 0 && report.counters.layersVisited == 0)
    }
  }

  @Test("a source is drawn once a frame, however many portals show it", arguments: [10, 100, 1000])
  func once(_ count: Int) throws {
    let theatre = try Theatre(.gl, width: 640, height: 480)
    let source = theatre.layer(700, 0, 40, 40, .blue)
    for index in 0..<16 { _ = theatre.layer(Double(index % 4) * 10, Double(index / 4) * 10, 8, 8, .red, in: source) }
    for index in 0..<count { _ = theatre.portal(of: source, Double(index % 600), Double(index % 440), 40, 40) }
    let counters = try theatre.renderer.update(theatre.root).counters
    #expect(counters.sourcesDrawn == 1 && counters.portalsSampled == count)
    #expect(counters.layersVisited == count + 1 + 17)
    #expect(counters.passes == 2)
  }

  @Test("a leaf of one quad is drawn again in its portals: no texture, no pass of its own", arguments: [1, 100])
  func leaf(_ count: Int) throws {
    let theatre = try Theatre(.gl)
    let source = theatre.layer(100, 0, 10, 10, .blue)
    for index in 0..<count { _ = theatre.portal(of: source, Double(index % 50), Double(index % 40), 10, 10) }
    let counters = try theatre.renderer.update(theatre.root).counters
    #expect(counters.passes == 1 && counters.sourcesDrawn == 0 && counters.portalsInlined == count)
  }

  @Test("a hidden source without a portal is not drawn at all")
  func hidden() throws {
    let theatre = try Theatre(.gl)
    let host = theatre.layer(0, 0, 10, 10)
    host.isHidden = true
    let source = theatre.layer(0, 0, 10, 10, .red, in: host)
    #expect(try theatre.renderer.plan(theatre.root).counters.quads == 1)
    let portal = theatre.portal(of: source, 30, 30, 10, 10)
    #expect(try theatre.renderer.plan(theatre.root).counters.quads == 2)
    portal.removeFromSuperlayer()
    #expect(try theatre.renderer.plan(theatre.root).counters.quads == 1)
  }
}
