import Testing

@Suite("Documents that must not go stale")
struct DocumentTests {
  private var variablesRead: Set<String> {
    get throws {
      try (["Package.swift"] + Repository.files(in: ["Sources", "bench"], withExtension: "swift"))
        .reduce(into: []) { $0.formUnion(SourceRules.variables(in: try Repository.text($1))) }
    }
  }

  @Test("every environment variable that the sources mention stands in docs/environment.md")
  func variablesAreDocumented() throws {
    let documented = SourceRules.variables(in: try Repository.text("docs/environment.md"))
    let read = try variablesRead
    try #require(!read.isEmpty)
    #expect(read.subtracting(documented) == [])
  }

  @Test("docs/environment.md names no variable that nothing reads")
  func documentedVariablesExist() throws {
    let documented = SourceRules.variables(in: try Repository.text("docs/environment.md"))
    let read = try variablesRead
    #expect(documented.subtracting(read) == [])
  }

  @Test("a variable is found by its prefix, whole")
  func variableNames() {
    #expect(SourceRules.variables(in: "\"PORTHOLE_LOG\" PORTHOLE_GL_2=x") == ["PORTHOLE_LOG", "PORTHOLE_GL_2"])
  }

  @Test("the README says how to test and how to measure", .enabled(if: Repository.exists("README.md")))
  func readmeNamesCommands() throws {
    let readme = try Repository.text("README.md")
    #expect(readme.contains("make test"))
    #expect(readme.contains("make bench"))
  }

  @Test("every document that another links to exists")
  func linksLead() throws {
    let root = ["README.md", "CONTRIBUTING.md", "CHANGELOG.md"].filter(Repository.exists)
    for path in root + Repository.files(in: ["docs"], withExtension: "md") {
      let folder = path.split(separator: "/").dropLast().joined(separator: "/")
      for link in try Repository.text(path).matches(of: #/\]\(([^)#:]+)(#[^)]*)?\)/#) {
        #expect(Repository.exists(folder + "/" + link.1), "\(path) links to \(link.1)")
      }
    }
  }
}
