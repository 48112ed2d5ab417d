/// The rules that a source file obeys whatever it is about.
enum SourceRules {
  static let lineLimit = 400
  /// A file is about one noun; these name none.
  static let vagueNames = ["Utils", "Utilities", "Helper", "Common", "Manager", "Misc"]

  /// What is wrong with a file, a sentence each.
  static func violations(path: String, text: String) -> [String] {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var found: [String] = []
    let count = lines.last == "" ? lines.count - 1 : lines.count
    if count > lineLimit { found.append("\(path): \(count) lines; no file has more than \(lineLimit)") }

    let name = path.split(separator: "/").last ?? ""
    for vague in vagueNames where name.contains(vague) {
      found.append("\(path): '\(vague)' names no noun that the file could be about")
    }

    for (index, line) in lines.enumerated() {
      let code = line.firstRange(of: "//").map { line[..<$0.lowerBound] } ?? line
      for word in ["fatalError(", "try!", "as!"] where contains(word, in: code) {
        found.append("\(path):\(index + 1): \(word) traps; throw, or leave the thing out and log it")
      }
      for word in ["TODO", "FIXME"] where contains(word, in: line) {
        found.append("\(path):\(index + 1): \(word); do it, or write it down where work is planned")
      }
    }
    return found
  }

  /// Whether the word stands there by itself, not as the end of a longer one.
  private static func contains(_ word: String, in line: Substring) -> Bool {
    line.ranges(of: word).contains { range in
      range.lowerBound == line.startIndex
        || !(line[line.index(before: range.lowerBound)].isLetter || line[line.index(before: range.lowerBound)] == "_")
    }
  }

  /// The names of environment variables of ours that a text mentions.
  static func variables(in text: String) -> Set<String> {
    Set(text.matches(of: #/PORTHOLE_[A-Z0-9_]+/#).map { String($0.output) })
  }
}
