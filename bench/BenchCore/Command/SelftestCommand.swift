import JSON

extension BenchTool {
  /// Tries the benchmark itself, and exits with 1 where it does not keep what it promises.
  func selftest(_ options: SelftestOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    let folder = try ReportFolder(options.common.outputFolder)
    var bars: [SelftestBar] = []
    for kind in options.kinds {
      console.progress("selftest: \(kind.rawValue)")
      let found = try trials(kind, options)
      console.heading("\(kind.rawValue): \(kind.summary)")
      for bar in found { console.result(bar.line) }
      bars += found
    }
    console.progress(nil)
    let report = SelftestReport(seed: options.common.seed, bars: bars)
    console.result(report.summary)
    _ = try folder.write(report.json, "selftest.json")
    if options.common.printsJSON { print(report.json.text, terminator: "") }
    return report.exit.code.rawValue
  }

  private func trials(
    _ kind: SelftestOptions.Kind, _ options: SelftestOptions
  ) throws(BenchError) -> [SelftestBar] {
    let seed = options.common.seed
    let trials = options.trials
    switch kind {
    case .noise: return NoiseTrials(trials: trials ?? (options.isLong ? 1000 : 60), seed: seed).bars()
    case .power: return PowerTrials(trials: trials ?? (options.isLong ? 400 : 60), seed: seed).bars()
    case .curves: return CurveTrials(trials: trials ?? (options.isLong ? 1000 : 100), seed: seed).bars()
    case .mutants:
      return Mutant.bars(seed: seed) + PassTrials(trials: trials ?? (options.isLong ? 2000 : 200), seed: seed).bars()
    case .counters:
      return try CounterTrials(
        scenes: try SceneFolder.find(options.common.scenesFolder), repeats: trials ?? (options.isLong ? 100 : 3)
      ).bars()
    }
  }
}
