import Foundation
import Testing

@Suite("The table of cases from the field")
struct CaseTableTests {
  private static let top = String(#filePath.prefix(#filePath.count - "Tests/BenchCoreTests/CaseTableTests.swift".count))

  private static func tests() throws -> String {
    let folder = top + "Tests/BenchCoreTests"
    let files = try FileManager.default.contentsOfDirectory(atPath: folder).filter { $0.hasSuffix("Tests.swift") }
    return try files.map { try String(contentsOfFile: folder + "/" + $0, encoding: .utf8) }.joined()
  }

  @Test("names tests that exist, and one for each case")
  func exist() throws {
    let page = try String(contentsOfFile: Self.top + "docs/benchmark-cases.md", encoding: .utf8)
    let tests = try Self.tests()
    var count = 0
    for line in page.split(separator: "\n")
    where line.hasPrefix("| ") && !line.hasPrefix("| case") && !line.hasPrefix("| ---") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
      #expect(cells.count == 2, "\(line)")
      #expect(tests.contains(cells[1]), "there is no test \(cells[1])")
      count += 1
    }
    #expect(count > 40)
  }
}
