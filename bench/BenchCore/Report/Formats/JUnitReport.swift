/// Verdicts as the test reports that every continuous integration reads: a case for each, its failure's text the verdict's
/// sentence, its numbers as properties.
public enum JUnitReport {
  public static func text(_ report: GateReport) -> String {
    func count(_ states: [GateRow.State]) -> Int {
      report.rows.count { states.contains($0.state) && !$0.isAdvisory }
    }
    // What ended the run badly and is no row's fault is a case of its own: never a green report of a red run.
    let isExplained = report.exit.code == .ok || count([.failed, .invalid, .refused]) > 0
    let extra = isExplained ? 0 : 1
    let skipped = report.rows.count { $0.state == .unclear || $0.isAdvisory && $0.state.rawValue < 4 }
    var text = "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
    text +=
      "<testsuites name=\"\(escaped(report.title))\">\n<testsuite name=\"\(escaped(report.title))\" "
      + "tests=\"\(report.rows.count + extra)\" failures=\"\(count([.failed, .refused]))\" "
      + "errors=\"\(count([.invalid]) + extra)\" skipped=\"\(skipped)\">\n"
    for row in report.rows { text += testCase(row) }
    if !isExplained {
      let reasons = escaped(report.exit.reasons.joined(separator: "; "))
      text +=
        "<testcase classname=\"porthole-bench\" name=\"exit code\"><error message=\"exit code "
        + "\(report.exit.code.rawValue): \(reasons)\"/></testcase>\n"
    }
    return text + "</testsuite>\n</testsuites>\n"
  }

  private static func testCase(_ row: GateRow) -> String {
    var text = "<testcase classname=\"\(escaped(row.id))\" name=\"\(escaped(row.metric))\">"
    if !row.properties.isEmpty {
      let list = row.properties.map { "<property name=\"\(escaped($0.name))\" value=\"\(escaped($0.value))\"/>" }
      text += "<properties>\(list.joined())</properties>"
    }
    let message = escaped(row.sentence)
    switch row.state {
    case .improved, .passed: break
    case .unclear: text += "<skipped message=\"\(message)\"/>"
    case _ where row.isAdvisory: text += "<skipped message=\"advisory: \(message)\"/>"
    case .invalid: text += "<error message=\"\(message)\"/>"
    case .failed, .refused: text += "<failure message=\"\(message)\">\(message)</failure>"
    }
    return text + "</testcase>\n"
  }

  /// As XML takes it: without the characters that no XML can hold.
  static func escaped(_ text: String) -> String {
    var result = ""
    for scalar in text.unicodeScalars {
      switch scalar {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "\n", "\t", "\r": result += "&#\(scalar.value);"
      case _ where scalar.value < 0x20 || scalar.value == 0xFFFE || scalar.value == 0xFFFF: result += "\u{FFFD}"
      default: result.unicodeScalars.append(scalar)
      }
    }
    return result
  }
}
