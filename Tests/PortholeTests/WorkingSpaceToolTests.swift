import Foundation
import Geometry
import Porthole
import Testing

@Suite("Half floats from the command line, and colours beyond 0…1 in scene files")
struct WorkingSpaceToolTests {
  private let folder = Folder()

  private func run(_ arguments: String...) throws -> (code: Int32, messages: String) {
    let process = Process()
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(filePath: here).deletingLastPathComponent().appending(path: "porthole")
    process.arguments = arguments
    let messages = folder.path("stderr.txt")
    try Data().write(to: URL(filePath: messages))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: messages))
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return (process.terminationStatus, try String(contentsOfFile: messages, encoding: .utf8))
  }

  /// Half white over black, and a layer at half opacity that is brighter than white.
  private func scene() throws -> String {
    let text = ##"""
      "bounds": [0, 0, 16, 8], "position": [8, 4], "backgroundColor": "#000000", "id": "r", "sublayers": [
      {"bounds": [0, 0, 8, 8], "position": [4, 4], "backgroundColor": [1, 1, 1, 0.5]},
      {"id": "bright", "bounds": [0, 0, 8, 8], "position": [12, 4], "backgroundColor": [2, -0.5, 1.5], "opacity": 0.5}]
      """##
    try Data(sceneText(text)).write(to: URL(filePath: folder.path("scene.json")))
    return folder.path("scene.json")
  }

  @Test("--format and --blending give a PNG of 16 bits, mixed as codes or as light", arguments: ["gl", "reference"])
  func formats(renderer: String) throws {
    let (path, out) = (try scene(), folder.path("out.png"))
    #expect(try run("render", path, "-o", out, "--renderer", renderer).code == 0)
    let eight = try PNG.read(out)
    #expect(eight.components == nil && eight[0, 0] == [128, 128, 128, 255] && eight[12, 0] == [128, 0, 128, 255])
    #expect(try run("render", path, "-o", out, "--renderer", renderer, "--format", "rgba16f").code == 0)
    let encoded = try PNG.read(out)
    // 2 at half opacity is 1, and a half is a half to the last of 16 bits.
    #expect(encoded[0, 0] == [128, 128, 128, 255] && encoded[12, 0] == [255, 0, 191, 255])
    #expect(encoded.components?[0] == Float(32_768) / 65_535)
    let linear = try run(
      "render", path, "-o", out, "--renderer", renderer, "--format", "rgba16f", "--blending", "linear")
    #expect(linear.code == 0)
    let light = try PNG.read(out)
    let wanted = SRGBCurve.encode(SRGBCurve.decode(1.5) / 2)
    #expect(
      light[0, 0] == [188, 188, 188, 255] && light[12, 0] == [255, 0, UInt8((min(1, wanted) * 255).rounded()), 255])
  }

  @Test("a plan tells its format, and the programs that only that needs")
  func plans() throws {
    let root = Layer()
    root.bounds = Rect(x: 0, y: 0, width: 16, height: 8)
    root.backgroundColor = .white
    root.filters = [.contrast(2)]
    let renderer = try OffscreenRenderer(size: Size(width: 16, height: 8), backend: .reference)
    defer { renderer.close() }
    let eight = try renderer.plan(root).dump()
    #expect(eight.hasPrefix("frame 16×8\n") && eight.contains("colors of") && !eight.contains("colors."))
    renderer.workingSpace = .rgba16f(blending: .linear)
    let linear = try renderer.plan(root).dump()
    #expect(linear.hasPrefix("frame 16×8 in rgba16f, blended linear\n") && linear.contains("colors.linear of"))
    #expect(try run("plan", scene(), "--format", "rgba16f", "--json").code == 0)
  }

  @Test("formats that there are not, and linear blending in 8 bits, are refused with what would do")
  func refused() throws {
    let path = try scene()
    for words in [["--format", "rgba32f"], ["--format", "rgba16f", "--blending", "srgb"], ["--blending", "linear"]] {
      let outcome: (code: Int32, messages: String)
      if words.count == 2 {
        outcome = try run("render", path, "-o", folder.path("x.png"), words[0], words[1])
      } else {
        outcome = try run("render", path, "-o", folder.path("x.png"), words[0], words[1], words[2], words[3])
      }
      #expect(outcome.code == 64 && outcome.messages.contains("rgba16f") || outcome.messages.contains("linear"))
    }
    #expect(!folder.names.contains("x.png"))
  }

  @Test("a colour is a list of three or four numbers too, and another list is refused by its place")
  func colors() throws {
    let scene = try Scene(json: sceneText(#""backgroundColor": [2, -0.5, 64], "borderColor": [0.25, 0, 0, 0.5]"#))
    #expect(scene.root.backgroundColor == Color(red: 2, green: -0.5, blue: 64))
    #expect(scene.root.borderColor == Color(red: 0.25, green: 0, blue: 0, alpha: 0.5))
    for (value, part) in [
      ("[1, 2]", "[red, green, blue]"), ("[1, 2, 3, 0.5, 1]", "[red, green, blue]"), ("[1, 2, 65]", "-64 to 64"),
      ("[1, 2, 3, 1.5]", "from 0 to 1"), ("[1, 2, \"3\"]", "-64 to 64"), ("7", "#rrggbb"),
    ] {
      let error = try #require(throws: SceneError.self) {
        try Scene(json: sceneText(#""backgroundColor": \#(value)"#))
      }
      #expect(error.path.hasPrefix("root.backgroundColor") && error.message.contains(part), "\(error)")
    }
  }
}
