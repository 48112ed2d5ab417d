import Foundation
import JSON

extension BenchTool {
  /// Measures in a process that this one looks after; a program that is none of the benchmark's measures by itself.
  func scale(_ asked: ScaleOptions) throws(BenchError) -> Int32 {
    var options = asked
    if let path = asked.confirmed { try options.keep(try Self.flags(path).map(\.id)) }
    let descriptor = options.printsJSON ? STDERR_FILENO : STDOUT_FILENO
    if let code = try kept(
      options.watch, budgetSeconds: options.budgetSeconds, watchdogSeconds: options.watchdogSeconds,
      colorOn: options.hasColor ? descriptor : nil)
    {
      return code
    }
    return try measure(options)
  }

  private func measure(_ options: ScaleOptions) throws(BenchError) -> Int32 {
    let console = Self.console(
      isJSON: options.printsJSON, hasColor: options.hasColor, forcesColor: options.forcesColor, isQuiet: options.isQuiet
    )
    let limit = RunLimit.ofProcess(options.deadlineSeconds)
    // Before minutes of measuring, not after.
    let folder = try ReportFolder(options.outputFolder)
    console.progress("opening the display")
    let stage = try LibraryStage(
      scenes: options.scene == nil ? try SceneFolder.find(options.scenesFolder) : "", shape: options.shape,
      server: options.server, user: options.scene)
    if options.requiresHardware, stage.environment.isSoftware {
      let sentence = EnvironmentRefusal.software(stage.environment)
      stage.close()
      throw BenchError(.environment, sentence)
    }
    let run = ScaleRun(
      options: options, stage: stage, clock: SystemClock(), console: console, limit: limit,
      sensor: SensorChoice.sensor(for: stage.environment),
      tell: options.watch.tell)
    let result = run.run(arguments: asked, started: Date.now.ISO8601Format())
    stage.close()

    for line in Closing.ratios(result) { console.detail(line) }
    console.detail("")
    for line in Summary(result).sentences { console.result(line) }
    for reason in result.exit.reasons { console.result("NOT VALID: \(reason)") }
    var written = try folder.write(result)
    for format in options.formats where !written.contains(where: { $0.hasSuffix("/" + format.fileName) }) {
      written.append(try folder.write(format.text(of: result), format.fileName))
    }
    console.detail("")
    console.detail("written: " + written.joined(separator: ", "))
    if options.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
  }
}
