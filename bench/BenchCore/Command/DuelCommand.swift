import Foundation
import JSON

extension BenchTool {
  func duel(_ options: DuelOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    let folder = try ReportFolder(options.common.outputFolder)
    let scenes = URL(filePath: try SceneFolder.find(options.common.scenesFolder)).path(percentEncoded: false)
    for program in [options.base, options.head] where !FileManager.default.isExecutableFile(atPath: program) {
      throw BenchError(.report, "there is no program \(program); --base and --head take a build's porthole-bench.")
    }
    let absolute = { (path: String) in URL(filePath: path).path(percentEncoded: false) }
    var padding = SplitMix64(seed: options.common.seed &+ 1)
    let run = DuelRun(options: options, clock: SystemClock(), console: console) { arm throws(BenchError) in
      // The size of a process's variables moves its stack: by chance, it is on nobody's side.
      let size = padding.below(4096)
      return try DuelProcess(
        program: absolute(arm == .head ? options.head : options.base), counts: options.counts,
        shape: options.common.shape, scenes: scenes,
        variables: ["BENCH_PADDING": String(repeating: "x", count: size)], patience: 60)
    }
    let looks = SequentialLooks(alpha: options.thresholds.alpha)
    var look = 0
    var decided: Double?
    let record = run.run { record in
      guard let metric = options.metric ?? Self.metric(record), look < looks.parts.count - 1 else { return false }
      let part =
        options.restarts.map { Double(record.restarts.count) / Double($0) } ?? (record.seconds / options.seconds)
      guard part >= looks.parts[look], record.restarts.count >= DuelOptions.fewestRestarts else { return false }
      let level = looks.levels[look]
      look += 1
      guard DuelResult(record, options: options, metric: metric, level: level).exit.code == .regression else {
        return false
      }
      decided = level
      return true
    }
    let result = DuelResult(
      record, options: options, metric: options.metric ?? Self.metric(record) ?? .wall,
      level: decided ?? looks.levels.last)
    if options.common.requiresHardware, record.identities[.base]?.isSoftware ?? true {
      throw BenchError(.environment, "the sides draw by software, and --require-hardware was asked for.")
    }
    for line in result.lines { console.result(line) }
    for reason in result.exit.reasons where result.exit.code == .invalid { console.result("NOT VALID: \(reason)") }
    _ = try folder.write(result.json, "duel.json")
    if options.common.printsJSON { print(result.json.text, terminator: "") }
    return result.exit.code.rawValue
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
