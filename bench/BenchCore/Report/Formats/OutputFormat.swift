import JSON

/// A form that a result can be written in.
public enum OutputFormat: String, Sendable, CaseIterable {
  case text, json, ndjson, csv, md, html, junit, bmf
  case githubAction = "gha-custom"
  case annotations
  case gbench, trace, svg

  /// The file that it goes to, in the folder of `--out`.
  public var fileName: String {
    switch self {
    case .text: "result.txt"
    case .json: "result.json"
    case .ndjson: "result.ndjson"
    case .csv: "result.csv"
    case .md: "summary.md"
    case .html: "report.html"
    case .junit: "junit.xml"
    case .bmf: "bencher.json"
    case .githubAction: "github-action-benchmark.json"
    case .annotations: "annotations.txt"
    case .gbench: "gbench.json"
    case .trace: "trace.json"
    case .svg: "scale.svg"
    }
  }

  /// A pure function of the result: the same file gives the same bytes, wherever.
  public func text(of result: BenchmarkResult) -> String {
    switch self {
    case .text: Summary(result).sentences.map { $0 + "\n" }.joined()
    case .json: result.json.text
    case .ndjson: CellTable(result).ndjson
    case .csv: CellTable(result).csv
    case .md: StepSummary.text(GateReport(result))
    case .html: ResultPage(result).text
    case .junit: JUnitReport.text(GateReport(result))
    case .bmf: TrackerFormats.bencher(result).text
    case .githubAction: TrackerFormats.githubAction(result).text
    case .annotations: Annotations.lines(GateReport(result)).map { $0 + "\n" }.joined()
    case .gbench: TrackerFormats.googleBenchmark(result).text
    case .trace: ChromeTrace.json(result).line
    case .svg: ScalePlot(result).document().text
    }
  }

  /// Of verdicts alone, without a result: nil for a form that needs one.
  public func text(of report: GateReport) -> String? {
    switch self {
    case .md: StepSummary.text(report)
    case .junit: JUnitReport.text(report)
    case .annotations: Annotations.lines(report).map { $0 + "\n" }.joined()
    default: nil
    }
  }

  /// Of a list with commas. Throws a sentence that says which are known.
  public static func list(_ text: String) throws(BenchError) -> [OutputFormat] {
    var formats: [OutputFormat] = []
    for part in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let format = OutputFormat(rawValue: String(part)) else {
        let names = allCases.map(\.rawValue).joined(separator: ", ")
        throw BenchError(.usage, "--format knows \(names), but got \"\(part)\".")
      }
      if !formats.contains(format) { formats.append(format) }
    }
    return formats
  }
}
