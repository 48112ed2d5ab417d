import Foundation
import Porthole
import Testing

/// `porthole run`: a program of somebody else's, shown by portals, with nothing else to be started.
@Suite("porthole run", .serialized)
struct RunTests {
  private func run(_ words: String...) throws -> (status: Int32, text: String) {
    try runProgram(ServerRun.products.appending(path: "porthole").path, ["run"] + words)
  }

  @Test("it starts a server, shows the program's window, and ends both")
  func picture() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: "porthole-test-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let (file, film) = (folder.appending(path: "plain.png").path, folder.appending(path: "wall-%d.png").path)
    let plain = try run("--scene", "plain", "-o", file, "--seconds", "0.2", "--", "weston-simple-shm")
    try #require(plain.status == 0, "\(plain.text)")
    // The program's picture: opaque, moving, and of many colours.
    let picture = try PNG.read(file)
    #expect(picture.width == 250 && picture.height == 250)
    #expect(Set(stride(from: 0, to: picture.pixels.count, by: 4).map { picture.pixels[$0] }).count > 50)
    let wall = try run(
      "--scene", "wall", "--size", "320x200", "--seconds", "0.2", "--fps", "10", "-o", film, "--", "weston-simple-shm")
    try #require(wall.status == 0, "\(wall.text)")
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).filter { $0.hasPrefix("wall") }
    #expect(names.count == 2)
  }

  @Test("with a view it says where to look, and a server without one is told of")
  func view() throws {
    let shown = try run("--view", "0", "--seconds", "0.2", "--", "weston-simple-shm")
    #expect(
      shown.status == 0 && shown.text.contains(#/look at http:\/\/127\.0\.0\.1:\d+\/[\w-]{20,}\/\n/#), "\(shown.text)")
    let server = try ServerRun(["--layout", "none"])
    try server.connect().close()
    let blind = try run("--socket", server.socket, "--seconds", "0.2", "--", "weston-simple-shm")
    #expect(blind.status == 0 && !blind.text.contains("look at"), "\(blind.text)")
    let refused = try run("--socket", server.socket, "--view", "0", "--", "weston-simple-shm")
    #expect(refused.status != 0 && refused.text.contains("has no view"), "\(refused.text)")
  }

  @Test("a program that ends without a window is told of, with what it ended with")
  func ended() throws {
    let run = try run("--", "sh", "-c", "exit 7")
    #expect(run.status != 0 && run.text.contains("ended with 7 before it had a window"), "\(run.text)")
  }
}
