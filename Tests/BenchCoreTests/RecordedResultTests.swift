import BenchCore
import JSON
import Testing

@Suite("results read back")
struct RecordedResultTests {
  private static let text = FakeRun.result().json.text

  private static func read(_ text: String) throws(BenchError) -> RecordedResult {
    try RecordedResult([UInt8](text.utf8), name: "r.json")
  }

  @Test("a result holds after reading what it held before writing")
  func roundTrip() throws {
    let result = FakeRun.result()
    let record = try Self.read(result.json.text)
    #expect(record.planned == result.planned)
    #expect(record.cells.map(\.id) == result.cells.map(\.id))
    for (cell, original) in zip(record.cells, result.cells) {
      #expect(cell.counters.map(\.value) == original.counters?.named.map(\.1))
      let costs = try #require(cell.rounds[.cpu])
      #expect(zip(costs, original.values(.cpu)).allSatisfy { ($0 - $1).magnitude < 1e-6 })
    }
  }

  @Test(
    "what is no result says which file and where",
    arguments: [
      ("{}", "r.json: its top: expected a member “schema”, got an object."),
      ("[1", "r.json:1:3: expected a comma or ], got the end."),
      (#"{"schema": "porthole-scene/1"}"#, "r.json is not a result: its schema is not porthole-bench/result."),
      (
        #"{"schema": "porthole-bench/result", "version": 2}"#,
        "r.json is a result of version 2; this tool reads version 1."
      ),
    ])
  func noResult(text: String, expected: String) {
    do throws(BenchError) {
      _ = try Self.read(text)
      Issue.record("it was read")
    } catch {
      #expect(error.description == expected)
    }
  }

  @Test("a result that is cut off anywhere is an error")
  func truncated() {
    let bytes = [UInt8](Self.text.utf8)
    for length in stride(from: 0, to: bytes.count - 2, by: 997) {
      #expect(throws: BenchError.self) { try RecordedResult(Array(bytes[..<length]), name: "r.json") }
    }
  }

  @Test("no time that is no number, no second cell of a name, and no picture that failed passes green")
  func mutants() throws {
    let whole = try Self.read(Self.text)
    let mutants = [
      Self.text.replacingFirst("\"status\": \"ok\"", "\"status\": \"crashed\""),
      Self.text.replacingFirst("\"code\": 0", "\"code\": 3"),
      Self.text.replacingFirst("\"portal-grid/strategy=portal/n=1/", "\"portal-grid/strategy=portal/n=2/"),
      Self.text.replacingFirst("\"cpu_ms\": [1", "\"cpu_ms\": [null, 1"),
      Self.text.replacingFirst("\"value\": ", "\"value\": 0.5"),
      Self.text.replacingFirst("\"quads\"", "\"quadz\""),
    ]
    for (index, mutant) in mutants.enumerated() {
      #expect(mutant != Self.text, "mutant \(index) changed nothing")
      guard let record = try? Self.read(mutant) else { continue }
      #expect(ResultComparison(base: [whole], head: [record]).exit.code != .ok, "mutant \(index)")
    }
  }
}

extension String {
  fileprivate func replacingFirst(_ part: String, _ other: String) -> String {
    guard let range = firstRange(of: part) else { return self }
    return self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
