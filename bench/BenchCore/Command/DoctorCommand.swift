import GLES
import JSON

extension BenchTool {
  func doctor(_ options: DoctorOptions) throws(BenchError) -> Int32 {
    let console = Self.console(isJSON: options.common.printsJSON, isQuiet: options.common.isQuiet)
    console.progress("opening the display")
    let stage = try LibraryStage(
      scenes: try SceneFolder.find(options.common.scenesFolder), shape: options.common.shape)
    defer { stage.close() }
    let report = try doctorReport(options, stage: stage, console: console)
    for line in report.lines { console.result(line) }
    if options.common.printsJSON { print(report.json.text, terminator: "") }
    return report.exit.code.rawValue
  }

  /// Everything of it that is drawn is gone when it returns.
  private func doctorReport(
    _ options: DoctorOptions, stage: LibraryStage, console: Console
  ) throws(BenchError) -> DoctorReport {
    func contender(_ instrument: InstrumentedContender.Instrument) throws(BenchError) -> InstrumentedContender {
      try InstrumentedContender(instrument, n: options.count, scene: stage.scene, shape: options.common.shape)
    }
    let device = stage.device.report
    return try DoctorRun(options: options, stage: stage, clock: SystemClock(), console: console).run(
      displays: device.attempts.map { "\($0)" },
      capabilities: device.features.map {
        DoctorReport.Capability(name: $0.name, isPresent: $0.isPresent, note: $0.note)
      },
      instruments: [
        DoctorRun.Instrument(
          name: "the clock of the frame's stages", limit: 0.01,
          without: { () throws(BenchError) in try contender(.none) },
          with: { () throws(BenchError) in try contender(.stages) }),
        DoctorRun.Instrument(
          name: "passes timed one by one", limit: nil, without: { () throws(BenchError) in try contender(.none) },
          with: { () throws(BenchError) in try contender(.passes) }),
      ])
  }
}
