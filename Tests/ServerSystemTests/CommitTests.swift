import Foundation
import Porthole
import Testing

extension ServerSystemTests {
  @Suite("What goes over the wire")
  struct CommitTests {
    private let server: ServerRun
    private let connection: RenderServerConnection
    private let renderer: RemoteRenderer

    init() throws {
      server = try ServerRun()
      connection = try server.connect()
      renderer = try connection.output(size: Size(width: 64, height: 64))
    }

    /// The same layers, drawn in this process.
    private func embedded(_ root: Layer) throws -> [UInt8] {
      let renderer = try OffscreenRenderer(size: Size(width: 64, height: 64))
      defer { renderer.close() }
      return try renderer.render(root).pixels
    }

    @Test("a frame after one change sends one record and one commit; an unchanged frame sends nothing")
    func counts() throws {
      let (root, card) = TestLayers.cardAndPortal()
      let first = try renderer.render(root)
      let before = connection.counters
      #expect(try renderer.render(root) === first)
      #expect(try renderer.update(root).result == .unchanged)
      #expect(connection.counters == before)

      card.opacity = 0.5
      card.opacity = 0.4
      #expect(try renderer.update(root).result == .sent)
      var expected = before
      expected.records += 1
      expected.requests += 1
      expected.commits += 1
      #expect(connection.counters == expected)
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded(root)) == nil)
      #expect(connection.counters == expected)
    }

    @Test("the report of a frame comes when it is drawn")
    func reports() throws {
      let (root, card) = TestLayers.cardAndPortal()
      #expect(renderer.lastReport == nil)
      try renderer.update(root)
      let end = Date().addingTimeInterval(20)
      while renderer.lastReport == nil, Date() < end {
        try connection.dispatch()
        Thread.sleep(forTimeInterval: 0.002)
      }
      #expect(renderer.lastReport?.result == .drawn)
      card.isHidden = true
      var presentation: Presentation?
      var answers = 0
      try renderer.update(root) {
        presentation = $0
        answers += 1
      }
      while answers == 0, Date() < end {
        try connection.dispatch()
        Thread.sleep(forTimeInterval: 0.002)
      }
      #expect(answers == 1)
      #expect((presentation?.sequence ?? 0) > 0)
    }

    @Test("a picture that changes every frame takes no more memory than a few pictures do")
    func contentsAreReused() throws {
      let (root, card) = TestLayers.cardAndPortal()
      for frame in 0..<40 {
        let pixels = [UInt8](repeating: UInt8(frame), count: 256 * 256 * 4)
        card.contents = Image(size: PixelSize(width: 256, height: 256), alpha: .opaque, pixels: pixels)
        try renderer.update(root)
        if frame % 4 == 3 { try connection.finish() }
      }
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded(root)) == nil)
      #expect(connection.bytesOfSharedMemory <= 4 << 20)
      #expect(connection.counters.bytesOfPictures >= 40 * 256 * 256 * 4)
    }

    @Test("layers that the application lets go of, the server lets go of")
    func lifetimes() throws {
      let root = Layer()
      root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      for _ in 0..<50 { root.addSublayer(Layer()) }
      try renderer.update(root)
      #expect(connection.layerCount == 51)
      for layer in root.sublayers.dropFirst(10) { layer.removeFromSuperlayer() }
      try renderer.update(root)
      #expect(connection.layerCount == 11)
      try connection.finish()
    }

    @Test("a refused commit names layer and property, and what was in it comes with the next")
    func refusal() throws {
      let (root, card) = TestLayers.cardAndPortal()
      let good = try renderer.render(root)
      card.opacity = 0.5
      card.position = Point(.nan, 10)
      let extra = Layer()
      extra.frame = Rect(x: 40, y: 2, width: 10, height: 10)
      extra.backgroundColor = .white
      root.insertSublayer(extra, at: 0)
      do throws(OffscreenError) {
        _ = try renderer.render(root)
        Issue.record("a position that is no number was accepted")
      } catch {
        #expect(error.code == .invalidLayer)
        #expect(error.layer == card.id)
        #expect(error.property == "position")
        #expect(error.description.contains("card"))
      }
      #expect(connection.counters.commitsRefused == 1)
      card.position = Point(20, 20)
      let mended = try renderer.render(root)
      #expect(mended.pixels != good.pixels)
      #expect(try Pixels.difference(mended.pixels, embedded(root)) == nil)
    }

    @Test("moves in refused commits are mended, whatever was moved since")
    func refusedMoves() throws {
      let root = Layer()
      root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      var layers: [Layer] = []
      for index in 0..<8 {
        let layer = Layer()
        layer.frame = Rect(x: Double(index) * 3, y: Double(index) * 2, width: 24, height: 20)
        layer.backgroundColor = Color(red: Float(index) / 8, green: 0.5, blue: 1 - Float(index) / 8, alpha: 0.8)
        root.addSublayer(layer)
        layers.append(layer)
      }
      _ = try renderer.render(root)
      var random = SeededMoves(state: 4)
      for round in 0..<30 {
        let isBad = round % 3 != 2
        if isBad { layers[round % 8].zPosition = .infinity }
        for _ in 0..<5 {
          let (layer, parent) = (layers[random.next(8)], layers[random.next(8)])
          switch random.next(3) {
          case 0: layer.removeFromSuperlayer()
          case 1 where !layer.contains(parent): parent.insertSublayer(layer, at: random.next(3))
          default: root.insertSublayer(layer, at: random.next(9))
          }
        }
        // Not waited for, so that commits are on their way when a refusal comes.
        _ = try? renderer.update(root)
        layers[round % 8].zPosition = 0
        if !isBad {
          #expect(try Pixels.difference(renderer.render(root).pixels, embedded(root)) == nil, "round \(round)")
        }
      }
      #expect(connection.counters.commitsRefused > 0)
    }

    private struct SeededMoves {
      var state: UInt64
      mutating func next(_ bound: Int) -> Int {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        return Int(state >> 33) % bound
      }
    }

    @Test("a gradient of too many colours is refused before anything is sent")
    func tooManyStops() throws {
      let gradient = GradientLayer()
      gradient.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      gradient.colors = [Color](repeating: .white, count: 97)
      let before = connection.counters
      #expect(throws: OffscreenError.self) { try renderer.render(gradient) }
      #expect(connection.counters.commits == before.commits)
      gradient.colors.removeLast()
      #expect(try Pixels.difference(renderer.render(gradient).pixels, embedded(gradient)) == nil)
    }

    @Test(
      "a lens of too many shapes, too many backdrop filters and too long a name are refused before anything is sent")
    func tooMuchGlass() throws {
      let faults: [(LensLayer) -> Void] = [
        { $0.lens?.shapes = [Lens.Shape](repeating: Lens.Shape(rect: .zero), count: Lens.maxShapes + 1) },
        { $0.backdropFilters = [Filter](repeating: .invert(1), count: 241) },
        { $0.groupName = String(repeating: "g", count: 257) },
      ]
      for fault in faults {
        let layer = LensLayer()
        layer.frame = Rect(x: 0, y: 0, width: 64, height: 64)
        fault(layer)
        let before = connection.counters
        #expect(throws: OffscreenError.self) { try renderer.render(layer) }
        #expect(connection.counters.commits == before.commits)
        (layer.lens, layer.backdropFilters, layer.groupName) = (Lens(), [.invert(1)], "g")
        #expect(try Pixels.difference(renderer.render(layer).pixels, embedded(layer)) == nil)
      }
    }

    @Test("a hit test goes through a portal, as it does in this process")
    func hits() throws {
      let (root, card) = TestLayers.cardAndPortal()
      let portal = try #require(root.sublayers.last as? PortalLayer)
      portal.forwardsHitTestingToSource = true
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
      for point in [Point(10, 10), Point(46, 42), Point(1, 63), Point(60, 2)] {
        let (here, there) = (try embedded.hitTest(point, in: root), try renderer.hitTest(point, in: root))
        #expect(here.map(\.layer.id) == there.map(\.layer.id))
        #expect(here.map(\.point) == there.map(\.point))
        #expect(here.map(\.isPortal) == there.map(\.isPortal))
      }
      #expect(try renderer.hitTest(Point(46, 42), in: root).map(\.layer.id) == [portal.id, card.id])
    }

    @Test("more changes than the server takes at once go out as several commits, and all of them arrive")
    func largeCommit() throws {
      let server = try ServerRun(["--limits", "changes=50"])
      let connection = try server.connect()
      let renderer = try connection.output(size: Size(width: 64, height: 64))
      let embedded = try OffscreenRenderer(size: Size(width: 64, height: 64))
      let root = Layer()
      root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      for index in 0..<100 {
        let layer = Layer()
        layer.frame = Rect(x: Double(index % 10) * 6, y: Double(index / 10) * 6, width: 5, height: 5)
        layer.backgroundColor = Color(red: 0.5, green: Float(index) / 100, blue: 0.3)
        root.addSublayer(layer)
      }
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
      // A fault in the middle: what was refused with it goes out again.
      let bad = root.sublayers[50]
      for layer in root.sublayers { layer.opacity = 0.5 }
      bad.cornerRadius = -1
      #expect(throws: OffscreenError.self) { try renderer.render(root) }
      bad.cornerRadius = 1
      #expect(try Pixels.difference(renderer.render(root).pixels, embedded.render(root).pixels) == nil)
      #expect(connection.counters.commits > 8 && connection.counters.commitsRefused > 0)
    }

    @Test("10,000 changed layers go out as 10,000 records in one commit")
    func manyLayers() throws {
      let root = Layer()
      root.frame = Rect(x: 0, y: 0, width: 64, height: 64)
      for index in 0..<10_000 {
        let layer = Layer()
        layer.frame = Rect(x: Double(index % 100) * 0.6, y: Double(index / 100) * 0.6, width: 2, height: 2)
        layer.backgroundColor = Color(red: 0.5, green: Float(index % 100) / 100, blue: 0.3)
        root.addSublayer(layer)
      }
      try renderer.update(root)
      try connection.finish()
      let before = connection.counters
      let (here, there) = (CPUTime.ofThisThread, CPUTime.of(process: server.processIdentifier))
      let frames = 10
      for frame in 0..<frames {
        for layer in root.sublayers { layer.position.x += frame % 2 == 0 ? 0.25 : -0.25 }
        try connection.commit(root)
        try connection.finish()
      }
      let (client, host) = (CPUTime.ofThisThread - here, CPUTime.of(process: server.processIdentifier) - there)
      print(
        "10,000 changed layers: \(client / frames) µs of the client's CPU a frame, \(host / frames) µs of the server's")
      #expect(connection.counters.records - before.records == UInt64(10_000 * frames))
      #expect(connection.counters.commits - before.commits == UInt64(frames))
      #expect(connection.counters.commitsRefused == 0)
    }
  }
}
