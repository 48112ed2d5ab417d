import Testing

@Suite("The schema of scene files")
struct SchemaKeyTests {
  /// Words in quotes that the reader compares with: after `case`, and in the lists of keys.
  private func words(in text: String) -> Set<String> {
    var found: Set<String> = []
    for line in text.split(separator: "\n") {
      let line = line.drop { $0 == " " }
      let isCase = line.hasPrefix("case \"")
      let isList = line.hasPrefix("\"") && line.hasSuffix(",")
      guard isCase || isList || line.contains("Keys = [") else { continue }
      let part = isCase ? line.prefix { $0 != ":" } : line
      for word in part.matches(of: #/"([a-z][A-Za-z-]*)"/#) { found.insert(String(word.1)) }
    }
    return found
  }

  @Test("it has every key and word that the reader knows")
  func keys() throws {
    let schema = try Repository.text("docs/scene.schema.json")
    let files = Repository.files(in: ["Sources/Porthole"], withExtension: "swift").filter {
      $0.hasPrefix("Sources/Porthole/Scene/")
    }
    var known: Set<String> = []
    for file in files { known.formUnion(words(in: try Repository.text(file))) }
    #expect(known.count > 80)
    for word in known.sorted() {
      #expect(schema.contains("\"\(word)\""), "docs/scene.schema.json lacks “\(word)”, which a scene's reader knows")
    }
  }

  @Test("a key of the reader is found, in a case and in a list")
  func planted() {
    #expect(
      words(in: "  case \"opacity\", \"mask\": x = \"no\"\n  \"sampling\", \"a b\",\n") == [
        "opacity", "mask", "sampling",
      ])
    #expect(words(in: "  let topKeys = [\"format\"]\n  throw \"x\"\n") == ["format"])
  }
}
