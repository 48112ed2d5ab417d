/// What the command line asks for.
public enum Command: Sendable, Hashable {
  case scale(ScaleOptions)
  case run(FeatureOptions)
  case bars(BarOptions)
  case counters(CounterOptions)
  case doctor(DoctorOptions)
  case ab(ArmOptions)
  case baseline(BaselineOptions)
  case history(HistoryOptions)
  case ci(GateOptions)
  case report(ReportOptions)
  case merge(MergeOptions)
  case duel(DuelOptions)
  /// A side of a duel.
  case duelWorker([String])
  /// The GPU timer's proof, in a process of its own.
  case timerProof
  case instructions(InstructionOptions)
  /// The process whose instructions are counted.
  case instructionWorker([String])
  /// One of the peers of `bench/peers`.
  case peer([String])
  case server(ServerBenchOptions)
  case compare(CompareOptions)
  case selftest(SelftestOptions)
  case calibrate(CalibrateOptions)
  case explain(ExplainOptions)
  case bisect(BisectOptions)
  case list(isJSON: Bool)
  /// Of one command, or of all.
  case help(String?)
  case version

  /// `arguments` without the program's name. Throws a sentence that says what is wrong.
  public static func parse(_ arguments: [String]) throws(BenchError) -> Command {
    if arguments.prefix(while: { $0 != "--" }).contains(where: { $0 == "--help" || $0 == "-h" }) {
      return .help(arguments.first.flatMap { name in HelpTopic.all.first { $0.command == name }?.command })
    }
    guard let name = arguments.first else { return .help(nil) }
    let rest = Array(arguments.dropFirst())
    if name.hasPrefix("--target") { return .scale(try ScaleOptions(arguments)) }
    switch name {
    case "scale": return .scale(try ScaleOptions(rest))
    case "run" where rest.first?.hasPrefix("--") ?? false: return .scale(try ScaleOptions.single(rest))
    case "run": return .run(try FeatureOptions(rest))
    case "bars": return .bars(try BarOptions(rest))
    case "counters" where rest.contains("--instructions"): return .instructions(try InstructionOptions(rest))
    case InstructionWorker.command: return .instructionWorker(rest)
    case "counters": return .counters(try CounterOptions(rest))
    case "report": return .report(try ReportOptions(rest))
    case "merge": return .merge(try MergeOptions(rest))
    case "baseline": return .baseline(try BaselineOptions(rest))
    case "history": return .history(try HistoryOptions(rest))
    case "ci": return .ci(try GateOptions(rest))
    case "ab": return .ab(try ArmOptions(rest))
    case "duel": return .duel(try DuelOptions(rest))
    case DuelService.command: return .duelWorker(rest)
    case "doctor": return .doctor(try DoctorOptions(rest))
    case TimerChild.command: return .timerProof
    case "peer": return .peer(rest)
    case "server": return .server(try ServerBenchOptions(rest))
    case "compare": return .compare(try CompareOptions(rest))
    case "explain": return .explain(try ExplainOptions(rest))
    case "bisect": return .bisect(try BisectOptions(rest))
    case "calibrate": return .calibrate(try CalibrateOptions(rest))
    case "selftest": return .selftest(try SelftestOptions(rest))
    case "list":
      let reader = try OptionReader(rest, command: "list", flags: ["--json"], values: [])
      try reader.refuseWords()
      return .list(isJSON: reader.has("--json"))
    case "help":
      guard let topic = rest.first else { return .help(nil) }
      guard rest.count == 1, HelpTopic.all.contains(where: { $0.command == topic }) else { throw unknown(topic) }
      return .help(topic)
    case "version", "--version":
      if let extra = rest.first { throw BenchError(.usage, "\(name) takes no argument, but got \"\(extra)\".") }
      return .version
    default: throw unknown(name)
    }
  }

  private static func unknown(_ name: String) -> BenchError {
    let names = HelpTopic.all.map(\.command)
    return BenchError(
      .usage,
      "there is no command \"\(name)\"; there are \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "").")
  }
}
