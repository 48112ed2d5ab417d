import Commit
import Foundation
import Geometry
import Porthole
import Testing

@Suite("The scenes that show what there is")
struct EffectSceneTests {
  private static let repository = URL(filePath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  static let names: [String] = {
    let folder = repository.appending(path: "bench/scenes").path
    let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return files.filter { $0.hasPrefix("effect-") && $0.hasSuffix(".json") }
      .map { String($0.dropFirst("effect-".count).dropLast(".json".count)) }.sorted()
  }()

  private func draw(_ scene: Scene, _ backend: Backend, in space: WorkingSpace = .rgba8) throws -> Image {
    let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
    defer { renderer.close() }
    renderer.workingSpace = space
    return try renderer.render(scene.root)
  }

  @Test("both renderers draw an effect's scene alike, within its class", arguments: names)
  func agreement(name: String) throws {
    let scene = try SceneFile.read(Self.repository.appending(path: "bench/scenes/effect-\(name).json").path)
    #expect(scene.name == name && !scene.note.isEmpty)
    let (gl, reference) = (try draw(scene, .gl), try draw(scene, .reference))
    let comparison = try ImageComparison(expected: reference, got: gl)
    #expect(comparison.passes(scene.pictureClass), "\(comparison)")
    // Something is drawn, and not one colour.
    #expect(Set(stride(from: 0, to: gl.pixels.count, by: 4).map { gl.pixels[$0] }).count > 16)
  }

  @Test("in half floats that are mixed as light is, a picture made brighter than white and dark again is itself again")
  func color() throws {
    let scene = try SceneFile.read(Self.repository.appending(path: "bench/scenes/effect-color.json").path)
    for backend in [Backend.gl, .reference] {
      let kept = try draw(scene, backend, in: .rgba16f(blending: .linear))
      let cut = try draw(scene, backend)
      // The landscape as it is, and 244 points to the right what has been through both filters.
      for y in 190..<220 {
        for x in 36..<120 {
          let (plain, through) = (kept.pixel(x, y), kept.pixel(x + 244, y))
          #expect(through.near(plain, 1), "\(backend) \(x), \(y): \(through), not \(plain)")
          #expect(cut.pixel(x + 244, y).prefix(3).allSatisfy { $0 <= 64 })
        }
      }
    }
  }

  @Test("docs/effects.md shows every scene with its picture, and no other")
  func documented() throws {
    let page = try String(contentsOf: Self.repository.appending(path: "docs/effects.md"), encoding: .utf8)
    #expect(Self.names.count >= 7)
    for name in Self.names {
      #expect(page.contains("(images/effects/\(name).png)"))
      #expect(page.contains("(../bench/scenes/effect-\(name).json)"))
      let size = try PNG.read(Self.repository.appending(path: "docs/images/effects/\(name).png").path).size
      #expect(size == PixelSize(width: 800, height: 500))
    }
    // The scene of colour twice: as it is, and mixed as light.
    #expect(page.contains("(images/effects/color-linear.png)"))
    #expect(page.matches(of: #/\(images\/effects\//#).count == Self.names.count + 1)
  }
}
