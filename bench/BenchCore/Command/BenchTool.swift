import Foundation
import JSON

/// The command `porthole-bench`: arguments in, exit code out.
public struct BenchTool {
  private let arguments: [String]

  /// `arguments` without the program's name.
  public init(arguments: [String]) { self.arguments = arguments }

  public func run() -> Int32 {
    do {
      switch try Command.parse(arguments) {
      case .help: print(HelpText.usage)
      case .version: print("porthole-bench \(ToolIdentity.version)")
      case .list: print(HelpText.list)
      case .scale(let options): return try scale(options)
      case .server(let options): return try server(options)
      case .compare(let options): return try compare(options)
      }
      return ExitStatus.Code.ok.rawValue
    } catch {
      Self.complain(error.description)
      if error.code == .usage { Self.complain("try porthole-bench --help") }
      return (error.code == .usage ? ExitStatus.Code.usage : .toolError).rawValue
    }
  }

  private func scale(_ options: ScaleOptions) throws(BenchError) -> Int32 {
    let console = Self.console(options)
    // Before minutes of measuring, not after.
    let folder = try ReportFolder(options.outputFolder)
    console.progress("opening the display")
    let stage = try LibraryStage(
      scenes: try SceneFolder.find(options.scenesFolder), shape: options.shape, server: options.server)
    let run = ScaleRun(options: options, stage: stage, clock: SystemClock(), console: console)
    let result = run.run(arguments: arguments, started: Date.now.ISO8601Format())
    stage.close()

    for line in Closing.ratios(result) { console.detail(line) }
    console.detail("")
    for line in Summary(result).sentences { console.result(line) }
    for reason in result.exit.reasons { console.result("NOT VALID: \(reason)") }
    let written = try folder.write(result)
    console.detail("")
    console.detail("written: " + written.joined(separator: ", "))
    if options.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
  }

  private func server(_ options: ServerBenchOptions) throws(BenchError) -> Int32 {
    let folder = try ReportFolder(options.outputFolder)
    let result = try ServerRun(options: options) { Self.complain($0) }.run()
    let path = try folder.write(result)
    if options.printsJSON {
      print(result.json.text, terminator: "")
    } else {
      for line in result.lines { print(line) }
      print("written: \(path)")
    }
    return ExitStatus.Code.ok.rawValue
  }

  private func compare(_ options: CompareOptions) throws(BenchError) -> Int32 {
    let comparison = ResultComparison(
      base: try Self.results(options.base), head: try Self.results(options.head), thresholds: options.thresholds,
      advisory: options.advisory, isStrict: options.isStrict)
    if options.printsJSON {
      print(comparison.json.text, terminator: "")
    } else {
      for line in ComparisonText.lines(comparison) { print(line) }
      print(ComparisonText.summary(comparison))
    }
    return comparison.exit.code.rawValue
  }

  private static func results(_ paths: [String]) throws(BenchError) -> [RecordedResult] {
    var results: [RecordedResult] = []
    for path in paths {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw BenchError(.report, "\(path) can't be read.")
      }
      results.append(try RecordedResult([UInt8](data), name: path))
    }
    return results
  }

  private static func complain(_ sentence: String) { write("porthole-bench: \(sentence)\n") }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// With `--json` standard output holds the JSON alone, and the words go to standard error.
  private static func console(_ options: ScaleOptions) -> Console {
    let isTerminal = isatty(STDERR_FILENO) != 0
    let words = options.printsJSON ? STDERR_FILENO : STDOUT_FILENO
    let noColor = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return Console(
      output: { line in
        if options.printsJSON {
          write(line + "\n")
        } else {
          FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
      },
      progress: isTerminal ? { line in write("\r\u{1B}[2K" + (line ?? "")) } : nil,
      hasColor: options.hasColor && !noColor && isatty(words) != 0, isQuiet: options.isQuiet)
  }
}
