/// What `porthole-bench bars` was asked for.
public struct BarOptions: Sendable, Hashable {
  /// Fewer N, fewer rounds; what takes long is left out.
  public var isShort = false
  public var rounds: Int?
  /// Only bars with this in their names are timed; of the stages all are, or none.
  public var only: String?
  public var seed: UInt64 = 1
  public var outputFolder = "out/bench"
  public var scenesFolder: String?
  /// What `bench/peers/run` wrote; looked for in the output folder.
  public var peersFile: String?
  public var printsJSON = false

  public init() {}

  /// Throws a sentence that names the option and what it expects.
  public init(_ arguments: [String]) throws(BenchError) {
    var rest = arguments[...]
    while let argument = rest.popFirst() {
      switch argument {
      case "--short": isShort = true
      case "--json": printsJSON = true
      case "--rounds", "--seed", "--out", "--scenes", "--peers", "--only":
        guard let value = rest.popFirst(), !value.isEmpty else {
          throw BenchError(.usage, "\(argument) needs a value.")
        }
        try set(argument, to: value)
      default: throw BenchError(.usage, "there is no option \"\(argument)\" for bars.")
      }
    }
  }

  private mutating func set(_ name: String, to value: String) throws(BenchError) {
    switch name {
    case "--rounds":
      guard let number = Int(value), (1...1000).contains(number) else {
        throw BenchError(.usage, "--rounds takes a number from 1 to 1000, but got \"\(value)\".")
      }
      rounds = number
    case "--seed":
      guard let number = UInt64(value) else {
        throw BenchError(.usage, "--seed takes a whole number from 0, but got \"\(value)\".")
      }
      seed = number
    case "--out": outputFolder = value
    case "--scenes": scenesFolder = value
    case "--only": only = value
    default: peersFile = value
    }
  }
}
