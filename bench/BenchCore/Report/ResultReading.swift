import JSON

extension BenchmarkResult {
  /// A `result.json` that some run wrote, whole: what it says together is worked out anew from what was measured. Throws a
  /// sentence that names the file and the place in it.
  public init(_ bytes: [UInt8], name: String) throws(BenchError) {
    // What a comparison asks of a result is asked here too: schema, version, key, no cell twice.
    _ = try RecordedResult(bytes, name: name)
    let reader = try RecordReader(bytes, name: name)
    let document = reader.document
    let tool = try reader.member("tool", of: 0)
    let plan = try reader.member("plan", of: 0)
    var shard: Shard?
    if let node = document.member("shard", of: plan), document[node].value == .object {
      shard = Shard(index: try reader.whole("index", of: node), count: try reader.whole("count", of: node))
    }
    var cells: [Cell] = []
    for node in document.children(of: try reader.array("cells", of: 0)) { cells.append(try Cell(reader, node)) }
    var order: [(suite: Suite, rounds: [[Int]])] = []
    for node in document.children(of: try reader.array("order", of: plan)) {
      var rounds: [[Int]] = []
      for round in document.children(of: try reader.array("rounds", of: node)) {
        var places: [Int] = []
        for place in document.children(of: round) { places.append(try reader.whole(place)) }
        rounds.append(places)
      }
      order.append((try reader.choice("suite", of: node), rounds))
    }
    var pictures: [PictureCheck] = []
    for node in document.children(of: try reader.array("pictures", of: 0)) {
      pictures.append(
        PictureCheck(
          suite: try reader.choice("suite", of: node), strategy: try reader.choice("strategy", of: node),
          n: try reader.whole("n", of: node), frame: try reader.whole("frame", of: node),
          passed: try reader.flag("passed", of: node), note: try reader.text("note", of: node)))
    }
    var slopes: [SlopeParts] = []
    for node in document.children(of: try reader.array("slope_parts", of: 0)) {
      slopes.append(try SlopeParts(reader, node))
    }
    self.init(
      tool: ToolIdentity(version: try reader.text("version", of: tool), build: try reader.text("build", of: tool)),
      arguments: try reader.texts("argv", of: 0), seed: UInt64(try reader.whole("seed", of: 0)),
      started: try reader.text("started", of: 0), durationSeconds: try reader.number("duration_s", of: 0),
      environment: try RunEnvironment(reader, try reader.member("env", of: 0)), shape: try OutputShape(reader, cells),
      planned: try reader.texts("cells_expected", of: plan), order: order, cells: cells, pictures: pictures,
      scaling: [],
      slopes: slopes, capacities: [], ratios: [], notes: try reader.texts("notes", of: 0), exit: ExitStatus())
    self.shard = shard
    if let list = document.member("sensors", of: 0) {
      for node in document.children(of: list) {
        sensors.append(
          (try reader.choice("suite", of: node), try SensorRecord(reader, try reader.member("record", of: node))))
      }
    }
    interruption = reader.optionalText("interrupted", of: 0)
    ScaleAnalysis.analyze(&self)
    let code = try reader.whole("code", of: reader.member("exit", of: 0))
    // A run may know more of what went wrong than its numbers do.
    if exit.code == .ok, code != 0 {
      exit = ExitStatus(
        code: ExitStatus.Code(rawValue: Int32(clamping: code)) ?? .toolError,
        reasons: try reader.texts("reasons", of: reader.member("exit", of: 0)))
    }
  }
}

extension OutputShape {
  /// What all cells were drawn at.
  fileprivate init(_ reader: RecordReader, _ cells: [Cell]) throws(BenchError) {
    guard let shape = cells.first?.shape else {
      // A shard may have got no cell of a small plan.
      let node = try reader.member("output", of: 0)
      self.init(
        width: try reader.whole("width", of: node), height: try reader.whole("height", of: node),
        scale: try reader.number("scale", of: node))
      return
    }
    self = shape
  }
}

extension SlopeParts {
  fileprivate init(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    let words = try reader.text("series", of: node).split(separator: "/").map(String.init)
    guard words.count == 2, let suite = Suite(rawValue: words[0]),
      let strategy = Strategy(rawValue: String(words[1].dropFirst("strategy=".count)))
    else { throw reader.failure(node, "a series that is known") }
    (self.suite, self.strategy) = (suite, strategy)
    (from, to) = (try reader.whole("from", of: node), try reader.whole("to", of: node))
    parts = []
    for part in reader.document.children(of: try reader.array("parts", of: node)) {
      parts.append(
        Part(
          name: try reader.text("name", of: part), slope: try reader.number("slope", of: part),
          share: try reader.number("share", of: part)))
    }
  }
}

extension Cell {
  fileprivate init(_ reader: RecordReader, _ node: Int32) throws(BenchError) {
    let params = try reader.member("params", of: node)
    var key = CellKey(
      suite: try reader.choice("suite", of: params), strategy: try reader.choice("strategy", of: params),
      n: try reader.whole("n", of: params))
    for factor in Factor.allCases where reader.document.member(factor.rawValue, of: params) != nil {
      key.factor = FactorLevel(factor, try reader.whole(factor.rawValue, of: params))
    }
    let shape = OutputShape(
      width: try reader.whole("width", of: params), height: try reader.whole("height", of: params),
      scale: try reader.number("scale", of: params))
    let warmup = try reader.member("warmup", of: node)
    self.init(
      key: key, shape: shape, status: try reader.choice("status", of: node),
      reason: reader.optionalText("reason", of: node),
      counters: FrameCount(named: try reader.counters(node)),
      warmupFrames: try reader.whole("frames_discarded", of: warmup))
    coldMilliseconds = try? reader.number("cold_ms", of: warmup)
    if let dropped = reader.document.member("dropped", of: node) {
      throttledRounds = (try? reader.whole("throttle", of: dropped)) ?? 0
    }
    guard try reader.text("id", of: node) == id else { throw reader.failure(node, "a cell whose id says what it is") }
    // What failed may hold what is no number, and no number of it is used.
    guard status == .ok else { return }
    let raw = try reader.member("raw", of: node)
    let cpu = try reader.rounds("cpu_ms", of: raw)
    let gpu = try reader.rounds("gpu_ms", of: raw)
    let walls = reader.document.children(of: try reader.array("frame_wall_ms", of: raw))
    guard cpu.count == walls.count, gpu.isEmpty || gpu.count == walls.count else {
      throw reader.failure(raw, "as many rounds of each metric")
    }
    for (index, round) in walls.enumerated() {
      var frames: [Double] = []
      for frame in reader.document.children(of: round) { frames.append(try reader.number(frame)) }
      rounds.append(
        RoundSample(
          wallMilliseconds: frames, cpuMilliseconds: cpu[index], gpuMilliseconds: gpu.isEmpty ? nil : gpu[index]))
    }
    checkNumbers()
  }
}

extension FrameCount {
  /// Nil unless all are there.
  init?(named counters: [(name: String, value: Int)]) {
    func value(_ name: String) -> Int? { counters.first { $0.name == name }?.value }
    guard let passes = value("passes"), let batches = value("batches"), let quads = value("quads"),
      let layers = value("layers_visited"), let pixels = value("shaded_pixels")
    else { return nil }
    self.init(passes: passes, batches: batches, quads: quads, layersVisited: layers, shadedPixels: pixels)
  }
}
