import Examples
import Foundation
import Media
import Porthole
import Testing

@Suite("The examples' pictures")
struct GoldenTests {
  /// When in its film each is looked at.
  static let times: [(name: String, time: Double)] = [
    ("picture-in-picture", 1.1), ("hero-transition", 1.2), ("reflection", 0.9), ("gradient-bubbles", 1.2),
    ("warp", 1.3), ("camera-tray", 3.3), ("glass-tab-bar", 1.6), ("magnifier", 1.0),
  ]

  @Test("both renderers draw the golden frame, within the scene's class", arguments: times)
  func golden(name: String, time: Double) throws {
    let expected = try PNG.read(Rig.repository.appending(path: "Tests/Golden/examples/\(name).png").path)
    for backend in [Backend.gl, .reference] {
      let run = try ExampleRun(try ExampleTool.open(name, in: Rig.scenes), backend: backend)
      defer { run.renderer.close() }
      let image = try run.still(at: time)
      let comparison = try ImageComparison(expected: expected, got: image)
      #expect(comparison.passes(run.example.scene.pictureClass), "\(backend): \(comparison)")
    }
  }

  @Test(
    "each scene shows its effect by itself, alike in both renderers and frame after frame another",
    arguments: Examples.all.map { $0.name })
  func alone(name: String) throws {
    let time = 0.9
    let golden = try PNG.read(Rig.repository.appending(path: "Tests/Golden/examples/alone/\(name).png").path)
    for backend in [Backend.gl, .reference] {
      let scene = try Rig.scene(name)
      let feeds = try VideoFeed.feeds(of: scene)
      let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
      defer { renderer.close() }
      try renderer.commit(scene.root, at: 0)
      func frame(_ time: Double) throws -> Image {
        for feed in feeds { feed.advance(to: time) }
        return try renderer.render(scene.root, at: time)
      }
      if backend == .gl {
        var pictures: Set<[UInt8]> = []
        for number in 0..<8 { pictures.insert(try frame(Double(number) * time / 8).pixels) }
        // Some stand still for a while.
        #expect(pictures.count >= 6, "it moves")
      }
      let comparison = try ImageComparison(expected: golden, got: try frame(time))
      #expect(comparison.passes(scene.pictureClass), "\(backend): \(comparison)")
    }
  }

  @Test("each example has a scene of its name, a golden frame, and a film on its page")
  func documented() throws {
    let page = try String(contentsOf: Rig.repository.appending(path: "docs/examples.md"), encoding: .utf8)
    #expect(Self.times.map(\.name) == Examples.all.map { $0.name })
    for type in Examples.all {
      #expect(try Rig.scene(type.name).name == type.name && type.duration > 1)
      #expect(page.contains("(images/examples/\(type.name).webp)"))
      #expect(page.contains("(../examples/\(type.name).json)"))
      let film = Rig.repository.appending(path: "docs/images/examples/\(type.name).webp")
      let bytes = try Data(contentsOf: film)
      #expect(bytes.prefix(4) == Data("RIFF".utf8) && bytes.count < 320_000, "\(type.name): \(bytes.count) bytes")
    }
  }

  @Test("what is no example is refused in words")
  func unknown() throws {
    #expect(throws: ExampleError.self) { try ExampleTool.open("nothing", in: Rig.scenes) }
    #expect(throws: ExampleError.self) { try Magnifier(try Rig.scene("warp")) }
    #expect(ExampleTool.run(["film"]) == 64)
    #expect(ExampleTool.run(["film", "warp", "--fps", "none", "-o", "x.webp", "--scenes", Rig.scenes]) == 64)
  }
}
