/// A run as one page of HTML that needs nothing else: no network, no script. A pure function of the result.
public struct ResultPage: Sendable {
  private let result: BenchmarkResult

  public init(_ result: BenchmarkResult) { self.result = result }

  public var text: String {
    var page = PageWriter()
    page.raw("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n")
    page.raw("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n")
    page.element("title", "What portals cost: \(result.environment.renderer)")
    page.raw("<style>\n\(PageStyle.sheet)\n</style>\n</head>\n<body>\n<main>\n")
    page.element("h1", "What portals cost")
    page.element("p", subtitle, class: "faint")
    verdict(&page)
    page.section("In words", id: "words") { page in
      page.raw("<div class=\"answers\">\n")
      page.list(Summary(result).sentences)
      page.raw("</div>\n")
    }
    page.section("Cost against N", id: "scaling") { page in
      page.figure(
        ScalePlot(result).document(),
        caption:
          "Median frame time, with a stroke up to the 95th percentile; dashed, the fitted line and its 95 % band.")
    }
    let forest = RatioForest(result)
    if !forest.isEmpty {
      page.section("Against the other ways", id: "ratios") { page in
        page.figure(forest.document(), caption: forest.caption)
      }
    }
    let drift = RoundDrift(result)
    if !drift.isEmpty {
      page.section("How steady the machine was", id: "rounds") { page in
        page.figure(drift.document(), caption: drift.caption)
      }
    }
    for suite in result.suites {
      page.section(suite.rawValue, id: suite.rawValue) { page in
        page.element("p", suite.summary + ".", class: "faint")
        cells(suite, &page)
      }
    }
    machine(&page)
    page.raw("</main>\n</body>\n</html>\n")
    return page.text
  }

  private var subtitle: String {
    let shape = result.shape
    return "\(result.environment.renderer) · \(result.environment.cpu), \(result.environment.cores) cores · "
      + "\(shape.width) × \(shape.height) points at scale \(NumberText.shortest(shape.scale)) · \(result.started) · "
      + "porthole-bench \(result.tool.version), \(result.tool.build)"
  }

  private func verdict(_ page: inout PageWriter) {
    let isGood = result.exit.code == .ok
    let measured = result.cells.count { $0.status == .ok }
    page.raw("<div class=\"verdict\(isGood ? "" : " bad")\" role=\"status\">")
    page.raw(
      PageWriter.escaped(
        isGood
          ? "Valid: \(measured) of \(result.planned.count) cells measured, and every picture that was looked at is right."
          : "NOT VALID (exit code \(result.exit.code.rawValue)). No number below is to be believed before this is mended."
      ))
    page.list(result.exit.reasons)
    page.raw("</div>\n")
  }

  private func cells(_ suite: Suite, _ page: inout PageWriter) {
    let cells = result.cells.filter { $0.key.suite == suite }
    let hasGPU = cells.contains { $0.rounds.contains { $0.gpuMilliseconds != nil } }
    let rows = cells.map { cell -> [String] in
      let walls = cell.wallFrames
      let isMeasured = cell.status == .ok
      let number = { (value: Double?) in isMeasured ? value.map { NumberText.significant($0, 3) } ?? "–" : "–" }
      let count = cell.counters
      let whole = { (value: Int?) in value.map { NumberText.grouped($0) } ?? "–" }
      return [cell.key.strategy.rawValue, isMeasured ? "" : "\(cell.status.rawValue): \(cell.reason ?? "")"]
        + [NumberText.grouped(cell.key.n), number(Quantile.median(cell.values(.cpu)))]
        + (hasGPU ? [number(Quantile.median(cell.values(.gpu)))] : [])
        + [number(Quantile.median(walls)), number(Quantile.of(walls, 0.95)), number(Quantile.of(walls, 0.99))]
        + [whole(count?.passes), whole(count?.batches), whole(count?.quads), whole(count?.layersVisited)]
        + [count.map { NumberText.fixed(Double($0.shadedPixels) / 1e6, 2) } ?? "–"]
    }
    let times = ["CPU ms"] + (hasGPU ? ["GPU ms"] : []) + ["wall p50", "p95", "p99"]
    let head = ["strategy", "note", "N"] + times + ["passes", "batches", "quads", "layers", "shaded Mpx"]
    page.table(caption: "A frame of each cell", head: head, numbers: head.count - 2, rows: rows)
  }

  private func machine(_ page: inout PageWriter) {
    let environment = result.environment
    page.section("Machine and method", id: "machine") { page in
      let pins = environment.pins.map { [$0.name, $0.value ?? "unset"] }
      page.table(
        caption: "What bears on the numbers", head: ["what", "value"], numbers: 0,
        rows: [
          ["processor", "\(environment.cpu), \(environment.cores) cores"], ["kernel", environment.kernel],
          ["C library", environment.host.libc], ["virtual machine", environment.host.virtualization],
          ["container", environment.host.container],
          ["GL vendor", environment.vendor], ["GL renderer", environment.renderer],
          ["GL version", environment.glVersion],
          ["GPU timer", (environment.timer.isValid ? "believed: " : "not believed: ") + environment.timer.reason],
          ["comparable key", environment.comparableKey], ["seed", "\(result.seed)"],
          ["duration", "\(NumberText.fixed(result.durationSeconds, 1)) s"],
        ] + pins)
      page.element(
        "p",
        "In each round every cell is drawn once, N in random order and the strategies of one N side by side. Intervals of "
          + "lines and medians come from drawing whole rounds again; those of ratios are Wilcoxon's, of the paired rounds."
      )
      page.list(result.notes)
      page.element("p", "To measure this again:")
      page.element("pre", "porthole-bench " + result.arguments.map(Self.quoted).joined(separator: " "))
    }
  }

  /// As a shell takes it.
  private static func quoted(_ argument: String) -> String {
    let plain = argument.unicodeScalars.allSatisfy { scalar in
      scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) || "-_=.,/:+".unicodeScalars.contains(scalar)
    }
    return plain && !argument.isEmpty ? argument : "'" + argument.replacing("'", with: "'\\''") + "'"
  }
}
