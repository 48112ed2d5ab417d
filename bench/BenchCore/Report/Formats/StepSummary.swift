/// Verdicts as Markdown, the worst first, within what a step's summary, or a comment, may hold.
public enum StepSummary {
  /// What a step's summary may hold at most, in bytes; beyond, it is thrown away whole.
  public static let limit = 1 << 20
  public static let commentLimit = 64 << 10

  public static func text(_ report: GateReport, limit: Int = limit) -> String {
    var text = "## \(report.title): \(headline(report))\n\n"
    for note in report.notes { text += "- \(cell(note))\n" }
    for reason in report.exit.reasons.prefix(20) { text += "- **\(cell(reason))**\n" }
    text += "\n| verdict | what | metric | |\n| --- | --- | --- | --- |\n"
    // A line for what had no room, whatever the number.
    let room = limit - 200
    if text.utf8.count > room { text = String(decoding: text.utf8.prefix(room / 2), as: UTF8.self) + "\n" }
    let rows = GateRow.ranked(report.rows)
    var size = text.utf8.count
    for (index, row) in rows.enumerated() {
      let advisory = row.isAdvisory ? " (advisory)" : ""
      let line = "| \(row.word)\(advisory) | \(cell(row.id)) | \(cell(row.metric)) | \(cell(row.sentence)) |\n"
      guard size + line.utf8.count <= room else {
        return text + "\n\(NumberText.grouped(rows.count - index)) more rows are in the result's files.\n"
      }
      text += line
      size += line.utf8.count
    }
    return text
  }

  static func headline(_ report: GateReport) -> String {
    switch report.exit.code {
    case .ok: "nothing is worse"
    case .toolError: "the tool could not do its work"
    case .regression: "something costs more"
    case .invalid: "not valid: no number of it is to be believed"
    case .inconclusive: "nothing can be said"
    case .environment: "can't be compared here"
    case .improvement: "something costs less, and nobody has blessed it"
    case .baseline: "no baseline"
    case .usage: "the command line is wrong"
    }
  }

  /// A text that ends no cell and begins no markup.
  static func cell(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "|": result += "\\|"
      case "<": result += "&lt;"
      case "\n", "\r": result += " "
      case "`", "*", "_", "\\", "[": result += "\\" + String(Character(scalar))
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}

/// Verdicts as lines that a job's log turns into notes beside the change. Of each kind ten are shown and the rest is
/// silently dropped: so the worst come first, and the tenth says how many more there are.
public enum Annotations {
  public static let limit = 10

  public static func lines(_ report: GateReport) -> [String] {
    let rows = GateRow.ranked(report.rows)
    func kind(_ name: String, _ found: [GateRow]) -> [String] {
      guard !found.isEmpty else { return [] }
      let fits = found.count <= limit
      var lines = found.prefix(fits ? limit : limit - 1).map { row in
        "::\(name) title=\(property(row.id))::\(data("\(row.metric): \(row.sentence)"))"
      }
      if !fits { lines.append("::\(name)::\(found.count - lines.count) more; the summary lists them") }
      return lines
    }
    let bad: [GateRow.State] = [.invalid, .failed, .refused]
    var errors = kind("error", rows.filter { bad.contains($0.state) && !$0.isAdvisory })
    if errors.isEmpty, report.exit.code != .ok {
      errors = ["::error::\(data(report.exit.reasons.first ?? StepSummary.headline(report)))"]
    }
    return errors + kind("warning", rows.filter { $0.state == .unclear || bad.contains($0.state) && $0.isAdvisory })
  }

  private static func data(_ text: String) -> String {
    text.replacing("%", with: "%25").replacing("\r", with: "%0D").replacing("\n", with: "%0A")
  }

  private static func property(_ text: String) -> String {
    data(text).replacing(":", with: "%3A").replacing(",", with: "%2C")
  }
}
