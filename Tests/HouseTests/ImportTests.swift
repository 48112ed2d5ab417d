import Testing

@Suite("What a target may import")
struct ImportTests {
  private let sample = ImportTable(
    markdown: """
      | target | holds | may import |
      | --- | --- | --- |
      | `Plain` | values | `libc`, `Values` |
      | `Bare` | nothing | – |

      | other | table | may import |
      | `Plain` | | `Foundation` |
      """)

  @Test("every import stands in docs/architecture.md")
  func importsAreAllowed() throws {
    let table = ImportTable(markdown: try Repository.text("docs/architecture.md"))
    let files = Repository.files(in: ["Sources", "bench", "Plugins"], withExtension: "swift")
    try #require(!files.isEmpty)
    for path in files {
      for violation in table.violations(path: path, text: try Repository.text(path)) {
        Issue.record("\(violation)")
      }
    }
  }

  @Test("every row of the table is a target that exists")
  func rowsExist() throws {
    let table = ImportTable(markdown: try Repository.text("docs/architecture.md"))
    try #require(!table.allowed.isEmpty)
    for target in table.allowed.keys {
      #expect(
        ["Sources", "bench", "Plugins"].contains { Repository.exists("\($0)/\(target)") }, "no folder: \(target)")
    }
  }

  @Test(
    "a planted import is found",
    arguments: [
      "import Foundation", "  import Foundation", "public import Foundation", "@preconcurrency import Foundation",
      "import struct Foundation.URL", "import Values; import Foundation",
      "@_exported public import Foundation.NSObject",
      "#if canImport(Foundation)\n  import Foundation\n#endif",
    ])
  func plantedImport(text: String) {
    #expect(
      sample.violations(path: "Sources/Plain/Deep/File.swift", text: text) == [
        "Sources/Plain/Deep/File.swift: Plain may not import Foundation, by the table in docs/architecture.md"
      ])
  }

  @Test("what is listed is allowed, and libc is either of the two")
  func listedImports() {
    let text = "// import Foundation\nimport Values\n#if canImport(Glibc)\nimport Glibc\n#else\nimport Musl\n#endif"
    #expect(sample.violations(path: "Sources/Plain/File.swift", text: text) == [])
    #expect(sample.violations(path: "Sources/Bare/File.swift", text: text).count == 3)
  }

  @Test("a target without a row is a fault")
  func missingRow() {
    #expect(sample.violations(path: "Sources/New/File.swift", text: "").count == 1)
  }
}
