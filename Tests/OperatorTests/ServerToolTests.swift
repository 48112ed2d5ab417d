import Foundation
import Geometry
import Porthole
import Testing

@Suite("The operator's tool", .serialized)
struct ServerToolTests {
  private let rig: OperatorRig
  private let wall: Wall

  init() throws {
    rig = try OperatorRig()
    wall = try Wall(rig)
    try wall.draw()
  }

  private func json(_ text: String) throws -> Any {
    try JSONSerialization.jsonObject(with: Data(text.utf8), options: .fragmentsAllowed)
  }

  @Test("list shows clients, layers, portals with their source, textures, outputs and exports")
  func list() throws {
    let picture = try #require(
      Image(size: PixelSize(width: 4, height: 4), alpha: .opaque, pixels: [UInt8](repeating: 9, count: 64)))
    wall.card.contents = picture
    try wall.draw()
    _ = try wall.connection.export(wall.card)
    let all = try rig.run("list")
    #expect(all.code == 0 && all.messages.isEmpty, "\(all)")
    for word in ["clients\n", "layers\n", "portals\n", "textures\n", "outputs\n", "exports\n", "32×16", "on demand"] {
      #expect(all.output.contains(word), "\(word) in \(all.output)")
    }
    // A client's name can't steer the operator's terminal.
    #expect(!all.output.contains("\u{1B}") && all.output.contains("wall\u{FFFD}[31m"))
    let portals = try rig.run("list", "portals").output.split(separator: "\n")
    #expect(portals.count == 2 && portals[1].contains("window on the card") && portals[1].contains("its own"))
    let textures = try rig.run("list", "textures").output
    #expect(textures.contains("contents") && textures.contains("4×4") && textures.contains("64"))
  }

  @Test("list as data has every layer with its parent, bounds and source")
  func listData() throws {
    let outcome = try rig.run("list", "--json")
    let top = try #require(try json(outcome.output) as? [String: Any])
    #expect(Set(top.keys) == ["clients", "outputs", "exports"])
    let clients = try #require(top["clients"] as? [[String: Any]])
    let client = try #require(clients.first { ($0["name"] as? String)?.hasPrefix("wall") == true })
    #expect(client["process"] as? Int == Int(ProcessInfo.processInfo.processIdentifier))
    let layers = try #require(client["tree"] as? [[String: Any]])
    let card = try #require(layers.first { $0["name"] as? String == "card" })
    let portal = try #require(layers.first { $0["kind"] as? String == "portal" })
    #expect(layers.count == 3 && portal["source"] as? UInt64 == card["layer"] as? UInt64)
    #expect(card["bounds"] as? [Double] == [0, 0, 8, 8])
    #expect(card["parent"] as? UInt64 == portal["parent"] as? UInt64 && card["parent"] as? UInt64 != 0)
  }

  @Test("stats are a table, Prometheus's text or data, and count by client")
  func stats() throws {
    let text = try rig.run("stats", "--prometheus").output
    #expect(text.contains("# TYPE porthole_layers gauge\nporthole_layers 3\n"))
    #expect(text.contains("porthole_client_layers{client=\"1\""))
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      #expect(line.hasPrefix("porthole_") && Double(line.split(separator: " ").last ?? "") != nil, "\(line)")
    }
    let values = try #require(try json(rig.run("stats", "--json").output) as? [String: Any])
    #expect(values["layers"] as? Int == 3 && values["frames_drawn_total"] as? Int == 1)
    #expect(try rig.run("stats").output.contains("frames_drawn_total"))
  }

  @Test("dump prints the tree as an outline, the plan of the last frame, and what it drew anew")
  func dump() throws {
    let tree = try rig.run("dump", "tree").output
    #expect(
      tree.contains("\n    ") && tree.contains("“card” [0 0 8 8]") && tree.contains("portal “window on the card”"))
    let plan = try rig.run("dump", "plan").output
    #expect(plan.contains("output ") && plan.contains("pass 0 32×16"))
    let plans = try #require(try json(rig.run("dump", "plan", "--json").output) as? [[String: Any]])
    #expect((plans.first?["counters"] as? [String: Int])?["passes"] == 1)
    #expect(
      try rig.run("dump", "damage").output.contains(": 512 of 512 pixels redrawn\n  output 32×16: 32×16 at 0, 0\n"))
    // The card and the portal of it, 8 × 8 each.
    wall.card.backgroundColor = Wall.green
    try wall.draw()
    let damage = try rig.run("dump", "damage").output
    #expect(damage.contains("8×8 at 2, 4\n") && damage.contains("8×8 at 20, 4\n"), "\(damage)")
    let data = try #require(try json(rig.run("dump", "damage", "--json").output) as? [[String: Any]])
    #expect(data.first?["redrawnPixels"] as? Int == 128 && data.first?["outputPixels"] as? Int == 512)
  }

  @Test("capture writes an output, a layer by name or number, and a portal with what it shows")
  func capture() throws {
    let expected = try wall.draw()
    let (out, card, portal, raw) = (rig.path("o.png"), rig.path("c.png"), rig.path("p.png"), rig.path("o.rgba"))
    let outcome = try rig.run("capture", "-o", out)
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.messages.isEmpty, "\(outcome)")
    #expect(try PNG.read(out).pixels == expected.pixels)
    #expect(try rig.run("capture", "-o", raw, "--raw").code == 0)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: raw))) == expected.pixels)
    #expect(try rig.run("capture", "--layer", "card", "--scale", "2", "-o", card).code == 0)
    let picture = try PNG.read(card)
    #expect(picture.width == 16 && pixel(picture, 8, 8) == [255, 0, 0, 255])
    #expect(try rig.run("capture", "--portal", "window on the card", "-o", portal).code == 0)
    #expect(try pixel(PNG.read(portal), 4, 4) == [255, 0, 0, 255])
    #expect(rig.fileNames == ["c.png", "o.png", "o.rgba", "p.png"])
  }

  @Test("portal shows a layer that its owner exported, as a picture and frame after frame, and no other")
  func portal() throws {
    let (png, raw) = (rig.path("portal.png"), rig.path("portal.rgba"))
    let refused = try rig.run("portal", "--layer", "card", "-o", png)
    #expect(refused.code == 2 && refused.messages.contains("not exported"), "\(refused)")
    _ = try wall.connection.export(wall.card)
    let shown = try rig.run("portal", "--layer", "card", "--scale", "2", "-o", png)
    #expect(shown.code == 0 && shown.messages.isEmpty, "\(shown)")
    let picture = try PNG.read(png)
    #expect(picture.width == 16 && pixel(picture, 8, 8) == [255, 0, 0, 255])
    #expect(try rig.run("portal", "--layer", "card", "--raw", "--frames", "1", "-o", raw).code == 0)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: raw))).count == 8 * 8 * 4)
    #expect(try rig.run("portal", "--layer", "card", "--frames", "2", "-o", raw).code == 64)
  }

  @Test("what is not there, or not to be told from another, exits with 2 or 1 and writes nothing")
  func nothingToCapture() throws {
    let path = rig.path("x.png")
    #expect(try rig.run("capture", "--layer", "nobody", "-o", path).code == 2)
    #expect(try rig.run("capture", "--portal", "card", "-o", path).code == 2)
    #expect(try rig.run("capture", "--output", "999", "-o", path).code == 1)
    let twin = Layer()
    twin.name = "card"
    wall.root.addSublayer(twin)
    try wall.draw()
    let ambiguous = try rig.run("capture", "--layer", "card", "-o", path)
    #expect(ambiguous.code == 2 && ambiguous.messages.contains("several layers"), "\(ambiguous)")
    #expect(rig.fileNames.isEmpty)
  }

  @Test("a trace begins with all that is there, has every commit after it, and its last frame is the server's")
  func record() throws {
    let picture = try #require(
      Image(size: PixelSize(width: 2, height: 1), alpha: .straight, pixels: [1, 2, 3, 255, 9, 8, 7, 128]))
    wall.card.contents = picture
    wall.card.cornerRadius = 2
    wall.root.sublayers.first?.zPosition = 1
    try wall.draw()
    let trace = rig.path("t.trace")
    let recording = try rig.start("record", "-o", trace)
    try #require(
      waits { FileManager.default.fileExists(atPath: "\(trace).\(recording.process.processIdentifier).part") })
    Thread.sleep(forTimeInterval: 0.3)
    wall.card.backgroundColor = Wall.green
    wall.portal.matchesOpacity = true
    wall.card.opacity = 0.5
    let added = Layer()
    added.frame = Rect(x: 12, y: 0, width: 4, height: 4)
    added.backgroundColor = .black
    wall.root.addSublayer(added)
    let expected = try wall.draw()
    recording.process.interrupt()
    let outcome = try recording.finish()
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.messages.isEmpty, "\(outcome)")
    #expect(rig.fileNames == ["t.trace"])

    let last = rig.path("last.png")
    let replay = try rig.runPlain(["replay", trace, "-o", last, "--json", "--display", "surfaceless"])
    #expect(replay.code == 0, "\(replay)")
    let values = try #require(try json(replay.output) as? [String: Any])
    #expect((values["commits"] as? Int ?? 0) >= 2 && values["layers"] as? Int == 4)
    #expect(try PNG.read(last).straight.pixels == expected.straight.pixels)
  }

  @Test("of a surface's pictures, a trace has what differs in them, and its last frame is the server's")
  func recordSurface() throws {
    let surface = SurfaceLayer()
    surface.frame = Rect(x: 0, y: 0, width: 32, height: 16)
    surface.pacing = .latest
    wall.root.addSublayer(surface)
    var pixels = [UInt8](repeating: 90, count: 64 * 64 * 4)
    func enqueue(_ damage: [PixelRect]?) throws {
      let image = try #require(Image(size: PixelSize(width: 64, height: 64), alpha: .opaque, pixels: pixels))
      surface.enqueue(SurfaceBuffer(image, damage: damage))
    }
    try enqueue(nil)
    try wall.draw()
    let trace = rig.path("t.trace")
    let recording = try rig.start("record", "-o", trace)
    try #require(
      waits { FileManager.default.fileExists(atPath: "\(trace).\(recording.process.processIdentifier).part") })
    Thread.sleep(forTimeInterval: 0.3)
    var expected = try wall.draw()
    for step in 0..<20 {
      for part in 0..<8 { pixels[(step * 3 * 64 + step * 2) * 4 + part] = UInt8(step * 10) }
      try enqueue([
        PixelRect(minX: Int32(step * 2), minY: Int32(step * 3), maxX: Int32(step * 2 + 2), maxY: Int32(step * 3 + 1))
      ])
      expected = try wall.draw()
    }
    recording.process.interrupt()
    #expect(try recording.finish().code == 0)
    let size = try Data(contentsOf: URL(filePath: trace)).count
    #expect(size > 64 * 64 * 4 && size < 2 * 64 * 64 * 4, "\(size) bytes: one picture whole, and twenty parts")
    let last = rig.path("last.png")
    let replay = try rig.runPlain(["replay", trace, "-o", last, "--display", "surfaceless"])
    #expect(replay.code == 0, "\(replay)")
    #expect(try PNG.read(last).straight.pixels == expected.straight.pixels)
  }

  @Test("a recording for so many seconds ends by itself, and a trace of nothing replays")
  func recordSeconds() throws {
    let trace = rig.path("t.trace")
    #expect(try rig.run("record", "-o", trace, "--seconds", "0.2").code == 0)
    let replay = try rig.runPlain(["replay", trace])
    #expect(replay.code == 0 && replay.output.hasPrefix("commits: 1, "), "\(replay)")
  }

  @Test("a file that is no trace, or one with nonsense in it, exits with 2")
  func badTraces() throws {
    let path = rig.path("bad.trace")
    try Data("porthole-trace/2________________".utf8).write(to: URL(filePath: path))
    #expect(try rig.runPlain(["replay", path]).code == 2)
    var bytes = Array("porthole-trace/1".utf8)
    for word: UInt64 in [1, 24, 0, 5 | 400 << 32, 7] { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
    try Data(bytes).write(to: URL(filePath: path))
    let outcome = try rig.runPlain(["replay", path])
    #expect(outcome.code == 2 && outcome.messages.contains("byte"), "\(outcome)")
    // A picture of 1 × 1 pixels, and another one that differs from it where it is not, or from none, or has no pixels.
    let image: [UInt64] = [2, 36, 7, 1, 1, 0, 0xFF00_00FF]
    for revision: [UInt64] in [
      [5, 56, 8, 7, 1, 1, 0, 1, 1], [5, 56, 8, 7, 1, .max, .max, .max, .max], [5, 24, 8, 6, 0],
      [5, 56, 8, 7, 1, 0, 0, 1, 1], [5, 24, 8, 7, .max],
    ] {
      bytes = Array("porthole-trace/1".utf8)
      for word in image + revision { withUnsafeBytes(of: word.littleEndian) { bytes += $0 } }
      try Data(bytes).write(to: URL(filePath: path))
      #expect(try rig.runPlain(["replay", path]).code == 2, "\(revision)")
    }
    #expect(try rig.runPlain(["replay", rig.path("none")]).code == 2)
  }

  @Test("where no server answers, every subcommand exits with 3 and says in one sentence how to start one")
  func noServer() throws {
    for words in [["list"], ["stats"], ["dump", "tree"], ["capture", "-o", "x"], ["record", "-o", rig.path("x")]] {
      let outcome = try rig.runPlain(words + ["--socket", rig.path("no-socket")])
      #expect(outcome.code == 3 && outcome.output.isEmpty, "\(words): \(outcome)")
      #expect(outcome.messages.contains("portholed") && outcome.messages.split(separator: "\n").count == 1)
    }
    #expect(rig.fileNames.isEmpty)
  }

  @Test(
    "arguments that make no sense exit with 64",
    arguments: [
      [], ["look"], ["list", "people"], ["stats", "--json", "--prometheus"], ["dump"], ["dump", "wood"], ["capture"],
      ["capture", "-o", "x", "--output", "one"], ["capture", "-o", "x", "--output", "1", "--layer", "a"],
      ["record"], ["record", "-o", "x", "--seconds", "-1"], ["replay"], ["replay", "x", "--socket", "y"],
    ])
  func usage(words: [String]) throws {
    let outcome = try rig.runPlain(words)
    #expect(outcome.code == 64 && outcome.output.isEmpty && outcome.messages.contains("--help"), "\(outcome)")
  }

  @Test("help has examples and the exit codes")
  func help() throws {
    let outcome = try rig.runPlain(["--help"])
    #expect(outcome.code == 0 && outcome.output.contains("examples:") && outcome.output.contains("  3  "))
  }

  private func pixel(_ image: Image, _ x: Int, _ y: Int) -> [UInt8] {
    Array(image.pixels[((y * image.width + x) * 4)...].prefix(4))
  }

  private func waits(_ isTrue: () -> Bool) -> Bool {
    for _ in 0..<500 {
      if isTrue() { return true }
      Thread.sleep(forTimeInterval: 0.01)
    }
    return false
  }
}
