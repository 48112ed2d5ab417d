/// What `porthole-bench scale` was asked for.
public struct ScaleOptions: Sendable, Hashable {
  /// Rising, each once.
  public var counts = [1, 4, 16, 64, 256, 1024, 4096]
  /// Further N are chosen where they tell most.
  public var isAdaptive = false
  public var suites = Suite.allCases
  public var strategies = Strategy.allCases
  /// What portals are asked for beside their number, each in a sweep of its own in the same rounds.
  public var factors: [FactorLevel] = []
  /// Nil: as many as fit into the time.
  public var rounds: Int?
  /// For the whole command, in seconds, but for the last working out of intervals.
  public var budgetSeconds = 150.0
  public var seed: UInt64 = 1
  public var shape = OutputShape()
  public var outputFolder = "out/bench"
  /// Nil: looked for as `bench/scenes` beside and above the working folder and the program.
  public var scenesFolder: String?
  /// A scene of the user's own; nil for the benchmark's desk.
  public var scene: UserScene?
  /// Refuse a software renderer.
  public var requiresHardware = false
  /// Further forms of the result.
  public var formats: [OutputFormat] = []
  /// A comparison whose flagged cells alone are measured again.
  public var confirmed: String?
  /// A part of the plan; nil for all of it.
  public var shard: Shard?
  /// Nil: this process draws.
  public var server: Server?
  /// The run ends by then, in seconds from its beginning, with what there is; such a result is not complete.
  public var deadlineSeconds: Double?
  /// A process that draws nothing for so long is given up, and the cell that it was at.
  public var watchdogSeconds = 120.0
  public var watch = Watch()
  public var printsJSON = false
  public var hasColor = true
  /// Colours although standard output is no terminal.
  public var forcesColor = false
  public var isQuiet = false

  /// A render server that draws.
  public struct Server: Sendable, Hashable {
    /// `portholed`; nil takes the one beside this program.
    public var program: String?

    public init(program: String? = nil) { self.program = program }
  }

  /// A layer of a scene file that is shown N times.
  public struct UserScene: Sendable, Hashable {
    public var path: String
    public var layer: String
    /// The layer in it that moves; nil has the whole layer's opacity change.
    public var mover: String?

    public init(path: String, layer: String, mover: String? = nil) {
      (self.path, self.layer, self.mover) = (path, layer, mover)
    }
  }

  public init() {}

  /// What is swept over N, in order: each strategy, and portals with each factor.
  var series: [(strategy: Strategy, factor: FactorLevel?)] {
    strategies.flatMap { strategy in
      let levels: [FactorLevel?] = [nil] + (strategy == .portal ? factors : [])
      return levels.map { (strategy, $0) }
    }
  }

  /// An answer in half a minute: portals and the floor in one suite, N where they tell most.
  public static var automatic: ScaleOptions {
    var options = ScaleOptions()
    options.counts = [1, 4, 16, 64, 256, 1024]
    options.isAdaptive = true
    options.suites = [.portalGrid]
    options.strategies = [.portal, .floor]
    options.budgetSeconds = 25
    return options
  }
}

extension ScaleOptions {
  /// Limits that keep a slip of the finger from filling the memory.
  static let largestCount = 65_536
  static let largestSide = 16_384

  /// Throws a sentence that names the option and what it expects.
  public init(_ arguments: [String]) throws(BenchError) {
    let names = arguments.map { $0.split(separator: "=", maxSplits: 1).first.map(String.init) ?? $0 }
    let isAutomatic =
      names.firstIndex(of: "--n").map { index in
        arguments[index] == "--n=auto" || index + 1 < arguments.count && arguments[index + 1] == "auto"
      } ?? !names.contains("--full")
    try self.init(arguments, from: isAutomatic ? .automatic : ScaleOptions())
  }

  /// One N: a scene's portals, and what they take.
  static func single(_ arguments: [String]) throws(BenchError) -> ScaleOptions {
    var options = ScaleOptions()
    options.counts = [16]
    options.suites = [.portalGrid]
    options.strategies = [.portal]
    options.budgetSeconds = 10
    options = try ScaleOptions(arguments, from: options)
    guard options.counts.count == 1, !options.isAdaptive else {
      throw BenchError(.usage, "run takes one N, as in --n 16; scale takes several.")
    }
    return options
  }

  /// What the arguments don't say is as `defaults` has it.
  init(_ arguments: [String], from defaults: ScaleOptions) throws(BenchError) {
    self = defaults
    var rest = arguments[...]
    var namesStrategies = false
    var layerName: (layer: String?, mover: String?)
    while let argument = rest.popFirst() {
      var (name, value) = (argument, String?.none)
      if argument.hasPrefix("--"), let equals = argument.firstIndex(of: "=") {
        name = String(argument[..<equals])
        value = String(argument[argument.index(after: equals)...])
      }
      if try setFlag(name, hasValue: value != nil) { continue }
      guard Self.valueOptions.contains(name) else {
        throw BenchError(.usage, "there is no option \"\(name)\" for scale.")
      }
      namesStrategies = namesStrategies || name == "--strategies"
      guard let value = value ?? rest.popFirst() else { throw BenchError(.usage, "\(name) needs a value.") }
      switch name {
      case "--multiply": layerName.layer = value
      case "--move": layerName.mover = value
      default: try set(name, to: value)
      }
    }
    if let name = layerName.mover ?? layerName.layer, scene == nil {
      throw BenchError(.usage, "--multiply and --move name layers of a --scene, but there is none (\"\(name)\").")
    }
    if shard != nil, isAdaptive {
      throw BenchError(.usage, "--shard takes a plan that is known before, as --n LIST or --full; --n auto has none.")
    }
    if scene != nil {
      guard let layer = layerName.layer else {
        throw BenchError(.usage, "--scene needs --multiply, the name of the layer that is shown N times.")
      }
      scene?.layer = layer
      scene?.mover = layerName.mover
    }
    // What is worked out at the end takes time too.
    if let deadlineSeconds { budgetSeconds = min(budgetSeconds, max(1, deadlineSeconds * 0.85)) }
    if !factors.isEmpty, !strategies.contains(.portal) {
      throw BenchError(.usage, "--factor is about portals, and --strategies leaves them out.")
    }
    guard server != nil else { return }
    if namesStrategies, strategies.contains(.floor) {
      throw BenchError(.usage, "the floor is drawn without the library, so not by a server either.")
    }
    strategies.removeAll { $0 == .floor }
  }

  /// The points of these cells alone, of portals and of the floor beside them.
  public mutating func keep(_ identifiers: [String]) throws(BenchError) {
    let keys = identifiers.compactMap { CellKey(id: $0) }
    guard !keys.isEmpty else { throw BenchError(.report, "the comparison flags no cell: there is nothing to confirm.") }
    counts = Set(keys.map(\.n)).sorted()
    suites = Suite.allCases.filter { suite in keys.contains { $0.suite == suite } }
    let needed = Set(keys.map(\.strategy)).union([.floor])
    strategies = Strategy.allCases.filter(needed.contains)
    isAdaptive = false
  }

  private static let valueOptions: Set<String> = [
    "--n", "--suite", "--strategies", "--rounds", "--seconds", "--budget", "--seed", "--size", "--scale", "--out",
    "--scenes", "--target", "--server", "--scene", "--multiply", "--move", "--shard",
    "--format", "--deadline", "--watchdog", "--lost", "--factor", "--confirm",
  ]

  private mutating func setFlag(_ name: String, hasValue: Bool) throws(BenchError) -> Bool {
    switch name {
    case "--json": printsJSON = true
    case "--no-color": hasColor = false
    case "--color": forcesColor = true
    case "--quiet": isQuiet = true
    case "--require-hardware": requiresHardware = true
    case "--supervised": watch.isKept = true
    case "--full": isAdaptive = false
    default: return false
    }
    if hasValue { throw BenchError(.usage, "\(name) takes no value.") }
    return true
  }

  private mutating func set(_ name: String, to value: String) throws(BenchError) {
    switch name {
    case "--format": formats = try OutputFormat.list(value)
    case "--confirm": confirmed = value
    case "--shard": shard = try Shard(value)
    case "--factor": factors += try FactorLevel.list(value).filter { !factors.contains($0) }
    case "--n" where value == "auto": isAdaptive = true
    case "--scene":
      guard !value.isEmpty else { throw BenchError(.usage, "--scene takes a scene file.") }
      scene = UserScene(path: value, layer: "")
    case "--n":
      let parts = value.split(separator: ",", omittingEmptySubsequences: false).map { Int($0) }
      let numbers = parts.compactMap { $0 }
      guard numbers.count == parts.count, numbers.allSatisfy({ $0 >= 1 && $0 <= Self.largestCount }) else {
        throw BenchError(
          .usage, "--n takes numbers from 1 to \(Self.largestCount), as in 1,16,256, but got \"\(value)\".")
      }
      counts = Array(Set(numbers)).sorted()
    case "--suite":
      suites = value == "all" ? Suite.allCases : [try Self.choice(name, value, Suite.allCases)]
    case "--strategies":
      var chosen: Set<Strategy> = []
      for part in value.split(separator: ",", omittingEmptySubsequences: false) {
        chosen.insert(try Self.choice(name, String(part), Strategy.allCases))
      }
      strategies = Strategy.allCases.filter(chosen.contains)
    case "--rounds":
      guard let number = Int(value), number >= 1, number <= 1000 else {
        throw BenchError(.usage, "--rounds takes a number from 1 to 1000, but got \"\(value)\".")
      }
      rounds = number
    case "--seconds", "--budget":
      guard let number = Double(value), number >= 1, number <= 86_400 else {
        throw BenchError(.usage, "\(name) takes seconds from 1 to 86400, but got \"\(value)\".")
      }
      budgetSeconds = number
    case "--deadline", "--watchdog":
      let plain = value.hasSuffix("s") ? String(value.dropLast()) : value
      guard let number = Double(plain), number >= 1, number <= 86_400 else {
        throw BenchError(.usage, "\(name) takes seconds from 1 to 86400, but got \"\(value)\".")
      }
      if name == "--deadline" { deadlineSeconds = number } else { watchdogSeconds = number }
    case "--lost":
      try watch.add(value)
    case "--seed":
      guard let number = UInt64(value) else {
        throw BenchError(.usage, "--seed takes a whole number from 0, but got \"\(value)\".")
      }
      seed = number
    case "--size":
      let parts = value.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
      guard parts.count == 2, parts.allSatisfy({ $0 >= 64 && $0 <= Self.largestSide }) else {
        throw BenchError(
          .usage, "--size takes points from 64x64 to \(Self.largestSide)x\(Self.largestSide), but got \"\(value)\".")
      }
      shape.width = parts[0]
      shape.height = parts[1]
    case "--scale":
      guard let number = Double(value), number >= 0.25, number <= 8 else {
        throw BenchError(.usage, "--scale takes pixels per point from 0.25 to 8, but got \"\(value)\".")
      }
      shape.scale = number
    case "--target":
      guard ["embedded", "server"].contains(value) else {
        throw BenchError(.usage, "--target knows embedded and server, but got \"\(value)\".")
      }
      server = value == "server" ? server ?? Server() : nil
    case "--server":
      guard !value.isEmpty else { throw BenchError(.usage, "--server takes the path of portholed.") }
      server = Server(program: value)
    case "--out":
      guard !value.isEmpty else { throw BenchError(.usage, "--out takes a folder.") }
      outputFolder = value
    default:
      guard !value.isEmpty else { throw BenchError(.usage, "--scenes takes a folder.") }
      scenesFolder = value
    }
  }

  private static func choice<Value: RawRepresentable<String>>(
    _ name: String, _ value: String, _ choices: [Value]
  ) throws(BenchError) -> Value {
    guard let choice = Value(rawValue: value) else {
      let names = choices.map(\.rawValue).joined(separator: ", ")
      throw BenchError(.usage, "\(name) knows \(names), but got \"\(value)\".")
    }
    return choice
  }
}
