/// Several parts of a plan as the whole that one run would have given.
public enum ResultMerge {
  /// Throws, with the code for a machine that can't give what was asked for, where the parts were not measured alike, and a
  /// sentence where they are not parts of one plan. A cell that is in none of them is missing, one that is in two invalid;
  /// all others stand.
  public static func merge(_ parts: [(name: String, result: BenchmarkResult)]) throws(BenchError) -> BenchmarkResult {
    // Whatever order the files come in, the same parts give the same bytes.
    let parts = parts.sorted { a, b in
      (a.result.shard?.index ?? 0, a.result.started, a.name) < (b.result.shard?.index ?? 0, b.result.started, b.name)
    }
    guard let first = parts.first else { throw BenchError(.usage, "merge takes the result.json of each shard.") }
    for part in parts.dropFirst() { try check(part, against: first) }
    var merged = first.result
    merged.shard = nil
    merged.cells = []
    merged.order = []
    merged.notes = []
    merged.pictures = []
    merged.slopes = []
    // As files hold them: the sum of what was read is that of what was measured.
    merged.durationSeconds = parts.reduce(0) { $0 + ($1.result.durationSeconds * 1000).rounded() / 1000 }
    var places: [String: [Int]] = [:]
    for (number, part) in parts.enumerated() {
      if let interruption = part.result.interruption { merged.interruption = "\(part.name): \(interruption)" }
      for cell in part.result.cells { places[cell.id, default: []].append(number) }
      for note in part.result.notes where !merged.notes.contains(note) { merged.notes.append(note) }
      merged.sensors += number == 0 ? [] : part.result.sensors
      merged.slopes += part.result.slopes.filter { !merged.slopes.contains($0) }
      for check in part.result.pictures where !merged.pictures.contains(check) { merged.pictures.append(check) }
    }
    let planned = merged.planned + parts.flatMap(\.result.planned).filter { !merged.planned.contains($0) }
    var seen: Set<String> = []
    merged.planned = planned.filter { seen.insert($0).inserted }
    let identifiers = merged.planned + places.keys.filter { !seen.contains($0) }.sorted()
    var indices: [String: Int] = [:]
    for id in identifiers {
      guard var cell = cell(id, places[id] ?? [], parts.map(\.result)) else { continue }
      if let twice = places[id], twice.count > 1 {
        cell.status = .invalid
        cell.reason = "measured \(twice.count) times: in \(twice.map { parts[$0].name }.joined(separator: " and "))"
      }
      indices[id] = merged.cells.count
      merged.cells.append(cell)
    }
    for part in parts {
      for (suite, rounds) in part.result.order {
        let moved = rounds.map { round in
          round.compactMap { index -> Int? in
            guard part.result.cells.indices.contains(index) else { return nil }
            return indices[part.result.cells[index].id]
          }
        }
        if let place = merged.order.firstIndex(where: { $0.suite == suite }) {
          merged.order[place].rounds += moved
        } else {
          merged.order.append((suite, moved))
        }
      }
    }
    ScaleAnalysis.analyze(&merged)
    for part in parts where part.result.exit.code != .ok && merged.exit.code == .ok {
      merged.exit = ExitStatus(
        code: part.result.exit.code, reasons: ["\(part.name) is of a run that itself ended badly"])
    }
    return merged
  }

  private static func check(
    _ part: (name: String, result: BenchmarkResult), against first: (name: String, result: BenchmarkResult)
  ) throws(BenchError) {
    let (a, b) = (first.result, part.result)
    let names = "\(first.name) and \(part.name)"
    guard a.tool == b.tool else { throw BenchError(.report, "\(names) are of two builds: they make no whole.") }
    guard a.seed == b.seed, a.shape == b.shape, a.shard?.count == b.shard?.count, a.planned == b.planned else {
      throw BenchError(.report, "\(names) are not parts of one plan: seed, output, shards or cells differ.")
    }
    guard a.environment.comparableKey != b.environment.comparableKey else { return }
    let difference = zip(a.environment.fields, b.environment.fields).first { $0 != $1 && $0.bearsOnTimes }
    let sentence = difference.map { "\($0.name) is “\($0.value)” in \(first.name), “\($1.value)” in \(part.name)" }
    throw BenchError(.environment, (sentence ?? "\(names) were measured on different machines") + ".")
  }

  /// The cell as it was measured, or, of the plan and in no part, as missing.
  private static func cell(_ id: String, _ places: [Int], _ results: [BenchmarkResult]) -> Cell? {
    if let place = places.first { return results[place].cells.first { $0.id == id } }
    guard let key = CellKey(id: id), let shape = results.first?.shape else { return nil }
    return Cell(key: key, shape: shape, status: .missing, reason: "no shard has measured it")
  }
}

extension CellKey {
  /// Of a cell's identifier; nil where it is none.
  public init?(id: String) {
    let parts = id.split(separator: "/").map(String.init)
    guard parts.count >= 3, let suite = Suite(rawValue: parts[0]), parts[1].hasPrefix("strategy="),
      let strategy = Strategy(rawValue: String(parts[1].dropFirst(9))), parts[2].hasPrefix("n="),
      let n = Int(parts[2].dropFirst(2))
    else { return nil }
    self.init(
      suite: suite, strategy: strategy, n: n, factor: parts.dropFirst(3).compactMap { FactorLevel($0) }.first)
  }
}
