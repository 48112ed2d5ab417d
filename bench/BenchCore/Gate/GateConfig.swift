/// What a repository holds itself to: `porthole-bench.toml`, or the same as JSON. Paths are relative to the file.
public struct GateConfig: Sendable, Hashable {
  /// What a tier's verdict does.
  public enum Gate: String, Sendable, CaseIterable {
    /// It fails the run.
    case blocking
    /// It is told, and decides nothing.
    case advisory
    case off
  }

  public enum GPUGate: String, Sendable, CaseIterable {
    /// Where the driver's timer is proven, times are GPU times and fail the run; elsewhere there are none.
    case blocking
    case advisory, off
    /// As blocking, and a machine without a proven timer is refused.
    case required
  }

  /// A scene of the repository's own: one of its layers is shown N times.
  public struct Scene: Sendable, Hashable {
    public var name: String
    public var user: ScaleOptions.UserScene
    public var counts: [Int]
  }

  /// The most that a counter may be.
  public struct Limit: Sendable, Hashable {
    /// A cell, or the beginning of several with `*` at the end.
    public var cell: String
    public var counter: String
    public var most: Int
    /// Where it stands.
    public var place: String

    public init(cell: String, counter: String, most: Int, place: String) {
      (self.cell, self.counter, self.most, self.place) = (cell, counter, most, place)
    }

    func matches(_ id: String) -> Bool { cell.hasSuffix("*") ? id.hasPrefix(cell.dropLast()) : id == cell }
  }

  /// Tier 1.
  public struct Exact: Sendable, Hashable {
    public var gate = Gate.blocking
    /// Nil holds counters to their limits alone.
    public var baseline: String?
    public var suites: [FeatureSuite] = []
    /// By how much a counter may grow, as a part of itself.
    public var growth = 0.0
    public var maximumAge: Int?
    public var advisory: Set<String> = []
    public var isStrictAboutImprovement = false
    public var limits: [Limit] = []
  }

  /// Tier 1b.
  public struct Instructions: Sendable, Hashable {
    public var gate = Gate.off
    public var baseline: String?
    public var counts = [16, 32]
    public var tolerance = 0.005
  }

  /// Two ways to draw, in turns: `b` may cost at most so many times what `a` costs.
  public struct Pair: Sendable, Hashable {
    public var name: String
    public var a: ArmSpec
    public var b: ArmSpec
    public var scene: String?
    public var atMost: Double
    public var seconds: Double
  }

  /// Tiers 2 and 3.
  public struct Time: Sendable, Hashable {
    public var gate = Gate.blocking
    public var pairs: [Pair] = []
    /// porthole-bench of another build, which this one is held against.
    public var base: String?
    public var counts = [64]
    public var hasControl = true
    public var margin = 0.015
    public var tolerance = 0.05
  }

  public var budgetSeconds = 120.0
  public var shape = OutputShape()
  public var seed: UInt64 = 1
  public var exact = Exact()
  public var instructions = Instructions()
  public var time = Time()
  public var gpu = GPUGate.blocking
  public var scenes: [Scene] = []
  /// Measure a curve of cost for the report, with what is left of the time.
  public var hasReport = true
  /// Results over time, told of and never failed by.
  public var history: String?

  public init() {}
}

extension GateConfig {
  /// Throws a sentence that names file and line. `folder` is the file's own.
  public init(_ bytes: [UInt8], name: String, folder: String) throws(BenchError) {
    self.init()
    func path(_ text: String?) -> String? {
      text.map { $0.hasPrefix("/") || folder.isEmpty || folder == "." ? $0 : "\(folder)/\($0)" }
    }
    var top = try ConfigTable(try ConfigValue.read(bytes, name: name))
    budgetSeconds = try top.seconds("budget", 5...86_400) ?? budgetSeconds
    if let size = top.take("size") {
      guard case .text(let text) = size.kind, let (width, height) = Self.size(text) else {
        throw size.failure("points as in \"1280x720\", from 64x64 to 16384x16384")
      }
      (shape.width, shape.height) = (width, height)
    }
    shape.scale = try top.number("scale", 0.25...8) ?? shape.scale
    seed = UInt64(try top.whole("seed", 0...(1 << 53)) ?? 1)
    hasReport = try top.flag("report") ?? hasReport
    for table in try top.tables("scene") { scenes.append(try Self.scene(table, path)) }
    var names: Set<String> = []
    for scene in scenes where !names.insert(scene.name).inserted {
      throw BenchError(.usage, "\(name): two scenes are named “\(scene.name)”; give one another name.")
    }
    // A repository with scenes of its own holds those to account; one without has the benchmark's.
    exact.suites = scenes.isEmpty ? FeatureSuite.allCases : []
    if let table = try top.table("exact") { try readExact(table, path) }
    if let table = try top.table("instructions") { try readInstructions(table, path) }
    if let table = try top.table("time") { try readTime(table, path) }
    if var table = try top.table("gpu") {
      gpu = try table.choice("gate", GPUGate.self) ?? gpu
      try table.end()
    }
    if var table = try top.table("history") {
      history = path(try table.text("file"))
      try table.end()
    }
    try top.end()
  }

  private static func size(_ text: String) -> (Int, Int)? {
    let parts = text.split(separator: "x", omittingEmptySubsequences: false).map { Int($0) ?? 0 }
    guard parts.count == 2, parts.allSatisfy({ (64...16_384).contains($0) }) else { return nil }
    return (parts[0], parts[1])
  }

  private static func scene(_ table: ConfigTable, _ path: (String?) -> String?) throws(BenchError) -> Scene {
    var table = table
    guard let file = try table.text("file"), let layer = try table.text("multiply") else {
      throw BenchError(
        .usage, "\(table.place): a scene takes file, and multiply, the name of the layer that is shown N times.")
    }
    let stem = file.split(separator: "/").last.map { $0.split(separator: ".").first.map(String.init) ?? "" } ?? ""
    let named = try table.text("name") ?? stem
    guard !named.isEmpty, named.allSatisfy({ !$0.isWhitespace && $0 != "#" && $0 != "*" }),
      FeatureSuite(rawValue: named) == nil
    else {
      throw BenchError(
        .usage, "\(table.place): “\(named)” can't be a scene's name: no spaces, # or *, and no suite's name.")
    }
    let scene = Scene(
      name: named,
      user: .init(path: path(file) ?? file, layer: layer, mover: try table.text("move")),
      counts: try table.wholes("n", 1...ScaleOptions.largestCount) ?? [1, 16, 64])
    try table.end()
    return scene
  }

  private mutating func readExact(_ table: ConfigTable, _ path: (String?) -> String?) throws(BenchError) {
    var table = table
    exact.gate = try table.choice("gate", Gate.self) ?? exact.gate
    exact.baseline = path(try table.text("baseline"))
    if let value = table.take("suites") {
      guard case .list(let names) = value.kind else { throw value.failure("a list of suites") }
      exact.suites = []
      for name in names {
        guard case .text(let text) = name.kind, let suite = FeatureSuite(rawValue: text) else {
          throw name.failure("one of " + FeatureSuite.allCases.map(\.rawValue).joined(separator: ", "))
        }
        if !exact.suites.contains(suite) { exact.suites.append(suite) }
      }
    }
    exact.growth = (try table.number("growth", 0...1000) ?? 0) / 100
    exact.maximumAge = try table.whole("max-age", 0...100_000)
    exact.advisory = Set(try table.texts("advisory") ?? [])
    exact.isStrictAboutImprovement = try table.flag("strict-improvement") ?? false
    for var limit in try table.tables("limit") {
      guard let cell = try limit.text("cell"), let counter = try limit.text("counter"),
        let most = try limit.whole("most", 0...(1 << 53))
      else { throw BenchError(.usage, "\(limit.place): a limit takes cell, counter and most.") }
      try limit.end()
      exact.limits.append(Limit(cell: cell, counter: counter, most: most, place: limit.place))
    }
    try table.end()
    guard exact.gate == .off || exact.baseline != nil || !exact.limits.isEmpty else {
      throw BenchError(
        .usage, "\(table.place): exact takes a baseline or [[exact.limit]]; baseline save makes the first.")
    }
  }

  private mutating func readInstructions(_ table: ConfigTable, _ path: (String?) -> String?) throws(BenchError) {
    var table = table
    instructions.gate = try table.choice("gate", Gate.self) ?? .blocking
    instructions.baseline = path(try table.text("baseline"))
    instructions.counts = try table.wholes("n", 1...4096) ?? instructions.counts
    instructions.tolerance = (try table.number("tolerance", 0...100) ?? 0.5) / 100
    try table.end()
    guard instructions.gate == .off || instructions.baseline != nil else {
      throw BenchError(
        .usage, "\(table.place): instructions take a baseline; counters --instructions --out makes one.")
    }
  }

  private mutating func readTime(_ table: ConfigTable, _ path: (String?) -> String?) throws(BenchError) {
    var table = table
    time.gate = try table.choice("gate", Gate.self) ?? time.gate
    time.base = path(try table.text("base"))
    time.counts = try table.wholes("n", 1...ScaleOptions.largestCount) ?? time.counts
    time.hasControl = try table.flag("control") ?? time.hasControl
    time.margin = (try table.number("margin", 0...1000) ?? 1.5) / 100
    time.tolerance = (try table.number("tolerance", 0...1000) ?? 5) / 100
    guard time.tolerance >= time.margin else {
      throw BenchError(.usage, "\(table.place): tolerance must not be smaller than margin.")
    }
    for var pair in try table.tables("pair") {
      guard let a = try pair.text("a"), let b = try pair.text("b"), let most = try pair.number("at-most", 0.001...1000)
      else {
        throw BenchError(.usage, "\(pair.place): a pair takes a, b and at-most: how many times a's cost b's may be.")
      }
      let scene = try pair.text("scene")
      if let scene, !scenes.contains(where: { $0.name == scene }) {
        throw BenchError(.usage, "\(pair.place): there is no [[scene]] named “\(scene)”.")
      }
      let made = Pair(
        name: try pair.text("name") ?? "\(scene.map { $0 + ": " } ?? "")\(b) / \(a)",
        a: try ArmSpec(a, option: "\(pair.place): a"), b: try ArmSpec(b, option: "\(pair.place): b"), scene: scene,
        atMost: most, seconds: try pair.seconds("seconds", 1...3600) ?? 6)
      try pair.end()
      time.pairs.append(made)
    }
    try table.end()
  }
}
