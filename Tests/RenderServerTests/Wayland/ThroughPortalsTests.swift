import Commit
import Geometry
import RenderServer
import TestSupport
import Testing
import WaylandProtocol

/// What a window's client hears of a pointer that is over portals of portals of it.
@Suite("The pointer through portals")
struct ThroughPortalsTests {
  /// A portal of a source, as it lies in the layer that it is in.
  private struct Place {
    var size: Size
    var position: Point
    var transform: Transform3D

    /// Where a point of the source is seen, by the definition of a layer's transform.
    func seen(_ point: Point) -> Point {
      let (x, y) = (point.x - size.width / 2, point.y - size.height / 2)
      let t = transform
      let depth = x * t.m14 + y * t.m24 + t.m44
      return Point(
        position.x + (x * t.m11 + y * t.m21 + t.m41) / depth, position.y + (x * t.m12 + y * t.m22 + t.m42) / depth)
    }
  }

  private static func transform(_ random: inout SeededGenerator) -> Transform3D {
    let flat =
      Transform3D.scale(x: random.real(0.6...1.2), y: random.real(0.6...1.2))
      * .rotation(angle: random.real(-3...3))
    guard random.chance(60) else { return flat }
    return flat * .rotation(angle: random.real(-0.9...0.9), x: random.real(-1...1), y: 1, z: 0)
      * .perspective(distance: random.real(500...900))
  }

  @Test("under any transform and perspective, at any depth, it is where it would be in the window, to the last bit")
  func exact() throws {
    for seed in UInt64(1)...15 {
      var random = SeededGenerator(seed: seed)
      let stage = try SeatTests.Stage(layout: .none)
      stage.program.show(
        try TestProgram.Picture(stage.program, 64, 48) { _, _ in 0xFFFF_FFFF }, in: stage.window.surface)
      try stage.program.roundtrip()
      let client = stage.operate
      var places: [Place] = []
      var portal = try client.portal(of: stage.fixture.lastWindow)
      var size = Size(width: 64, height: 48)
      var kept: [Proxy<PortholeLayerV1>] = []
      let depth = Int.random(in: 1...3, using: &random)
      for level in 1...depth {
        let side = level == depth ? 400.0 : 200
        let place = Place(
          size: size, position: Point(side / 2 + random.real(-9...9), side / 2 + random.real(-9...9)),
          transform: Self.transform(&random))
        try client.set(
          portal,
          [
            .bounds(Rect(origin: .zero, size: size)), .anchorPoint(Point(0.5, 0.5)), .position(place.position),
            .transform(place.transform), .forwardsHitTestingToSource(true),
          ])
        let holder = try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: side, height: side)), .anchorPoint(.zero))
        holder.insertSublayer(child: portal, index: 0)
        places.append(place)
        kept += [portal, holder]
        guard level < depth else { break }
        // What holds it stands nowhere; the next one shows it.
        portal = try client.layer(.portal)
        portal.setSourceLayer(source: holder)
        size = Size(width: side, height: side)
      }
      let output = client.output(width: 400, height: 400)
      output.setRoot(layer: kept.last)
      try client.commit()
      let number = try stage.outputNumber()
      for _ in 0..<4 {
        let point = Point(
          Double(Int.random(in: 0..<64 * 256, using: &random)) / 256,
          Double(Int.random(in: 0..<48 * 256, using: &random)) / 256)
        let seen = places.reduce(point) { $1.seen($0) }
        stage.move(seen.x, seen.y, output: number)
        let heard = try stage.heard().first { $0 != "frame" }?.split(separator: " ").dropFirst().map(String.init)
        #expect(heard == ["\(point.x)", "\(point.y)"], "seed \(seed), depth \(depth), at \(seen)")
      }
      withExtendedLifetime(kept) {}
    }
  }
}
