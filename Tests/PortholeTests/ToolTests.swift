import Foundation
import Porthole
import Testing

@Suite("The command line tool")
struct ToolTests {
  private let folder = Folder()

  struct Outcome {
    var code: Int32
    var output: String
    var messages: String
  }

  /// Runs the tool that was built beside these tests.
  private func run(_ arguments: String...) throws -> Outcome { try run(arguments) }

  private func run(_ arguments: [String]) throws -> Outcome {
    let process = Process()
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(filePath: here).deletingLastPathComponent().appending(path: "porthole")
    process.arguments = arguments
    // Files, since a pipe that nobody reads yet may fill up.
    let (output, messages) = (folder.path("stdout.txt"), folder.path("stderr.txt"))
    for path in [output, messages] { try Data().write(to: URL(filePath: path)) }
    process.standardOutput = try FileHandle(forWritingTo: URL(filePath: output))
    process.standardError = try FileHandle(forWritingTo: URL(filePath: messages))
    try process.run()
    process.waitUntilExit()
    return Outcome(
      code: process.terminationStatus, output: try String(contentsOfFile: output, encoding: .utf8),
      messages: try String(contentsOfFile: messages, encoding: .utf8))
  }

  private func scene(_ root: String) throws -> String {
    try Data(sceneText(root)).write(to: URL(filePath: folder.path("scene.json")))
    return folder.path("scene.json")
  }

  private func keys(_ text: String) -> [String] {
    text.split(separator: "\n").filter { $0.hasPrefix("  \"") }.compactMap {
      $0.split(separator: "\"").dropFirst().first
    }
    .map(String.init)
  }

  private static let square = ##""bounds": [0, 0, 16, 8], "position": [8, 4], "backgroundColor": "#ff0000", "id": "r""##

  @Test("help and version go to standard output")
  func help() throws {
    let overview = try run("--help")
    #expect(overview.code == 0 && overview.output.contains("exit codes") && overview.messages.isEmpty)
    for command in ["render", "compare", "hit", "plan", "info"] {
      let help = try run(command, "--help")
      #expect(help.code == 0 && help.output.contains("examples:") && help.output.contains("  64  "))
      #expect(try run("help", command).output == help.output)
    }
    #expect(try run("--version").output.hasPrefix("porthole "))
  }

  @Test(
    "arguments that make no sense exit with 64 and a hint",
    arguments: [
      [], ["draw"], ["help", "draw"], ["render"], ["render", "a.json"], ["render", "a.json", "-o"],
      ["render", "a.json", "b.json", "-o", "x"], ["render", "a.json", "-o", "x", "--scale", "0"],
      ["render", "a.json", "-o", "x", "--scale=nan"], ["render", "a.json", "-o", "x", "--renderer", "vulkan"],
      ["render", "a.json", "-o", "x", "--display", "x11"], ["render", "a.json", "-o", "x", "-o", "y"],
      ["render", "a.json", "-o", "x", "--json=1"], ["compare", "a.png"], ["compare", "a.png", "b.png", "--class", "x"],
      ["compare", "a.png", "b.png", "--scale", "2"], ["hit", "a.json", "1"], ["hit", "a.json", "1,2,3"],
      ["hit", "a.json", "1,x"], ["plan"], ["info", "extra"],
    ])
  func usage(arguments: [String]) throws {
    let outcome = try run(arguments)
    #expect(outcome.code == 64 && outcome.output.isEmpty)
    #expect(outcome.messages.hasPrefix("porthole: ") && outcome.messages.contains("--help"))
  }

  @Test("a scene becomes a PNG, quietly", arguments: ["gl", "reference"])
  func render(renderer: String) throws {
    let out = folder.path("out.png")
    let outcome = try run("render", try scene(Self.square), "-o", out, "--scale", "2", "--renderer", renderer)
    #expect(outcome.code == 0 && outcome.output.isEmpty && outcome.messages.isEmpty, "\(outcome)")
    let image = try PNG.read(out)
    #expect(image.width == 32 && image.height == 16 && image[31, 15] == [255, 0, 0, 255])
    #expect(folder.names == ["out.png", "scene.json", "stderr.txt", "stdout.txt"])
  }

  @Test("a layer is drawn alone; one that is not there is named with those that are")
  func renderLayer() throws {
    let path = try scene(
      Self.square + ##", "sublayers": [{"id": "a", "bounds": [0, 0, 3, 2], "backgroundColor": "#00ff00"}]"##)
    let out = folder.path("out.png")
    #expect(try run("render", path, "-o", out, "--layer", "a", "--renderer", "reference").code == 0)
    let image = try PNG.read(out)
    #expect(image.width == 3 && image.height == 2 && image[2, 1] == [0, 255, 0, 255])
    let unknown = try run("render", path, "-o", out, "--layer", "b", "--renderer", "reference")
    #expect(unknown.code == 2 && unknown.messages.contains("a, r"))
  }

  @Test("render's JSON has its keys in a fixed order")
  func renderJSON() throws {
    let out = folder.path("out.png")
    let outcome = try run("render", try scene(Self.square), "-o", out, "--json", "--renderer", "reference")
    #expect(outcome.code == 0)
    #expect(
      keys(outcome.output) == [
        "scene", "output", "layer", "width", "height", "scale", "renderer", "format", "blending", "device", "counters",
        "diagnostics", "skipped",
      ])
    #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: Data(outcome.output.utf8)) }
  }

  @Test("a scene that can't be used exits with 2, and with what is not known skipped with 0")
  func badScenes() throws {
    let out = folder.path("out.png")
    #expect(try run("render", folder.path("no.json"), "-o", out).code == 2)
    let path = try scene(#""opacity": 2"#)
    let fault = try run("render", path, "-o", out)
    #expect(fault.code == 2 && fault.messages.contains("\(path): root.opacity: expected"))
    let newer = try scene(#""wobble": true"#)
    #expect(try run("plan", newer).code == 2)
    let skipped = try run("plan", newer, "--skip-unsupported")
    #expect(skipped.code == 0 && skipped.messages.contains("root.wobble: skipped"))
    #expect(!folder.names.contains("out.png"))
  }

  @Test("a picture that can't be written exits with 1")
  func unwritable() throws {
    let outcome = try run("render", try scene(""), "-o", folder.path("none/out.png"), "--renderer", "reference")
    #expect(outcome.code == 1 && outcome.messages.contains("none/out.png"))
  }

  @Test("compare exits with 0 within the tolerance, 1 outside it, 2 for what is no picture")
  func compare() throws {
    let (red, small) = (folder.path("red.png"), folder.path("small.png"))
    let path = try scene(Self.square)
    _ = try run("render", path, "-o", red, "--renderer", "reference")
    _ = try run("render", path, "-o", small, "--scale", "0.5", "--renderer", "reference")
    let blue = folder.path("blue.png")
    _ = try run(
      "render", try scene(Self.square.replacing("ff0000", with: "0000ff")), "-o", blue, "--renderer", "reference")
    let equal = try run("compare", red, red)
    #expect(equal.code == 0 && equal.output.hasPrefix("within the tolerance of flat"))
    let different = try run("compare", red, blue, "--class", "perspective", "--diff", folder.path("diff.png"), "--json")
    #expect(different.code == 1 && different.output.contains(#""passes": false"#))
    #expect(try PNG.read(folder.path("diff.png"))[0, 0] == [255, 0, 255, 255])
    #expect(try run("compare", red, small).code == 1)
    #expect(try run("compare", red, path).code == 2)
    #expect(try run("compare", red, folder.path("no.png")).code == 2)
  }

  @Test("hit prints the layers, through portals that forward")
  func hit() throws {
    let path = try scene(
      Self.square + #", "sublayers": [{"id": "a", "bounds": [0, 0, 4, 4], "position": [2, 2]}, {"kind": "portal","#
        + #" "sourceLayer": "a", "bounds": [0, 0, 4, 4], "position": [10, 4], "forwardsHitTestingToSource": true}]"#)
    #expect(try run("hit", path, "9,3").output == "root.sublayers[1] 1.0,1.0 portal\na 1.0,1.0\n")
    let json = try run("hit", path, "9,3", "--json")
    #expect(keys(json.output) == ["x", "y", "hits"] && json.output.contains(#""isPortal": true"#))
    let nothing = try run("hit", path, "-1,3")
    #expect(nothing.code == 0 && nothing.output.isEmpty && nothing.messages.isEmpty)
  }

  @Test("plan prints the same text each time, and data on demand")
  func plan() throws {
    let path = try scene(Self.square)
    let first = try run("plan", path)
    #expect(first.code == 0 && first.output.hasPrefix("frame 16×8\n"))
    #expect(try run("plan", path).output == first.output)
    #expect(
      keys(try run("plan", path, "--json").output) == [
        "width", "height", "scale", "format", "blending", "counters", "sources", "passes",
      ])
  }

  @Test("info tells of the device")
  func info() throws {
    let outcome = try run("info", "--json")
    #expect(outcome.code == 0)
    #expect(keys(outcome.output).contains("renderer") && keys(outcome.output).contains("limits"))
    #expect(try run("info").output.contains("displays tried:"))
  }
}
