/// What `porthole-bench server` was asked for.
public struct ServerBenchOptions: Sendable, Hashable {
  public var clients = [1, 4, 16]
  /// Changed layers of one commit.
  public var layers = [1, 100, 1000, 10_000]
  public var portals = [1, 16, 256, 1024]
  /// Frames, or commits, of each cell.
  public var frames = 60
  /// Starts of the server.
  public var starts = 5
  /// `portholed`; nil for the one beside the program.
  public var program: String?
  public var outputFolder = "out/bench"
  public var printsJSON = false

  public init() {}

  /// Throws a sentence that names the option and what it expects.
  public init(_ arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    while let word = rest.popFirst() {
      if word == "--json" {
        printsJSON = true
        continue
      }
      let parts = word.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
      let name = parts.first ?? word
      guard Self.names.contains(name) else { throw BenchError(.usage, "there is no option \"\(name)\" for server.") }
      guard let value = parts.count > 1 ? parts[1] : rest.popFirst(), !value.isEmpty else {
        throw BenchError(.usage, "\(name) needs a value.")
      }
      switch name {
      case "--clients": clients = try Self.numbers(name, value, 1...64)
      case "--layers": layers = try Self.numbers(name, value, 1...20_000)
      case "--n": portals = try Self.numbers(name, value, 1...4096)
      case "--frames": frames = try Self.numbers(name, value, 1...10_000).last ?? 60
      case "--server": program = value
      default: outputFolder = value
      }
    }
  }

  private static let names: Set = ["--clients", "--layers", "--n", "--frames", "--server", "--out"]

  /// Rising, each once.
  private static func numbers(
    _ name: String, _ value: String, _ range: ClosedRange<Int>
  ) throws(BenchError) -> [Int] {
    let parts = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
    let numbers = parts.compactMap { $0 }
    guard numbers.count == parts.count, numbers.allSatisfy(range.contains) else {
      throw BenchError(
        .usage, "\(name) takes numbers from \(range.lowerBound) to \(range.upperBound), but got \"\(value)\".")
    }
    return Array(Set(numbers)).sorted()
  }
}
