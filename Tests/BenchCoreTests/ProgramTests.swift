import BenchCore
import Foundation
import Testing

/// The benchmark's own program, as a shell sees it.
@Suite("The program porthole-bench")
struct ProgramTests {
  private static let folder = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()

  private static func program(_ words: [String], out: URL, variables: [String: String]? = nil) -> Process {
    let process = Process()
    process.executableURL = folder.appending(path: "porthole-bench")
    process.arguments = words + ["--scenes", FactorTests.scenes, "--out", out.path(percentEncoded: false)]
    if let variables { process.environment = variables }
    return process
  }

  private static func temporary() throws -> URL {
    let url = FileManager.default.temporaryDirectory.appending(path: "porthole-program-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    return url
  }

  @Test("without any variable of a desktop it draws, at the size that was asked for")
  func bare() throws {
    let out = try Self.temporary()
    defer { try? FileManager.default.removeItem(at: out) }
    // Beside the path, nothing: no DISPLAY, no WAYLAND_DISPLAY, no XDG_RUNTIME_DIR, no HOME.
    let process = Self.program(
      ["run", "--n", "4", "--rounds", "2", "--size", "200x100", "--quiet"], out: out,
      variables: ["PATH": "/usr/bin:/bin"])
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    process.waitUntilExit()
    #expect(process.terminationStatus == 0)
    let text = try String(contentsOf: out.appending(path: "result.json"), encoding: .utf8)
    let result = try BenchmarkResult([UInt8](text.utf8), name: "result.json")
    #expect(result.shape == OutputShape(width: 200, height: 100))
    #expect(result.cells.allSatisfy { $0.status == .ok && $0.id.contains("size=200x100") })
  }

  @Test(
    "what it cannot do it refuses in one line, with its own code",
    arguments: [
      (["scale", "--size", "0x0"], "", Int32(64)), (["ab", "--a", "n=0", "--b", "n=1"], "", 64),
      (["run", "--n", "4", "--rounds", "2"], "nonsense", 1), (["scale", "--require-hardware"], "surfaceless", 5),
    ])
  func refused(words: [String], display: String, code: Int32) throws {
    let out = try Self.temporary()
    defer { try? FileManager.default.removeItem(at: out) }
    let process = Self.program(
      words, out: out, variables: ["PATH": "/usr/bin:/bin", "PORTHOLE_DISPLAY": display].filter { !$1.isEmpty })
    let pipe = Pipe()
    process.standardOutput = FileHandle.nullDevice
    process.standardError = pipe
    try process.run()
    let lines = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n")
    process.waitUntilExit()
    #expect(process.terminationStatus == code)
    // A wrong command line is followed by where help is.
    #expect(lines.count == (code == 64 ? 2 : 1), "\(lines)")
    #expect(lines.allSatisfy { $0.hasPrefix("porthole-bench: ") && !$0.contains("Fatal") })
  }

  /// Starts a sweep and returns once it has drawn, so that its supervisor knows where it is.
  private static func sweep(_ out: URL) throws -> (process: Process, output: Pipe) {
    let process = program(
      [
        "scale", "--n", "256,1024", "--strategies", "portal", "--suite", "portal-grid", "--rounds", "1000", "--budget",
        "600",
        "--size", "640x360",
      ], out: out)
    let pipe = Pipe()
    process.standardOutput = pipe
    try process.run()
    var text = ""
    while !text.contains("pictures of portal") {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    return (process, pipe)
  }

  @Test("SIGTERM has it write what it has, say that it is not whole, and end with 3")
  func terminated() throws {
    let out = try Self.temporary()
    defer { try? FileManager.default.removeItem(at: out) }
    let (process, pipe) = try Self.sweep(out)
    process.terminate()
    let rest = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationReason == .exit && process.terminationStatus == 3)
    #expect(rest.contains("NOT VALID: incomplete: ended by SIGTERM"))
    let text = try String(contentsOf: out.appending(path: "result.json"), encoding: .utf8)
    #expect(try BenchmarkResult([UInt8](text.utf8), name: "result.json").interruption?.contains("SIGTERM") == true)
  }

  @Test("a measuring process that is killed costs the cell where it was, and the run goes on to its end")
  func killed() throws {
    let out = try Self.temporary()
    defer { try? FileManager.default.removeItem(at: out) }
    let (process, pipe) = try Self.sweep(out)
    let children = "/proc/\(process.processIdentifier)/task/\(process.processIdentifier)/children"
    let child = try #require(
      Int32(try String(contentsOfFile: children, encoding: .utf8).split(separator: " ").first ?? ""))
    // Not SIGSEGV: a runtime that traces crashes goes on after one that no instruction has raised.
    kill(child, SIGKILL)
    // The second process is asked to end once it draws; that a run ended early is told apart from what was lost.
    var text = ""
    while text.components(separatedBy: "portal-grid: ").count < 2 {
      let data = pipe.fileHandleForReading.availableData
      if data.isEmpty { break }
      text += String(decoding: data, as: UTF8.self)
    }
    process.terminate()
    text += String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    #expect(process.terminationStatus == 3)
    #expect(text.contains("the measuring process ended by SIGKILL"))
  }
}
