import JSON

extension BenchTool {
  /// Draws equal arms of each cell, and writes how small a change of it can be seen.
  func calibrate(_ options: CalibrateOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    let limit = RunLimit.ofProcess(options.common.deadlineSeconds)
    let folder = try ReportFolder(options.common.outputFolder)
    let stage = try LibraryStage(
      scenes: try SceneFolder.find(options.common.scenesFolder), shape: options.common.shape)
    defer { stage.close() }
    try stage.require(hardware: options.common.requiresHardware)
    let calibration = try calibration(of: stage, options, limit, console)
    for line in calibration.lines { console.result(line) }
    _ = try folder.write(calibration.json, "calibration.json")
    if options.common.printsJSON { print(calibration.json.text, terminator: "") }
    return calibration.exit.code.rawValue
  }

  private func calibration(
    of stage: LibraryStage, _ options: CalibrateOptions, _ limit: RunLimit, _ console: Console
  ) throws(BenchError) -> Calibration {
    let clock = SystemClock()
    let begin = clock.monotonicNanoseconds
    let stop = { limit.reason(after: Double(clock.monotonicNanoseconds - begin) / 1e9) }
    var random = SplitMix64(seed: options.common.seed)
    var measured: [(n: Int, rounds: PairedRounds?)] = []
    for n in options.counts {
      guard stop() == nil else {
        measured.append((n, nil))
        continue
      }
      console.progress("calibrating N = \(n)")
      let key = CellKey(suite: .portalGrid, strategy: .portal, n: n)
      let rounds = try PairedRounds.measure(
        try stage.contender(key), try stage.contender(key), clock: clock, random: &random, rounds: nil,
        seconds: options.seconds / Double(options.counts.count), fewest: 20, pairs: PairedRounds.mostPairs,
        sensor: SensorChoice.sensor(for: stage.environment), isDone: { _ in stop() != nil })
      measured.append((n, rounds))
    }
    console.progress(nil)
    return Calibration(
      environment: stage.environment, thresholds: options.thresholds, seed: options.common.seed, rounds: measured,
      interruption: stop())
  }
}
