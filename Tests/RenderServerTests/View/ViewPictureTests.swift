import Commit
import Geometry
import JSON
import RenderServer
import TestSupport
import Testing
import WaylandProtocol

private let red = Color(red: 1, green: 0, blue: 0)
private let blue = Color(red: 0, green: 0, blue: 1)

@Suite("What a viewer sees", .serialized)
struct ViewPictureTests {
  /// A client with an output of 48 × 32 and two layers in it.
  struct Stage {
    let fixture: ServerFixture
    let client: TestClient
    let root: Proxy<PortholeLayerV1>
    let box: Proxy<PortholeLayerV1>
    let output: Proxy<PortholeOutputV1>

    init(rate: UInt32 = 240_000) throws {
      fixture = try ServerFixture.viewed()
      client = try fixture.connect()
      root = try client.layer(
        .layer, .bounds(Rect(x: 0, y: 0, width: 48, height: 32)), .anchorPoint(.zero), .backgroundColor(.white))
      box = try client.layer(
        .layer, .bounds(Rect(x: 0, y: 0, width: 8, height: 4)), .anchorPoint(.zero), .backgroundColor(red))
      root.insertSublayer(child: box, index: 0)
      output = client.output(width: 48, height: 32, rate: rate)
      output.setRoot(layer: root)
      try client.commit()
    }

    func move(_ x: Double, _ y: Double) throws {
      try client.set(box, [.position(Point(x, y))])
      try client.commit()
    }

    /// What the operator's tool would show.
    func capture() throws -> [UInt8]? { try client.capture(output, width: 48, height: 32) }
  }

  @Test("the first picture is whole, and what a capture shows to the last bit", arguments: [0, 240_000] as [UInt32])
  func first(rate: UInt32) throws {
    let stage = try Stage(rate: rate)
    let viewer = try TestViewer(stage.fixture)
    try viewer.watchLast()
    #expect(viewer.parts == [[PixelRect(minX: 0, minY: 0, maxX: 48, maxY: 32)]])
    #expect(viewer.pixels == (try stage.capture()))
  }

  @Test("only what has changed travels")
  func damage() throws {
    let stage = try Stage()
    let viewer = try TestViewer(stage.fixture)
    try viewer.watchLast()
    try stage.client.set(stage.box, [.backgroundColor(blue)])
    try stage.client.commit()
    try viewer.turn { viewer.parts.count == 2 }
    #expect(viewer.parts[1] == [PixelRect(minX: 0, minY: 0, maxX: 8, maxY: 4)])
    #expect(viewer.pixels == (try stage.capture()))
  }

  @Test("while nothing changes, nothing is sent and no frame is begun")
  func rest() throws {
    let stage = try Stage()
    let viewer = try TestViewer(stage.fixture)
    try viewer.watchLast()
    try stage.fixture.turns(20)
    let begun = stage.fixture.server.framesBegun
    for _ in 0..<100 {
      try stage.fixture.turns(1)
      try viewer.hear()
    }
    #expect(stage.fixture.server.framesBegun == begun)
    #expect(viewer.parts.count == 1)
  }

  @Test("a viewer that does not keep up is sent two pictures, and then the newest there is")
  func slow() throws {
    let stage = try Stage()
    let viewer = try TestViewer(stage.fixture)
    try viewer.watch(try viewer.outputs().max() ?? 0)
    let frames = stage.fixture.server.framesDrawn
    for step in 1...40 {
      try stage.move(Double(step), Double(step / 2))
      try stage.fixture.turn { stage.fixture.server.framesDrawn >= frames + UInt64(step) / 2 }
      try viewer.hear()
    }
    #expect(viewer.parts.count <= 2)
    let seen = viewer.sequence
    try viewer.acknowledge()
    let shown = try stage.capture()
    try viewer.turn {
      try viewer.acknowledge()
      return viewer.pixels == shown
    }
    #expect(viewer.parts.count <= 5)
    #expect(viewer.sequence > seen + 10)
  }

  @Test("viewers of different speed see the same in the end, whatever moves", arguments: [1, 2, 3, 4] as [UInt64])
  func random(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let stage = try Stage()
    let viewers = try (0..<3).map { _ in try TestViewer(stage.fixture) }
    let output = try viewers[0].outputs().max() ?? 0
    for viewer in viewers { try viewer.watch(output) }
    for _ in 0..<40 {
      let color = Color(red: Float.random(in: 0...1, using: &generator), green: 0.5, blue: 0.25)
      try stage.client.set(stage.box, [.backgroundColor(color)])
      try stage.move(Double.random(in: -10...50, using: &generator), Double.random(in: -5...35, using: &generator))
      for viewer in viewers {
        try viewer.hear()
        if Bool.random(using: &generator) { try viewer.acknowledge() }
      }
    }
    let shown = try stage.capture()
    for (index, viewer) in viewers.enumerated() {
      try viewer.turn {
        try viewer.acknowledge()
        return viewer.pixels == shown
      }
      #expect(viewer.end == nil, "viewer \(index), seed \(seed)")
    }
  }

  @Test("a new size comes with a whole picture; an output that goes is said to have gone")
  func size() throws {
    let stage = try Stage()
    let viewer = try TestViewer(stage.fixture)
    try viewer.watchLast()
    stage.output.setMode(width: 20, height: 10, scale: [1.0].span.bytes, rate: 240_000)
    try stage.client.commit()
    try viewer.turn { viewer.size == PixelSize(width: 20, height: 10) }
    #expect(viewer.parts.last == [PixelRect(minX: 0, minY: 0, maxX: 20, maxY: 10)])
    #expect(viewer.pixels == (try stage.client.capture(stage.output, width: 20, height: 10)))
    stage.output.destroy()
    _ = try stage.client.commit()
    _ = try viewer.text { $0.member("gone", of: 0) != nil }
    #expect(try viewer.outputs() == [])
    try viewer.watch(77)
    _ = try viewer.text { $0.member("gone", of: 0) != nil }
  }

  @Test("a lost GPU is not seen")
  func lostDevice() throws {
    let stage = try Stage()
    let viewer = try TestViewer(stage.fixture)
    try viewer.watchLast()
    stage.fixture.server.loseDevice()
    for step in 1...3 { try stage.move(Double(step), 3) }
    let shown = try stage.capture()
    try viewer.turn {
      try viewer.acknowledge()
      return viewer.pixels == shown
    }
  }

  @Test("a secure output is not shown")
  func secure() throws {
    let fixture = try ServerFixture.viewed { $0.allowsSecureOutputs = true }
    let client = try fixture.connect()
    let output = client.global.createOutput(
      width: 8, height: 8, scale: [1.0].span.bytes, rate: 0, flags: .secure)
    output.setRoot(layer: try client.layer(.layer, .bounds(Rect(x: 0, y: 0, width: 8, height: 8))))
    try client.commit()
    let viewer = try TestViewer(fixture)
    try viewer.watch(try viewer.outputs().max() ?? 0)
    _ = try viewer.text { $0.member("gone", of: 0) != nil }
    #expect(viewer.parts.isEmpty)
  }

  @Test("where layers stand is told with their corners, portals with their sources, and a hit with its whole path")
  func scene() throws {
    let stage = try Stage()
    let portal = try stage.client.layer(
      .portal, .bounds(Rect(x: 0, y: 0, width: 8, height: 4)), .anchorPoint(.zero), .position(Point(20, 10)),
      .forwardsHitTestingToSource(true))
    portal.setSourceLayer(source: stage.box)
    stage.root.setName(name: "root")
    stage.box.setName(name: "box")
    stage.root.insertSublayer(child: portal, index: 1)
    try stage.client.commit()
    let viewer = try TestViewer(stage.fixture)
    try viewer.watchLast()
    let (scene, value) = try viewer.ask("scene")
    let layers = scene.children(of: scene.member("layers", of: value) ?? 0)
    #expect(layers.count == 3)
    let corners = scene.children(of: scene.member("corners", of: layers[2]) ?? 0).map { scene[$0].value }
    #expect(corners == [20, 10, 28, 10, 28, 14, 20, 14].map { .number($0) })
    #expect(
      scene.member("source", of: layers[2]).map { scene[$0].value }
        == scene.member("layer", of: layers[1]).map {
          scene[$0].value
        })
    let (hit, links) = try viewer.ask("hit", "[\"hit\",22,11]")
    let paths = hit.children(of: links).map { link in
      hit.children(of: hit.member("path", of: link) ?? 0).map { hit.member("name", of: $0).map { hit[$0].value } }
    }
    #expect(paths == [[.string("root"), .string("")], [.string("root"), .string("box")]])
    let point = hit.children(of: hit.member("point", of: hit.children(of: links)[1]) ?? 0).map { hit[$0].value }
    #expect(point == [.number(2), .number(1)])
  }
}
