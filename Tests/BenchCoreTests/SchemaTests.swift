import BenchCore
import Foundation
import JSON
import Testing

@Suite("The schema of results")
struct SchemaTests {
  private static func schema(_ name: String) throws -> JSONDocument {
    let top = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let data = try Data(contentsOf: top.appending(path: "docs/bench-\(name).schema.json"))
    return try JSONParser.parse([UInt8](data))
  }

  /// In what a document is not as the schema says, by path. Knows the words that the schema uses.
  private static func faults(_ document: JSONDocument, _ node: Int32, _ schema: JSONDocument, _ rule: Int32) -> [String]
  {
    func fault(_ what: String) -> String { "\(document.path(of: node)): \(what), got \(document.describe(node))" }
    func words(_ key: String) -> [JSONDocument.Value]? {
      guard let list = schema.member(key, of: rule) else { return nil }
      return schema[list].value == .array ? schema.children(of: list).map { schema[$0].value } : [schema[list].value]
    }
    let value = document[node].value
    let kind: Set<String> =
      switch value {
      case .null: ["null"]
      case .bool: ["boolean"]
      case .number(let number): number == number.rounded() ? ["number", "integer"] : ["number"]
      case .string: ["string"]
      case .array: ["array"]
      case .object: ["object"]
      }
    if let types = words("type"), !types.contains(where: { type in kind.contains { type == .string($0) } }) {
      return [fault("is of another type")]
    }
    if let all = words("enum"), value != .null, !all.contains(value) { return [fault("is no known word")] }
    if let one = words("const"), one != [value] { return [fault("is another word")] }
    if value == .array, let items = schema.member("items", of: rule) {
      return document.children(of: node).flatMap { faults(document, $0, schema, items) }
    }
    guard value == .object else { return [] }
    var found: [String] = []
    let known = schema.member("properties", of: rule)
    for case .string(let key) in words("required") ?? [] where document.member(key, of: node) == nil {
      found.append(fault("lacks “\(key)”"))
    }
    let others = schema.member("additionalProperties", of: rule)
    for child in document.children(of: node) {
      let key = document[child].key ?? ""
      if let rule = known.flatMap({ schema.member(key, of: $0) }) {
        found += faults(document, child, schema, rule)
      } else if let others, schema[others].value == .object {
        found += faults(document, child, schema, others)
      } else if let others, schema[others].value == .bool(true) {
        continue
      } else {
        found.append(fault("has “\(key)”, which the schema does not know"))
      }
    }
    return found
  }

  private static func faults(_ text: String, _ name: String = "result") throws -> [String] {
    faults(try JSONParser.parse([UInt8](text.utf8)), 0, try schema(name), 0)
  }

  @Test("results of every kind are as the schema says, and have nothing that it does not know")
  func real() throws {
    #expect(try Self.faults(FakeRun.result().json.text) == [])
    #expect(try Self.faults(FakeRun.result(FakeStage(), .automatic).json.text) == [])
    let broken = FakeStage()
    broken.framesUntilFailure = [.floor: 20]
    broken.frozen = [.snapshot]
    #expect(try Self.faults(FakeRun.result(broken).json.text) == [])
    let still = FakeStage()
    still.costs = [.portal: (0, 0), .duplicate: (0, 0), .snapshot: (0, 0), .floor: (0, 0)]
    #expect(try Self.faults(FakeRun.result(still).json.text) == [])
    var options = FakeRun.options
    options.shard = Shard(index: 1, count: 2)
    #expect(try Self.faults(FakeRun.result(FakeStage(), options).json.text) == [])
  }

  @Test("what a gate found is as its schema says, whatever it found")
  func gate() throws {
    var outcome = GateOutcome(
      arguments: ["ci"], config: "g.toml", configHash: "0", seed: 1, started: "2026-01-01T00:00:00Z", budgetSeconds: 9)
    #expect(try Self.faults(outcome.json.text, "ci") == [])
    outcome.environment = FakeStage().environment
    outcome.scenes = [.init(name: "card", hash: "0", picture: nil), .init(name: "wall", hash: "1", picture: "2")]
    for name in GateTier.Name.allCases {
      var tier = GateTier(name, isBlocking: name != .history)
      for state in GateRow.State.allCases {
        tier.rows.append(
          GateRow(id: "a", metric: "passes", state: state, sentence: "so", properties: [.init("base", "1")]))
      }
      tier.add(.regression, "more", id: "a", metric: "quads")
      outcome.tiers.append(tier)
    }
    #expect(try Self.faults(outcome.json.text, "ci") == [])
    for (part, other) in [
      ("\"failed\"", "\"bad\""), ("\"tier\"", "\"layer\""), ("\"complete\": false", "\"complete\": 0"),
    ] {
      #expect(try !Self.faults(outcome.json.text.replacing(part, with: other), "ci").isEmpty, "\(part)")
    }
  }

  @Test(
    "what is not as it says is found",
    arguments: [
      ("\"seed\": 1", "\"seed\": \"1\""), ("\"status\": \"ok\"", "\"status\": \"fine\""), ("\"notes\"", "\"remarks\""),
      ("\"version\": 1", "\"version\": 2"), ("\"n\": 16,", "\"n\": 16.5,"), ("\"software\": true", "\"software\": 1"),
    ])
  func planted(part: String, other: String) throws {
    let text = FakeRun.result().json.text
    #expect(text.contains(part))
    #expect(try !Self.faults(text.replacing(part, with: other)).isEmpty)
  }
}
