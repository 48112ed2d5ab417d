/// What `porthole-bench compare` was asked for.
public struct CompareOptions: Sendable, Hashable {
  public var base: [String] = []
  public var head: [String] = []
  public var thresholds = Thresholds()
  /// Counters and metrics that no gate acts on.
  public var advisory: Set<String> = []
  /// A comparison that was made before: what it flags is a regression only where this one flags it too.
  public var confirmed: String?
  public var isStrict = false
  public var printsJSON = false
  /// Forms of the verdicts, and where they go; nothing is written without one.
  public var formats: [OutputFormat] = []
  public var outputFolder = "out/bench"

  /// Throws a sentence that names the option and what it expects.
  public init(_ arguments: [String]) throws(BenchError) {
    var files: [String] = []
    var rest = arguments[...]
    while let word = rest.popFirst() {
      guard word.hasPrefix("--") else {
        files.append(word)
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      if word == "--json" {
        printsJSON = true
      } else if word == "--strict" {
        isStrict = true
      } else if Self.names.contains(parts[0]) {
        guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
          throw BenchError(.usage, "\(parts[0]) needs a value.")
        }
        try set(parts[0], to: value)
      } else {
        throw BenchError(.usage, "there is no option \"\(word)\" for compare.")
      }
    }
    if base.isEmpty, head.isEmpty, files.count == 2 {
      (base, head) = ([files[0]], [files[1]])
    } else if base.isEmpty || head.isEmpty || !files.isEmpty {
      throw BenchError(
        .usage,
        "compare takes the base's result.json and the head's, or several of each by --base FILE and --head FILE.")
    }
  }

  private static let names: Set = [
    "--base", "--head", "--margin", "--tolerance", "--advisory", "--counter-budget", "--format", "--out",
    "--confirm",
  ]

  private mutating func set(_ name: String, to value: String) throws(BenchError) {
    switch name {
    case "--base": base.append(value)
    case "--head": head.append(value)
    case "--margin": thresholds.margin = try Self.share(name, value)
    case "--tolerance": thresholds.tolerance = try Self.share(name, value)
    case "--counter-budget": thresholds.counterBudget = try Self.share(name, value)
    case "--out": outputFolder = value
    case "--confirm": confirmed = value
    case "--format":
      formats = try OutputFormat.list(value)
      if let other = formats.first(where: { ![.md, .junit, .annotations, .json].contains($0) }) {
        throw BenchError(
          .usage, "--format of compare knows md, junit, annotations and json, but got \"\(other.rawValue)\".")
      }
    default: advisory.formUnion(value.split(separator: ",").map(String.init))
    }
  }

  private static func share(_ name: String, _ value: String) throws(BenchError) -> Double {
    guard let number = Double(value), number >= 0, number <= 1000 else {
      throw BenchError(.usage, "\(name) takes per cent from 0 to 1000, but got \"\(value)\".")
    }
    return number / 100
  }
}
