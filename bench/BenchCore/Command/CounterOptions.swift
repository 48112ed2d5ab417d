/// What `porthole-bench counters` was asked for.
public struct CounterOptions: Sendable, Hashable {
  /// A file of counters that these must be; nil prints them.
  public var baseline: String?
  public var scenesFolder: String?

  public init(_ arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      guard ["--check", "--scenes"].contains(argument) else {
        throw BenchError(.usage, "there is no option \"\(argument)\" for counters.")
      }
      guard let value = rest.popFirst(), !value.isEmpty else { throw BenchError(.usage, "\(argument) needs a value.") }
      if argument == "--check" { baseline = value } else { scenesFolder = value }
    }
  }
}
