import Foundation
import GLES
import JSON

/// The command `porthole-bench`: arguments in, exit code out.
public struct BenchTool {
  let arguments: [String]
  private let allocations: (any AllocationCount)?

  /// `arguments` without the program's name.
  public init(arguments: [String], allocations: (any AllocationCount)? = nil) {
    self.arguments = arguments
    self.allocations = allocations
  }

  public func run() -> Int32 {
    do {
      switch try Command.parse(arguments) {
      case .help(let command):
        print(HelpTopic.all.first { $0.command == command }?.text ?? HelpTopic.overview)
      case .version: print("porthole-bench \(ToolIdentity.version)")
      case .list(let isJSON): print(isJSON ? Catalogue.json.text : Catalogue.text, terminator: isJSON ? "" : "\n")
      case .scale(let options): return try scale(options)
      case .run(let options): return try run(options)
      case .bars(let options): return try bars(options)
      case .counters(let options): return try counters(options)
      case .instructions(let options): return try instructions(options)
      case .instructionWorker(let words): print(try InstructionWorker.draw(words), terminator: "")
      case .report(let options): return try report(options)
      case .merge(let options): return try merge(options)
      case .baseline(let options): return try baseline(options)
      case .history(let options): return try history(options)
      case .ci(let options): return try ci(options)
      case .ab(let options): return try ab(options)
      case .duel(let options): return try duel(options)
      case .duelWorker(let words): try DuelService.serve(words)
      case .doctor(let options): return try doctor(options)
      case .timerProof: print(try TimerChild.prove(), terminator: "")
      case .peer(let words): try PeerService(words).run()
      case .server(let options): return try server(options)
      case .compare(let options): return try compare(options)
      case .explain(let options): return try explain(options)
      case .bisect(let options): return try bisect(options)
      case .calibrate(let options): return try calibrate(options)
      case .selftest(let options): return try selftest(options)
      }
      return ExitStatus.Code.ok.rawValue
    } catch {
      Self.complain(error.description)
      if error.code == .usage {
        let command = HelpTopic.all.first { $0.command == arguments.first }.map { $0.command + " " } ?? ""
        Self.complain("try porthole-bench \(command)--help")
      }
      return error.exitCode.rawValue
    }
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
    if !options.formats.isEmpty {
      let folder = try ReportFolder(options.outputFolder)
      for format in options.formats {
        let text = format.text(of: GateReport(comparison)) ?? comparison.json.text
        _ = try folder.write(text, format == .json ? "comparison.json" : format.fileName)
      }
    }
    guard let path = options.confirmed else { return comparison.exit.code.rawValue }
    let confirmation = Confirmation(try Self.flags(path), second: comparison)
    if !options.printsJSON { print(confirmation.line) }
    if !options.formats.isEmpty {
      _ = try ReportFolder(options.outputFolder).write(confirmation.json, "confirmation.json")
    }
    return confirmation.exit.code.rawValue
  }

  /// What a comparison's file flags.
  static func flags(_ path: String) throws(BenchError) -> [(id: String, metric: String)] {
    guard let data = FileManager.default.contents(atPath: path) else {
      throw BenchError(.report, "\(path) can't be read.")
    }
    return try Confirmation.flags([UInt8](data), name: path)
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

  private func run(_ options: FeatureOptions) throws(BenchError) -> Int32 {
    if let code = try kept(
      options.watch, budgetSeconds: options.budgetSeconds, watchdogSeconds: Self.silenceSeconds)
    {
      return code
    }
    let console = Self.console(isJSON: options.printsJSON, isQuiet: options.isQuiet)
    let folder = try ReportFolder(options.outputFolder)
    let scenes = try SceneFolder.find(options.scenesFolder)
    let stage = try LibraryStage(scenes: scenes, shape: options.shape)
    defer { stage.close() }
    let run = FeatureRun(
      options: options, scene: try BenchScene(folder: scenes), environment: stage.environment, clock: SystemClock(),
      console: console, limit: .ofProcess(options.deadlineSeconds))
    let result = run.run(arguments: asked, started: Date.now.ISO8601Format())
    for reason in result.exit.reasons { console.result("NOT VALID: \(reason)") }
    let path = try folder.write(result.json, "run.json")
    console.detail("")
    console.detail("written: \(path)")
    if options.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
  }

  private func bars(_ options: BarOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.printsJSON)
    let folder = try ReportFolder(options.outputFolder)
    let scene = try BenchScene(folder: try SceneFolder.find(options.scenesFolder))
    let device: Device
    do { device = try Device() } catch { throw BenchError(.renderer, "\(error)") }
    defer { device.shutdown() }
    let environment = RunEnvironment(device.report, timer: try TimerChild.verdict(on: device))
    console.result("\(environment.renderer), \(environment.cpu); portals in terms of each other way, CPU a frame")
    let bars = try BarRun(
      options: options, scene: scene, device: device, clock: SystemClock(), console: console, allocations: allocations
    ).run()
    let failing = bars.filter(\.fails)
    console.result(
      failing.isEmpty
        ? "all \(bars.count) bars hold" : "\(failing.count) of \(bars.count) bars fall short or were not measured")
    let json = JSONValue.object([
      ("schema", .string("porthole-bench/bars")), ("version", .integer(1)),
      ("started", .string(Date.now.ISO8601Format())), ("env", environment.json),
      ("bars", .array(bars.map(\.json))),
    ])
    _ = try folder.write(json, "bars.json")
    if options.printsJSON { print(json.text, terminator: "") }
    return failing.isEmpty ? ExitStatus.Code.ok.rawValue : ExitStatus.Code.toolError.rawValue
  }

  static func complain(_ sentence: String) { write("porthole-bench: \(sentence)\n") }

  private static func write(_ text: String) { FileHandle.standardError.write(Data(text.utf8)) }

  /// With `--json` standard output holds the JSON alone, and the words go to standard error.
  static func console(
    isJSON: Bool, hasColor: Bool = true, forcesColor: Bool = false, isQuiet: Bool = false
  ) -> Console {
    let isTerminal = isatty(STDERR_FILENO) != 0
    let words = isJSON ? STDERR_FILENO : STDOUT_FILENO
    return Console(
      output: { line in
        if isJSON {
          write(line + "\n")
        } else {
          FileHandle.standardOutput.write(Data((line + "\n").utf8))
        }
      },
      progress: isTerminal ? { line in write("\r\u{1B}[2K" + (line ?? "")) } : nil,
      hasColor: forcesColor || hasColor && hasColorTerminal(words), isQuiet: isQuiet)
  }

  static func hasColorTerminal(_ descriptor: Int32) -> Bool {
    let noColor = ProcessInfo.processInfo.environment["NO_COLOR"].map { !$0.isEmpty } ?? false
    return !noColor && isatty(descriptor) != 0
  }
}
