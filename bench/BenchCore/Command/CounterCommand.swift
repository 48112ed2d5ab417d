import Foundation
import JSON

extension BenchTool {
  /// Prints the counters, or holds them against a baseline.
  func counters(_ options: CounterOptions) throws(BenchError) -> Int32 {
    let ledger = try CounterLedger(scenes: try SceneFolder.find(options.scenesFolder))
    let lines = try ledger.lines()
    guard let path = options.baseline else {
      print(lines.joined(separator: "\n"))
      return ExitStatus.Code.ok.rawValue
    }
    guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
      throw BenchError(.report, "the baseline \(path) can't be read.")
    }
    let differences = CounterLedger.differences(lines, from: text.split(separator: "\n").map(String.init))
    for line in differences { print(line) }
    if differences.isEmpty { print("all \(lines.count) counters are those of \(path)") }
    return differences.isEmpty ? ExitStatus.Code.ok.rawValue : ExitStatus.Code.regression.rawValue
  }

  /// Counts the instructions of frames, and holds them against a baseline where there is one.
  func instructions(_ options: InstructionOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    guard let program = TimerChild.program else {
      throw BenchError(.environment, "instructions are counted of porthole-bench itself; run that program.")
    }
    let folder = try ReportFolder(options.common.outputFolder)
    // A file that can't be read is better known before minutes of counting.
    var base: InstructionResult?
    if let path = options.baseline {
      guard let data = FileManager.default.contents(atPath: path) else {
        throw BenchError(.baseline, "the baseline \(path) can't be read.")
      }
      base = try InstructionResult([UInt8](data), name: path)
    }
    let path = try Callgrind.find()
    let plain = options.common.outputFolder + "/callgrind.program"
    defer { try? FileManager.default.removeItem(atPath: plain) }
    let callgrind = Callgrind(
      path: path, program: try PlainProgram.copy(of: program, to: plain),
      scenes: try SceneFolder.find(options.common.scenesFolder),
      shape: options.common.shape,
      variables: options.keepsPins ? [:] : InstructionPins.variables(vectorBits: options.vectorBits),
      folder: options.common.outputFolder)
    var counts: [InstructionCount] = []
    var environment = ""
    for n in options.counts {
      var totals: [UInt64] = []
      for frames in options.frames {
        console.progress("counting N = \(n), \(frames) frames")
        let run = try callgrind.count(n: n, frames: frames)
        totals.append(run.total)
        environment = run.environment
        // Before more minutes go by.
        _ = try InstructionResult([], environment: environment)
      }
      counts.append(try InstructionCount(n: n, frames: options.frames, totals: totals))
    }
    console.progress(nil)
    let result = try InstructionResult(counts, environment: environment)
    _ = try folder.write(result.json, "instructions.json")
    for line in result.lines { console.result(line) }
    if options.common.printsJSON { print(result.json.text, terminator: "") }
    guard let base else { return ExitStatus.Code.ok.rawValue }
    let comparison = result.compared(with: base, tolerance: options.tolerance)
    for line in comparison.lines { console.result(line) }
    for reason in comparison.exit.reasons { console.result("FAILS: \(reason)") }
    return comparison.exit.code.rawValue
  }
}
