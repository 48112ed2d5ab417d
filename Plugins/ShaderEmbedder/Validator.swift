import Foundation

/// The reference compiler, which says before any driver does what is wrong with a shader.
struct Validator {
  private let executable: URL

  /// - Throws: A sentence that says what to install, if it is not on `PATH`.
  init() throws(EmbedError) {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? "/usr/bin:/bin"
    let candidates = path.split(separator: ":").map { URL(filePath: String($0)).appending(path: "glslangValidator") }
    guard let found = candidates.first(where: { FileManager.default.isExecutableFile(atPath: $0.path) }) else {
      throw EmbedError(
        "error: the shaders cannot be checked, because glslangValidator is not on PATH; "
          + "install the Debian package glslang-tools")
    }
    executable = found
  }

  /// Compiles both stages and links them.
  /// - Returns: What is wrong, a line each, at the file and line where it stands; empty if nothing is.
  func faults(vertex: URL, fragment: URL, sources: [URL: StageSource]) throws(EmbedError) -> [String] {
    let process = Process()
    let output = Pipe()
    process.executableURL = executable
    process.arguments = ["-l", vertex.path, fragment.path]
    process.standardOutput = output
    process.standardError = output
    let data: Data
    do {
      try process.run()
      data = try output.fileHandleForReading.readToEnd() ?? Data()
    } catch {
      throw EmbedError("error: \(executable.path) could not be run: \(error)")
    }
    process.waitUntilExit()
    if process.terminationStatus == 0 { return [] }
    let lines = String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    let faults = Self.traced(lines, sources: sources)
    return faults.isEmpty ? ["error: glslangValidator failed with status \(process.terminationStatus)"] : faults
  }

  /// `ERROR: 2:17: what`, after a line that names the stage, becomes `file:17: error: what`.
  private static func traced(_ lines: [String], sources: [URL: StageSource]) -> [String] {
    var stage: StageSource?
    var faults: [String] = []
    for line in lines {
      if let named = sources[URL(filePath: line)] {
        stage = named
        continue
      }
      guard line.hasPrefix("ERROR: ") else {
        if line.hasPrefix(" ") { faults.append(line) }
        continue
      }
      let message = line.dropFirst("ERROR: ".count)
      let parts = message.split(separator: ":", maxSplits: 2)
      if parts.count == 3, let number = Int(parts[0]), let row = Int(parts[1]), let stage,
        stage.files.indices.contains(number)
      {
        let what = parts[2].trimmingCharacters(in: .whitespaces)
        if !what.hasSuffix("compilation terminated") {
          faults.append("\(stage.files[number].path):\(row): error: \(what)")
        }
      } else if !message.hasSuffix("No code generated.") {
        faults.append("error: \(message)")
      }
    }
    // What the linker says of a stage that didn't compile is only its echo.
    let placed = faults.filter { $0.hasPrefix("/") }
    return placed.isEmpty ? faults : placed
  }
}
