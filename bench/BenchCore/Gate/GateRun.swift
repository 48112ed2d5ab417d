import Foundation
import GLES
import JSON

/// `porthole-bench ci`: the tiers one after the other, the surest and fastest first. What is known is written after each, so
/// that a run which is ended early leaves what it found, marked as not complete.
final class GateRun {
  let config: GateConfig
  let options: GateOptions
  let console: Console
  let folder: ReportFolder
  let clock = SystemClock()
  private(set) var outcome: GateOutcome
  private let beginning: UInt64
  private var stages: [String: LibraryStage] = [:]
  private let save: (GateOutcome) throws(BenchError) -> Void

  init(
    config: GateConfig, options: GateOptions, outcome: GateOutcome, folder: ReportFolder, console: Console,
    save: @escaping (GateOutcome) throws(BenchError) -> Void
  ) {
    (self.config, self.options, self.outcome, self.folder) = (config, options, outcome, folder)
    (self.console, self.save) = (console, save)
    beginning = clock.monotonicNanoseconds
  }

  private var elapsed: Double { Double(clock.monotonicNanoseconds &- beginning) / 1e9 }
  var secondsLeft: Double { outcome.budgetSeconds - elapsed }

  /// Throws where nothing can be written.
  func run() throws(BenchError) -> GateOutcome {
    defer { for stage in stages.values { stage.close() } }
    do throws(BenchError) {
      try measure()
      outcome.isComplete = true
    } catch {
      outcome.failure = (error.exitCode, error.description)
    }
    try keep()
    return outcome
  }

  private func measure() throws(BenchError) {
    if config.exact.gate != .off { try tier(.exact, blocks: config.exact.gate == .blocking, exact) }
    let needsStage = config.time.gate != .off && (!config.time.pairs.isEmpty || base != nil)
    if needsStage || config.hasReport || config.gpu == .required || options.common.requiresHardware {
      outcome.environment = try stage(nil).environment
      try stage(nil).require(hardware: options.common.requiresHardware)
    }
    if config.instructions.gate != .off {
      try tier(.instructions, blocks: config.instructions.gate == .blocking, instructions)
    }
    if let environment = outcome.environment, needsStage || config.gpu == .required { try times(environment) }
    if config.hasReport { try tier(.report, blocks: true, report) }
  }

  private func keep() throws(BenchError) {
    outcome.durationSeconds = elapsed
    try save(outcome)
  }

  private func tier(
    _ name: GateTier.Name, blocks: Bool, _ work: (inout GateTier) throws(BenchError) -> Void
  ) throws(BenchError) {
    let begin = elapsed
    var tier = GateTier(name, isBlocking: blocks)
    console.progress("\(name.rawValue)…")
    do throws(BenchError) {
      try work(&tier)
    } catch {
      // A tier that breaks down is never green, and the others are still told of.
      tier.add(error.exitCode, error.description, id: name.rawValue, metric: "tier")
    }
    tier.seconds = elapsed - begin
    outcome.tiers.append(tier)
    console.progress(nil)
    console.result(tier.line)
    for row in GateRow.ranked(tier.rows)
    where ![.passed, .improved].contains(row.state) || row.sentence.hasPrefix("new") {
      console.detail("  \(row.word) \(row.id) \(row.metric): \(row.sentence)")
    }
    for note in tier.notes { console.detail("  \(note)") }
    try keep()
  }

  // Tier 1.

  private func exact(_ tier: inout GateTier) throws(BenchError) {
    if let switches = ProcessInfo.processInfo.environment["PORTHOLE_DEBUG"], !switches.isEmpty {
      tier.add(
        .environment, "PORTHOLE_DEBUG is “\(switches)”, which changes what frames do; unset it", id: "exact",
        metric: "surroundings")
      return
    }
    let counted = try GateLedger(
      config: config,
      scenesFolder: config.exact.suites.isEmpty ? nil : try SceneFolder.find(options.common.scenesFolder),
      watch: options.common.watch
    ).count()
    outcome.scenes = counted.scenes
    let today = String(Date.now.ISO8601Format().prefix(10))
    let now = CounterBaseline(entries: counted.entries, created: today, commit: BenchTool.commit())
    _ = try folder.write(now.text, "counters.txt")
    for fault in counted.faults {
      tier.add(.invalid, "\(fault.id): \(fault.sentence)", id: fault.id, metric: "picture")
    }
    for picture in counted.pictures {
      tier.rows.append(GateRow(id: picture.id, metric: "picture", state: .passed, sentence: picture.sentence))
    }
    GateVerdicts.judge(counted.entries, of: config.exact, into: &tier, today: today) { path throws(BenchError) in
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        throw BenchError(
          .baseline, "the baseline \(path) can't be read; counters.txt of this run, reviewed, can be the first.")
      }
      return try CounterBaseline(text, name: path)
    }
  }

  // Tier 1b.

  private func instructions(_ tier: inout GateTier) throws(BenchError) {
    guard let baseline = config.instructions.baseline else { return }
    let (code, lines) = try child(
      [
        "counters", "--instructions", "--n", config.instructions.counts.map(String.init).joined(separator: ","),
        "--check", baseline, "--tolerance", NumberText.shortest(config.instructions.tolerance * 100), "--quiet",
      ], within: max(60, secondsLeft))
    GateVerdicts.judge(instructions: lines, code, into: &tier)
  }

  // Tiers 2 and 3.

  private var base: String? { options.base ?? config.time.base }

  private func times(_ environment: RunEnvironment) throws(BenchError) {
    let isTimed = environment.timer.isValid && config.gpu != .off
    let blocks = isTimed ? config.gpu != .advisory : config.time.gate == .blocking
    let metric: Metric = isTimed ? .gpu : environment.isSoftware ? .cpu : .wall
    try tier(isTimed ? .gpu : .time, blocks: blocks || config.gpu == .required) { tier throws(BenchError) in
      if config.gpu == .required, !environment.timer.isValid {
        tier.add(
          .environment, "GPU times are required, and there are none here: \(environment.timer.reason)", id: "gpu",
          metric: Metric.gpu.rawValue)
        return
      }
      if config.gpu != .off, !isTimed { tier.notes.append("no GPU times: \(environment.timer.reason)") }
      let reserve = config.hasReport ? GateRun.reportSeconds : 0
      for (index, pair) in config.time.pairs.enumerated() {
        let share = (secondsLeft - reserve) / Double(config.time.pairs.count - index + (base == nil ? 0 : 3))
        try measure(pair, metric, seconds: min(pair.seconds, share), &tier)
      }
      if let base { try duel(base, metric, seconds: secondsLeft - reserve, &tier) }
    }
  }

  /// Nil: the benchmark's own scene, or, without one at hand, the first of the repository's.
  private func stage(_ scene: String?) throws(BenchError) -> LibraryStage {
    if let known = stages[scene ?? ""] { return known }
    let user = config.scenes.first { $0.name == scene }?.user
    let own = user == nil ? try? SceneFolder.find(options.common.scenesFolder) : nil
    let made = try LibraryStage(
      scenes: own ?? "", shape: config.shape, user: user ?? (own == nil ? config.scenes.first?.user : nil))
    stages[scene ?? ""] = made
    return made
  }

  private func measure(
    _ pair: GateConfig.Pair, _ metric: Metric, seconds: Double, _ tier: inout GateTier
  ) throws(BenchError) {
    guard seconds >= 1 else {
      tier.rows.append(
        GateRow(
          id: pair.name, metric: metric.rawValue, state: .unclear,
          sentence: "there was no time left for it in the budget"))
      inconclusive(&tier, "\(pair.name): there was no time left for it in the budget")
      return
    }
    var row: GateRow
    do throws(BenchError) {
      row = try compare(pair, metric, seconds: seconds, seed: config.seed)
      // Before it fails anybody's change, it is seen twice.
      if row.state == .failed {
        row = GatePairs.confirmed(row, by: try compare(pair, metric, seconds: seconds, seed: config.seed &+ 1))
      }
    } catch {
      guard error.code == .crashed else { throw error }
      row = GateRow(id: pair.name, metric: metric.rawValue, state: .invalid, sentence: error.description)
    }
    tier.rows.append(row)
    let sentence = "\(pair.name), \(row.metric): \(row.sentence)"
    switch row.state {
    case .invalid: tier.found.append((.invalid, sentence))
    case .failed: tier.found.append((.regression, sentence))
    case .unclear: inconclusive(&tier, sentence)
    default: break
    }
  }

  private func compare(
    _ pair: GateConfig.Pair, _ metric: Metric, seconds: Double, seed: UInt64
  ) throws(BenchError) -> GateRow {
    console.progress("\(pair.name)")
    try options.common.watch.enter("pair \(pair.name)")
    let stage = try stage(pair.scene)
    var arms = ArmOptions(a: pair.a, b: pair.b)
    (arms.seconds, arms.metric, arms.common.seed, arms.common.shape) = (seconds, metric, seed, config.shape)
    arms.thresholds.margin = pair.atMost - 1
    // The chance of a false alarm is of all pairs together.
    arms.thresholds.alpha /= Double(config.time.pairs.count)
    let comparison = try ArmRun(options: arms, environment: stage.environment, clock: clock).run(
      try stage.contender(pair.a, shape: config.shape), try stage.contender(pair.b, shape: config.shape))
    return GatePairs.row(pair, comparison, level: arms.thresholds.alpha)
  }

  /// Fails only where that was asked for, and is told in any case.
  private func inconclusive(_ tier: inout GateTier, _ sentence: String) {
    if options.common.isStrict { tier.found.append((.inconclusive, sentence)) } else { tier.notes.append(sentence) }
  }

  private func duel(
    _ base: String, _ metric: Metric, seconds: Double, _ tier: inout GateTier
  ) throws(BenchError) {
    guard seconds >= 20 else {
      inconclusive(
        &tier, "a duel with \(base) takes 20 s or more, and \(NumberText.fixed(max(0, seconds), 0)) were left")
      return
    }
    guard let program = TimerChild.program else {
      throw BenchError(
        .environment, "two builds are held against each other by porthole-bench itself; run that program.")
    }
    let time = config.time
    var words = [
      "duel", "--base", base, "--head", program, "--n", time.counts.map(String.init).joined(separator: ","),
      "--seconds",
      NumberText.fixed(seconds - 5, 0), "--metric", metric.rawValue, "--margin",
      NumberText.shortest(time.margin * 100), "--tolerance", NumberText.shortest(time.tolerance * 100), "--seed",
      "\(config.seed)", "--size", "\(config.shape.width)x\(config.shape.height)", "--scale",
      NumberText.shortest(config.shape.scale), "--quiet",
    ]
    if time.hasControl { words.append("--control") }
    if options.common.isStrict { words.append("--strict") }
    // The pictures and starts of a duel take their own time; twice as long is a hang.
    let (code, lines) = try child(words, within: seconds * 2 + 60)
    for line in lines where line.hasPrefix("portal-grid/") {
      let state: GateRow.State =
        line.contains(": regressed") ? .failed : line.contains(": inconclusive") ? .unclear : .passed
      tier.rows.append(
        GateRow(
          id: "duel: " + line.prefix { $0 != ":" }, metric: metric.rawValue,
          state: code == .regression || code == .ok || code == .inconclusive ? state : .invalid, sentence: line))
    }
    guard code != .ok else { return }
    tier.found.append((code, "duel with \(base): " + (lines.last ?? "it ended with code \(code.rawValue)")))
    if !lines.contains(where: { $0.hasPrefix("portal-grid/") }) {
      tier.rows.append(
        GateRow(id: "duel", metric: metric.rawValue, state: .invalid, sentence: lines.last ?? "nothing was measured"))
    }
  }

  /// A command of this program in a process of its own: what ends it ends nothing else.
  private func child(
    _ words: [String], within seconds: Double
  ) throws(BenchError) -> (code: ExitStatus.Code, lines: [String]) {
    guard let program = TimerChild.program else {
      throw BenchError(.environment, "ci starts porthole-bench itself; run that program.")
    }
    var arguments = words + ["--out", options.common.outputFolder]
    if let scenes = options.common.scenesFolder { arguments += ["--scenes", scenes] }
    let child = try ChildProcess(program, arguments)
    guard let lines = child.readAll(within: seconds) else {
      return (.invalid, ["\(words[0]) did not end within \(NumberText.fixed(seconds, 0)) s"])
    }
    switch child.end() {
    case .exit(let code):
      return (ExitStatus.Code(rawValue: code) ?? .toolError, lines)
    case .signal(let number): return (.invalid, lines + ["\(words[0]) was ended by signal \(number)"])
    }
  }

  // The curve of cost, and where it stands among those before.

  static let reportSeconds = 25.0

  private func report(_ tier: inout GateTier) throws(BenchError) {
    guard secondsLeft >= 6 else {
      tier.notes.append("no curve of cost: \(NumberText.fixed(max(0, secondsLeft), 0)) s of the budget were left")
      return
    }
    var scale = ScaleOptions.automatic
    try options.common.watch.enter("report")
    scale.budgetSeconds = min(Self.reportSeconds, secondsLeft - 2)
    (scale.seed, scale.shape) = (config.seed, config.shape)
    let result = ScaleRun(options: scale, stage: try stage(nil), clock: clock, console: console.silent).run(
      arguments: outcome.arguments, started: outcome.started)
    tier.rows = GateReport(result).rows
    tier.notes = Summary(result).sentences
    tier.found = result.exit.reasons.map { (result.exit.code, $0) }
    _ = try folder.write(result)
    for format in [OutputFormat.csv, .ndjson, .bmf, .githubAction, .gbench, .trace] {
      _ = try folder.write(format.text(of: result), format.fileName)
    }
    if let path = config.history { try history(result, path) }
  }

  /// What changed for good, were this run added; nothing is added here.
  private func history(_ result: BenchmarkResult, _ path: String) throws(BenchError) {
    guard result.exit.code == .ok else { return }
    try tier(.history, blocks: false) { tier throws(BenchError) in
      let lines = try HistoryFile.lines(result)
      _ = try folder.write(lines, "history.ndjson")
      guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
        tier.notes.append("there is no history \(path) yet; history add makes one")
        return
      }
      let history = try HistoryFile(text + lines, name: path)
      for change in history.changes() {
        tier.rows.append(
          GateRow(
            id: change.id, metric: change.metric, state: change.point.after > change.point.before ? .failed : .improved,
            sentence: "since \(change.started): \(NumberText.significant(change.point.before, 3)) became "
              + NumberText.significant(change.point.after, 3), isAdvisory: true))
      }
    }
  }
}
