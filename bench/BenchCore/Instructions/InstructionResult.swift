import JSON

/// Counted instructions, with what they were counted on. Schema "porthole-bench/instructions", version 1.
public struct InstructionResult: Sendable {
  public var counts: [InstructionCount]
  public var environment: [EnvironmentField]
  private var environmentJSON: JSONValue

  /// - Parameter environment: the JSON of a run's `env`, as the counted process wrote it. Throws where it is none, and, with
  ///   the code for a machine that can't give what was asked for, where the counts would not stand still.
  public init(_ counts: [InstructionCount], environment text: String) throws(BenchError) {
    let document: JSONDocument
    do throws(JSONError) {
      document = try JSONParser.parse([UInt8](text.utf8))
    } catch {
      throw BenchError(.report, "the counted process said nothing of its environment: \(error.message).")
    }
    self.counts = counts.sorted { $0.n < $1.n }
    environment = EnvironmentField.fields(of: document, 0)
    environmentJSON = JSONValue(document, 0)
    if let refusal = InstructionPins.refusal(environment) { throw BenchError(.environment, refusal + ".") }
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/instructions")), ("version", .integer(1)),
      (
        "tool",
        .object([
          ("version", .string(ToolIdentity.current.version)), ("build", .string(ToolIdentity.current.build)),
        ])
      ),
      ("env", environmentJSON),
      (
        "cells",
        .array(
          counts.map { count in
            .object([
              ("id", .string(count.id)), ("n", .integer(count.n)),
              ("frames", .array(count.frames.map { .integer($0) })),
              ("totals", .array(count.totals.map { .unsigned($0) })),
              ("instructions_per_frame", .number(count.perFrame)),
            ])
          })
      ), ("per_portal", .optional(InstructionCount.slope(counts))),
    ])
  }

  /// Reads one that was written. Throws a sentence that names the file and the place in it.
  public init(_ bytes: [UInt8], name: String) throws(BenchError) {
    let reader = try RecordReader(bytes, name: name)
    let document = reader.document
    guard try reader.text("schema", of: 0) == "porthole-bench/instructions", try reader.number("version", of: 0) == 1
    else { throw BenchError(.report, "\(name) holds no counted instructions of version 1.") }
    let node = try reader.member("env", of: 0)
    environment = try reader.environment(node)
    environmentJSON = JSONValue(document, node)
    counts = []
    for cell in document.children(of: try reader.array("cells", of: 0)) {
      func whole(_ node: Int32) throws(BenchError) -> UInt64 {
        guard let number = UInt64(exactly: try reader.number(node)) else {
          throw reader.failure(node, "a whole number")
        }
        return number
      }
      var (frames, totals): ([Int], [UInt64]) = ([], [])
      for node in document.children(of: try reader.array("frames", of: cell)) {
        frames.append(Int(clamping: try whole(node)))
      }
      for node in document.children(of: try reader.array("totals", of: cell)) { totals.append(try whole(node)) }
      let n = Int(clamping: try whole(try reader.member("n", of: cell)))
      counts.append(try InstructionCount(n: n, frames: frames, totals: totals))
    }
    if let refusal = InstructionPins.refusal(environment) { throw BenchError(.environment, "\(name): \(refusal).") }
  }

  /// For a person.
  public var lines: [String] {
    var lines = counts.map {
      "N = \(NumberText.grouped($0.n)): \(NumberText.grouped($0.perFrame)) instructions a frame"
    }
    if let slope = InstructionCount.slope(counts) {
      lines.append("\(NumberText.grouped(slope)) instructions for each further portal")
    }
    return lines
  }
}

extension InstructionResult {
  /// These counts against a baseline's: what grew by more than the tolerance is a regression, what is gone is invalid, and
  /// counts of other drivers, libraries or widths of vectors are not compared.
  public func compared(with base: InstructionResult, tolerance: Double) -> (lines: [String], exit: ExitStatus) {
    var found: [(ExitStatus.Code, String)] = []
    var lines: [String] = []
    let names = (base.environment + environment).filter(\.bearsOnInstructions).map(\.name)
    var seen: Set<String> = []
    for name in names where seen.insert(name).inserted {
      func value(_ fields: [EnvironmentField]) -> String { fields.first { $0.name == name }?.value ?? "absent" }
      let (old, new) = (value(base.environment), value(environment))
      if old != new { found.append((.environment, "\(name) is “\(old)” in the baseline, “\(new)” here")) }
    }
    guard found.isEmpty else { return (found.map(\.1), ExitStatus(found)) }
    func judge(_ what: String, _ old: Double, _ new: Double) {
      let change = new / old - 1
      let text =
        "\(what): \(NumberText.grouped(old)) became \(NumberText.grouped(new)) instructions "
        + "(\(change < 0 ? "" : "+")\(NumberText.fixed(change * 100, 3)) %)"
      lines.append(text)
      if !(change <= tolerance) { found.append((.regression, text)) }
    }
    for old in base.counts {
      guard let new = counts.first(where: { $0.n == old.n }) else {
        found.append((.invalid, "\(old.id) is in the baseline and was not counted"))
        continue
      }
      judge(old.id, old.perFrame, new.perFrame)
    }
    if let old = InstructionCount.slope(base.counts), let new = InstructionCount.slope(counts) {
      judge("each further portal", old, new)
    }
    if base.counts.isEmpty { found.append((.invalid, "the baseline holds no count")) }
    return (lines, ExitStatus(found))
  }
}
