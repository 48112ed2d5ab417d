import Foundation

/// `WaylandScanner OUTPUT MODULE LIST FILE…`: writes a Swift file into the folder OUTPUT for each protocol FILE and each
/// that LIST names. MODULE is imported by them, or `-` inside of it. Prints the first fault as a compiler does and exits
/// with 1 if there is one.
@main
struct WaylandScanner {
  static func main() {
    let arguments = Array(CommandLine.arguments.dropFirst())
    guard arguments.count >= 3 else {
      report("usage: WaylandScanner OUTPUT MODULE LIST FILE…")
      exit(64)
    }
    do {
      try scan(
        output: URL(filePath: arguments[0]), module: arguments[1], list: URL(filePath: arguments[2]),
        files: arguments.dropFirst(3).map { URL(filePath: $0) })
    } catch {
      report(error.line)
      exit(1)
    }
  }

  private static func scan(output: URL, module: String, list: URL, files: [URL]) throws(ScanError) {
    let files = files + (try DataFolder.files(in: list))
    var protocols: [ProtocolModel] = []
    for file in files { protocols.append(try ProtocolReader.read(file)) }
    let catalogue = Catalogue(protocols)
    for (file, model) in zip(files, protocols) {
      if let fault = catalogue.faults(of: model).first { throw ScanError("\(file.path): error: \(fault)") }
      var text = SwiftText()
      text.line("// Generated from \(file.lastPathComponent); edit that, not this.")
      text.line()
      text.line("import CWayland")
      text.line("import LinuxIO")
      if module != "-" { text.line("import \(module)") }
      text.line()
      let tables = TablesWriter(model: model, catalogue: catalogue)
      tables.write(into: &text)
      for (index, interface) in model.interfaces.enumerated() {
        text.line()
        InterfaceWriter(interface: interface, tables: tables.name, index: index, catalogue: catalogue)
          .write(into: &text)
      }
      let name = file.deletingPathExtension().lastPathComponent + ".swift"
      try write(text.text, to: output.appending(path: name))
    }
  }

  /// Leaves a file that already says so as it is, so that what depends on it is not built again.
  private static func write(_ text: String, to file: URL) throws(ScanError) {
    if let old = try? String(contentsOf: file, encoding: .utf8), old == text { return }
    do {
      try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try text.write(to: file, atomically: true, encoding: .utf8)
    } catch {
      throw ScanError("\(file.path): error: cannot be written: \(error)")
    }
  }

  private static func report(_ line: String) { FileHandle.standardError.write(Data((line + "\n").utf8)) }
}
