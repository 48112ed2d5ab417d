import Foundation
import Testing

/// The benchmark as its users run it: the executable, by a shell, in a folder of its own.
struct BenchProgram {
  let folder: URL
  static let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  init() throws {
    folder = FileManager.default.temporaryDirectory.appending(path: "porthole-gate-\(UUID().uuidString.prefix(8))")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: folder) }

  func write(_ text: String, _ name: String) throws {
    let file = folder.appending(path: name)
    try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: file)
  }

  func text(_ name: String) throws -> String { try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
  func has(_ name: String) -> Bool {
    FileManager.default.fileExists(atPath: folder.appending(path: name).path(percentEncoded: false))
  }

  /// What a shell's lines end with and say; `porthole-bench` is on their PATH. As continuous integration runs them: the
  /// first that fails ends them, and so does one within a pipe.
  func shell(
    _ lines: String, _ variables: [String: String] = [:], options: [String] = ["-e", "-o", "pipefail"]
  ) throws -> (code: Int32, output: String) {
    let process = Process()
    process.executableURL = URL(filePath: "/bin/bash")
    process.arguments = ["--noprofile", "--norc"] + options + ["-c", lines]
    process.currentDirectoryURL = folder
    let beside = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent().path
    var environment = ProcessInfo.processInfo.environment
    environment["PATH"] = "\(beside):\(environment["PATH"] ?? "/usr/bin:/bin")"
    // Those of whatever runs this test say nothing of the lines.
    for name in ["GITHUB_ACTIONS", "GITLAB_CI", "SLURM_JOB_ID", "PORTHOLE_DEBUG"] { environment[name] = nil }
    process.environment = environment.merging(variables) { $1 }
    let output = Pipe()
    process.standardOutput = output
    process.standardError = output
    try process.run()
    let data = output.fileHandleForReading.readDataToEndOfFile()
    process.waitUntilExit()
    return (process.terminationStatus, String(decoding: data, as: UTF8.self))
  }
}
