import JSON

/// A `result.json` that some run wrote, as far as a comparison needs it.
public struct RecordedResult: Sendable {
  /// What it was read from, for messages.
  public var name: String
  /// Every plain value of its environment. Those that bear on times must be equal for two runs' times to be compared.
  public var environment: [EnvironmentField]
  /// `release` or `debug`.
  public var build: String
  /// The GPU is the CPU.
  public var isSoftware: Bool
  public var isTimerValid: Bool
  /// The exit code that the run itself ended with.
  public var exitCode: Int
  /// What is wrong with it whatever code it ended with: pictures that were wrong, a run that was cut short, times that are
  /// longer than the run.
  public var faults: [String]
  public var planned: [String]
  public var cells: [RecordedCell]

  /// Throws a sentence that names the file and the place in it.
  public init(_ bytes: [UInt8], name: String) throws(BenchError) {
    let reader = try RecordReader(bytes, name: name)
    let document = reader.document
    guard try reader.text("schema", of: 0) == "porthole-bench/result" else {
      throw BenchError(.report, "\(name) is not a result: its schema is not porthole-bench/result.")
    }
    let version = try reader.number("version", of: 0)
    guard version == 1 else {
      throw BenchError(
        .report, "\(name) is a result of version \(NumberText.shortest(version)); this tool reads version 1.")
    }
    self.name = name
    let environment = try reader.member("env", of: 0)
    self.environment = try reader.environment(environment)
    build = try reader.text("build", of: try reader.member("tool", of: 0))
    isSoftware = try reader.flag("software", of: reader.member("gpu", of: environment))
    let timer = try reader.member("timer", of: reader.member("gl", of: environment))
    isTimerValid = try reader.flag("valid", of: timer)
    exitCode = Int(exactly: try reader.number("code", of: reader.member("exit", of: 0))) ?? 1
    let plan = try reader.member("plan", of: 0)
    planned = try reader.texts("cells_expected", of: plan)
    cells = []
    for node in document.children(of: try reader.array("cells", of: 0)) { cells.append(try RecordedCell(reader, node)) }
    faults = try Self.faults(reader, cells)
    if let twice = Dictionary(grouping: cells, by: \.id).first(where: { $0.value.count > 1 }) {
      throw BenchError(.report, "\(name) holds the cell \(twice.key) \(twice.value.count) times.")
    }
  }

  private static func faults(_ reader: RecordReader, _ cells: [RecordedCell]) throws(BenchError) -> [String] {
    var faults: [String] = []
    if let interruption = reader.optionalText("interrupted", of: 0) { faults.append("is incomplete: \(interruption)") }
    for check in reader.document.children(of: try reader.array("pictures", of: 0))
    where try !reader.flag("passed", of: check) {
      faults.append("has a picture that was wrong: \(try reader.text("note", of: check))")
    }
    let seconds = try reader.number("duration_s", of: 0)
    let drawn = cells.reduce(0) { $0 + $1.wallSeconds }
    if drawn > seconds * 1.05 + 0.01 {
      faults.append(
        "has frames of \(NumberText.significant(drawn, 3)) s in a run of \(NumberText.significant(seconds, 3)) s: "
          + "what are its times in?")
    }
    return faults
  }

  /// What two runs must share for their times to be comparable: the processor, the driver, what steers it, the build.
  public var surroundings: [EnvironmentField] {
    environment.filter(\.bearsOnTimes) + [EnvironmentField(name: "tool.build", value: build)]
  }

  public func cell(_ id: String) -> RecordedCell? { cells.first { $0.id == id } }

  /// The costs of the floor that was drawn beside `cell` in each round; nil where there is none.
  func floor(of cell: RecordedCell, _ metric: Metric) -> [Double]? {
    cells.first { $0.parameter("strategy") == Strategy.floor.rawValue && $0.isMate(of: cell) }?.costs(metric)
  }

  /// Whether some cell of both has the same time in each of several rounds.
  func sharesTimes(with other: RecordedResult) -> Bool {
    cells.contains { cell in
      guard let mine = cell.costs(.wall), mine.count > 2, let others = other.cell(cell.id)?.costs(.wall) else {
        return false
      }
      return mine == others
    }
  }

  /// Expected or there, in order.
  public var identifiers: [String] { planned + cells.map(\.id).filter { !planned.contains($0) } }
}

/// One cell of a recorded result.
public struct RecordedCell: Sendable {
  public var id: String
  /// By name, as text.
  public var parameters: [(name: String, value: String)]
  public var status: String
  public var reason: String?
  public var counters: [(name: String, value: Int)]
  /// One number for each round; empty where the metric was not measured.
  public var rounds: [Metric: [Double]]
  /// Of all its frames together.
  var wallSeconds = 0.0

  public func parameter(_ name: String) -> String? { parameters.first { $0.name == name }?.value }

  /// Nil where the cell failed or the metric was not measured.
  func costs(_ metric: Metric) -> [Double]? {
    guard status == Cell.Status.ok.rawValue, let costs = rounds[metric], !costs.isEmpty else { return nil }
    return costs
  }

  /// Whether both are of one kind but for the strategy.
  func isMate(of other: RecordedCell) -> Bool {
    // A floor has no factor.
    let isShared = { (name: String) in name != "strategy" && Factor(rawValue: name) == nil }
    let mine = parameters.filter { isShared($0.name) }
    let others = other.parameters.filter { isShared($0.name) }
    return mine.elementsEqual(others) { $0 == $1 }
  }

  init(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    id = try reader.text("id", of: node)
    parameters = try reader.fields("params", of: node)
    status = try reader.text("status", of: node)
    reason = reader.optionalText("reason", of: node)
    counters = try reader.counters(node)
    let raw = try reader.member("raw", of: node)
    rounds = [:]
    // What failed may hold what is no number, and no number of it is used.
    guard status == Cell.Status.ok.rawValue else { return }
    guard let key = CellKey(id: id), parameter("suite") == key.suite.rawValue,
      parameter("strategy") == key.strategy.rawValue, parameter("n") == "\(key.n)"
    else { throw reader.failure(node, "a cell whose id says what it is") }
    for metric in Metric.allCases { rounds[metric] = try reader.rounds(metric.rawValue, of: raw) }
    let frames = try reader.frames(Metric.wall.rawValue, of: raw)
    wallSeconds = frames.reduce(0, +) / 1000
    let samples = [Metric.wall: frames, .cpu: rounds[.cpu] ?? [], .gpu: rounds[.gpu] ?? []]
    try reader.checkSummaries(of: node, samples)
    // A cell that claims to be sound holds what was measured.
    guard !frames.isEmpty, frames.allSatisfy({ $0 > 0 }) else { throw reader.failure(raw, "frames of some time") }
    let cpu = rounds[.cpu] ?? []
    guard cpu.allSatisfy({ $0 >= 0 }), cpu.contains(where: { $0 > 0 }) else {
      throw reader.failure(raw, "a process clock that moves")
    }
  }
}
