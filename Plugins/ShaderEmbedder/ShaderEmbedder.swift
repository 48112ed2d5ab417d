import Foundation

/// `ShaderEmbedder SHADERS WORK OUTPUT`: builds every variant of the folder SHADERS, has each checked in the folder
/// WORK, and writes the Swift file OUTPUT. Prints faults as a compiler does and exits with 1 if there are any.
@main
struct ShaderEmbedder {
  static func main() {
    let arguments = CommandLine.arguments.dropFirst().map { URL(filePath: $0) }
    guard arguments.count == 3 else {
      report(["usage: ShaderEmbedder SHADERS WORK OUTPUT"])
      exit(64)
    }
    do {
      try embed(shaders: arguments[0], work: arguments[1], output: arguments[2])
    } catch {
      report(error.lines)
      exit(1)
    }
  }

  private static func embed(shaders: URL, work: URL, output: URL) throws(EmbedError) {
    let validator = try Validator()
    var generated = GeneratedSwift()
    var faults: [String] = []
    for variant in try Variant.readAll(from: shaders.appending(path: "variants.txt")) {
      var sources: [URL: StageSource] = [:]
      var stages: [URL] = []
      for stage in ["vert", "frag"] {
        let file = shaders.appending(path: "\(variant.stem).\(stage)")
        let checked = work.appending(path: "\(variant.name).\(stage)")
        let source = try StageSource(file: file, macros: variant.macros, root: shaders)
        try write(source.text, to: checked)
        sources[checked] = source
        stages.append(checked)
      }
      let found = try validator.faults(vertex: stages[0], fragment: stages[1], sources: sources)
      // A fault of a shared file is one fault, named with the first variant that has it.
      faults += found.filter { fault in !faults.contains { $0.hasPrefix(fault) } }
        .map { $0.hasPrefix(" ") ? $0 : "\($0) (variant \(variant.name))" }
      generated.add(
        name: variant.name, vertex: sources[stages[0]]?.text ?? "", fragment: sources[stages[1]]?.text ?? "")
    }
    guard faults.isEmpty else { throw EmbedError(faults) }
    try write(generated.text, to: output)
  }

  /// Leaves a file that already says so as it is, so that what depends on it is not built again.
  private static func write(_ text: String, to file: URL) throws(EmbedError) {
    if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    } catch {
      throw EmbedError("\(file.path): error: cannot be written: \(error)")
    }
  }

  private static func report(_ lines: [String]) {
    FileHandle.standardError.write(Data((lines.joined(separator: "\n") + "\n").utf8))
  }
}
