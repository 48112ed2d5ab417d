import Foundation

/// One stage's text with its includes in place, and the files it came from.
///
/// `#line` directives number the lines as they stand in their own files and give each file a number, its index in
/// `files`; so a message from any compiler, here or in a driver, can be traced back.
struct StageSource {
  private(set) var text = ""
  private(set) var files: [URL] = []

  /// - Parameters:
  ///   - file: The stage; its first line is `#version`, which has to stay first.
  ///   - macros: Defined right after it.
  init(file: URL, macros: [String], root: URL) throws(EmbedError) {
    let lines = try Self.lines(of: file)
    guard let version = lines.first, version.hasPrefix("#version") else {
      throw EmbedError(file: file.path, line: 1, "a stage begins with #version")
    }
    text = version + "\n" + macros.map { "#define \($0)\n" }.joined()
    try append(lines, of: file, from: 1, root: root, including: [])
  }

  private mutating func append(
    _ lines: [String], of file: URL, from first: Int, root: URL, including: [URL]
  ) throws(EmbedError) {
    let number = files.count
    files.append(file)
    text += "#line \(first + 1) \(number)\n"
    for (index, line) in lines.enumerated().dropFirst(first) {
      guard let name = Self.included(by: line) else {
        text += line + "\n"
        continue
      }
      let target = root.appending(path: name)
      guard FileManager.default.fileExists(atPath: target.path) else {
        throw EmbedError(file: file.path, line: index + 1, "there is no '\(name)' in \(root.path)")
      }
      guard target != file, !including.contains(target) else {
        throw EmbedError(file: file.path, line: index + 1, "'\(name)' includes itself")
      }
      try append(try Self.lines(of: target), of: target, from: 0, root: root, including: including + [file])
      text += "#line \(index + 2) \(number)\n"
    }
  }

  /// The path in an `#include "path"` line, which is relative to the shader folder.
  private static func included(by line: String) -> String? {
    let trimmed = line.trimmingCharacters(in: .whitespaces)
    guard trimmed.hasPrefix("#include") else { return nil }
    let parts = trimmed.split(separator: "\"", omittingEmptySubsequences: false)
    return parts.count == 3 ? String(parts[1]) : nil
  }

  private static func lines(of file: URL) throws(EmbedError) -> [String] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw EmbedError("\(file.path): error: cannot be read")
    }
    var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    if lines.last == "" { lines.removeLast() }
    return lines
  }
}
