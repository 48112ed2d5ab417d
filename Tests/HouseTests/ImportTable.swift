/// Which module may import which: the table in docs/architecture.md.
struct ImportTable {
  /// Names of target → names of modules.
  private(set) var allowed: [String: Set<String>] = [:]

  /// Reads the Markdown table whose first column is headed `target` and whose last is headed `may import`.
  init(markdown: String) {
    var isInside = false
    for line in markdown.split(separator: "\n", omittingEmptySubsequences: false) {
      let cells = line.split(separator: "|").map { $0.split(separator: " ").joined(separator: " ") }
      guard line.hasPrefix("|"), let first = cells.first, let last = cells.last else {
        isInside = false
        continue
      }
      if first == "target", last == "may import" {
        isInside = true
      } else if isInside {
        var modules = Set(Self.quoted(last))
        if modules.remove("libc") != nil { modules.formUnion(["Glibc", "Musl"]) }
        for target in Self.quoted(first) { allowed[target] = modules }
      }
    }
  }

  /// What is wrong with a file, a sentence each.
  func violations(path: String, text: String) -> [String] {
    guard let target = Self.target(of: path) else { return ["\(path) stands in no target's folder"] }
    guard let modules = allowed[target] else { return ["\(path): docs/architecture.md has no row for \(target)"] }
    return Self.imports(in: text).filter { !modules.contains($0) }
      .map { "\(path): \(target) may not import \($0), by the table in docs/architecture.md" }
  }

  /// The folder that a path names after `Sources`, `bench` or `Plugins`.
  static func target(of path: String) -> String? {
    let parts = path.split(separator: "/")
    return parts.count > 2 ? String(parts[1]) : nil
  }

  /// The modules that a file imports, each once, in order: `@attribute public import struct Module.Name`.
  static func imports(in text: String) -> [String] {
    let access: Set = ["public", "package", "internal", "fileprivate", "private"]
    let kinds: Set = ["struct", "class", "enum", "protocol", "typealias", "func", "let", "var", "actor"]
    var found: [String] = []
    for statement in text.split(whereSeparator: { $0 == "\n" || $0 == ";" }) {
      var words = statement.split(separator: " ")[...]
      words = words.drop { $0.hasPrefix("@") || access.contains(String($0)) }
      guard words.first == "import" else { continue }
      words = words.dropFirst().drop { kinds.contains(String($0)) }
      guard let module = words.first?.split(separator: ".").first.map(String.init) else { continue }
      if !found.contains(module) { found.append(module) }
    }
    return found
  }

  private static func quoted(_ cell: String) -> [String] {
    cell.split(separator: "`", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }
}
