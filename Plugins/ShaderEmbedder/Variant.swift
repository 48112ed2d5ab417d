import Foundation

/// A program to build: two stages of one stem, with macros defined.
struct Variant {
  var name: String
  var stem: String
  var macros: [String]

  /// Reads `variants.txt`: a line for each, `name stem macro…`; `#` begins a comment.
  static func readAll(from file: URL) throws(EmbedError) -> [Variant] {
    guard let text = try? String(contentsOf: file, encoding: .utf8) else {
      throw EmbedError("\(file.path): error: cannot be read")
    }
    var variants: [Variant] = []
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let words = line.prefix { $0 != "#" }.split(separator: " ").map(String.init)
      if words.isEmpty { continue }
      guard words.count >= 2 else {
        throw EmbedError(file: file.path, line: index + 1, "a variant needs a name and a stem")
      }
      guard !variants.contains(where: { $0.name == words[0] }) else {
        throw EmbedError(file: file.path, line: index + 1, "variant '\(words[0])' stands here twice")
      }
      variants.append(Variant(name: words[0], stem: words[1], macros: Array(words.dropFirst(2))))
    }
    return variants
  }
}
