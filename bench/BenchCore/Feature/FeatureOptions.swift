/// What `porthole-bench run` was asked for.
public struct FeatureOptions: Sendable, Hashable {
  public var suites = FeatureSuite.allCases
  public var budgetSeconds = 60.0
  public var rounds: Int?
  public var seed: UInt64 = 1
  public var shape = OutputShape()
  public var outputFolder = "out/bench"
  public var scenesFolder: String?
  /// The run ends by then, in seconds from its beginning, with what there is.
  public var deadlineSeconds: Double?
  public var watch = Watch()
  public var printsJSON = false
  public var isQuiet = false

  public init() {}

  /// Throws a sentence that names the option and what it expects.
  public init(_ arguments: [String]) throws(BenchError) {
    guard let name = arguments.first, !name.hasPrefix("-") else {
      throw BenchError(.usage, "run needs a suite: all, or some of \(Self.names) with commas between them.")
    }
    if name != "all" {
      var chosen: Set<FeatureSuite> = []
      for part in name.split(separator: ",", omittingEmptySubsequences: false) {
        guard let suite = FeatureSuite(rawValue: String(part)) else {
          throw BenchError(
            .usage, "run knows \(Self.names), but got \"\(part)\"; portal-grid and portal-window are suites of scale.")
        }
        chosen.insert(suite)
      }
      suites = FeatureSuite.allCases.filter(chosen.contains)
    }
    var rest: [String] = []
    for argument in arguments.dropFirst() {
      switch argument {
      case "--json": printsJSON = true
      case "--quiet": isQuiet = true
      case "--supervised": watch.isKept = true
      default: rest.append(argument)
      }
    }
    // What both commands know is read by one.
    let known = [
      "--budget", "--seconds", "--rounds", "--seed", "--size", "--scale", "--out", "--scenes", "--deadline", "--lost",
    ]
    for argument in rest where argument.hasPrefix("--") {
      let option = argument.split(separator: "=", maxSplits: 1).first.map(String.init) ?? argument
      guard known.contains(option) else { throw BenchError(.usage, "there is no option \"\(argument)\" for run.") }
    }
    var shared = ScaleOptions()
    shared.budgetSeconds = budgetSeconds
    shared = try ScaleOptions(rest, from: shared)
    (budgetSeconds, rounds, seed, shape) = (shared.budgetSeconds, shared.rounds, shared.seed, shared.shape)
    deadlineSeconds = shared.deadlineSeconds
    watch.lost = shared.watch.lost
    (outputFolder, scenesFolder) = (shared.outputFolder, shared.scenesFolder)
  }

  private static var names: String { FeatureSuite.allCases.map(\.rawValue).joined(separator: ", ") }
}
