import Foundation

/// Where a Debian package keeps its protocols, as pkg-config knows it.
enum DataFolder {
  /// The files that a list names, a line each: the pkg-config name, then the path below that package's data folder.
  static func files(in list: URL) throws(ScanError) -> [URL] {
    guard let text = try? String(contentsOf: list, encoding: .utf8) else { return [] }
    var files: [URL] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      if words.isEmpty { continue }
      guard words.count == 2 else {
        throw ScanError(file: list.path, line: index + 1, "a protocol needs a package and a path")
      }
      let file = URL(filePath: try folder(of: words[0], list: list, line: index + 1)).appending(path: words[1])
      guard FileManager.default.fileExists(atPath: file.path) else {
        throw ScanError(file: list.path, line: index + 1, "there is no \(file.path)")
      }
      files.append(file)
    }
    return files
  }

  private static func folder(of package: String, list: URL, line: Int) throws(ScanError) -> String {
    let process = Process()
    let output = Pipe()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = ["pkg-config", "--variable=pkgdatadir", package]
    process.standardOutput = output
    process.standardError = FileHandle.nullDevice
    let data: Data
    do {
      try process.run()
      data = try output.fileHandleForReading.readToEnd() ?? Data()
    } catch {
      throw ScanError("error: pkg-config could not be run: \(error); install the Debian package pkg-config")
    }
    process.waitUntilExit()
    let folder = String(decoding: data, as: UTF8.self).trimmingCharacters(in: .whitespacesAndNewlines)
    guard process.terminationStatus == 0, !folder.isEmpty else {
      throw ScanError(
        file: list.path, line: line,
        "pkg-config does not know '\(package)'; install the Debian packages libwayland-dev and wayland-protocols")
    }
    return folder
  }
}
