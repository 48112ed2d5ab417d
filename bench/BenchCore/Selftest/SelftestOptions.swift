/// What `porthole-bench selftest` was asked for.
public struct SelftestOptions: Sendable, Hashable {
  public enum Kind: String, Sendable, CaseIterable {
    /// Equal things must not be told apart.
    case noise
    /// Changes that were put in must be found.
    case power
    /// Lines, intervals and bends must be where the truth is.
    case curves
    /// Faults that were put in must not pass.
    case mutants
    /// Counters must be the same on every repeat and with any number of the driver's threads.
    case counters

    var summary: String {
      switch self {
      case .noise: "equal things are not told apart, whatever the machine does"
      case .power: "changes that were put in are found in time, by their right sign"
      case .curves: "lines, intervals and bends are where the truth is"
      case .mutants: "faults that were put in never pass green"
      case .counters: "counters are the same on every repeat, with any number of the driver's threads"
      }
    }
  }

  public var kinds = Kind.allCases
  /// As many trials as the bars ask for, and runs on the real machine.
  public var isLong = false
  public var trials: Int?
  public var common = MeasureOptions()

  public init() {}

  public init(_ arguments: [String]) throws(BenchError) {
    let reader = try OptionReader(
      arguments, command: "selftest", flags: MeasureOptions.flags.union(["--long"]),
      values: MeasureOptions.values.subtracting(["--deadline"]).union(["--trials"]))
    let names = Kind.allCases.map(\.rawValue).joined(separator: ", ")
    if !reader.words.isEmpty, reader.words != ["all"] {
      kinds = []
      for word in reader.words.flatMap({ $0.split(separator: ",").map(String.init) }) {
        guard let kind = Kind(rawValue: word) else {
          throw BenchError(.usage, "selftest knows \(names) and all, but got \"\(word)\".")
        }
        kinds.append(kind)
      }
    }
    common = try MeasureOptions(reader)
    isLong = reader.has("--long")
    trials = try reader.whole("--trials", 10...100_000)
  }
}
