/// A gate's verdicts as one page of HTML that needs nothing else: no network, no script. A pure function of the outcome.
public struct GatePage: Sendable {
  private let outcome: GateOutcome
  /// Of a tier; the others are in ci.json. Two thousand rows are half a megabyte.
  static let mostRows = 500

  public init(_ outcome: GateOutcome) { self.outcome = outcome }

  public var text: String {
    let report = outcome.report
    let headline = StepSummary.headline(report)
    var page = PageWriter()
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.element("title", "porthole-bench ci: \(headline)")
    page.raw("<style>\n\(PageStyle.sheet)\n</style>\n</head>\n<body>\n<main>\n")
    page.element("h1", headline.prefix(1).uppercased() + headline.dropFirst())
    let seconds = NumberText.fixed(outcome.durationSeconds, 1)
    page.element(
      "p", "\(outcome.config) · \(outcome.started) · \(seconds) s · porthole-bench \(outcome.tool.version)",
      class: "faint")
    page.raw("<div class=\"verdict\(report.exit.code == .ok ? "" : " bad")\" role=\"status\">")
    page.raw(PageWriter.escaped("Exit code \(report.exit.code.rawValue): \(headline)."))
    page.list(Array(report.exit.reasons.prefix(100)))
    if report.exit.reasons.count > 100 { page.element("p", "\(report.exit.reasons.count - 100) more are in ci.json.") }
    page.raw("</div>\n")
    for tier in outcome.tiers { write(tier, &page) }
    machine(&page)
    page.raw("</main>\n</body>\n</html>\n")
    return page.text
  }

  private func write(_ tier: GateTier, _ page: inout PageWriter) {
    page.section(tier.name.rawValue, id: tier.name.rawValue) { page in
      page.element("p", tier.line + (tier.isBlocking ? "" : "; it decides nothing"), class: "faint")
      page.list(tier.notes)
      let rows = GateRow.ranked(tier.rows)
      let passed = rows.filter { $0.state == .passed }
      table("The worst first", rows.filter { $0.state != .passed }, &page)
      guard !passed.isEmpty else { return }
      // What is as it should be is there for those who ask.
      page.raw("<details><summary>\(NumberText.grouped(passed.count)) that passed</summary>\n")
      table("As they were counted", passed, &page)
      page.raw("</details>\n")
    }
  }

  private func table(_ caption: String, _ rows: [GateRow], _ page: inout PageWriter) {
    guard !rows.isEmpty else { return }
    page.table(
      caption: caption, head: ["verdict", "what", "metric", ""], numbers: 0,
      rows: rows.prefix(Self.mostRows).map {
        [$0.word + ($0.isAdvisory ? " (advisory)" : ""), $0.id, $0.metric, $0.sentence]
      })
    guard rows.count > Self.mostRows else { return }
    page.element("p", "\(NumberText.grouped(rows.count - Self.mostRows)) more rows are in ci.json.")
  }

  private func machine(_ page: inout PageWriter) {
    page.section("Machine and file", id: "machine") { page in
      var rows = [[outcome.config, outcome.configHash], ["seed", "\(outcome.seed)"]]
      rows += outcome.scenes.map { ["scene \($0.name)", $0.hash] }
      if let environment = outcome.environment {
        rows += [
          ["processor", "\(environment.cpu), \(environment.cores) cores"], ["GL renderer", environment.renderer],
          ["GL version", environment.glVersion], ["comparable key", environment.comparableKey],
        ]
      }
      page.table(caption: "What was held to account, and on what", head: ["what", "value"], numbers: 0, rows: rows)
    }
  }
}
