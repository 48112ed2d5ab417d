import JSON

/// The alarms of a first comparison against those of a second, which measured the flagged cells anew: only what both call a
/// regression is one. Schema "porthole-bench/confirmation", version 1.
public struct Confirmation: Sendable {
  /// What the first flagged: cell and metric.
  public var first: [String]
  /// Of these, what the second flags too.
  public var confirmed: [String]
  /// Of these, what the second did not measure.
  public var open: [String]
  public var exit: ExitStatus

  /// What the first comparison flagged, of its JSON. Throws a sentence that names the file.
  public static func flags(_ bytes: [UInt8], name: String) throws(BenchError) -> [(id: String, metric: String)] {
    let reader = try RecordReader(bytes, name: name)
    let document = reader.document
    guard try reader.text("schema", of: 0) == "porthole-bench/comparison", try reader.number("version", of: 0) == 1
    else { throw BenchError(.report, "\(name) is no comparison of version 1.") }
    var flags: [(id: String, metric: String)] = []
    for cell in document.children(of: try reader.array("cells", of: 0)) {
      guard try reader.text("verdict", of: cell) == Verdict.regressed.rawValue, try !reader.flag("advisory", of: cell)
      else { continue }
      flags.append((try reader.text("id", of: cell), try reader.text("metric", of: cell)))
    }
    return flags
  }

  /// - Parameter second: of results that were measured anew, of the flagged cells at least.
  public init(_ flags: [(id: String, metric: String)], second: ResultComparison) {
    (first, confirmed, open) = ([], [], [])
    var found: [(ExitStatus.Code, String)] = []
    for flag in flags {
      let name = "\(flag.id), \(flag.metric)"
      first.append(name)
      guard let cell = second.cells.first(where: { $0.id == flag.id && $0.metric == flag.metric }) else {
        open.append(name)
        found.append((.invalid, "\(name): it was flagged, and was not measured again"))
        continue
      }
      switch cell.verdict {
      case .regressed:
        confirmed.append(name)
        found.append((.regression, "\(name): \(ComparisonText.reason(cell)), twice"))
      case .missing: found.append((.invalid, "\(name): \(ComparisonText.reason(cell))"))
      case .refused: found.append((.environment, "\(name): its second measurement is of another machine"))
      // What is not flagged again is no alarm.
      case .inconclusive, .new, .pass, .improved: break
      }
    }
    // A run that was not valid by itself confirms nothing and clears nothing.
    if second.exit.code == .invalid { found.append((.invalid, second.exit.reasons.first ?? "the second is not valid")) }
    exit = ExitStatus(found)
  }

  /// The part of the first's alarms that the second shares.
  public var overlap: Double { first.isEmpty ? 0 : Double(confirmed.count) / Double(first.count) }

  public var line: String {
    if first.isEmpty { return "the first comparison flagged nothing" }
    let count = "\(confirmed.count) of \(first.count) alarms were confirmed"
    if confirmed.isEmpty, open.isEmpty { return "\(count): noise" }
    return count + (open.isEmpty ? "" : "; not measured again: \(open.joined(separator: "; "))")
  }

  public var json: JSONValue {
    .object([
      ("schema", .string("porthole-bench/confirmation")), ("version", .integer(1)), ("first", .strings(first)),
      ("confirmed", .strings(confirmed)), ("open", .strings(open)), ("overlap", .number(overlap)),
      ("line", .string(line)), ("exit", exit.json),
    ])
  }
}
