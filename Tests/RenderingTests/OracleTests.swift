import Commit
import Foundation
import Geometry
import Porthole
import Testing

/// Pictures that headless Chromium drew, and the scenes that it drew them of: nobody of this project made them.
@Suite("Both renderers draw what another renderer drew")
struct OracleTests {
  struct Oracle: Sendable, CustomStringConvertible {
    var name: String
    /// Where a feature shows that is not drawn yet: blend modes. Painted over in both pictures.
    var left: [Rect] = []

    var description: String { name }
  }

  static let oracles: [Oracle] = [
    Oracle(name: "01-geometry"), Oracle(name: "02-opacity"), Oracle(name: "03-corners"),
    Oracle(name: "04-gradients"), Oracle(name: "05-contents"),
    Oracle(name: "06-shadows"),
    Oracle(name: "07-filters", left: [Rect(x: 0, y: 176, width: 320, height: 64)]), Oracle(name: "08-masks"),
    Oracle(name: "11-portal"), Oracle(name: "12-portal-turned"),
    Oracle(name: "13-portal-nested"), Oracle(name: "14-warp"), Oracle(name: "15-bubbles"),
  ]

  @Test("within the tolerance of the scene's class", arguments: Witness.allCases, OracleTests.oracles)
  func oracle(_ witness: Witness, _ oracle: Oracle) throws {
    let scene = try SceneFile.read(
      TestFiles.path("Scenes/\(oracle.name).json"), options: .init(skipsUnsupported: true))
    let backend: Backend = witness == .gl ? .gl : .reference
    let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
    defer { renderer.close() }
    let got = try renderer.render(scene.root)
    let expected = try PNG.read(TestFiles.path("Golden/oracles/\(oracle.name).png"))
    let comparison = try ImageComparison(
      expected: expected.without(oracle.left), got: got.without(oracle.left))
    #expect(comparison.passes(scene.pictureClass), "\(oracle.name): \(comparison)")
  }
}

enum TestFiles {
  /// A file under `Tests/`.
  static func path(_ name: String, from file: StaticString = #filePath) -> String {
    URL(filePath: "\(file)").deletingLastPathComponent().deletingLastPathComponent().appending(path: name).path()
  }
}

extension Image {
  /// With these rectangles painted over.
  func without(_ rects: [Rect]) -> Image {
    guard !rects.isEmpty else { return self }
    var pixels = pixels
    for rect in rects {
      for y in Int(rect.minY)..<min(height, Int(rect.maxY)) {
        for x in Int(rect.minX)..<min(width, Int(rect.maxX)) {
          for component in 0..<4 { pixels[(y * width + x) * 4 + component] = component == 3 ? 255 : 128 }
        }
      }
    }
    return Image(size: size, alpha: alpha, pixels: pixels) ?? self
  }
}
