import JSON

extension BenchTool {
  func ab(_ options: ArmOptions) throws(BenchError) -> Int32 {
    if let code = try kept(
      options.common.watch, budgetSeconds: options.seconds, watchdogSeconds: options.seconds + Self.silenceSeconds)
    {
      return code
    }
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    let limit = RunLimit.ofProcess(options.common.deadlineSeconds)
    let folder = try ReportFolder(options.common.outputFolder)
    let stage = try LibraryStage(
      scenes: try SceneFolder.find(options.common.scenesFolder), shape: options.common.shape)
    defer { stage.close() }
    try stage.require(hardware: options.common.requiresHardware)
    try options.common.watch.enter("\(options.a.id) and \(options.b.id)")
    console.progress("drawing \(options.a.id) and \(options.b.id) in turns")
    let comparison = try ArmRun(
      options: options, environment: stage.environment, clock: SystemClock(), limit: limit,
      sensor: SensorChoice.sensor(for: stage.environment)
    ).run(
      try stage.contender(options.a, shape: options.common.shape),
      try stage.contender(options.b, shape: options.common.shape))
    console.progress(nil)
    console.result(comparison.line)
    for reason in comparison.exit.reasons where comparison.exit.code == .invalid {
      console.result("NOT VALID: \(reason)")
    }
    if comparison.verdict == .inconclusive, let seconds = comparison.secondsToDecide {
      console.result("about \(NumberText.significant(seconds, 2)) s of rounds would decide")
    }
    _ = try folder.write(comparison.json, "ab.json")
    if options.common.printsJSON { print(comparison.json.text, terminator: "") }
    return comparison.exit.code.rawValue
  }
}

extension LibraryStage {
  func contender(_ arm: ArmSpec, shape: OutputShape) throws(BenchError) -> any Contender {
    switch arm {
    case .cell(let key): try contender(key)
    case .feature(let key): try SceneContender(try FeatureScene.make(key, scene: scene, size: shape.size), shape: shape)
    }
  }

  func require(hardware: Bool) throws(BenchError) {
    guard hardware, environment.isSoftware else { return }
    throw BenchError(.environment, EnvironmentRefusal.software(environment) + ".")
  }
}
