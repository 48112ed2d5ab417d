import BenchCore
import Testing

@Suite("the report as a page")
struct PageTests {
  private static let page = ResultPage(FakeRun.result()).text

  @Test("it needs no network and no script, and is far below two megabytes")
  func offline() {
    let references = Self.page.replacing("http://www.w3.org/2000/svg", with: "")
    #expect(!references.contains("http"))
    #expect(!references.contains("<script"))
    #expect(!references.contains("url("))
    #expect(Self.page.utf8.count < 2_000_000)
  }

  @Test("the same result gives the same bytes")
  func pure() {
    let result = FakeRun.result()
    #expect(ResultPage(result).text == ResultPage(result).text)
  }

  @Test("every element that is opened is closed, in order")
  func wellFormed() {
    var open: [Substring] = []
    var rest = Self.page[...]
    while let start = rest.firstIndex(of: "<"), let end = rest[start...].firstIndex(of: ">") {
      let tag = rest[rest.index(after: start)..<end]
      rest = rest[rest.index(after: end)...]
      if tag.hasPrefix("!") || tag.hasSuffix("/") || tag.hasPrefix("meta") { continue }
      if tag.hasPrefix("/") {
        #expect(open.popLast() == tag.dropFirst())
      } else {
        open.append(tag.prefix { $0 != " " && $0 != "\n" })
      }
    }
    #expect(open.isEmpty)
  }

  @Test("what the driver calls itself is text and never markup")
  func escaped() {
    #expect(Self.page.contains("renderer &lt;of&gt; tests"))
    #expect(!Self.page.contains("renderer <of> tests"))
  }

  @Test("a valid run says so; an invalid one says that first, with its reasons")
  func verdict() {
    #expect(Self.page.contains("Valid: 32 of 32 cells measured"))
    let stage = FakeStage()
    stage.wrong = [.snapshot]
    let bad = ResultPage(FakeRun.result(stage)).text
    #expect(bad.contains("NOT VALID (exit code 3)"))
    #expect(!bad.contains("Valid: "))
    #expect(bad.contains("portal-grid/snapshot at N = 16"))
  }

  @Test("every cell has its row, and every pair of strategies its ratio")
  func whole() {
    let result = FakeRun.result()
    #expect(Self.page.components(of: "<tr><td>portal</td>") == 8)
    #expect(Self.page.components(of: ">N = 1,024</text>") >= 6)
    #expect(result.ratios.count == 2 * 4 * 3 * 2)
  }
}

extension String {
  /// How often `part` comes.
  fileprivate func components(of part: String) -> Int { ranges(of: part).count }
}
