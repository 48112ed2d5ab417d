import Testing

@Suite("The rules of the house")
struct SourceRuleTests {
  @Test("no source file is too long, vaguely named, able to trap or unfinished")
  func sourcesObey() throws {
    let files = Repository.files(in: ["Sources", "bench", "Plugins"], withExtension: "swift")
    try #require(!files.isEmpty)
    for path in files {
      for violation in SourceRules.violations(path: path, text: try Repository.text(path)) {
        Issue.record("\(violation)")
      }
    }
  }

  @Test("tests see what a client sees, because they run in release, where nothing is testable")
  func noTestableImports() throws {
    let files = Repository.files(in: ["Tests"], withExtension: "swift")
    try #require(!files.isEmpty)
    for path in files where !path.hasPrefix("Tests/HouseTests/") {
      let text = try Repository.text(path)
      #expect(!text.split(separator: "\n").contains { $0.hasPrefix("@testable") }, "\(path)")
    }
  }

  @Test(
    "a planted fault is found",
    arguments: [
      "  fatalError(\"no\")", "let x = try! f()", "let y = z as! Int", "f()  // TODO: later", "/* FIXME */",
    ])
  func plantedFault(line: String) {
    let found = SourceRules.violations(path: "Sources/A/B.swift", text: "import A\n\(line)\n")
    #expect(found.count == 1)
    #expect(found.first?.hasPrefix("Sources/A/B.swift:2: ") == true)
  }

  @Test(
    "what only looks like a fault is none",
    arguments: [
      "// never fatalError( here", "let x = try? f()", "let y = z as? Int", "let has = !it.has!=nil", "MASTODONT",
    ])
  func innocent(line: String) {
    #expect(SourceRules.violations(path: "Sources/A/B.swift", text: line) == [])
  }

  @Test("the limit of lines is the last number that passes")
  func lineLimit() {
    let line = "let a = 1\n"
    #expect(SourceRules.violations(path: "S/A/B.swift", text: String(repeating: line, count: 400)) == [])
    #expect(SourceRules.violations(path: "S/A/B.swift", text: String(repeating: line, count: 401)).count == 1)
  }

  @Test(
    "a file named after nothing is found", arguments: ["StringUtils", "LayerHelper", "CommonTypes", "LayerManager"])
  func vagueName(name: String) {
    #expect(SourceRules.violations(path: "Sources/A/\(name).swift", text: "").count == 1)
  }
}
