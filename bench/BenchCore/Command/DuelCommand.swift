import Foundation
import JSON

extension BenchTool {
  func duel(_ options: DuelOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    let folder = try ReportFolder(options.common.outputFolder)
    let result = try result(of: options, console: console)
    for line in result.lines { console.result(line) }
    for reason in result.exit.reasons where result.exit.code == .invalid { console.result("NOT VALID: \(reason)") }
    _ = try folder.write(result.json, "duel.json")
    if options.common.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
  }

  /// Two programs in lock-step.
  func result(of options: DuelOptions, console: Console) throws(BenchError) -> DuelResult {
    let limit = RunLimit.ofProcess(options.common.deadlineSeconds)
    let scenes = URL(filePath: try SceneFolder.find(options.common.scenesFolder)).path(percentEncoded: false)
    for program in [options.base, options.head] where !FileManager.default.isExecutableFile(atPath: program) {
      throw BenchError(.report, "there is no program \(program); --base and --head take a build's porthole-bench.")
    }
    let absolute = { (path: String) in URL(filePath: path).path(percentEncoded: false) }
    var padding = SplitMix64(seed: options.common.seed &+ 1)
    let run = DuelRun(options: options, clock: SystemClock(), console: console, limit: limit) {
      arm throws(BenchError) in
      // The size of a process's variables moves its stack: by chance, it is on nobody's side.
      let size = padding.below(4096)
      return try DuelProcess(
        program: absolute(arm == .head ? options.head : options.base), counts: options.counts,
        shape: options.common.shape, scenes: scenes,
        variables: ["BENCH_PADDING": String(repeating: "x", count: size)], patience: 60)
    }
    let result = run.decided { options.metric ?? Self.metric($0) }
    if options.common.requiresHardware, result.record.identities[.base]?.isSoftware ?? true {
      throw BenchError(.environment, "the sides draw by software, and --require-hardware was asked for.")
    }
    return result
  }

  /// As `RunEnvironment.leadingMetric` has it.
  private static func metric(_ record: DuelRecord) -> Metric? {
    guard let identity = record.identities[.base] else { return nil }
    let isTimed = record.identities.values.allSatisfy { $0.value("gl.timer.valid") == "true" }
    return isTimed ? .gpu : identity.isSoftware ? .cpu : .wall
  }
}

extension DuelIdentity {
  func value(_ name: String) -> String? { environment.first { $0.name == name }?.value }
  var isSoftware: Bool { value("gpu.software") == "true" }
}
