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

    var description: String { name }
  }

  static let oracles: [Oracle] = [
    Oracle(name: "01-geometry"), Oracle(name: "02-opacity"), Oracle(name: "03-corners"),
    Oracle(name: "04-gradients"), Oracle(name: "05-contents"),
    Oracle(name: "06-shadows"),
    Oracle(name: "07-filters"), Oracle(name: "08-masks"), Oracle(name: "09-perspective"),
    Oracle(name: "10-backdrop"), Oracle(name: "11-portal"), Oracle(name: "12-portal-turned"),
    Oracle(name: "13-portal-nested"), Oracle(name: "14-warp"), Oracle(name: "15-bubbles"),
    Oracle(name: "16-reflection"),
  ]

  @Test("within the tolerance of the scene's class", arguments: Witness.allCases, OracleTests.oracles)
  func oracle(_ witness: Witness, _ oracle: Oracle) throws {
    let scene = try SceneFile.read(
      TestFiles.path("Scenes/\(oracle.name).json"), options: .init())
    let backend: Backend = witness == .gl ? .gl : .reference
    let renderer = try OffscreenRenderer(size: scene.size, background: scene.background, backend: backend)
    defer { renderer.close() }
    let got = try renderer.render(scene.root)
    let expected = try PNG.read(TestFiles.path("Golden/oracles/\(oracle.name).png"))
    let comparison = try ImageComparison(
      expected: expected, got: got)
    #expect(comparison.passes(scene.pictureClass), "\(oracle.name): \(comparison)")
  }
}

enum TestFiles {
  /// A file under `Tests/`.
  static func path(_ name: String, from file: StaticString = #filePath) -> String {
    URL(filePath: "\(file)").deletingLastPathComponent().deletingLastPathComponent().appending(path: name).path()
  }
}
