import Commit
import Foundation
import Porthole
import Testing

@Suite("porthole render: times and frames")
struct FrameToolTests {
  private let folder = Folder()

  private func run(_ arguments: String...) throws -> Int32 { try run(arguments) }

  /// A white square of two points that goes from left to right in a second.
  private func scene() throws -> String {
    let root = """
      "sublayers": [{"bounds": [0, 0, 2, 2], "position": [1, 1], "backgroundColor": "#ffffff",
        "animations": [{"keyPath": "position.x", "from": 1, "to": 5, "duration": 1}]}]
      """
    try Data(sceneText(root)).write(to: URL(filePath: folder.path("scene.json")))
    return folder.path("scene.json")
  }

  /// Where the square begins; nil for none.
  private func edge(_ name: String) throws -> Int? {
    let image = try PNG.read(folder.path(name))
    return (0..<image.width).first { image[$0, 0] == [255, 255, 255, 255] }
  }

  @Test("a picture of a time, and without one of the beginning")
  func at() throws {
    #expect(try run("-o", folder.path("a.png")) == 0)
    #expect(try run("-o", folder.path("b.png"), "--at", "0.5s") == 0)
    #expect(try run("-o", folder.path("c.png"), "--at", "750ms") == 0)
    #expect(try run("-o", folder.path("d.png"), "--at", "1") == 0)
    #expect(try ["a.png", "b.png", "c.png", "d.png"].map(edge) == [0, 2, 3, 0])
  }

  @Test("frames go to files by their numbers, without the end itself")
  func files() throws {
    #expect(try run("-o", folder.path("f%03d.png"), "--frames", "0:1s", "--fps", "4") == 0)
    #expect(folder.names.filter { $0.hasPrefix("f") } == (0..<4).map { "f00\($0).png" })
    #expect(try (0..<4).map { try edge("f00\($0).png") } == [0, 1, 2, 3])
  }

  @Test("or to one animated PNG, whose first frame any reader shows")
  func film() throws {
    #expect(try run("-o", folder.path("film.png"), "--frames", "250ms:1s", "--fps", "4") == 0)
    #expect(try edge("film.png") == 1)
    let bytes = [UInt8](try Data(contentsOf: URL(filePath: folder.path("film.png"))))
    #expect(String(decoding: bytes, as: Unicode.ASCII.self).contains("acTL"))
  }

  @Test("what makes no sense is no frame")
  func usage() throws {
    for arguments in [
      ["--at", "soon"], ["--at", "-1"], ["--frames", "1"], ["--frames", "2:1"], ["--frames", "0:1", "--fps", "0"],
      ["--fps", "30"], ["--at", "1", "--frames", "0:1"], ["--frames", "0:1e6"],
    ] {
      #expect(try run(["-o", folder.path("x.png")] + arguments) == 64, "\(arguments)")
    }
    #expect(try run("-o", folder.path("x.gif"), "--frames", "0:1") == 64)
    #expect(try run("-o", folder.path("x%s.png"), "--frames", "0:1") == 64)
    #expect(folder.names == ["scene.json"])
  }

  private func run(_ arguments: [String]) throws -> Int32 {
    let process = Process()
    let here = try FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")
    process.executableURL = URL(filePath: here).deletingLastPathComponent().appending(path: "porthole")
    process.arguments = ["render", try scene()] + arguments + ["--renderer", "reference"]
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    return process.terminationStatus
  }
}
