import Foundation
import JSON

extension BenchTool {
  /// The gate of a repository: every tier that its file asks for, and all reports of it.
  func ci(_ options: GateOptions) throws(BenchError) -> Int32 {
    let (path, bytes) = try Self.gateFile(options.config)
    let config = try GateConfig(bytes, name: path, folder: URL(filePath: path).deletingLastPathComponent().relativePath)
    let budget = options.budgetSeconds ?? config.budgetSeconds
    // What it starts itself, for duels and instructions, says nothing while it works.
    if let code = try kept(
      options.common.watch, budgetSeconds: budget, watchdogSeconds: 2 * budget + Self.silenceSeconds)
    {
      return code
    }
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    let folder = try ReportFolder(options.common.outputFolder)
    var outcome = GateOutcome(
      arguments: asked, config: path, configHash: SHA256.hex(bytes), seed: config.seed,
      started: Date.now.ISO8601Format(), budgetSeconds: budget)
    outcome.host = HostDescription(SystemFacts.current)
    let run = GateRun(
      config: config, options: options, outcome: outcome, folder: folder, console: console
    ) { outcome throws(BenchError) in try folder.write(outcome) }
    let result = try run.run()
    for reason in result.exit.reasons { console.result("FAILS: \(reason)") }
    for line in Annotations.lines(result.report) where result.host?.ci?.vendor == "github" {
      console.detail(line)
    }
    console.result(
      "\(StepSummary.headline(result.report)) (exit code \(result.exit.code.rawValue), "
        + "\(NumberText.fixed(result.durationSeconds, 1)) s); the reports are in \(options.common.outputFolder)")
    if options.common.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
  }

  private static func gateFile(_ named: String?) throws(BenchError) -> (path: String, bytes: [UInt8]) {
    let files = FileManager.default
    guard let path = named ?? GateOptions.names.first(where: files.fileExists(atPath:)) else {
      throw BenchError(
        .usage, "there is no porthole-bench.toml here, nor a porthole-bench.json; --config names another file.")
    }
    guard let data = files.contents(atPath: path) else { throw BenchError(.usage, "\(path) can't be read.") }
    return (path, [UInt8](data))
  }
}

extension ReportFolder {
  /// Every report of a gate's verdicts.
  fileprivate func write(_ outcome: GateOutcome) throws(BenchError) {
    _ = try write(outcome.json, "ci.json")
    let report = outcome.report
    for format in [OutputFormat.junit, .md, .annotations] {
      _ = try write(format.text(of: report) ?? "", format.fileName)
    }
    _ = try write(GatePage(outcome).text, "ci.html")
  }
}
